// SPDX-License-Identifier: Apache-2.0
#include "data/files/hierarchy_file.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "data/files/csv.h"
#include "data/files/position.h"

namespace lacuna::files {
namespace {

// Groups children by parent while a file is read; parents keep the order of the codes.
class TreeCollector {
 public:
  explicit TreeCollector(const std::string& total) { add_code(total); }

  bool add_code(const std::string& code) {
    const bool is_new = index_.try_emplace(code, codes_.size()).second;
    if (is_new) {
      codes_.push_back(code);
      children_.emplace_back();
    }
    return is_new;
  }
  bool knows(const std::string& code) const { return index_.contains(code); }
  void add_child(const std::string& parent, const std::string& child) {
    children_[index_.at(parent)].push_back(child);
  }
  CodeTree tree() && {
    CodeTree tree;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      if (!children_[i].empty())
        tree.relations.push_back({codes_[i], std::move(children_[i])});
    }
    tree.codes = std::move(codes_);
    return tree;
  }

 private:
  std::vector<std::string> codes_;
  std::vector<std::vector<std::string>> children_;
  std::unordered_map<std::string, std::size_t> index_;
};

struct HrcLine {
  std::size_t offset = 0;
  std::size_t depth = 0;  // number of leads
  std::string code;
};

Result<std::vector<HrcLine>> split_hrc(std::string_view text,
                                       const std::string& filename,
                                       const std::string& lead) {
  if (const std::size_t bad = base::find_bad_utf8(text); bad != std::string_view::npos)
    return error_at(filename, text, bad, "this byte is not UTF-8 text: convert the file to UTF-8");
  std::vector<HrcLine> lines;
  std::size_t start = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string_view line = text.substr(start, end - start);
    const std::size_t last = line.find_last_not_of(" \t\r");
    line = line.substr(0, last == std::string_view::npos ? 0 : last + 1);
    HrcLine entry{start, 0, ""};
    start = end + 1;
    if (line.empty())
      continue;
    while (line.starts_with(lead)) {
      line.remove_prefix(lead.size());
      ++entry.depth;
    }
    if (line.empty())
      return error_at(filename, text, entry.offset, "the line has no code after the lead");
    entry.code = line;
    lines.push_back(std::move(entry));
  }
  return lines;
}

Error two_hierarchies(const Dimension& dimension, const char* format) {
  return {ErrorCode::kCannotHold,
          std::string(format) + " file holds one tree, but the dimension has several hierarchies",
          "dimension " + dimension.name()};
}

}  // namespace

Result<CodeTree> read_hrc(std::string_view text,
                          const std::string& filename,
                          const std::string& lead,
                          const std::string& total) {
  if (lead.empty())
    return Error{ErrorCode::kBadHierarchy, "the lead of a hierarchy must not be empty", filename};
  LACUNA_TRY(const auto lines, split_hrc(text, filename, lead));
  const auto error = [&](const HrcLine& line, std::string message) {
    return error_at(filename, text, line.offset, std::move(message), ErrorCode::kBadHierarchy);
  };
  if (lines.empty())
    return error_at(filename, text, 0, "the hierarchy has no codes", ErrorCode::kNoRows);
  TreeCollector collector(total);
  const bool lists_total = lines.front().code == total;
  const std::size_t top = lists_total ? lines.front().depth + 1 : 0;
  std::vector<std::string> ancestors{total};
  for (std::size_t i = lists_total ? 1 : 0; i < lines.size(); ++i) {
    const HrcLine& line = lines[i];
    if (line.code == total)
      return error(line,
                   "the total " + base::in_quotes(total) + " may be listed on the first line only");
    if (line.depth < top)
      return error(line, "the code " + base::in_quotes(line.code) + " stands next to the total");
    const std::size_t level = line.depth - top + 1;  // 1 below the total
    if (level > ancestors.size()) {
      return error(line,
                   "the code " + base::in_quotes(line.code) + " is " +
                       std::to_string(level + 1 - ancestors.size()) +
                       " levels below the line before it; one is allowed");
    }
    if (!collector.add_code(line.code))
      return error(line, "the code " + base::in_quotes(line.code) + " is listed twice");
    ancestors.resize(level);
    collector.add_child(ancestors.back(), line.code);
    ancestors.push_back(line.code);
  }
  return std::move(collector).tree();
}

Result<CodeTree> read_parents_csv(const CsvFile& file, const std::string& total) {
  const std::size_t code_column = file.find_column("code");
  const std::size_t parent_column = file.find_column("parent");
  if (code_column == file.num_columns() || parent_column == file.num_columns()) {
    return Error{ErrorCode::kMissingColumn,
                 "the header must name the columns 'code' and 'parent'",
                 file.where_header()};
  }
  TreeCollector collector(total);
  std::unordered_map<std::string, std::size_t> row_of;
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    const std::string code(file.field(r, code_column));
    const bool has_parent = !file.field(r, parent_column).empty();
    if (code.empty())
      return file.error(r, code_column, "the code is empty");
    if (!row_of.try_emplace(code, r).second)
      return file.error(r, code_column, "the code " + base::in_quotes(code) + " is listed twice");
    if (code == total && has_parent)
      return file.error(r, parent_column, "the total " + base::in_quotes(total) + " has a parent");
    if (code != total && !has_parent)
      return file.error(
          r,
          parent_column,
          "the code " + base::in_quotes(code) + " has no parent, and is not the total");
    collector.add_code(code);
  }
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    const std::string code(file.field(r, code_column));
    const std::string parent(file.field(r, parent_column));
    if (code == total)
      continue;
    if (!collector.knows(parent)) {
      return file.error(r,
                        parent_column,
                        "the parent " + base::in_quotes(parent) + " is not in the column 'code'");
    }
    collector.add_child(parent, code);
  }
  // Every code has one parent, so walking up ends at the total or goes round.
  std::unordered_set<std::string> reaches_total{total};
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    std::vector<std::string> path;
    std::unordered_set<std::string> on_path;
    std::string code(file.field(r, code_column));
    while (!reaches_total.contains(code)) {
      if (!on_path.insert(code).second) {
        return file.error(
            r, code_column, "the hierarchy has a cycle through code " + base::in_quotes(code));
      }
      path.push_back(code);
      code = file.field(row_of.at(code), parent_column);
    }
    reaches_total.insert(path.begin(), path.end());
  }
  return std::move(collector).tree();
}

Result<CodeTree> read_parents_csv(std::string text,
                                  const std::string& filename,
                                  char separator,
                                  const std::string& total) {
  LACUNA_TRY(const CsvFile file, CsvFile::parse(std::move(text), filename, separator));
  return read_parents_csv(file, total);
}

Result<CodeTree> read_correspondence_csv(const CsvFile& file, const std::string& total) {
  TreeCollector collector(total);
  std::unordered_map<std::string, std::pair<std::string, std::size_t>> parent_of;  // and its row
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    std::string parent = total;
    for (std::size_t c = 0; c < file.num_columns(); ++c) {
      const std::string code(file.field(r, c));
      if (code.empty() || code == parent)
        continue;
      if (code == total)
        return file.error(
            r, c, "the total " + base::in_quotes(total) + " stands below another code");
      const auto [at, is_new] = parent_of.try_emplace(code, parent, r);
      if (at->second.first != parent) {
        return file.error(r,
                          c,
                          "the code " + base::in_quotes(code) + " stands below " +
                              base::in_quotes(parent) + " here and below " +
                              base::in_quotes(at->second.first) + " at " +
                              file.where(at->second.second, c));
      }
      if (is_new) {
        collector.add_code(code);
        collector.add_child(parent, code);
      }
      parent = code;
    }
    if (parent == total)
      return file.error(r, 0, "the row has no code");
  }
  return std::move(collector).tree();
}

namespace {

// The leaves below the first code of a tree.
std::unordered_set<std::string> leaves_of(const CodeTree& tree) {
  std::unordered_set<std::string> leaves;
  std::unordered_set<std::string> split;
  for (const NamedRelation& relation : tree.relations) {
    split.insert(relation.parent);
    leaves.insert(relation.children.begin(), relation.children.end());
  }
  std::erase_if(leaves, [&](const std::string& code) { return split.contains(code); });
  return leaves;
}

// A second tree that does not reach all leaves of the first, an extra subtotal for instance: what
// it leaves out stands beside it, below its total.
CodeTree completed(CodeTree tree, const std::vector<std::string>& all) {
  const auto leaves = leaves_of(tree);
  const std::unordered_set<std::string> known(all.begin(), all.end());
  const bool within = std::all_of(
      leaves.begin(), leaves.end(), [&](const std::string& leaf) { return known.contains(leaf); });
  if (tree.relations.empty() || !within || leaves.size() == all.size())
    return tree;
  std::unordered_set<std::string> children;
  for (const NamedRelation& relation : tree.relations)
    children.insert(relation.children.begin(), relation.children.end());
  for (NamedRelation& relation : tree.relations) {
    if (children.contains(relation.parent))
      continue;
    for (const std::string& leaf : all) {
      if (!leaves.contains(leaf))
        relation.children.push_back(leaf);
    }
  }
  return tree;
}

}  // namespace

Result<Dimension> build_dimension(const std::string& name, const std::vector<CodeTree>& given) {
  std::vector<CodeTree> trees = given;
  const auto first = std::find_if(
      trees.begin(), trees.end(), [](const CodeTree& tree) { return !tree.relations.empty(); });
  if (first != trees.end()) {
    const std::unordered_set<std::string> leaves = leaves_of(*first);
    std::vector<std::string> all;  // in their order
    std::copy_if(first->codes.begin(),
                 first->codes.end(),
                 std::back_inserter(all),
                 [&](const std::string& code) { return leaves.contains(code); });
    for (auto tree = first + 1; tree != trees.end(); ++tree)
      *tree = completed(std::move(*tree), all);
  }
  std::vector<std::string> codes;
  std::unordered_map<std::string, std::int32_t> index;
  for (const CodeTree& tree : trees) {
    for (const std::string& code : tree.codes) {
      if (index.try_emplace(code, static_cast<std::int32_t>(codes.size())).second)
        codes.push_back(code);
    }
  }
  std::vector<Relation> relations;
  std::unordered_map<std::int32_t, std::vector<std::vector<std::int32_t>>> splits;  // sorted
  for (const CodeTree& tree : trees) {
    for (const NamedRelation& named : tree.relations) {
      Relation relation{index.at(named.parent), {}};
      for (const std::string& child : named.children)
        relation.children.push_back(index.at(child));
      std::vector<std::int32_t> sorted = relation.children;
      std::sort(sorted.begin(), sorted.end());
      auto& known = splits[relation.parent];
      if (std::find(known.begin(), known.end(), sorted) != known.end())
        continue;
      known.push_back(std::move(sorted));
      relations.push_back(std::move(relation));
    }
  }
  return Dimension::build(name, std::move(codes), std::move(relations));
}

std::vector<CodeTree> trees_of(const Dimension& dimension) {
  std::vector<CodeTree> trees(1);
  trees.front().codes = dimension.codes();
  std::vector<bool> split(static_cast<std::size_t>(dimension.num_codes()), false);
  for (const Relation& relation : dimension.relations()) {
    const auto parent = static_cast<std::size_t>(relation.parent);
    if (split[parent]) {
      trees.push_back({dimension.codes(), {}});
      split.assign(split.size(), false);
    }
    split[parent] = true;
    NamedRelation named{dimension.code(relation.parent), {}};
    for (const std::int32_t child : relation.children)
      named.children.push_back(dimension.code(child));
    trees.back().relations.push_back(std::move(named));
  }
  return trees;
}

namespace {

// The parent of each code, -1 for the total; empty if some code has two.
std::vector<std::int32_t> only_parents(const Dimension& dimension) {
  std::vector<std::int32_t> parents(static_cast<std::size_t>(dimension.num_codes()), -1);
  std::vector<bool> split(parents.size(), false);
  for (const Relation& relation : dimension.relations()) {
    if (split[static_cast<std::size_t>(relation.parent)])
      return {};
    split[static_cast<std::size_t>(relation.parent)] = true;
    for (const std::int32_t child : relation.children) {
      if (parents[static_cast<std::size_t>(child)] >= 0)
        return {};
      parents[static_cast<std::size_t>(child)] = relation.parent;
    }
  }
  return parents;
}

}  // namespace

Result<std::string> write_hrc(const Dimension& dimension, const std::string& lead) {
  if (only_parents(dimension).empty())
    return two_hierarchies(dimension, "an .hrc");
  std::vector<const Relation*> split(static_cast<std::size_t>(dimension.num_codes()), nullptr);
  for (const Relation& relation : dimension.relations())
    split[static_cast<std::size_t>(relation.parent)] = &relation;
  std::string out;
  std::vector<std::int32_t> stack{dimension.total()};
  while (!stack.empty()) {
    const std::int32_t code = stack.back();
    stack.pop_back();
    const std::string& text = dimension.code(code);
    const bool readable = !text.empty() && !text.starts_with(lead) &&
                          text.find_first_of("\r\n") == std::string::npos && text.back() != ' ' &&
                          text.back() != '\t';
    if (!readable) {
      return Error{ErrorCode::kCannotHold,
                   "an .hrc file cannot hold the code " + base::in_quotes(text),
                   "dimension " + dimension.name()};
    }
    for (std::int32_t level = 1; level < dimension.depth(code); ++level)
      out += lead;
    if (code != dimension.total())
      out += text + "\n";
    if (const Relation* relation = split[static_cast<std::size_t>(code)]; relation != nullptr)
      stack.insert(stack.end(), relation->children.rbegin(), relation->children.rend());
  }
  return out;
}

Result<std::string> write_parents_csv(const Dimension& dimension, char separator) {
  const std::vector<std::int32_t> parents = only_parents(dimension);
  if (parents.empty())
    return two_hierarchies(dimension, "a parent-child");
  std::string out = std::string("code") + separator + "parent\n";
  for (std::int32_t code = 0; code < dimension.num_codes(); ++code) {
    const std::int32_t parent = parents[static_cast<std::size_t>(code)];
    out += csv_quoted(dimension.code(code), separator) + separator;
    out += (parent < 0 ? "" : csv_quoted(dimension.code(parent), separator)) + "\n";
  }
  return out;
}

}  // namespace lacuna::files
