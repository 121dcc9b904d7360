// SPDX-License-Identifier: Apache-2.0
// Random trees are grown breadth first. The 1H2D rows follow the parameters that Castro, Frangioni
// and Gentile (CTA paper, section 4.1) name for Castro's generator; that the mean number of rows
// stands for a uniform draw in [2r/5, 8r/5] is our choice, see docs/generate.md.
#include "app/generate/trees.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace lacuna::generation {
namespace {

constexpr std::int64_t kMaxCodes = 10'000'000;

Error too_many_codes() {
  return {ErrorCode::kOptionValue,
          "a dimension would have more than " + std::to_string(kMaxCodes) + " codes",
          "generate"};
}

}  // namespace

std::int32_t Tree::open(std::int32_t parent, std::int64_t children) {
  const std::string prefix =
      parent == 0 ? std::string() : codes[static_cast<std::size_t>(parent)] + ".";
  Relation relation{parent, {}};
  const auto first = static_cast<std::int32_t>(codes.size());
  for (std::int64_t i = 0; i < children; ++i) {
    relation.children.push_back(static_cast<std::int32_t>(codes.size()));
    codes.push_back(prefix + std::to_string(i + 1));
  }
  relations.push_back(std::move(relation));
  return first;
}

bool Tree::has_room_for(std::int64_t children) const {
  return static_cast<std::int64_t>(codes.size()) + children <= kMaxCodes;
}

Result<Dimension> Tree::build(std::string name) && {
  return Dimension::build(std::move(name), std::move(codes), std::move(relations));
}

Result<Tree> random_tree(const TreeShape& shape, base::Random& random) {
  Tree tree;
  std::int32_t level_begin = 0;
  for (std::int32_t level = 0; level < shape.depth; ++level) {
    const auto level_end = static_cast<std::int32_t>(tree.codes.size());
    for (std::int32_t parent = level_begin; parent < level_end; ++parent) {
      if (level > 0 && random.chance(shape.ragged_percent, 100))
        continue;
      const bool lone = random.chance(shape.one_child_percent, 100);
      const std::int64_t fan = lone ? 1 : random.between(shape.fan_least, shape.fan_most);
      if (!tree.has_room_for(fan))
        return too_many_codes();
      tree.open(parent, fan);
    }
    level_begin = level_end;
  }
  return tree;
}

Result<Tree> subtable_tree(const SubtableShape& shape, base::Random& random) {
  Tree tree;
  std::vector<std::int32_t> open{0};
  for (std::int32_t level = 0; level < shape.depth; ++level) {
    std::vector<std::int32_t> next;
    for (const std::int32_t parent : open) {
      const std::int64_t openers = random.between(shape.open_least, shape.open_most);
      const std::int64_t spread = std::int64_t{shape.rows} * 3 / 5;
      const std::int64_t rows = std::max(
          {random.between(shape.rows - spread, shape.rows + spread), openers, std::int64_t{1}});
      if (!tree.has_room_for(rows))
        return too_many_codes();
      const std::int32_t first = tree.open(parent, rows);
      // Selection sampling keeps the openers in order and draws each set equally often.
      std::int64_t wanted = openers;
      for (std::int64_t row = 0; row < rows && wanted > 0; ++row) {
        if (!random.chance(wanted, rows - row))
          continue;
        next.push_back(first + static_cast<std::int32_t>(row));
        --wanted;
      }
    }
    open = std::move(next);
  }
  return tree;
}

Tree counted_tree(std::int32_t codes, std::int32_t relations, base::Random& random) {
  LACUNA_CHECK(relations >= 1 && codes - 1 >= 2 * relations);
  std::vector<std::int64_t> children(static_cast<std::size_t>(relations), 2);
  for (std::int32_t spare = codes - 1 - 2 * relations; spare > 0; --spare)
    ++children[static_cast<std::size_t>(random.between(0, relations - 1))];
  Tree tree;
  std::vector<std::int32_t> leaves{0};
  for (const std::int64_t fan : children) {
    // Opening among the older half of the leaves keeps the tree shallow, as classifications are.
    const auto half = static_cast<std::int64_t>(leaves.size() - 1) / 2;
    const auto at = leaves.begin() + random.between(0, half);
    const std::int32_t parent = *at;
    leaves.erase(at);
    const std::int32_t first = tree.open(parent, fan);
    for (std::int32_t child = first; child < static_cast<std::int32_t>(tree.codes.size()); ++child)
      leaves.push_back(child);
  }
  return tree;
}

void add_second_hierarchy(Tree& tree, base::Random& random) {
  std::vector<bool> is_parent(tree.codes.size(), false);
  for (const Relation& relation : tree.relations)
    is_parent[static_cast<std::size_t>(relation.parent)] = true;
  std::vector<std::int32_t> leaves;
  for (std::size_t c = 0; c < tree.codes.size(); ++c) {
    if (!is_parent[c])
      leaves.push_back(static_cast<std::int32_t>(c));
  }
  for (auto left = static_cast<std::int64_t>(leaves.size()); left > 1; --left) {
    const auto other = static_cast<std::size_t>(random.between(0, left - 1));
    std::swap(leaves[static_cast<std::size_t>(left - 1)], leaves[other]);
  }
  std::size_t groups = 1;
  while ((groups + 1) * (groups + 1) <= leaves.size())
    ++groups;
  Relation total{0, {}};
  std::size_t begin = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t end = leaves.size() * (g + 1) / groups;
    const auto group = static_cast<std::int32_t>(tree.codes.size());
    tree.codes.push_back(std::string("G").append(std::to_string(g + 1)));
    total.children.push_back(group);
    Relation relation{group, {}};
    relation.children.assign(leaves.begin() + static_cast<std::ptrdiff_t>(begin),
                             leaves.begin() + static_cast<std::ptrdiff_t>(end));
    std::sort(relation.children.begin(), relation.children.end());
    tree.relations.push_back(std::move(relation));
    begin = end;
  }
  tree.relations.push_back(std::move(total));
}

}  // namespace lacuna::generation
