// SPDX-License-Identifier: Apache-2.0
#include "data/argus/rules.h"

#include <gtest/gtest.h>

namespace lacuna::argus {
namespace {

// A variable with the total and one code per cell.
Table row_of(std::vector<Cell> cells) {
  Table table;
  CodeList list;
  list.variable = "Reg";
  list.codes = {"Total"};
  list.parents = {-1};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    list.codes.push_back(std::to_string(i + 1));
    list.parents.push_back(0);
  }
  list.missing.assign(list.codes.size(), false);
  table.variables = {list};
  Cell total;
  for (const Cell& cell : cells) {
    total.response += cell.response;
    total.shadow += cell.shadow;
    total.frequency += cell.frequency;
  }
  table.cells = {total};
  table.cells.insert(table.cells.end(), cells.begin(), cells.end());
  table.rules.rules_given = true;
  return table;
}

Cell cell_of(Units response, std::vector<Units> largest, std::int64_t frequency) {
  Cell cell;
  cell.response = response;
  cell.shadow = response;
  cell.largest = std::move(largest);
  cell.frequency = frequency;
  return cell;
}

Cell cell_of(Units response, std::vector<Units> largest) {
  const auto frequency = static_cast<std::int64_t>(largest.size());
  return cell_of(response, std::move(largest), frequency);
}

TEST(ArgusRules, DominanceAtItsEdgeIsSafe) {
  Table table = row_of({cell_of(100, {60, 20}, 5), cell_of(100, {61, 20}, 5)});
  table.rules.dominance[0] = Dominance{1, 60};
  apply_rules(table);
  EXPECT_EQ(table.cells[1].status, CellStatus::kSafe);
  EXPECT_FALSE(table.cells[1].levels);
  EXPECT_EQ(table.cells[2].status, CellStatus::kUnsafeRule);
  EXPECT_EQ(table.cells[2].levels->upper, mpq_class(5, 3));  // 6100 / 60 - 100
  EXPECT_EQ(table.cells[2].levels->lower, mpq_class(5, 3));
}

TEST(ArgusRules, TheLargestLevelOfAllRulesCounts) {
  Table table = row_of({cell_of(100, {80, 15}, 4)});
  table.rules.dominance[0] = Dominance{1, 75};                  // 20/3
  table.rules.dominance[1] = Dominance{2, 90};                  // 50/9
  table.rules.prior_posterior[0] = PriorPosterior{20, 100, 1};  // 16 + 95 - 100
  apply_rules(table);
  EXPECT_EQ(table.cells[1].levels->upper, 11);
  table.rules.prior_posterior[0]->q = 50;  // 32 + 95 - 100
  apply_rules(table);
  EXPECT_EQ(table.cells[1].levels->upper, 27);
}

TEST(ArgusRules, SeveralIntrudersPoolWhatTheyKnow) {
  Table table = row_of({cell_of(100, {50, 20, 20}, 9)});
  table.rules.prior_posterior[0] = PriorPosterior{19, 100, 2};  // 9.5 + 90 - 100 < 0
  apply_rules(table);
  EXPECT_EQ(table.cells[1].status, CellStatus::kSafe);
  table.rules.prior_posterior[0]->p = mpq_class(201, 10);  // 10.05 + 90 - 100
  apply_rules(table);
  EXPECT_EQ(table.cells[1].status, CellStatus::kUnsafeRule);
  EXPECT_EQ(table.cells[1].levels->upper, 1);  // at least one unit
}

TEST(ArgusRules, LevelsGoFromTheShadowToTheResponse) {
  Table table = row_of({cell_of(10, {80, 15}, 4)});
  table.cells[1].shadow = 100;
  table.rules.prior_posterior[0] = PriorPosterior{20, 100, 1};
  apply_rules(table);
  EXPECT_EQ(table.cells[1].levels->upper, mpq_class(11, 10));
}

TEST(ArgusRules, TheLowerLevelStaysAboveTheSmallestValue) {
  Table table = row_of({cell_of(9, {9}), cell_of(100, {30, 30, 30})});
  table.rules.dominance[0] = Dominance{1, 50};
  apply_rules(table);
  EXPECT_EQ(table.cells[1].levels->lower, mpq_class(89, 10));
  EXPECT_EQ(table.cells[1].levels->upper, 9);
  table.shown_decimals = 2;
  apply_rules(table);
  EXPECT_EQ(table.cells[1].levels->lower, mpq_class(8999, 1000));
  table.shown_decimals = 0;
  table.cells[2].response = -4;  // a reader must think of values down to -6
  apply_rules(table);
  EXPECT_EQ(table.cells[1].levels->lower, 9);
}

TEST(ArgusRules, TheFirstRuleThatFiresGivesTheStatus) {
  Table table = row_of({cell_of(10, {8, 2}),
                        cell_of(10, {5, 5}),
                        cell_of(0, {0, 0}),
                        cell_of(0, {0, 0, 0}),
                        cell_of(0, {})});
  table.rules.dominance[0] = Dominance{1, 70};
  table.rules.frequency[0] = Frequency{3, 30};
  table.rules.zero = 5;
  apply_rules(table);
  EXPECT_EQ(table.cells[1].status, CellStatus::kUnsafeRule);
  EXPECT_EQ(table.cells[2].status, CellStatus::kUnsafeFrequency);
  EXPECT_EQ(table.cells[2].levels->upper, 3);
  EXPECT_EQ(table.cells[3].status, CellStatus::kUnsafeFrequency);
  EXPECT_EQ(table.cells[3].levels->lower, 0);
  EXPECT_EQ(table.cells[3].levels->upper, 5);
  EXPECT_EQ(table.cells[4].status, CellStatus::kUnsafeZero);
  EXPECT_EQ(table.cells[4].levels->upper, 5);
  EXPECT_EQ(table.cells[5].status, CellStatus::kEmpty);
}

TEST(ArgusRules, MissingCodesMayBeSafeWhateverTheRulesSay) {
  Table table = row_of({cell_of(10, {10}), cell_of(10, {10})});
  table.rules.dominance[0] = Dominance{1, 70};
  table.rules.missing_safe = true;
  table.variables[0].missing[2] = true;
  apply_rules(table);
  EXPECT_EQ(table.cells[1].status, CellStatus::kUnsafeRule);
  EXPECT_EQ(table.cells[2].status, CellStatus::kSafe);
}

TEST(ArgusRules, WeightedFrequencyIsTheSumOfWeights) {
  Table table = row_of({cell_of(10, {10}, 1), cell_of(10, {10}, 5)});
  table.weights.resize(3);
  table.weight_decimals = 1;
  table.weights[0].sum = 50;
  table.weights[1].sum = 30;
  table.weights[2].sum = 29;
  table.rules.frequency[0] = Frequency{3, 30};
  apply_rules(table);
  EXPECT_EQ(table.cells[1].status, CellStatus::kSafe);
  EXPECT_EQ(table.cells[2].status, CellStatus::kUnsafeFrequency);
}

TEST(ArgusRules, WithoutRulesTheStatusThatIsGivenCounts) {
  Table table = row_of({cell_of(10, {10}), cell_of(50, {50})});
  table.rules.rules_given = false;
  table.cells[1].status = CellStatus::kUnsafeManual;
  table.cells[2].status = CellStatus::kSecondary;
  apply_rules(table);
  EXPECT_EQ(table.cells[0].status, CellStatus::kSafe);
  EXPECT_EQ(table.cells[1].status, CellStatus::kUnsafeManual);
  EXPECT_EQ(table.cells[1].levels->upper, 2);  // 20 percent
  EXPECT_EQ(table.cells[2].status, CellStatus::kSecondary);
}

}  // namespace
}  // namespace lacuna::argus
