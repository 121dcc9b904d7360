// SPDX-License-Identifier: Apache-2.0
// With levels of one unit: the circuits of the tableau are displacements, the search leaves nothing
// that is superfluous and exposes nothing, and the patterns are safe by the audit.
#include "protect/start/series_search.h"

#include <gtest/gtest.h>

#include <memory>

#include "app/generate/generate.h"
#include "lacuna/audit.h"
#include "protect/start/circuits.h"
#include "protect/start/construct.h"
#include "support/tables.h"

namespace lacuna::start {
namespace {

using testing::audit;
using SharedProblem = std::shared_ptr<const Problem>;

SharedProblem one_unit(std::uint64_t seed, std::vector<int> depths = {2, 2, 1}) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.depths.assign(depths.begin(), depths.end());
  options.seed = seed;
  options.absent_percent = 20;
  auto made = generation::generate(options);
  EXPECT_TRUE(made);
  return std::make_shared<const Problem>(testing::changed(*made, [](ProblemParts& parts) {
    for (Requirement& goal : parts.requirements) {
      goal.lower = goal.upper = 0;
      goal.sliding = 1;
    }
  }));
}

Draft all_withheld(const Problem& problem) {
  Draft most = Draft::withholding_primaries(problem.table());
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    if (problem.table().cell(CellId{c}).status == CellStatus::kFree)
      most.withhold(CellId{c});
  }
  return most;
}

TEST(KernelTableau, CircuitsAreDisplacementsAndStaySoAfterPivots) {
  const SharedProblem problem = one_unit(3);
  const Table& table = problem->table();
  presolve::KernelTableau tableau(std::vector<presolve::KernelTableau::Role>(
      static_cast<std::size_t>(table.num_cells()), presolve::KernelTableau::Role::kWithheld));
  ASSERT_TRUE(tableau.build(table, 1'000'000, RunContext{}));
  for (int turn = 0; turn < 2; ++turn) {
    std::int32_t circuits = 0;
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      if (tableau.is_basic(c))
        continue;
      EXPECT_TRUE(steps_of_circuit(table, tableau, c)) << c;  // which checks it in integers
      ++circuits;
    }
    EXPECT_GT(circuits, 0);
    for (std::int32_t c = 0; c < table.num_cells(); c += 3) {
      const auto entering =
          tableau.is_basic(c) ? tableau.withheld_in_row(c) : presolve::KernelTableau::Entry{};
      if (entering.cell >= 0)
        tableau.pivot(c, entering.cell);
    }
  }
}

TEST(KernelTableau, StopsAtTooManyEntries) {
  const SharedProblem problem = one_unit(4);
  const Table& table = problem->table();
  presolve::KernelTableau tableau(std::vector<presolve::KernelTableau::Role>(
      static_cast<std::size_t>(table.num_cells()), presolve::KernelTableau::Role::kWithheld));
  EXPECT_FALSE(tableau.build(table, 5, RunContext{}));
}

TEST(Residue, InverseOfEveryKindOfNumber) {
  for (const std::uint32_t a : {1U, 2U, 12345U, presolve::residue::kPrime - 1})
    EXPECT_EQ(presolve::residue::multiply(a, presolve::residue::inverse(a)), 1U);
  EXPECT_EQ(presolve::residue::of(-1), presolve::residue::kPrime - 1);
}

// Whoever publishes one secondary more exposes a sensitive cell.
TEST(SeriesSearch, NothingIsSuperfluousAndNothingExposed) {
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const SharedProblem problem = one_unit(seed, {2, 1, 1});
    if (audit(problem, all_withheld(*problem)).verdict != Verdict::kProtected)
      continue;
    PatternState pattern_state(*problem, {});
    for (const CellEntry& entry : all_withheld(*problem).entries()) {
      if (pattern_state.place(entry.cell) == CellRole::kPublished)
        pattern_state.withhold(entry.cell);
    }
    const std::vector<RouteGoal> goals = list_goals(pattern_state);
    SeriesOptions options;
    options.max_rounds = 3;
    options.most_in_series = 1000;
    SeriesSearch search(pattern_state, goals, options);
    search.run(RunContext{}, RunContext{});
    Draft draft = Draft::withholding_primaries(problem->table());
    const std::vector<CellId> secondaries = search.secondaries();
    for (const CellId cell : secondaries)
      draft.withhold(cell);
    EXPECT_EQ(audit(problem, draft).verdict, Verdict::kProtected) << seed;
    EXPECT_FALSE(search.circuits().empty());
    for (const CellId left_out : secondaries) {
      Draft less = Draft::withholding_primaries(problem->table());
      for (const CellId cell : secondaries) {
        if (cell != left_out)
          less.withhold(cell);
      }
      EXPECT_NE(audit(problem, less).verdict, Verdict::kProtected) << seed << ' ' << left_out.value;
    }
    ++tried;
  }
  EXPECT_GT(tried, 0);
}

TEST(SeriesSearch, ConstructionIsSafeAndTheSameForAnyNumberOfThreads) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const SharedProblem problem = one_unit(seed);
    RunContext run;
    const auto one = construct_pattern(*problem, {}, run);
    run.threads = 3;
    const auto three = construct_pattern(*problem, {}, run);
    ASSERT_TRUE(one && three);
    EXPECT_EQ(one->cost, three->cost);
    EXPECT_EQ(one->witnesses, three->witnesses);
    if (one->complete) {
      EXPECT_EQ(audit(problem, one->draft).verdict, Verdict::kProtected) << seed;
    }
  }
}

}  // namespace
}  // namespace lacuna::start
