// SPDX-License-Identifier: Apache-2.0
#include "data/jobfile/job_dimension.h"

#include <algorithm>
#include <unordered_set>

#include "core/base/moved_error.h"
#include "data/files/position.h"
#include "data/infer/csv_guess.h"

namespace lacuna::jobfile {
namespace {

constexpr std::string_view kDefaultTotal = "Total";
constexpr std::string_view kDefaultLead = "@";

}  // namespace

Result<char> separator_of(const std::string& text,
                          const std::string& path,
                          const spec::SpecPlaces& places) {
  if (text.empty() && !places.has(path))
    return kDefaultSeparator;
  const bool usable = text.size() == 1 && text[0] != '"' && text[0] != '\n' && text[0] != '\r' &&
                      static_cast<unsigned char>(text[0]) < 0x80U;
  if (!usable)
    return places.error(path, "the separator must be one ASCII character, not a quote");
  return text[0];
}

files::CodeTree flat_tree(const std::vector<std::string>& codes, const std::string& total) {
  files::CodeTree tree{codes, {}};
  files::NamedRelation all{total, {}};
  for (const std::string& code : codes) {
    if (code != total)
      all.children.push_back(code);
  }
  if (!all.children.empty())
    tree.relations.push_back(std::move(all));
  return tree;
}

Result<DimensionPlan> DimensionReader::read(const JobSpec::Dimension& given,
                                            const std::string& path) const {
  DimensionPlan plan;
  plan.path = path;
  plan.name = given.name;
  if (plan.name.empty())
    return places_.error(path, "a dimension needs a name");
  plan.column = given.column.empty() && !places_.has(path + ".column") ? plan.name : given.column;
  plan.total = given.total.empty() ? std::string(kDefaultTotal) : given.total;
  LACUNA_RETURN_IF_ERROR(read_trees(given, plan));
  if (!given.unlisted.empty() || places_.has(path + ".unlisted"))
    LACUNA_RETURN_IF_ERROR(add_unlisted(given.unlisted, plan));
  if (!given.codes.empty() || places_.has(path + ".codes"))
    LACUNA_RETURN_IF_ERROR(read_codes(given.codes, plan));
  return plan;
}

Status DimensionReader::read_trees(const JobSpec::Dimension& given, DimensionPlan& plan) const {
  const int forms = (given.hierarchy.empty() ? 0 : 1) + (given.parents.empty() ? 0 : 1) +
                    (given.correspondence.empty() ? 0 : 1) + (given.tree.empty() ? 0 : 1);
  if (forms > 1)
    return places_.error(plan.path, "give only one of hierarchy, parents, correspondence and tree");
  plan.flat = forms == 0;
  if (!given.hierarchy.empty())
    return read_hierarchies(given, plan);
  if (!given.parents.empty())
    return read_parents(given, plan);
  if (!given.correspondence.empty())
    return read_correspondence(given, plan);
  for (std::size_t i = 0; i < given.tree.size(); ++i)
    LACUNA_RETURN_IF_ERROR(
        read_tree(given.tree[i], plan.path + ".tree[" + std::to_string(i) + "]", plan));
  if (!given.tree.empty() && given.total.empty())
    plan.total.clear();  // the root of the tree, whatever it is called
  return ok_status();
}

Status DimensionReader::read_hierarchies(const JobSpec::Dimension& given,
                                         DimensionPlan& plan) const {
  const std::string lead = given.lead.empty() ? std::string(kDefaultLead) : given.lead;
  for (const std::string& name : given.hierarchy) {
    auto text = load_(name);
    if (!text)
      return base::moved_to(text.error(), places_.where(plan.path + ".hierarchy"));
    LACUNA_TRY(files::CodeTree tree, files::read_hrc(*text, name, lead, plan.total));
    plan.trees.push_back(std::move(tree));
  }
  return ok_status();
}

Result<files::CsvFile> DimensionReader::load_csv(const std::string& path,
                                                 const std::string& name) const {
  auto text = load_(name);
  if (!text)
    return base::moved_to(text.error(), places_.where(path));
  infer::TableFileStyle style;
  style.separator = separator_;
  auto file = infer::read_table_file(*text, name, style);
  if (file && file->num_columns() > 1)
    return file;
  style.separator = std::nullopt;  // that of the table need not be that of the hierarchy
  return infer::read_table_file(std::move(text).value(), name, style);
}

Status DimensionReader::read_parents(const JobSpec::Dimension& given, DimensionPlan& plan) const {
  for (const std::string& name : given.parents) {
    LACUNA_TRY(const files::CsvFile file, load_csv(plan.path + ".parents", name));
    LACUNA_TRY(files::CodeTree tree, files::read_parents_csv(file, plan.total));
    plan.trees.push_back(std::move(tree));
  }
  return ok_status();
}

Status DimensionReader::read_correspondence(const JobSpec::Dimension& given,
                                            DimensionPlan& plan) const {
  for (const std::string& name : given.correspondence) {
    LACUNA_TRY(const files::CsvFile file, load_csv(plan.path + ".correspondence", name));
    LACUNA_TRY(files::CodeTree tree, files::read_correspondence_csv(file, plan.total));
    plan.trees.push_back(std::move(tree));
  }
  return ok_status();
}

Status DimensionReader::read_tree(const SpecLists& lists,
                                  const std::string& path,
                                  DimensionPlan& plan) const {
  files::CodeTree tree;
  std::unordered_set<std::string> listed;
  std::unordered_set<std::string> has_parent;
  const auto list = [&](const std::string& code) {
    if (listed.insert(code).second)
      tree.codes.push_back(code);
  };
  for (const auto& [parent, children] : lists) {
    list(parent);
    for (const std::string& child : children) {
      list(child);
      if (!has_parent.insert(child).second) {
        return places_.error(
            path + "." + parent,
            "the code " + base::in_quotes(child) + " stands twice below a parent in one tree");
      }
    }
    tree.relations.push_back({parent, children});
  }
  plan.trees.push_back(std::move(tree));
  return ok_status();
}

// `codes` fixes the order of the codes, and for a flat dimension which codes there are.
Status DimensionReader::read_codes(const std::vector<std::string>& codes,
                                   DimensionPlan& plan) const {
  const std::string path = plan.path + ".codes";
  const std::unordered_set<std::string> stated(codes.begin(), codes.end());
  if (stated.size() != codes.size())
    return places_.error(path, "a code is listed twice");
  for (const files::CodeTree& tree : plan.trees) {
    for (const std::string& code : tree.codes) {
      if (!stated.contains(code))
        return places_.error(path,
                             "the code " + base::in_quotes(code) + " is missing in this list");
    }
  }
  if (plan.flat) {
    if (!stated.contains(plan.total))
      return places_.error(path,
                           "the total " + base::in_quotes(plan.total) + " is missing in this list");
    plan.flat = false;
    plan.trees.push_back(flat_tree(codes, plan.total));
  }
  plan.trees.insert(plan.trees.begin(), files::CodeTree{codes, {}});
  return ok_status();
}

// Codes that no hierarchy lists, such as those for "not known": parts of the total.
Status DimensionReader::add_unlisted(const std::vector<std::string>& codes,
                                     DimensionPlan& plan) const {
  const std::string path = plan.path + ".unlisted";
  if (plan.flat || plan.trees.empty() || plan.trees.front().relations.empty())
    return places_.error(path, "unlisted codes need a hierarchy that does not list them");
  files::CodeTree& tree = plan.trees.front();
  for (const std::string& code : codes) {
    if (std::find(tree.codes.begin(), tree.codes.end(), code) != tree.codes.end())
      return places_.error(path,
                           "the hierarchy lists the code " + base::in_quotes(code) + " itself");
    tree.codes.push_back(code);
    tree.relations.front().children.push_back(code);  // of the total
  }
  return ok_status();
}

Result<Dimension> DimensionReader::build(const DimensionPlan& plan) const {
  auto dimension = files::build_dimension(plan.name, plan.trees);
  if (!dimension)
    return base::moved_to(dimension.error(), places_.where(plan.path));
  const std::string& root = dimension->code(dimension->total());
  if (!plan.total.empty() && root != plan.total) {
    return places_.error(plan.path,
                         "the total of dimension " + plan.name + " is stated as " +
                             base::in_quotes(plan.total) + ", but " + base::in_quotes(root) +
                             " heads the hierarchy");
  }
  for (const std::string& code : dimension->codes()) {
    if (code.empty())
      return places_.error(plan.path, "dimension " + plan.name + " has an empty code");
  }
  return dimension;
}

}  // namespace lacuna::jobfile
