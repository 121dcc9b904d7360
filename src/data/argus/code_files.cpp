// SPDX-License-Identifier: Apache-2.0
#include "data/argus/code_files.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/base/text.h"
#include "data/argus/lines.h"
#include "data/files/hierarchy_file.h"

namespace lacuna::argus {
namespace {

// Whether the first code of the file is the total.
bool lists_total(std::string_view text, const std::string& lead, const std::string& total) {
  for (const Line& line : lines_of(text)) {
    std::string_view code = line.text;
    while (code.starts_with(lead))
      code.remove_prefix(lead.size());
    code = code.substr(0, code.find_last_not_of(" \t") + 1);
    if (!code.empty())
      return code == total;
  }
  return false;
}

std::string label_text(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

}  // namespace

Result<TreeFile> read_tree(std::string bytes,
                           const std::string& filename,
                           const std::string& lead,
                           const std::string& total) {
  LACUNA_TRY(const std::string text, text_of(std::move(bytes), filename));
  LACUNA_TRY(files::CodeTree tree, files::read_hrc(text, filename, lead, total));
  TreeFile result;
  std::unordered_map<std::string_view, std::int32_t> index;
  for (const std::string& code : tree.codes)
    index.emplace(code, static_cast<std::int32_t>(index.size()));
  result.parents.assign(tree.codes.size(), -1);
  for (const files::NamedRelation& relation : tree.relations) {
    for (const std::string& child : relation.children)
      result.parents[static_cast<std::size_t>(index.at(child))] = index.at(relation.parent);
  }
  for (std::size_t i = 1; i < tree.codes.size(); ++i)
    result.width = std::max(result.width, characters_in(tree.codes[i]));
  if (lists_total(text, lead, total))
    result.notes.push_back(filename + ": the total " + base::in_quotes(total) +
                           " is listed in the tree, which tau-ARGUS refuses; read as the total");
  result.codes = std::move(tree.codes);
  return result;
}

Result<std::vector<CodeLabel>> read_code_labels(std::string bytes, const std::string& filename) {
  LACUNA_TRY(const std::string text, text_of(std::move(bytes), filename));
  std::vector<CodeLabel> labels;
  for (const Line& line : lines_of(text)) {
    const std::string_view whole = line.text;
    if (base::trimmed(whole).empty())
      continue;
    const std::size_t after_quote = whole.front() == '"' ? whole.find('"', 1) : 0;
    const std::size_t comma =
        whole.find(',', after_quote == std::string_view::npos ? 0 : after_quote);
    const std::string_view code = whole.substr(0, comma);
    const std::string_view label =
        comma == std::string_view::npos ? "" : base::trimmed(whole.substr(comma + 1));
    labels.push_back(
        {label_text(code.substr(0, code.find_last_not_of(" \t") + 1)), label_text(label)});
  }
  return labels;
}

}  // namespace lacuna::argus
