// SPDX-License-Identifier: Apache-2.0
// Controlled rounding on tables of the literature.
#include "lacuna/round.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "core/base/confidential.h"
#include "protect/round/choices.h"
#include "support/number_tables.h"
#include "support/tables.h"

namespace lacuna::rounding {
namespace {

using ::testing::HasSubstr;
using testing::problem_of;
using testing::two_way;

std::shared_ptr<const Problem> salazar(Units lower, Units upper, Units sliding = 0) {
  return problem_of(
      two_way({{20, 50, 10, 80}, {8, 19, 22, 49}, {17, 32, 12, 61}, {45, 101, 44, 190}},
              {0, kUnboundedAbove},
              0,
              {6}),
      {{.cell = CellId{6}, .lower = lower, .upper = upper, .sliding = sliding}});
}

RoundOptions base(Decimal number) {
  RoundOptions options;
  options.base = number;
  return options;
}

double cost(const Table& table, const std::vector<Units>& numbers) {
  double total = 0;
  for (std::size_t c = 0; c < numbers.size(); ++c)
    total += static_cast<double>(
        std::abs(numbers[c] - table.value(CellId{static_cast<std::int32_t>(c)})));
  return total;
}

// Salazar-Gonzalez, Figure 8 (base 10): a rounding that keeps [10, 30] for (II, C). The levels 10
// and 12 of the paper's text are more than it gives, 30 < 22 + 12, so 12 and 8 are asked here.
TEST(Round, Figure8IsFeasibleAndTheOptimumIsNoWorse) {
  const std::vector<Units> printed{
      20, 50, 10, 80, 10, 20, 20, 50, 20, 30, 10, 60, 50, 100, 40, 190};
  const auto problem = salazar(12, 8, 20);
  const auto found = round_table(problem, base(10), RunContext{});
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->why, StopReason::kOptimal);
  testing::expect_safe_on_disk(problem, found->draft);
  EXPECT_LE(found->cost, cost(problem->table(), printed));
  EXPECT_DOUBLE_EQ(found->cost, found->bound);
  EXPECT_EQ(found->steps, 0);
  const auto sensitive = found->draft.find(CellId{6});
  ASSERT_NE(sensitive, nullptr);
  EXPECT_EQ(sensitive->number(), 20);
  EXPECT_EQ(sensitive->bounds(), (Bounds{10, 30}));
}

TEST(Round, LevelsBeyondTheBaseNameTheCellAndASufficientBase) {
  const auto found = round_table(salazar(12, 9), base(10), RunContext{});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("rounding to base 10 cannot give the cell"));
  EXPECT_THAT(base::in_full(found.error().message),
              HasSubstr("the smallest base that works for every cell is 16"));
  EXPECT_TRUE(round_table(salazar(12, 9), base(16), RunContext{}));
}

// Causey, Cox and Ernst (1985): a table of 2 x 2 x 2 cells and all marginals without any
// zero-restricted rounding to base 2. Cells by code 0, 1, 2 (total) of each dimension.
std::shared_ptr<const Problem> cube() {
  TableBuilder builder(0);
  const auto inner = [](int i, int j, int k) { return (i + j + k) % 2 == 0 ? 1 : 0; };
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) {
        Units value = 0;
        for (int a = 0; a < 8; ++a) {
          const int x = a & 1, y = (a >> 1) & 1, z = a >> 2;
          if ((i == 2 || i == x) && (j == 2 || j == y) && (k == 2 || k == z))
            value += inner(x, y, z);
        }
        EXPECT_TRUE(builder.add_cell({.value = value}));
      }
    }
  }
  for (int u = 0; u < 3; ++u) {
    for (int v = 0; v < 3; ++v) {
      for (const auto& [stride, base_index] :
           {std::pair(9, 3 * u + v), std::pair(3, 9 * u + v), std::pair(1, 9 * u + 3 * v)}) {
        const std::vector<Term> terms{{CellId{base_index}, 1},
                                      {CellId{base_index + stride}, 1},
                                      {CellId{base_index + 2 * stride}, -1}};
        EXPECT_TRUE(builder.add_equation(terms));
      }
    }
  }
  return problem_of(std::move(builder), {});
}

TEST(Round, TheCubeWithoutARoundingIsRecognizedExplainedAndRelaxed) {
  const auto problem = cube();
  const auto strict = round_table(problem, base(2), RunContext{});
  ASSERT_TRUE(strict);
  EXPECT_EQ(strict->why, StopReason::kInfeasible);
  EXPECT_FALSE(strict->complete);
  EXPECT_THAT(strict->reason, HasSubstr("equations ("));
  EXPECT_THAT(strict->reason, HasSubstr("cannot hold together"));
  EXPECT_THAT(strict->reason, HasSubstr("an even number of steps"));

  RoundOptions relaxed = base(2);
  relaxed.steps = 3;
  const auto found = round_table(problem, relaxed, RunContext{});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->why, StopReason::kOptimal);
  EXPECT_EQ(found->steps, 1);
  EXPECT_EQ(found->why_not_strict, strict->reason);
  testing::expect_safe_on_disk(problem, found->draft);
  for (const CellEntry& entry : found->draft.entries())
    EXPECT_LE(std::abs(*entry.number() - problem->table().value(entry.cell)), 4);
}

TEST(Round, BasesPerCell) {
  const auto problem = salazar(0, 0, 1);
  RoundOptions options = base(10);
  options.bases.assign(16, 5);
  for (const std::size_t total : {3U, 7U, 11U, 12U, 13U, 14U, 15U})
    options.bases[total] = 10;
  const auto found = round_table(problem, options, RunContext{});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->why, StopReason::kOptimal);
  for (const CellEntry& entry : found->draft.entries())
    EXPECT_EQ(*entry.number() % options.bases[static_cast<std::size_t>(entry.cell.value)], 0);
  testing::expect_safe_on_disk(problem, found->draft);
}

// With a limit of changed cells the others are published as they are; the sensitive cell never.
TEST(Round, LimitOfChangedCells) {
  const auto problem = salazar(0, 0, 1);
  RoundOptions options = base(10);
  std::int64_t fewest = -1;
  for (std::int64_t limit = 0; limit <= 13; ++limit) {
    options.max_changed = limit;
    const auto found = round_table(problem, options, RunContext{});
    ASSERT_TRUE(found);
    if (!found->complete) {
      EXPECT_EQ(found->why, StopReason::kInfeasible);
      EXPECT_THAT(found->reason, HasSubstr("the limit of changed cells"));
      continue;
    }
    fewest = fewest < 0 ? limit : fewest;
    std::int64_t changed = 0;
    for (const CellEntry& entry : found->draft.entries())
      changed += entry.number() != problem->table().value(entry.cell) ? 1 : 0;
    EXPECT_LE(changed, limit);
    EXPECT_EQ(found->draft.state(CellId{6}), StatementKind::kRounded);
    testing::expect_safe_on_disk(problem, found->draft);
  }
  EXPECT_GT(fewest, 0);
}

TEST(Round, UnbiasedDirectionsDependOnTheSeedAlone) {
  const auto problem = salazar(0, 0, 1);
  RoundOptions options = base(10);
  options.unbiased = true;
  options.unbiased_cost = 2;
  const auto release = [&](std::uint64_t seed) {
    RunContext run;
    run.seed = seed;
    return round_table(problem, options, run)->draft.entries();
  };
  EXPECT_EQ(release(1), release(1));
  bool differs = false;
  for (std::uint64_t seed = 2; seed < 10; ++seed)
    differs = differs || release(seed) != release(1);
  EXPECT_TRUE(differs);
}

TEST(Round, ExactMultiplesAreSaidToBeExact) {
  const auto problem = salazar(0, 0, 1);
  RoundOptions options = base(10);
  options.exact_multiples = true;
  const auto found = round_table(problem, options, RunContext{});
  ASSERT_TRUE(found);
  ASSERT_TRUE(found->complete);
  EXPECT_EQ(found->draft.state(CellId{0}), StatementKind::kExact);
  EXPECT_EQ(found->draft.state(CellId{6}), StatementKind::kRounded);
  testing::expect_safe_on_disk(problem, found->draft);
}

// Base 0.05: 1.03 goes to 0.95 or 1.05 where 1.00 must not be shown, and readers know as much: 0.95
// is shown of 0.91 to 1.04.
TEST(Round, SmallCountsBetweenFineMultiples) {
  TableBuilder builder(2);
  for (const Units value : {103, 197, 300}) {
    Cell cell{.value = value};
    if (value == 103)
      cell.status = CellStatus::kPrimary;
    ASSERT_TRUE(builder.add_cell(cell));
  }
  const Term terms[] = {{CellId{0}, 1}, {CellId{1}, 1}, {CellId{2}, -1}};
  ASSERT_TRUE(builder.add_equation(terms));
  const auto problem =
      problem_of(std::move(builder), {{.cell = CellId{0}, .lower = 5, .upper = 5}});
  RoundOptions options = base(Decimal(5, 2));
  options.no_small_counts = true;
  const auto found = round_table(problem, options, RunContext{});
  ASSERT_TRUE(found) << found.error().text();
  ASSERT_TRUE(found->complete) << found->reason;
  const auto shown = found->draft.find(CellId{0});
  ASSERT_NE(shown, nullptr);
  if (shown->number() == 95)
    EXPECT_EQ(shown->says, Statement(Altered{95, {91, 104}}));
  else
    EXPECT_EQ(shown->says, Statement(Altered{105, {96, 109}}));
  testing::expect_safe_on_disk(problem, found->draft);
}

// What a number means under --no-small-counts with small bases, by trying every value.
TEST(Round, NoSmallCountsSaysWhatTheRuleAllows) {
  for (const Units r : {1, 2}) {
    std::map<Units, Bounds> truths;  // of each number that is shown
    const auto release = [&](Units value) {
      TableBuilder builder(0);
      EXPECT_TRUE(builder.add_cell({.value = value, .prior = {0, kUnboundedAbove}}));
      RoundOptions options = base(r);
      options.no_small_counts = true;
      return rounding::rounding_plan(*problem_of(std::move(builder), {}), options, 0)
          .cells.front()
          .choices;
    };
    for (Units value = 0; value <= 12; ++value) {
      for (const pattern::Choice& choice : release(value)) {
        const auto [at, first] = truths.try_emplace(choice.value, Bounds{value, value});
        at->second.upper = value;
      }
    }
    for (Units value = 0; value <= 8; ++value) {
      for (const pattern::Choice& choice : release(value)) {
        const Bounds all = truths.at(choice.value);
        EXPECT_FALSE(choice.value == 1 || choice.value == 2);
        if (const auto* altered = std::get_if<Altered>(&choice.says)) {
          EXPECT_EQ(altered->range, all) << r << " " << choice.value;
        } else if (std::holds_alternative<Rounded>(choice.says)) {
          EXPECT_EQ(Bounds({choice.value - r + 1, choice.value + r - 1}), all) << r;
        } else {
          EXPECT_EQ(all, Bounds({value, value}));
        }
      }
    }
    EXPECT_EQ(truths.at(r == 2 ? 4 : 3), Bounds({1, r == 2 ? 5 : 3}));
  }
}

// A number above zero is never shown of a value below, however many steps are allowed.
TEST(Round, StepsDoNotCrossZeroAndReadersAreTold) {
  TableBuilder builder(0);
  ASSERT_TRUE(builder.add_cell({.value = 7, .prior = {-100, 100}}));
  const auto problem = problem_of(std::move(builder), {});
  const pattern::Plan plan = rounding::rounding_plan(*problem, base(5), 1);
  for (const auto& choice : plan.cells.front().choices) {
    if (choice.value == 5) {
      EXPECT_EQ(choice.says, Statement(Altered{5, {0, 14}}));
    }
  }
}

TEST(Round, ABaseOfOneUnitHidesNothing) {
  const auto problem = salazar(0, 0, 1);
  const auto found = round_table(problem, base(1), RunContext{});
  EXPECT_FALSE(found);
}

TEST(Round, OptionsAreChecked) {
  const auto problem = salazar(0, 0);
  EXPECT_FALSE(round_table(problem, base(0), RunContext{}));
  RoundOptions bad = base(10);
  bad.bases = {5, 5};
  EXPECT_FALSE(round_table(problem, bad, RunContext{}));
  bad = base(10);
  bad.steps = -1;
  EXPECT_FALSE(round_table(problem, bad, RunContext{}));
  bad = base(10);
  bad.gap = 1;
  EXPECT_FALSE(round_table(problem, bad, RunContext{}));
  bad = base(10);
  bad.engine = "nonesuch";
  EXPECT_FALSE(round_table(problem, bad, RunContext{}));
}

}  // namespace
}  // namespace lacuna::rounding
