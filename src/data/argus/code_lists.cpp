// SPDX-License-Identifier: Apache-2.0
#include "data/argus/code_lists.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/confidential.h"
#include "core/base/nearest.h"
#include "core/base/text.h"
#include "data/argus/lines.h"
#include "data/files/file.h"

namespace lacuna::argus {
namespace {

using PlaceByCode = std::unordered_map<std::string, std::int32_t>;

bool is_later_byte(char c) {  // of a character of several bytes
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::string first_characters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (!is_later_byte(text[end]) && count-- == 0)
      break;
  }
  return std::string(text.substr(0, end));
}

CodeList total_alone(const Variable& variable) {
  CodeList list;
  list.variable = variable.name;
  list.codes = {variable.total_code};
  list.parents = {-1};
  list.missing = {false};
  list.hierarchical = variable.has_tree();
  list.distance = variable.distance;
  return list;
}

void add_code(CodeList& list, std::string code, std::int32_t parent, bool missing) {
  list.codes.push_back(std::move(code));
  list.parents.push_back(parent);
  list.missing.push_back(missing);
}

std::vector<std::string> missing_codes(const Variable& variable, std::size_t width) {
  std::vector<std::string> codes;
  for (const std::string& code : variable.missing) {
    const std::string padded = left_padded(code, width);
    if (!base::trimmed(code).empty() &&
        std::find(codes.begin(), codes.end(), padded) == codes.end())
      codes.push_back(padded);
  }
  return codes;
}

void add_missing(CodeList& list, const std::vector<std::string>& missing) {
  for (const std::string& code : missing)
    add_code(list, code, 0, true);
}

std::vector<std::string> known_codes(const std::vector<FoundCode>& found,
                                     const std::vector<std::string>& missing) {
  std::vector<std::string> codes;
  for (const FoundCode& one : found) {
    if (std::find(missing.begin(), missing.end(), one.code) == missing.end())
      codes.push_back(one.code);
  }
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

// The lengths at which a level ends: 3 1 1 gives 3, 4, 5.
std::vector<std::size_t> level_ends(const Variable& variable) {
  std::vector<std::size_t> ends;
  std::size_t end = 0;
  for (const int digits : variable.levels) {
    end += static_cast<std::size_t>(std::max(digits, 0));
    if (digits > 0)
      ends.push_back(end);
  }
  return ends;
}

// Sorted as strings, a prefix stands before what begins with it: parents before children.
CodeList list_by_digits(const Variable& variable, std::vector<std::string> codes) {
  const std::vector<std::size_t> ends = level_ends(variable);
  const std::size_t found = codes.size();
  for (std::size_t i = 0; i < found; ++i) {
    const std::size_t length = characters_in(codes[i]);
    for (const std::size_t end : ends) {
      if (end < length)
        codes.push_back(first_characters(codes[i], end));
    }
  }
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  CodeList list = total_alone(variable);
  std::vector<std::int32_t> path;  // the codes that the last one stands below, and itself
  for (std::string& code : codes) {
    while (!path.empty() && !code.starts_with(list.codes[static_cast<std::size_t>(path.back())]))
      path.pop_back();
    const std::int32_t parent = path.empty() ? 0 : path.back();
    path.push_back(list.size());
    add_code(list, std::move(code), parent, false);
  }
  return list;
}

CodeList list_by_tree(const Variable& variable, const TreeFile& tree) {
  CodeList list = total_alone(variable);
  for (std::size_t i = 1; i < tree.codes.size(); ++i)
    add_code(list, tree.codes[i], tree.parents[i], false);
  return list;
}

CodeList flat_list(const Variable& variable, std::vector<std::string> codes) {
  CodeList list = total_alone(variable);
  for (std::string& code : codes)
    add_code(list, std::move(code), 0, false);
  return list;
}

Status check_total_not_found(const Variable& variable,
                             const std::vector<FoundCode>& found,
                             const std::string& filename) {
  for (const FoundCode& one : found) {
    if (one.code == variable.total_code) {
      return Error{ErrorCode::kBadHierarchy,
                   "the code " + base::in_quotes(one.code) + " of " + variable.name +
                       " is the label of its total; give it another by <TOTCODE>",
                   files::location(filename, one.place)};
    }
  }
  return ok_status();
}

Error unknown_code(const FoundCode& one,
                   const CodeList& list,
                   bool is_parent,
                   const std::string& filename) {
  // A record whose fields have moved may have a name or a number here.
  const std::string code =
      is_parent ? base::in_quotes(one.code) : base::confidential(base::in_quotes(one.code));
  std::string message = "the code " + code + " of " + list.variable;
  if (is_parent) {
    message += " has others below it in its tree; records must have codes of the lowest level";
  } else {
    const std::vector<std::string_view> names(list.codes.begin(), list.codes.end());
    message += " is not in its tree" + base::did_you_mean(one.code, names);
  }
  return {ErrorCode::kBadHierarchy, std::move(message), files::location(filename, one.place)};
}

// Finds codes as they stand, else without regard to blanks at the left.
class CodeFinder {
 public:
  CodeFinder(const CodeList& list, CodesAllowed allowed) {
    std::vector<bool> is_parent(list.codes.size(), false);
    for (std::size_t i = 1; i < list.codes.size(); ++i)
      is_parent[static_cast<std::size_t>(list.parents[i])] = true;
    for (std::int32_t i = 1; i < list.size(); ++i) {
      const std::string& code = list.codes[static_cast<std::size_t>(i)];
      if (allowed == CodesAllowed::kLeaves && is_parent[static_cast<std::size_t>(i)]) {
        parents_.try_emplace(std::string(base::trimmed(code)), i);
        continue;
      }
      exact_.try_emplace(code, i);
      trimmed_.try_emplace(std::string(base::trimmed(code)), i);
    }
  }

  std::int32_t find(const std::string& code) const {  // -1: none
    if (const auto at = exact_.find(code); at != exact_.end())
      return at->second;
    const auto at = trimmed_.find(std::string(base::trimmed(code)));
    return at == trimmed_.end() ? -1 : at->second;
  }
  bool is_parent(const std::string& code) const {
    return parents_.count(std::string(base::trimmed(code))) > 0;
  }

 private:
  PlaceByCode exact_, trimmed_, parents_;
};

Status check_missing_not_listed(const CodeList& list,
                                const std::vector<std::string>& missing,
                                const Variable& variable) {
  for (const std::string& code : missing) {
    if (std::find(list.codes.begin() + 1, list.codes.end(), code) != list.codes.end()) {
      return Error{ErrorCode::kBadHierarchy,
                   "the code " + base::in_quotes(code) + " of " + variable.name +
                       " means 'not known' and must not be in the tree",
                   variable.hierarchy_file.text};
    }
  }
  return ok_status();
}

}  // namespace

Result<ListedCodes> list_codes(const Variable& variable,
                               std::size_t width,
                               const std::optional<TreeFile>& tree,
                               const std::vector<FoundCode>& found,
                               CodesAllowed allowed,
                               const std::string& filename) {
  const std::vector<std::string> missing = missing_codes(variable, width);
  ListedCodes listed;
  if (tree) {
    listed.list = list_by_tree(variable, *tree);
    LACUNA_RETURN_IF_ERROR(check_missing_not_listed(listed.list, missing, variable));
    listed.notes = tree->notes;
  } else {
    LACUNA_RETURN_IF_ERROR(check_total_not_found(variable, found, filename));
    std::vector<std::string> codes = known_codes(found, missing);
    listed.list = variable.levels.empty() ? flat_list(variable, std::move(codes))
                                          : list_by_digits(variable, std::move(codes));
  }
  add_missing(listed.list, missing);
  const CodeFinder finder(listed.list, allowed);
  std::size_t differ = 0;
  for (const FoundCode& one : found) {
    const std::int32_t place = finder.find(one.code);
    if (place < 0)
      return unknown_code(one, listed.list, finder.is_parent(one.code), filename);
    differ += listed.list.codes[static_cast<std::size_t>(place)] != one.code ? 1U : 0U;
    listed.place_of.push_back(place);
  }
  if (differ > 0) {
    listed.notes.push_back(variable.name + ": " + std::to_string(differ) +
                           " codes stand in the tree with other blanks than in " + filename);
  }
  return listed;
}

Result<std::optional<TreeFile>> find_tree(const Variable& variable,
                                          const std::string& metadata_filename,
                                          FileFinder& finder) {
  if (variable.hierarchy_file.text.empty())
    return std::optional<TreeFile>();
  LACUNA_TRY(const std::string path, finder.find(variable.hierarchy_file, metadata_filename));
  LACUNA_TRY(std::string bytes, files::read_file(path));
  LACUNA_TRY(TreeFile tree, read_tree(std::move(bytes), path, variable.lead, variable.total_code));
  return std::optional<TreeFile>(std::move(tree));
}

}  // namespace lacuna::argus
