// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "core/base/confidential.h"
#include "core/base/random.h"
#include "lacuna/linked_tables.h"

namespace lacuna::table {
namespace {

Dimension flat(const std::string& name, std::int32_t leaves) {
  std::vector<std::string> codes{"T"};
  Relation sum{0, {}};
  for (std::int32_t i = 1; i <= leaves; ++i) {
    codes.push_back(std::to_string(i));
    sum.children.push_back(i);
  }
  return std::move(Dimension::build(name, codes, {sum})).value();
}

Dimension tree(const std::string& name) {  // T = A + B, A = a1 + a2
  return std::move(Dimension::build(name, {"T", "A", "B", "a1", "a2"}, {{0, {1, 2}}, {1, {3, 4}}}))
      .value();
}

using Tuple = std::vector<std::int32_t>;

// All tuples of codes of the dimensions, the last fastest.
std::vector<Tuple> tuples(const std::vector<Dimension>& dimensions) {
  std::vector<Tuple> all{{}};
  for (const Dimension& dimension : dimensions) {
    std::vector<Tuple> longer;
    for (const Tuple& tuple : all) {
      for (std::int32_t code = 0; code < dimension.num_codes(); ++code) {
        longer.push_back(tuple);
        longer.back().push_back(code);
      }
    }
    all = std::move(longer);
  }
  return all;
}

// The value of a tuple by adding up leaves, one dimension at a time (first relation of a code).
Units value_of(const std::vector<Dimension>& dimensions,
               Tuple tuple,
               const std::map<Tuple, Units>& leaves) {
  for (std::size_t d = 0; d < tuple.size(); ++d) {
    for (const Relation& relation : dimensions[d].relations()) {
      if (relation.parent != tuple[d])
        continue;
      Units sum = 0;
      for (const std::int32_t child : relation.children) {
        tuple[d] = child;
        sum += value_of(dimensions, tuple, leaves);
      }
      return sum;
    }
  }
  const auto at = leaves.find(tuple);
  return at == leaves.end() ? 0 : at->second;
}

std::map<Tuple, Units> random_leaves(const std::vector<Dimension>& dimensions,
                                     base::Random& random) {
  std::map<Tuple, Units> leaves;
  for (const Tuple& tuple : tuples(dimensions)) {
    bool is_leaf = true;
    for (std::size_t d = 0; d < tuple.size(); ++d)
      is_leaf = is_leaf && dimensions[d].is_leaf(tuple[d]);
    if (is_leaf)
      leaves[tuple] = random.between(1, 50);
  }
  return leaves;
}

LinkedTable all_of(const std::vector<Dimension>& dimensions) {
  LinkedTable table{"table", {}};
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    table.dimensions.push_back(static_cast<std::int32_t>(d));
  return table;
}

std::int64_t expected_equations(const std::vector<Dimension>& dimensions) {
  std::int64_t total = 0;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    auto count = static_cast<std::int64_t>(dimensions[d].relations().size());
    for (std::size_t other = 0; other < dimensions.size(); ++other)
      count *= other == d ? 1 : dimensions[other].num_codes();
    total += count;
  }
  return total;
}

Table complete(const std::vector<Dimension>& dimensions, std::uint64_t seed) {
  base::Random random(seed);
  const auto leaves = random_leaves(dimensions, random);
  TableBuilder builder(0, dimensions);
  for (const Tuple& tuple : tuples(dimensions))
    EXPECT_TRUE(builder.add_cell({.value = value_of(dimensions, tuple, leaves)}, tuple));
  const std::vector<LinkedTable> tables{all_of(dimensions)};
  const Status status = add_table_equations(builder, tables);
  EXPECT_TRUE(status) << (status ? "" : status.error().text());
  auto table = std::move(builder).build();
  EXPECT_TRUE(table);
  return std::move(table).value();
}

TEST(Cross, CompleteTablesHaveOneEquationPerRelationAndSlice) {
  const std::vector<std::vector<Dimension>> shapes{{flat("R", 4)},
                                                   {flat("R", 3), flat("C", 2)},
                                                   {flat("R", 2), flat("C", 2), flat("L", 3)},
                                                   {tree("R"), flat("C", 2)},
                                                   {tree("R"), tree("C"), flat("L", 2)}};
  for (const auto& dimensions : shapes) {
    const Table table = complete(dimensions, 1);
    EXPECT_EQ(table.num_equations(), expected_equations(dimensions)) << dimensions.size();
  }
}

TEST(Cross, EveryEquationIsAParentAndItsChildren) {
  const Table table = complete({tree("R"), flat("C", 2)}, 3);
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    int parents = 0;
    Units sum = 0;
    for (const Term& term : table.equation(EquationId{e})) {
      parents += term.coefficient == -1 ? 1 : 0;
      sum += term.coefficient * table.value(term.cell);
    }
    EXPECT_EQ(parents, 1);
    EXPECT_EQ(sum, 0);
  }
}

TEST(Cross, AbsentCellsAreStructuralZeros) {
  // a1 is absent everywhere: A = a2 remains.
  TableBuilder builder(0, {tree("R")});
  for (const auto& [code, value] :
       std::vector<std::pair<std::int32_t, Units>>{{0, 30}, {1, 10}, {2, 20}, {4, 10}})
    ASSERT_TRUE(builder.add_cell({.value = value}, Tuple{code}));
  ASSERT_TRUE(add_table_equations(builder, std::vector<LinkedTable>{{"t", {0}}}));
  const auto table = std::move(builder).build();
  ASSERT_TRUE(table);
  EXPECT_EQ(table->num_equations(), 2);
  EXPECT_EQ(table->equation(EquationId{1}).size(), 2U);
}

TEST(Cross, ATotalThatIsAbsentMustBeZero) {
  TableBuilder builder(0, {flat("R", 2)});
  ASSERT_TRUE(builder.add_cell({.value = 3}, Tuple{1}));
  const Status status = add_table_equations(builder, std::vector<LinkedTable>{{"t", {0}}});
  ASSERT_FALSE(status);
  EXPECT_EQ(base::in_full(status.error().text()),
            "R=1: the table is not additive: the equation over R=1 is off by 3");
}

TEST(Cross, LinkedTablesShareCells) {
  // R x C and R x L; the margin of R belongs to both, and its equation is there once.
  const std::vector<Dimension> dimensions{flat("R", 2), flat("C", 2), flat("L", 2)};
  TableBuilder builder(0, dimensions);
  for (const Tuple& tuple : tuples(dimensions)) {
    if (tuple[1] != 0 && tuple[2] != 0)
      continue;
    const auto count = [&](std::size_t d) { return tuple[d] == 0 ? 2 : 1; };
    ASSERT_TRUE(builder.add_cell({.value = count(0) * count(1) * count(2) * 5}, tuple));
  }
  ASSERT_TRUE(
      add_table_equations(builder, std::vector<LinkedTable>{{"RC", {0, 1}}, {"RL", {0, 2}}}));
  const auto table = std::move(builder).build();
  ASSERT_TRUE(table);
  EXPECT_EQ(table->num_cells(), 15);
  // By R: 5 (T|T, 2 of C, 2 of L); by C: 3 rows; by L: 3 rows.
  EXPECT_EQ(table->num_equations(), 11);
}

TEST(Cross, NamesCellsAndDifferenceWhereASumIsWrong) {
  TableBuilder builder(1, {flat("R", 2), flat("C", 2)});
  for (const Tuple& tuple : tuples(builder.dimensions())) {
    const Units value = (tuple[0] == 0 ? 20 : 10) * (tuple[1] == 0 ? 2 : 1);
    const bool wrong = tuple == Tuple{2, 1};
    ASSERT_TRUE(builder.add_cell({.value = value + (wrong ? 3 : 0)}, tuple));
  }
  const Status status = add_table_equations(builder, std::vector<LinkedTable>{{"t", {0, 1}}});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kNotAdditive);
  EXPECT_EQ(
      base::in_full(status.error().text()),
      "R=T|C=1: the table is not additive: the equation over R=T|C=1, R=1|C=1, R=2|C=1 is off "
      "by 0.3");
}

TEST(Cross, RefusesCellsTwiceAndCellsOfNoTable) {
  TableBuilder twice(0, {flat("R", 1)});
  ASSERT_TRUE(twice.add_cell({.value = 1}, Tuple{0}));
  ASSERT_TRUE(twice.add_cell({.value = 1}, Tuple{1}));
  ASSERT_TRUE(twice.add_cell({.value = 1}, Tuple{1}));
  const Status status = add_table_equations(twice, std::vector<LinkedTable>{{"t", {0}}});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().text(), "R=1: the cell is given twice");

  TableBuilder homeless(0, {flat("R", 1), flat("C", 1)});
  ASSERT_TRUE(homeless.add_cell({.value = 1}, Tuple{1, 1}));
  const Status other =
      add_table_equations(homeless, std::vector<LinkedTable>{{"a", {0}}, {"b", {1}}});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().text(), "R=1|C=1: the cell belongs to none of the tables");
}

}  // namespace
}  // namespace lacuna::table
