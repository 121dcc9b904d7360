// SPDX-License-Identifier: Apache-2.0
// z = N u satisfies every equation that is not kept as a condition, and the rank is the one that a
// plain elimination finds.
#include "core/table/leaf_form.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "data/jobfile/problem_file.h"
#include "lacuna/linked_tables.h"
#include "support/test_data.h"
#include "unit/table/structure.h"

namespace lacuna::table {
namespace {

using namespace testing;  // NOLINT: the helpers of this folder

// The equation as a row over the leaves.
std::map<std::int32_t, mpq_class> over_leaves(const Table& table,
                                              const LeafForm& form,
                                              EquationId equation) {
  std::map<std::int32_t, mpq_class> row;
  for (const Term& term : table.equation(equation)) {
    for (const LeafTerm& leaf : form.of(term.cell)) {
      mpq_class& entry = row[leaf.leaf];
      entry += mpq_class(static_cast<long>(leaf.coefficient)) * term.coefficient;
      if (entry == 0)
        row.erase(leaf.leaf);
    }
  }
  return row;
}

void check_form(const Table& table, const std::vector<bool>& free, DefineBy order) {
  const LeafForm form = leaf_form(table, free, order);
  // Leaves and defined cells are the free cells, each once.
  std::vector<int> times(free.size(), 0);
  for (const CellId cell : form.leaves)
    ++times[static_cast<std::size_t>(cell.value)];
  for (const CellId cell : form.defined)
    ++times[static_cast<std::size_t>(cell.value)];
  for (std::size_t c = 0; c < free.size(); ++c) {
    EXPECT_EQ(times[c], free[c] ? 1 : 0) << "cell " << c;
    EXPECT_TRUE(free[c] || form.of(CellId{static_cast<std::int32_t>(c)}).empty());
  }
  ASSERT_EQ(form.defined.size(), form.defining.size());
  for (const EquationId e : form.defining)
    EXPECT_TRUE(over_leaves(table, form, e).empty()) << "equation " << e.value;
  for (const EquationId e : form.conditions)
    EXPECT_FALSE(over_leaves(table, form, e).empty()) << "equation " << e.value;
  EXPECT_EQ(form.rank(), rank_by_elimination(table, free, every_equation(table)));
}

// An equation that is neither used nor kept must follow from the conditions: the rank says so. With
// no conditions it must vanish over the leaves.
void check_without_conditions(const Table& table, const std::vector<bool>& free) {
  const LeafForm form = leaf_form(table, free);
  if (!form.conditions.empty())
    return;
  for (const EquationId e : every_equation(table))
    EXPECT_TRUE(over_leaves(table, form, e).empty()) << "equation " << e.value;
}

TEST(LeafForm, SmallTablesOfEveryKind) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    base::Random random(seed);
    const Table table = generated_small(seed);
    for (const std::int64_t percent : {100, 70, 30}) {
      const auto free = random_free(table, random, percent);
      check_form(table, free, DefineBy::kFirst);
      check_form(table, free, DefineBy::kLast);
      check_without_conditions(table, free);
    }
  }
}

TEST(LeafForm, LargerTables) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    for (const Table& table : generated_shapes(seed)) {
      SCOPED_TRACE(std::to_string(table.num_cells()) + " cells");
      base::Random random(seed);
      check_form(table, all_free(table), DefineBy::kFirst);
      check_form(table, random_free(table, random, 60), DefineBy::kLast);
      check_without_conditions(table, all_free(table));
    }
  }
}

TEST(LeafForm, AnyCoefficients) {
  // 2a + 3b = c, a - b = d, and twice the difference of the two.
  TableBuilder builder(0);
  for (const Units value : {5, 2, 16, 3})
    ASSERT_TRUE(builder.add_cell({.value = value}));
  const CellId a{0}, b{1}, c{2}, d{3};
  ASSERT_TRUE(builder.add_equation(std::vector<Term>{{a, 2}, {b, 3}, {c, -1}}));
  ASSERT_TRUE(builder.add_equation(std::vector<Term>{{a, 1}, {b, -1}, {d, -1}}));
  ASSERT_TRUE(builder.add_equation(std::vector<Term>{{a, 2}, {b, 8}, {c, -2}, {d, 2}}));
  const auto table = std::move(builder).build();
  ASSERT_TRUE(table);
  check_form(*table, all_free(*table), DefineBy::kFirst);
  EXPECT_EQ(leaf_form(*table, all_free(*table)).rank(), 2);
}

TEST(LeafForm, NothingFree) {
  const Table table = generated_small(3);
  const LeafForm form =
      leaf_form(table, std::vector<bool>(static_cast<std::size_t>(table.num_cells()), false));
  EXPECT_EQ(form.rank(), 0);
  EXPECT_TRUE(form.leaves.empty());
}

TEST(IndependentEquations, AreIndependentAndSpanAll) {
  for (std::uint64_t seed = 200; seed <= 260; ++seed) {
    const Table table = generated_small(seed);
    base::Random random(seed);
    const auto free = random_free(table, random, 80);
    const auto chosen = independent_equations(table, free);
    const auto rank = rank_by_elimination(table, free, every_equation(table));
    EXPECT_EQ(static_cast<std::int64_t>(chosen.size()), rank);
    EXPECT_EQ(rank_by_elimination(table, free, chosen), rank);
    EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
  }
}

// Crossed whole trees leave the leaves free and nothing else, whatever the number of equations.
TEST(LeafForm, CrossedTreesHaveTheRankOfTheirCellsLessTheirLeaves) {
  // 13 codes, 7 sums and 6 leaves: a sum of two sums, and codes with one below them.
  const std::vector<Relation> sums{
      {0, {1, 2}}, {1, {3, 4}}, {2, {5, 6}}, {3, {7, 8}}, {4, {9}}, {5, {10, 11}}, {6, {12}}};
  std::vector<std::string> codes;
  for (int code = 0; code < 13; ++code)
    codes.push_back("c" + std::to_string(code));
  std::vector<Dimension> dimensions;
  for (const char* name : {"a", "b", "c"})
    dimensions.push_back(Dimension::build(name, codes, sums).value());
  TableBuilder builder(0, dimensions);
  for (std::int32_t a = 0; a < 13; ++a) {
    for (std::int32_t b = 0; b < 13; ++b) {
      for (std::int32_t c = 0; c < 13; ++c)
        ASSERT_TRUE(builder.add_cell({.value = 0}, {{a, b, c}}));
    }
  }
  ASSERT_TRUE(add_table_equations(builder, std::vector<LinkedTable>{{"abc", {0, 1, 2}}}));
  const auto table = std::move(builder).build();
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->num_equations(), 3 * 7 * 13 * 13);
  EXPECT_EQ(leaf_form(*table, all_free(*table)).rank(), 13 * 13 * 13 - 6 * 6 * 6);
}

TEST(LeafForm, TablesOfAnOffice) {
  for (const char* name : {"turnover_act_size", "turnover_nuts_cj"}) {
    const auto problem =
        jobfile::read_problem((test_data("turnover") / (std::string(name) + ".jj.xz")).string());
    ASSERT_TRUE(problem) << problem.error().text();
    check_form(problem->table(), all_free(problem->table()), DefineBy::kFirst);
  }
}

// Instances of the literature, with the rank that dense elimination once found.
struct Known {
  const char* name;
  std::int64_t rank, equations;
};

class CastroRank : public ::testing::TestWithParam<Known> {};

TEST_P(CastroRank, IsTheOneFoundByDenseElimination) {
  LACUNA_NEEDS_SHARED("instances/castro");
  const std::filesystem::path path =
      shared_data("instances/castro") / (std::string(GetParam().name) + ".jj.xz");
  const auto problem = jobfile::read_problem(path.string());
  ASSERT_TRUE(problem) << problem.error().text();
  EXPECT_EQ(problem->table().num_equations(), GetParam().equations);
  EXPECT_EQ(leaf_form(problem->table(), all_free(problem->table())).rank(), GetParam().rank);
}

INSTANTIATE_TEST_SUITE_P(Instances,
                         CastroRank,
                         ::testing::Values(Known{"hier13x13x13a", 1981, 3549},
                                           Known{"hier13", 1894, 3313},
                                           Known{"two5in6", 5147, 9629},
                                           Known{"hier13x13x7d", 967, 1443}),
                         [](const auto& known) { return std::string(known.param.name); });

}  // namespace
}  // namespace lacuna::table
