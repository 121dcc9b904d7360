// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/code_lists.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "data/tabulate/record_reader.h"

namespace lacuna::tabulation {
namespace {

std::vector<std::string> split_levels(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == kLevelSeparator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::size_t bytes_of_characters(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool starts = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    if (starts && characters-- == 0)
      break;
  }
  return at;
}

std::vector<std::string> prefixes(const std::string& code, const std::vector<int>& digits) {
  std::vector<std::string> path;
  std::size_t length = 0;
  for (const int more : digits) {
    length += static_cast<std::size_t>(more);
    path.push_back(code.substr(0, bytes_of_characters(code, length)));
  }
  return path;
}

// For every chain of the dimension the codes from coarse to fine. A code that repeats its parent
// is the same code: the level is skipped there.
std::vector<std::vector<std::string>> paths_of(const DimensionSpec& spec, const std::string& text) {
  if (spec.kind == DimensionSpec::Kind::kFlat)
    return {{text}};
  if (spec.kind == DimensionSpec::Kind::kDigits)
    return {prefixes(text, spec.digits)};
  const std::vector<std::string> parts = split_levels(text);
  std::vector<std::string> columns;  // each once, as the record reader joins them
  std::vector<std::vector<std::string>> paths;
  for (const auto& chain : spec.chains) {
    std::vector<std::string>& path = paths.emplace_back();
    for (const std::string& column : chain) {
      const auto at = std::find(columns.begin(), columns.end(), column);
      const std::string& code = parts[static_cast<std::size_t>(at - columns.begin())];
      if (at == columns.end())
        columns.push_back(column);
      if (path.empty() || path.back() != code)
        path.push_back(code);
    }
  }
  return paths;
}

class Collector {
 public:
  explicit Collector(const DimensionSpec& spec) : spec_(spec), trees_(spec.chains.size()) {
    add_code(spec.total);
  }

  void add_text(const std::string& text) {
    const auto paths = paths_of(spec_, text);
    for (std::size_t tree = 0; tree < paths.size(); ++tree)
      add_path(tree, paths[tree]);
  }

  void add_missing() {
    for (std::size_t tree = 0; tree < trees_.size(); ++tree)
      add_path(tree, {spec_.missing.code});
  }

  Result<Dimension> build() && {
    LACUNA_RETURN_IF_ERROR(check_parents());
    std::vector<Relation> relations;
    for (auto tree = trees_.begin(); tree != trees_.end(); ++tree) {
      for (const auto& [parent, children] : tree->children) {
        const bool known = std::any_of(trees_.begin(), tree, [&, code = parent](const Tree& other) {
          const auto at = other.children.find(code);
          return at != other.children.end() && at->second == tree->children.at(code);
        });
        if (!known)
          relations.push_back({parent, children});
      }
    }
    return Dimension::build(spec_.name, std::move(codes_), std::move(relations));
  }

 private:
  struct Tree {
    std::map<std::int32_t, std::vector<std::int32_t>> children;
    std::map<std::int32_t, std::int32_t> parent;
  };

  std::int32_t add_code(const std::string& code) {
    const auto next = static_cast<std::int32_t>(codes_.size());
    const auto [at, is_new] = index_.emplace(code, next);
    if (is_new)
      codes_.push_back(code);
    return at->second;
  }

  void add_path(std::size_t number, const std::vector<std::string>& path) {
    Tree& tree = trees_[number];
    std::int32_t parent = 0;
    for (const std::string& text : path) {
      const std::int32_t code = add_code(text);
      const auto [at, is_new] = tree.parent.emplace(code, parent);
      if (is_new)
        tree.children[parent].push_back(code);
      if (at->second != parent)
        contradictions_[{text, name(at->second)}].insert(name(parent));
      parent = code;
    }
  }

  // Columns that contradict each other: every code that stands below several others, with these.
  Status check_parents() const {
    if (contradictions_.empty())
      return ok_status();
    constexpr std::size_t kListed = 10;
    std::string text;
    std::size_t listed = 0;
    for (const auto& [code, others] : contradictions_) {
      if (listed++ == kListed)
        break;
      text += text.empty() ? "the code " : "; ";
      text += in_quotes(code.first) + " stands below ";
      text += others.size() == 1 ? "both " : "all of ";
      text += in_quotes(code.second);
      for (const std::string& other : others)
        text += (other == *others.rbegin() ? " and " : ", ") + in_quotes(other);
    }
    if (contradictions_.size() > kListed)
      text += "; and " + std::to_string(contradictions_.size() - kListed) + " more such codes";
    return Error{ErrorCode::kBadHierarchy, std::move(text), "dimension " + spec_.name};
  }

  static std::string in_quotes(const std::string& text) { return "'" + text + "'"; }

  const std::string& name(std::int32_t code) const {
    return codes_[static_cast<std::size_t>(code)];
  }

  const DimensionSpec& spec_;
  std::vector<std::string> codes_;
  std::map<std::string, std::int32_t> index_;
  std::vector<Tree> trees_;
  // By code and the first parent that was seen: its other parents.
  std::map<std::pair<std::string, std::string>, std::set<std::string>> contradictions_;
};

}  // namespace

Result<Dimension> dimension_of_texts(const DimensionSpec& spec,
                                     const std::vector<std::string>& texts,
                                     bool has_missing) {
  if (spec.given)
    return *spec.given;
  Collector collector(spec);
  for (const std::string& text : texts)
    collector.add_text(text);
  if (has_missing)
    collector.add_missing();
  return std::move(collector).build();
}

std::string leaf_of_text(const DimensionSpec& spec, const std::string& text) {
  if (spec.kind == DimensionSpec::Kind::kDigits)
    return prefixes(text, spec.digits).back();
  return spec.kind == DimensionSpec::Kind::kNested ? paths_of(spec, text).front().back() : text;
}

}  // namespace lacuna::tabulation
