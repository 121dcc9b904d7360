// SPDX-License-Identifier: Apache-2.0
#include "app/load/provenance.h"

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/sha256.h"
#include "core/base/spelling.h"
#include "core/platform/system.h"
#include "data/files/file.h"
#include "data/files/json_tree.h"

namespace lacuna::load {
namespace {

std::string plain_text(const files::JsonNode& node) {
  switch (node.kind()) {
    case files::JsonKind::kTrue:
      return "true";
    case files::JsonKind::kFalse:
      return "false";
    case files::JsonKind::kInteger:
    case files::JsonKind::kNumber:
      return node.number_text().value();
    case files::JsonKind::kString:
      return std::string(node.text());
    case files::JsonKind::kNull:
    case files::JsonKind::kArray:
    case files::JsonKind::kObject:
      return "";
  }
  return "";
}

Result<files::JsonTree> parse_result(const std::string& path, const Inputs& inputs) {
  LACUNA_TRY(const std::string text, inputs.read(path));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '{') {
    return Error{ErrorCode::kOtherContent,
                 "this is not a result of lacuna protect: " + base::named_option("input") +
                     " names the table of any other release",
                 path};
  }
  return files::JsonTree::parse(text, path);
}

bool has_release(const files::JsonTree& tree) {
  if (tree.root().kind() != files::JsonKind::kObject)
    return false;
  for (const files::JsonNode member : tree.root().children()) {
    if (member.key() == "release")
      return true;
  }
  return false;
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const std::tm parts = platform::utc_time(now);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, length};
}

Result<std::string> file_sha256(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error{ErrorCode::kFileUnreadable, "the file cannot be read", path};
  return base::sha256_hex(std::string(std::istreambuf_iterator<char>(file), {}));
}

Result<std::map<std::string, std::string>> read_run(const std::string& path, const Inputs& inputs) {
  LACUNA_TRY(const files::JsonTree tree, parse_result(path, inputs));
  if (!has_release(tree)) {
    return Error{ErrorCode::kOtherContent,
                 "this is not a result: 'lacuna protect IN -o RESULT.json' writes one",
                 path};
  }
  std::map<std::string, std::string> run;
  for (const files::JsonNode member : tree.root().children()) {
    if (member.key() != "run" || member.kind() != files::JsonKind::kObject)
      continue;
    for (const files::JsonNode item : member.children())
      run[std::string(item.key())] = plain_text(item);
  }
  return run;
}

bool is_result_file(const std::string& path, const Inputs& inputs) {
  if (path.find(".json") == std::string::npos)
    return false;
  const auto tree = parse_result(path, inputs);
  return tree && has_release(*tree);
}

Result<std::string> table_of_result(const std::string& path,
                                    const std::string& given,
                                    const Inputs& inputs) {
  if (!given.empty())
    return given;
  LACUNA_TRY(const auto run, read_run(path, inputs));
  const auto named = run.find("input");
  if (named == run.end() || named->second.empty()) {
    return Error{
        ErrorCode::kOptionMissing, "the result does not name its table; name it here", "--input"};
  }
  const std::filesystem::path beside = std::filesystem::path(path).parent_path() / named->second;
  for (const std::filesystem::path& candidate : {std::filesystem::path(named->second), beside}) {
    if (std::filesystem::exists(candidate))
      return candidate.string();
  }
  return Error{ErrorCode::kOptionMissing,
               "the table '" + named->second + "' that the result names is not there; name it here",
               "--input"};
}

}  // namespace lacuna::load
