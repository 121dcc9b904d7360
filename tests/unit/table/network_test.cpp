// SPDX-License-Identifier: Apache-2.0
// Two-dimensional tables with at most one hierarchy are networks, in either order of dimensions and
// whatever is fixed; the arcs say the same as the equations.
#include "core/table/network.h"

#include <gtest/gtest.h>

#include "core/table/leaf_form.h"
#include "lacuna/linked_tables.h"
#include "unit/table/structure.h"

namespace lacuna::table {
namespace {

using namespace testing;  // NOLINT: the helpers of this folder

void check_arcs(const Table& table, const std::vector<bool>& free, const Network& network) {
  ASSERT_EQ(network.nodes.size(), network.node_sign.size());
  // The nodes hold as much as all equations do.
  const auto rank = rank_by_elimination(table, free, every_equation(table));
  EXPECT_EQ(rank_by_elimination(table, free, network.nodes), rank);
  std::map<std::pair<std::int32_t, std::int32_t>, int> coefficient;  // (node, cell)
  for (const NetworkArc& arc : network.arcs) {
    EXPECT_TRUE(free[static_cast<std::size_t>(arc.cell.value)]);
    if (arc.to >= 0)
      coefficient[{arc.to, arc.cell.value}] += 1;
    if (arc.from >= 0)
      coefficient[{arc.from, arc.cell.value}] -= 1;
  }
  for (std::size_t n = 0; n < network.nodes.size(); ++n) {
    for (const Term& term : table.equation(network.nodes[n])) {
      if (!free[static_cast<std::size_t>(term.cell.value)])
        continue;
      const auto at = coefficient.find({static_cast<std::int32_t>(n), term.cell.value});
      ASSERT_NE(at, coefficient.end());
      EXPECT_EQ(at->second, term.coefficient * network.node_sign[n]);
      coefficient.erase(at);
    }
  }
  EXPECT_TRUE(coefficient.empty()) << "an arc touches a node whose equation lacks its cell";
}

void expect_network(const Table& table, std::uint64_t seed) {
  base::Random random(seed);
  for (const std::int64_t percent : {100, 80, 50, 20}) {
    const auto free = random_free(table, random, percent);
    const auto network = network_form(table, free);
    ASSERT_TRUE(network) << percent << " percent free, seed " << seed;
    check_arcs(table, free, *network);
  }
}

// The same table with its equations in another order, as another program would write it.
Table shuffled(const Table& table, base::Random& random) {
  std::vector<EquationId> order = every_equation(table);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(random.between(0, static_cast<int>(i) - 1))]);
  TableBuilder builder(table.decimals());
  for (const Cell& cell : table.cells())
    EXPECT_TRUE(builder.add_cell(cell));
  for (const EquationId e : order)
    EXPECT_TRUE(builder.add_equation(table.equation(e), table.rhs(e)));
  return std::move(std::move(builder).build()).value();
}

Table hierarchical(std::uint64_t seed, std::vector<std::int32_t> depths, std::int32_t percent) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.seed = seed;
  options.depths = std::move(depths);
  options.fan_most = {3};
  options.ragged_percent = percent;
  options.absent_percent = percent;
  options.one_child_percent = percent;
  return generated(options);
}

TEST(Network, FlatTables) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    generation::GenerateOptions options;
    options.seed = seed;
    options.absent_percent = seed % 2 == 0 ? 30 : 0;
    options.sizes = {6};
    expect_network(generated(options), seed);
    options.sizes = {4, 5};
    expect_network(generated(options), seed);
  }
}

TEST(Network, OneHierarchyInTheFirstDimension) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    expect_network(hierarchical(seed, {3, 1}, 0), seed);
}

TEST(Network, OneHierarchyInTheSecondDimension) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    expect_network(hierarchical(seed, {1, 3}, 0), seed);
}

TEST(Network, RaggedAndAbsent) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    expect_network(hierarchical(seed, {3, 1}, 25), seed);
    expect_network(hierarchical(seed, {1, 3}, 25), seed);
  }
}

TEST(Network, EquationsInAnyOrder) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    base::Random random(seed);
    expect_network(shuffled(hierarchical(seed, {3, 1}, 0), random), seed);
    expect_network(shuffled(hierarchical(seed, {1, 3}, 25), random), seed);
  }
}

TEST(Network, ThePaperShape) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kOneHierarchy;
  options.rows = 4;
  options.columns = 5;
  options.tree_depth = 3;
  expect_network(generated(options), 1);
}

TEST(Network, ThreeDimensionsAreNone) {
  generation::GenerateOptions options;
  options.sizes = {3, 3, 3};
  const Table table = generated(options);
  EXPECT_FALSE(network_form(table, all_free(table)));
}

TEST(Network, OtherCoefficientsAreNone) {
  TableBuilder builder(0);
  ASSERT_TRUE(builder.add_cell({.value = 4}));
  ASSERT_TRUE(builder.add_cell({.value = 2}));
  ASSERT_TRUE(builder.add_equation(std::vector<Term>{{CellId{0}, 1}, {CellId{1}, -2}}));
  const auto table = std::move(builder).build();
  ASSERT_TRUE(table);
  EXPECT_FALSE(network_form(*table, {true, true}));
  EXPECT_TRUE(network_form(*table, {true, false}));  // what is fixed does not count
}

}  // namespace
}  // namespace lacuna::table
