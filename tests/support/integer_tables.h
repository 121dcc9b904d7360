// SPDX-License-Identifier: Apache-2.0
// Small tables of counts and every whole-number table that an attacker cannot rule out, by trying
// all leaf values: the second opinion on whole-number ranges. Cells are sums of leaves here, and
// the enumeration knows nothing of equations.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "judge/attack/view.h"
#include "lacuna/counts.h"
#include "lacuna/table.h"

namespace lacuna::testing {

// A code is a set of leaves of its dimension; a relation says that children make up a parent.
struct CountDimension {
  std::vector<std::uint32_t> codes;  // bit sets; the leaves first
  struct Relation {
    std::size_t parent;
    std::vector<std::size_t> children;
  };
  std::vector<Relation> relations;
  std::size_t leaves = 0;
};

inline CountDimension flat(std::size_t leaves) {
  CountDimension result;
  result.leaves = leaves;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < leaves; ++i) {
    result.codes.push_back(1U << i);
    all.push_back(i);
  }
  result.codes.push_back((1U << leaves) - 1);
  result.relations.push_back({leaves, all});
  return result;
}

// Areas 1, 2, 3 with the unions 23 and 12, both of which make up the total with the third.
inline CountDimension two_groupings() {
  CountDimension result{{1, 2, 4, 6, 3, 7}, {}, 3};
  result.relations = {{3, {1, 2}}, {5, {0, 3}}, {4, {0, 1}}, {5, {4, 2}}};
  return result;
}

// 1 + (2 + 3).
inline CountDimension one_tree() {
  CountDimension result{{1, 2, 4, 6, 7}, {}, 3};
  result.relations = {{3, {1, 2}}, {4, {0, 3}}};
  return result;
}

struct CountTable {
  Table table;
  std::vector<std::vector<std::size_t>> leaves_of;  // by cell
  std::vector<Units> leaf_values;
};

// The table of all combinations of codes; the last dimension runs fastest, in cells and leaves.
class CountTableMaker {
 public:
  explicit CountTableMaker(std::vector<CountDimension> dimensions)
      : dimensions_(std::move(dimensions)) {}

  std::size_t num_leaves() const {
    std::size_t product = 1;
    for (const CountDimension& dimension : dimensions_)
      product *= dimension.leaves;
    return product;
  }

  CountTable make(const std::vector<Units>& leaf_values) const {
    TableBuilder builder(0);
    std::vector<std::vector<std::size_t>> leaves_of;
    std::size_t cells = 1;
    for (const CountDimension& dimension : dimensions_)
      cells *= dimension.codes.size();
    for (std::size_t c = 0; c < cells; ++c) {
      leaves_of.push_back(leaves_in(codes_of(c)));
      Units value = 0;
      for (const std::size_t leaf : leaves_of.back())
        value += leaf_values[leaf];
      EXPECT_TRUE(builder.add_cell(Cell{.value = value}));
    }
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      for (const auto& relation : dimensions_[d].relations)
        add_equations(builder, d, relation, cells);
    }
    auto built = std::move(builder).build();
    EXPECT_TRUE(built);
    return {std::move(built).value(), std::move(leaves_of), leaf_values};
  }

 private:
  std::vector<std::size_t> codes_of(std::size_t cell) const {
    std::vector<std::size_t> codes(dimensions_.size());
    for (std::size_t d = dimensions_.size(); d-- > 0;) {
      codes[d] = cell % dimensions_[d].codes.size();
      cell /= dimensions_[d].codes.size();
    }
    return codes;
  }
  std::size_t cell_of(const std::vector<std::size_t>& codes) const {
    std::size_t cell = 0;
    for (std::size_t d = 0; d < codes.size(); ++d)
      cell = cell * dimensions_[d].codes.size() + codes[d];
    return cell;
  }
  std::vector<std::size_t> leaves_in(const std::vector<std::size_t>& codes) const {
    std::vector<std::size_t> found;
    for (std::size_t leaf = 0; leaf < num_leaves(); ++leaf) {
      std::size_t rest = leaf;
      bool in = true;
      for (std::size_t d = codes.size(); d-- > 0;) {
        in = in && (dimensions_[d].codes[codes[d]] >> (rest % dimensions_[d].leaves) & 1U) != 0;
        rest /= dimensions_[d].leaves;
      }
      if (in)
        found.push_back(leaf);
    }
    return found;
  }
  void add_equations(TableBuilder& builder,
                     std::size_t d,
                     const CountDimension::Relation& relation,
                     std::size_t cells) const {
    for (std::size_t c = 0; c < cells; ++c) {
      std::vector<std::size_t> codes = codes_of(c);
      if (codes[d] != relation.parent)
        continue;
      std::vector<Term> terms{{CellId{static_cast<std::int32_t>(c)}, -1}};
      for (const std::size_t child : relation.children) {
        codes[d] = child;
        terms.push_back({CellId{static_cast<std::int32_t>(cell_of(codes))}, 1});
      }
      EXPECT_TRUE(builder.add_equation(terms));
    }
  }

  std::vector<CountDimension> dimensions_;
};

// All whole tables within the slacks, by leaves; every leaf must be bounded by some cell above it.
class IntegerEnumeration {
 public:
  IntegerEnumeration(const CountTable& table, std::span<const attack::Slack> slacks)
      : table_(table), slacks_(slacks), sums_(slacks.size(), 0), left_(slacks.size(), 0) {
    cells_of_.resize(table.leaf_values.size());
    for (std::size_t c = 0; c < table.leaves_of.size(); ++c) {
      left_[c] = table.leaves_of[c].size();
      for (const std::size_t leaf : table.leaves_of[c])
        cells_of_[leaf].push_back(c);
    }
    values_.resize(cells_of_.size());
    try_leaf(0);
  }

  const std::vector<std::vector<Units>>& tables() const { return found_; }  // values of the cells
  // The values of f'z over all of them.
  std::set<Units> moves(std::span<const Term> form) const {
    std::set<Units> result;
    for (const auto& cells : found_) {
      Units move = 0;
      for (const Term& term : form)
        move += term.coefficient *
                (cells[static_cast<std::size_t>(term.cell.value)] - table_.table.value(term.cell));
      result.insert(move);
    }
    return result;
  }

 private:
  Units highest(std::size_t cell) const {
    const Units value = table_.table.cells()[cell].value;
    return slacks_[cell].up == kUnboundedAbove ? kMaxUnits : value + slacks_[cell].up;
  }
  Units lowest(std::size_t cell) const {
    return table_.table.cells()[cell].value - slacks_[cell].down;
  }
  void try_leaf(std::size_t leaf) {
    if (leaf == values_.size()) {
      found_.push_back(sums_);
      return;
    }
    Units most = kMaxUnits;
    for (const std::size_t cell : cells_of_[leaf])
      most = std::min(most, highest(cell) - sums_[cell]);
    ASSERT_LT(most, 1000) << "a leaf without an end";
    for (Units value = 0; value <= most; ++value) {
      bool possible = true;
      for (const std::size_t cell : cells_of_[leaf]) {
        sums_[cell] += value;
        --left_[cell];
        possible = possible && (left_[cell] > 0 || sums_[cell] >= lowest(cell));
      }
      values_[leaf] = value;
      if (possible)
        try_leaf(leaf + 1);
      for (const std::size_t cell : cells_of_[leaf]) {
        sums_[cell] -= value;
        ++left_[cell];
      }
    }
  }

  const CountTable& table_;
  std::span<const attack::Slack> slacks_;
  std::vector<Units> sums_;
  std::vector<std::size_t> left_;
  std::vector<std::vector<std::size_t>> cells_of_;
  std::vector<Units> values_;
  std::vector<std::vector<Units>> found_;
};

// Cells withheld have [0, no end), the others no room; the true values are at least 0.
inline std::vector<attack::Slack> slacks_withholding(const Table& table,
                                                     const std::vector<std::int32_t>& withheld) {
  std::vector<attack::Slack> slacks(static_cast<std::size_t>(table.num_cells()));
  for (const std::int32_t cell : withheld)
    slacks[static_cast<std::size_t>(cell)] = {table.value(CellId{cell}), kUnboundedAbove};
  return slacks;
}

// One to four dimensions, flat, trees or two groupings, two to ten leaves.
inline CountTableMaker random_count_shape(base::Random& random) {
  while (true) {
    std::vector<CountDimension> dimensions;
    std::size_t leaves = 1;
    const std::int64_t count = random.between(1, 4);
    for (std::int64_t d = 0; d < count; ++d) {
      switch (random.between(0, 4)) {
        case 0:
          dimensions.push_back(two_groupings());
          break;
        case 1:
          dimensions.push_back(one_tree());
          break;
        default:
          dimensions.push_back(flat(static_cast<std::size_t>(random.between(2, 4))));
      }
      leaves *= dimensions.back().leaves;
    }
    if (leaves <= 10)
      return CountTableMaker(std::move(dimensions));
  }
}

// What an attacker may leave open: much withheld, some of it within bounds, all leaves bounded.
inline std::vector<attack::Slack> random_slacks(const CountTable& table, base::Random& random) {
  std::vector<attack::Slack> slacks(table.leaves_of.size());
  const std::int64_t withheld = random.between(40, 100);
  const std::int64_t lowest = random.chance(1, 3) ? 1 : 0;  // zeros are never withheld
  for (std::size_t c = 0; c < slacks.size(); ++c) {
    const Units value = table.table.cells()[c].value;
    if (!random.chance(withheld, 100) || value < lowest)
      continue;
    slacks[c] = {value - lowest, kUnboundedAbove};
    if (random.chance(1, 4))
      slacks[c].up = random.between(0, 3);
    if (random.chance(1, 6))
      slacks[c].down = std::min<Units>(slacks[c].down, random.between(0, 2));
  }
  for (std::size_t leaf = 0; leaf < table.leaf_values.size(); ++leaf) {
    bool bounded = false;
    std::size_t last = 0;
    for (std::size_t c = 0; c < slacks.size(); ++c) {
      const auto& in = table.leaves_of[c];
      if (std::find(in.begin(), in.end(), leaf) == in.end())
        continue;
      bounded = bounded || slacks[c].up != kUnboundedAbove;
      last = c;
    }
    if (!bounded)
      slacks[last].up = random.between(0, 2);
  }
  return slacks;
}

}  // namespace lacuna::testing
