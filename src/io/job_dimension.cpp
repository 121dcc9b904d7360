// SPDX-License-Identifier: Apache-2.0
#include "io/job_dimension.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "io/csv_guess.h"
#include "io/position.h"

namespace lacuna::inline io {
namespace {

constexpr std::string_view kDefaultTotal = "Total";
constexpr std::string_view kDefaultLead = "@";

}  // namespace

Result<std::string> string_at(const TomlDocument& document,
                              const toml::table& table,
                              std::string_view key,
                              std::string_view fallback) {
  const toml::node* node = table.get(key);
  if (node == nullptr)
    return std::string(fallback);
  return document.string(*node);
}

Result<char> read_separator(const TomlDocument& document, const toml::table& input) {
  const toml::node* node = input.get("separator");
  if (node == nullptr)
    return kDefaultSeparator;
  LACUNA_TRY(const std::string text, document.string(*node));
  const bool usable = text.size() == 1 && text[0] != '"' && text[0] != '\n' && text[0] != '\r' &&
                      static_cast<unsigned char>(text[0]) < 0x80U;
  if (!usable)
    return document.error(*node, "the separator must be one ASCII character, not a quote");
  return text[0];
}

CodeTree flat_tree(const std::vector<std::string>& codes, const std::string& total) {
  CodeTree tree{codes, {}};
  NamedRelation all{total, {}};
  for (const std::string& code : codes) {
    if (code != total)
      all.children.push_back(code);
  }
  if (!all.children.empty())
    tree.relations.push_back(std::move(all));
  return tree;
}

Result<DimensionPlan> DimensionReader::read(const toml::table& node,
                                            std::span<const std::string_view> more_keys) const {
  constexpr std::array<std::string_view, 10> kKeys{"name",
                                                   "column",
                                                   "total",
                                                   "hierarchy",
                                                   "lead",
                                                   "parents",
                                                   "correspondence",
                                                   "tree",
                                                   "unlisted",
                                                   "codes"};
  std::vector<std::string_view> keys(kKeys.begin(), kKeys.end());
  keys.insert(keys.end(), more_keys.begin(), more_keys.end());
  LACUNA_RETURN_IF_ERROR(document_.check_keys(node, keys, "[[dimension]]"));
  DimensionPlan plan;
  plan.node = &node;
  LACUNA_TRY(plan.name, string_at(document_, node, "name", ""));
  if (plan.name.empty())
    return document_.error(node, "a [[dimension]] needs a name");
  LACUNA_TRY(plan.column, string_at(document_, node, "column", plan.name));
  LACUNA_TRY(plan.total, string_at(document_, node, "total", ""));
  const bool states_total = !plan.total.empty();
  if (!states_total)
    plan.total = kDefaultTotal;
  const int given = (node.contains("hierarchy") ? 1 : 0) + (node.contains("parents") ? 1 : 0) +
                    (node.contains("correspondence") ? 1 : 0) + (node.contains("tree") ? 1 : 0);
  if (given > 1)
    return document_.error(node, "give one of hierarchy, parents, correspondence and tree");
  if (const toml::node* files = node.get("hierarchy"); files != nullptr) {
    LACUNA_TRY(const std::string lead, string_at(document_, node, "lead", kDefaultLead));
    LACUNA_RETURN_IF_ERROR(read_hierarchies(*files, lead, plan));
  } else if (const toml::node* parents = node.get("parents"); parents != nullptr) {
    LACUNA_RETURN_IF_ERROR(read_parents(*parents, plan));
  } else if (const toml::node* levels = node.get("correspondence"); levels != nullptr) {
    LACUNA_RETURN_IF_ERROR(read_correspondence(*levels, plan));
  } else if (const toml::node* tree = node.get("tree"); tree != nullptr) {
    LACUNA_TRY(const auto tables, document_.tables(*tree));
    for (const toml::table* table : tables)
      LACUNA_RETURN_IF_ERROR(read_tree(*table, plan));
    if (!states_total)
      plan.total.clear();  // the root of the tree, whatever it is called
  } else {
    plan.flat = true;
  }
  if (const toml::node* codes = node.get("unlisted"); codes != nullptr)
    LACUNA_RETURN_IF_ERROR(add_unlisted(*codes, plan));
  if (const toml::node* codes = node.get("codes"); codes != nullptr)
    LACUNA_RETURN_IF_ERROR(read_codes(*codes, plan));
  return plan;
}

Status DimensionReader::read_hierarchies(const toml::node& files,
                                         const std::string& lead,
                                         DimensionPlan& plan) const {
  LACUNA_TRY(const auto names, document_.strings(files));
  for (const std::string& name : names) {
    auto text = load_(name);
    if (!text)
      return moved_to(text.error(), document_.where(files.source()));
    LACUNA_TRY(CodeTree tree, read_hrc(*text, name, lead, plan.total));
    plan.trees.push_back(std::move(tree));
  }
  return ok_status();
}

Result<CsvFile> DimensionReader::load_csv(const toml::node& node, const std::string& name) const {
  auto text = load_(name);
  if (!text)
    return moved_to(text.error(), document_.where(node.source()));
  TableFileStyle style;
  style.separator = separator_;
  auto file = read_table_file(*text, name, style);
  if (file && file->num_columns() > 1)
    return file;
  style.separator = std::nullopt;  // that of the table need not be that of the hierarchy
  return read_table_file(std::move(text).value(), name, style);
}

Status DimensionReader::read_parents(const toml::node& files, DimensionPlan& plan) const {
  LACUNA_TRY(const auto names, document_.strings(files));
  for (const std::string& name : names) {
    LACUNA_TRY(const CsvFile file, load_csv(files, name));
    LACUNA_TRY(CodeTree tree, read_parents_csv(file, plan.total));
    plan.trees.push_back(std::move(tree));
  }
  return ok_status();
}

Status DimensionReader::read_correspondence(const toml::node& files, DimensionPlan& plan) const {
  LACUNA_TRY(const auto names, document_.strings(files));
  for (const std::string& name : names) {
    LACUNA_TRY(const CsvFile file, load_csv(files, name));
    LACUNA_TRY(CodeTree tree, read_correspondence_csv(file, plan.total));
    plan.trees.push_back(std::move(tree));
  }
  return ok_status();
}

Status DimensionReader::read_tree(const toml::table& table, DimensionPlan& plan) const {
  CodeTree tree;
  std::unordered_set<std::string> listed;
  std::unordered_set<std::string> has_parent;
  const auto list = [&](const std::string& code) {
    if (listed.insert(code).second)
      tree.codes.push_back(code);
  };
  for (const auto& [key, node] : TomlDocument::in_order(table)) {
    const std::string parent(key->str());
    LACUNA_TRY(const auto children, document_.strings(*node));
    list(parent);
    for (const std::string& child : children) {
      list(child);
      if (!has_parent.insert(child).second) {
        return document_.error(
            *node, "the code " + in_quotes(child) + " stands twice below a parent in one tree");
      }
    }
    tree.relations.push_back({parent, children});
  }
  plan.trees.push_back(std::move(tree));
  return ok_status();
}

// `codes` fixes the order of the codes, and for a flat dimension which codes there are.
Status DimensionReader::read_codes(const toml::node& node, DimensionPlan& plan) const {
  LACUNA_TRY(const auto codes, document_.strings(node));
  const std::unordered_set<std::string> stated(codes.begin(), codes.end());
  if (stated.size() != codes.size())
    return document_.error(node, "a code is listed twice");
  for (const CodeTree& tree : plan.trees) {
    for (const std::string& code : tree.codes) {
      if (!stated.contains(code))
        return document_.error(node, "the code " + in_quotes(code) + " is missing in this list");
    }
  }
  if (plan.flat) {
    if (!stated.contains(plan.total))
      return document_.error(node,
                             "the total " + in_quotes(plan.total) + " is missing in this list");
    plan.flat = false;
    plan.trees.push_back(flat_tree(codes, plan.total));
  }
  plan.trees.insert(plan.trees.begin(), CodeTree{codes, {}});
  return ok_status();
}

// Codes that no hierarchy lists, such as those for "not known": parts of the total.
Status DimensionReader::add_unlisted(const toml::node& node, DimensionPlan& plan) const {
  LACUNA_TRY(const auto codes, document_.strings(node));
  if (plan.flat || plan.trees.empty() || plan.trees.front().relations.empty())
    return document_.error(node, "unlisted codes need a hierarchy that does not list them");
  CodeTree& tree = plan.trees.front();
  for (const std::string& code : codes) {
    if (std::find(tree.codes.begin(), tree.codes.end(), code) != tree.codes.end())
      return document_.error(node, "the hierarchy lists the code " + in_quotes(code) + " itself");
    tree.codes.push_back(code);
    tree.relations.front().children.push_back(code);  // of the total
  }
  return ok_status();
}

Result<Dimension> DimensionReader::build(const DimensionPlan& plan) const {
  auto dimension = build_dimension(plan.name, plan.trees);
  if (!dimension)
    return moved_to(dimension.error(), document_.where(plan.node->source()));
  const std::string& root = dimension->code(dimension->total());
  if (!plan.total.empty() && root != plan.total) {
    return document_.error(*plan.node,
                           "the total of dimension " + plan.name + " is stated as " +
                               in_quotes(plan.total) + ", but " + in_quotes(root) +
                               " heads the hierarchy");
  }
  for (const std::string& code : dimension->codes()) {
    if (code.empty())
      return document_.error(*plan.node, "dimension " + plan.name + " has an empty code");
  }
  return dimension;
}

}  // namespace lacuna::inline io
