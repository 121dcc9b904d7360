// SPDX-License-Identifier: Apache-2.0
#include "app/check/acro_results.h"

#include <algorithm>
#include <filesystem>

#include "core/base/text.h"
#include "data/files/json_tree.h"

namespace lacuna::checking {
namespace {

using files::JsonKind;
using files::JsonNode;

JsonNode member(JsonNode object, std::string_view name) {
  if (object.present() && object.kind() == JsonKind::kObject) {
    for (const JsonNode each : object.children()) {
      if (each.key() == name)
        return each;
    }
  }
  return {};
}

std::string text_of(JsonNode object, std::string_view name) {
  const JsonNode found = member(object, name);
  return found.present() && found.kind() == JsonKind::kString ? std::string(found.text()) : "";
}

// "Variables defining table are:  ['region', 'sex']" of the summary.
std::vector<std::string> variables_in(const std::string& summary) {
  std::vector<std::string> names;
  const std::size_t at = summary.find("Variables defining table");
  const std::size_t begin = at == std::string::npos ? at : summary.find('[', at);
  const std::size_t end = begin == std::string::npos ? begin : summary.find(']', begin);
  if (end == std::string::npos)
    return names;
  for (std::size_t i = summary.find('\'', begin); i < end; i = summary.find('\'', i + 1)) {
    const std::size_t close = summary.find('\'', i + 1);
    if (close > end)
      break;
    names.push_back(summary.substr(i + 1, close - i - 1));
    i = close;
  }
  return names;
}

// The last name within what stands behind a keyword: values=df.income, values=df["income"].
std::string named_by(const std::string& command, const std::string& keyword) {
  const std::size_t at = command.find(keyword);
  if (at == std::string::npos)
    return "";
  std::string name;
  for (std::size_t i = at + keyword.size(); i < command.size(); ++i) {
    const char c = command[i];
    const bool is_letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (is_letter)
      name += c;
    else if (c == '.' || c == '[' || c == '"' || c == '\'')
      name += name.empty() || name.back() == ' ' ? "" : " ";
    else if (c == ',' || c == ')' || c == ']')
      break;
  }
  const std::size_t end = name.find_last_not_of(' ');
  name.resize(end == std::string::npos ? 0 : end + 1);
  const std::size_t last = name.rfind(' ');
  return last == std::string::npos ? name : name.substr(last + 1);
}

std::string measure_of(const std::string& command) {
  const std::string values = named_by(command, "values=");
  const std::string function = named_by(command, "aggfunc=");
  if (function.empty() || function == "count" || function == "size")
    return "";
  return function + " of " + (values.empty() ? "values" : values);
}

}  // namespace

bool is_acro_results(const std::string& name, const std::string& bytes) {
  return std::filesystem::path(name).filename() == "results.json" &&
         bytes.find("\"ACRO\"") != std::string::npos &&
         bytes.find("\"results\"") != std::string::npos;
}

bool is_acro_housekeeping(const std::string& name) {
  const std::filesystem::path path(name);
  const std::string base = path.filename().string();
  return base == "config.json" || base == "results.json" ||
         path.parent_path().filename() == "checksums";
}

Result<std::map<std::string, AcroRecord>> read_acro_results(const std::string& bytes,
                                                            const std::string& filename) {
  LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(bytes, filename));
  const JsonNode results = member(tree.root(), "results");
  if (!results.present() || results.kind() != JsonKind::kObject)
    return Error{ErrorCode::kDamaged, "these results of ACRO have no object results", filename};
  std::map<std::string, AcroRecord> records;
  for (const JsonNode each : results.children()) {
    AcroRecord record;
    record.id = std::string(each.key());
    record.status = text_of(each, "status");
    record.command = text_of(each, "command");
    record.summary = std::string(base::trimmed(text_of(each, "summary")));
    record.exception = text_of(each, "exception");
    record.variables = variables_in(record.summary);
    record.measure = measure_of(record.command);
    record.for_checkers = record.id.find("DONT_RELEASE") != std::string::npos;
    const JsonNode files = member(each, "files");
    if (!files.present() || files.kind() != JsonKind::kArray)
      return Error{ErrorCode::kDamaged,
                   "the output " + record.id + " of these results has no list files",
                   filename};
    for (const JsonNode file : files.children())
      records[text_of(file, "name")] = record;
  }
  return records;
}

}  // namespace lacuna::checking
