// SPDX-License-Identifier: Apache-2.0
#include "lacuna/dimension.h"

#include <algorithm>
#include <numeric>

namespace lacuna {
namespace {

// Every code keeps the leaves below it while a hierarchy is checked. A real classification has
// millions of codes in some ten levels; a hostile one is a comb, whose lists grow with the square
// of its codes.
constexpr std::size_t kMostLeavesBelow = std::size_t{1} << 25U;

Error bad_dimension(const std::string& name, std::string message) {
  return {ErrorCode::kBadHierarchy, std::move(message), "dimension " + name};
}

// The order in which children come before parents, or the code at which a cycle was met.
class LeafSets {
 public:
  LeafSets(const std::vector<std::string>& codes, const std::vector<Relation>& relations)
      : codes_(codes),
        relations_(relations),
        splits_(codes.size()),
        state_(codes.size(), kNew),
        leaves_(codes.size()) {
    for (std::size_t r = 0; r < relations.size(); ++r) {
      splits_[static_cast<std::size_t>(relations[r].parent)].push_back(r);
    }
  }

  // Fills the sorted leaves below the code; returns an error text, empty if all is well.
  // Iterative, because a chain of one-child levels may be deeper than the stack.
  std::string visit(std::size_t root) {
    std::vector<std::size_t> stack{root};
    while (!stack.empty()) {
      const std::size_t code = stack.back();
      if (state_[code] == kDone) {
        stack.pop_back();
        continue;
      }
      if (state_[code] == kNew) {
        state_[code] = kOpen;
        if (std::string cycle = push_children(code, stack); !cycle.empty())
          return cycle;
        continue;
      }
      stack.pop_back();
      if (std::string trouble = close(code); !trouble.empty())
        return trouble;
    }
    return "";
  }

  const std::vector<std::int32_t>& leaves(std::size_t code) const { return leaves_[code]; }

 private:
  enum State : std::uint8_t { kNew, kOpen, kDone };

  std::string push_children(std::size_t code, std::vector<std::size_t>& stack) {
    for (const std::size_t r : splits_[code]) {
      for (const std::int32_t child : relations_[r].children) {
        const auto c = static_cast<std::size_t>(child);
        if (state_[c] == kOpen) {
          return "the hierarchy has a cycle through code '" + codes_[c] + "'";
        }
        if (state_[c] == kNew)
          stack.push_back(c);
      }
    }
    return "";
  }

  std::string close(std::size_t code) {
    state_[code] = kDone;
    if (splits_[code].empty())
      leaves_[code] = {static_cast<std::int32_t>(code)};
    for (std::size_t s = 0; s < splits_[code].size(); ++s) {
      std::vector<std::int32_t> below;
      for (const std::int32_t child : relations_[splits_[code][s]].children) {
        const auto& more = leaves_[static_cast<std::size_t>(child)];
        below.insert(below.end(), more.begin(), more.end());
      }
      std::sort(below.begin(), below.end());
      if (std::adjacent_find(below.begin(), below.end()) != below.end()) {
        return "a leaf is counted twice below code '" + codes_[code] + "'";
      }
      if (s > 0 && below != leaves_[code]) {
        return "two hierarchies split code '" + codes_[code] + "' into different leaves";
      }
      leaves_[code] = std::move(below);
    }
    kept_ += leaves_[code].size();
    if (kept_ > kMostLeavesBelow)
      return "the hierarchy is too deep for its number of codes";
    return "";
  }

  const std::vector<std::string>& codes_;
  const std::vector<Relation>& relations_;
  std::vector<std::vector<std::size_t>> splits_;
  std::vector<State> state_;
  std::vector<std::vector<std::int32_t>> leaves_;
  std::size_t kept_ = 0;
};

std::string check_relation(const Relation& relation, const std::vector<std::string>& codes) {
  const auto known = [&](std::int32_t code) {
    return code >= 0 && static_cast<std::size_t>(code) < codes.size();
  };
  if (!known(relation.parent))
    return "a hierarchy names a parent that is not a code";
  const std::string& parent = codes[static_cast<std::size_t>(relation.parent)];
  if (relation.children.empty())
    return "code '" + parent + "' has an empty list of children";
  std::vector<std::int32_t> sorted = relation.children;
  std::sort(sorted.begin(), sorted.end());
  if (!known(sorted.front()) || !known(sorted.back())) {
    return "code '" + parent + "' has a child that is not a code";
  }
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    return "code '" + codes[static_cast<std::size_t>(*twice)] + "' stands twice below code '" +
           parent + "'";
  }
  return "";
}

// Steps from the total, by code, along the shortest way.
std::vector<std::int32_t> depths_below(std::int32_t total,
                                       std::size_t codes,
                                       const std::vector<Relation>& relations) {
  std::vector<std::int32_t> depths(codes, -1);
  depths[static_cast<std::size_t>(total)] = 0;
  std::vector<std::vector<const Relation*>> splits(codes);
  for (const Relation& r : relations)
    splits[static_cast<std::size_t>(r.parent)].push_back(&r);
  std::vector<std::int32_t> queue{total};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const auto parent = static_cast<std::size_t>(queue[head]);
    for (const Relation* relation : splits[parent]) {
      for (const std::int32_t child : relation->children) {
        auto& depth = depths[static_cast<std::size_t>(child)];
        if (depth >= 0)
          continue;
        depth = depths[parent] + 1;
        queue.push_back(child);
      }
    }
  }
  return depths;
}

}  // namespace

Result<Dimension> Dimension::build(std::string name,
                                   std::vector<std::string> codes,
                                   std::vector<Relation> relations) {
  if (name.empty())
    return Error{ErrorCode::kBadHierarchy, "a dimension has no name", ""};
  if (codes.empty())
    return bad_dimension(name, "the dimension has no codes");
  Dimension dimension;
  dimension.by_name_.resize(codes.size());
  std::iota(dimension.by_name_.begin(), dimension.by_name_.end(), 0);
  const auto name_of = [&](std::int32_t i) -> const std::string& {
    return codes[static_cast<std::size_t>(i)];
  };
  std::sort(dimension.by_name_.begin(), dimension.by_name_.end(), [&](auto a, auto b) {
    return name_of(a) < name_of(b);
  });
  for (std::size_t i = 1; i < codes.size(); ++i) {
    if (name_of(dimension.by_name_[i]) == name_of(dimension.by_name_[i - 1])) {
      return bad_dimension(name, "code '" + name_of(dimension.by_name_[i]) + "' is given twice");
    }
  }
  std::vector<bool> has_parent(codes.size(), false);
  dimension.is_leaf_.assign(codes.size(), true);
  for (const Relation& relation : relations) {
    if (std::string trouble = check_relation(relation, codes); !trouble.empty()) {
      return bad_dimension(name, trouble);
    }
    dimension.is_leaf_[static_cast<std::size_t>(relation.parent)] = false;
    for (const std::int32_t child : relation.children) {
      has_parent[static_cast<std::size_t>(child)] = true;
    }
  }
  LeafSets leaf_sets(codes, relations);
  for (std::size_t c = 0; c < codes.size(); ++c) {
    if (std::string trouble = leaf_sets.visit(c); !trouble.empty()) {
      return bad_dimension(name, trouble);
    }
  }
  for (std::size_t c = 0; c < codes.size(); ++c) {
    if (has_parent[c])
      continue;
    if (dimension.total_ >= 0) {
      return bad_dimension(name,
                           "codes '" + name_of(dimension.total_) + "' and '" + codes[c] +
                               "' both stand at the top; one total must be above all codes");
    }
    dimension.total_ = static_cast<std::int32_t>(c);
  }
  dimension.depth_ = depths_below(dimension.total_, codes.size(), relations);
  dimension.name_ = std::move(name);
  dimension.codes_ = std::move(codes);
  dimension.relations_ = std::move(relations);
  return dimension;
}

std::int32_t Dimension::find(std::string_view code) const {
  const auto at = std::lower_bound(
      by_name_.begin(), by_name_.end(), code, [&](std::int32_t i, std::string_view text) {
        return this->code(i) < text;
      });
  return at != by_name_.end() && this->code(*at) == code ? *at : -1;
}

}  // namespace lacuna
