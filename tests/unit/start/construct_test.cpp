// SPDX-License-Identifier: Apache-2.0
// What the construction hands over is safe by the audit, with its own evidence and without; it does
// not depend on the number of threads; and it gives up only where nothing helps.
#include "protect/start/construct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>

#include "app/generate/generate.h"
#include "lacuna/audit.h"
#include "support/tables.h"

namespace lacuna::start {
namespace {

using testing::audit;
using SharedProblem = std::shared_ptr<const Problem>;

SharedProblem shared(Result<Problem> problem) {
  EXPECT_TRUE(problem) << (problem ? "" : problem.error().text());
  return std::make_shared<const Problem>(std::move(problem).value());
}

Constructed construct(const SharedProblem& problem,
                      const ConstructOptions& options = {},
                      int threads = 1) {
  RunContext run;
  run.threads = threads;
  auto made = construct_pattern(*problem, options, run);
  EXPECT_TRUE(made);
  return std::move(made).value();
}

AuditReport audit_with_hints(const SharedProblem& problem, const Constructed& made) {
  AuditOptions options;
  options.intervals = false;
  options.hints = made.witnesses;
  auto report = Auditor(problem).audit(made.draft, options, RunContext{});
  EXPECT_TRUE(report);
  return std::move(report).value();
}

bool is_hopeless(const SharedProblem& problem) {
  Draft most = Draft::withholding_primaries(problem->table());
  for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
    if (problem->table().cell(CellId{c}).status == CellStatus::kFree)
      most.withhold(CellId{c});
  }
  return audit(problem, most).verdict != Verdict::kProtected;
}

bool slides(const Problem& problem) {
  for (const Requirement& goal : problem.requirements()) {
    if (Wide{goal.sliding} > Wide{goal.lower} + goal.upper)
      return true;
  }
  return false;
}

SharedProblem three_way(std::uint64_t seed, std::int32_t attackers) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.depths = {2, 2, 1};
  options.seed = seed;
  options.skew = 6;
  options.absent_percent = 20;
  options.weight = generation::GenerateWeight::kValue;
  options.attackers = attackers;
  options.published_percent = 5;
  return shared(generation::generate(options));
}

TEST(Construct, SmallTablesOfEveryKind) {
  int complete = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const SharedProblem problem = shared(generation::generate_small(seed));
    const Constructed made = construct(problem);
    if (!made.complete) {
      EXPECT_FALSE(made.unmet.empty());
      EXPECT_TRUE(slides(*problem) || is_hopeless(problem));
      continue;
    }
    ++complete;
    EXPECT_TRUE(made.unmet.empty());
    EXPECT_EQ(audit(problem, made.draft).verdict, Verdict::kProtected);
    const AuditReport report = audit_with_hints(problem, made);
    EXPECT_EQ(report.verdict, Verdict::kProtected);
    EXPECT_EQ(report.counts.lp_solves + report.counts.flows, 0);
  }
  EXPECT_GT(complete, 200);
}

TEST(Construct, ThreeWayTablesWithAttackers) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const SharedProblem problem = three_way(seed, seed % 2 == 0 ? 3 : 0);
    const Constructed made = construct(problem);
    if (!made.complete) {
      EXPECT_TRUE(is_hopeless(problem));
      continue;
    }
    EXPECT_EQ(audit(problem, made.draft).verdict, Verdict::kProtected);
    EXPECT_EQ(audit_with_hints(problem, made).verdict, Verdict::kProtected);
  }
}

TEST(Construct, SameForAnyNumberOfThreads) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const SharedProblem problem = three_way(seed, 0);
    const Constructed one = construct(problem, {}, 1);
    const Constructed three = construct(problem, {}, 3);
    EXPECT_EQ(one.cost, three.cost);
    EXPECT_EQ(one.draft.entries(), three.draft.entries());
    EXPECT_EQ(one.witnesses, three.witnesses);
  }
}

TEST(Construct, ImprovementSavesAndKeepsWhatMustBeKept) {
  const SharedProblem problem = three_way(7, 0);
  ConstructOptions first;
  first.improve = false;
  const Constructed before = construct(problem, first);
  const Constructed after = construct(problem);
  ASSERT_TRUE(before.complete && after.complete);
  EXPECT_LE(after.cost, before.cost);
  for (const CellEntry& entry : after.draft.entries()) {
    const CellStatus status = problem->table().cell(entry.cell).status;
    EXPECT_TRUE(status != CellStatus::kMustPublish && status != CellStatus::kKnown);
  }
  for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
    if (problem->table().cell(CellId{c}).status == CellStatus::kPrimary) {
      EXPECT_EQ(after.draft.state(CellId{c}), StatementKind::kWithheld);
    }
  }
}

TEST(Construct, OtherCostsAndCellsToStartWith) {
  const SharedProblem problem = three_way(7, 0);
  ConstructOptions options;
  options.costs.assign(static_cast<std::size_t>(problem->table().num_cells()), 1);
  const Constructed counted = construct(problem, options);
  ASSERT_TRUE(counted.complete);
  EXPECT_EQ(counted.cost, counted.draft.count(StatementKind::kWithheld));
  options.improve = false;
  for (const CellEntry& entry : counted.draft.entries())
    options.withheld.push_back(entry.cell);
  const Constructed again = construct(problem, options);
  ASSERT_TRUE(again.complete);
  EXPECT_LE(again.cost, counted.cost * 1.5);
  options.costs.pop_back();
  EXPECT_FALSE(construct_pattern(*problem, options, RunContext{}));
  options.costs.clear();
  options.withheld.push_back(CellId{problem->table().num_cells()});
  EXPECT_FALSE(construct_pattern(*problem, options, RunContext{}));
}

TEST(Construct, StopsWhenTimeIsUp) {
  const SharedProblem problem = three_way(3, 0);
  RunContext run;
  run.deadline = std::chrono::steady_clock::now();
  const auto made = construct_pattern(*problem, {}, run);
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->complete);
  EXPECT_FALSE(made->unmet.empty());
}

TEST(Construct, HasAPatternEvenWithoutWork) {
  const SharedProblem problem = three_way(3, 0);
  const auto made = construct_pattern(*problem, {}, with_work(RunContext{}, 0));
  ASSERT_TRUE(made);
  ASSERT_TRUE(made->complete);
  EXPECT_EQ(audit_with_hints(problem, *made).verdict, Verdict::kProtected);
  EXPECT_EQ(audit(problem, made->draft).verdict, Verdict::kProtected);
}

TEST(Construct, MoreWorkIsNeverDearer) {
  const SharedProblem problem = three_way(3, 0);
  double before = std::numeric_limits<double>::infinity();
  for (const std::int64_t work : {0, 20'000, 1'000'000}) {
    const auto made = construct_pattern(*problem, {}, with_work(RunContext{}, work));
    ASSERT_TRUE(made);
    ASSERT_TRUE(made->complete);
    EXPECT_LE(made->cost, before);
    before = made->cost;
  }
}

TEST(Construct, IsTheSameForAnyNumberOfThreads) {
  const SharedProblem problem = three_way(3, 0);
  for (const std::int64_t work : {5'000, 50'000, 200'000}) {
    std::optional<Draft> first;
    for (const int threads : {1, 2, 8}) {
      RunContext run;
      run.threads = threads;
      const auto made = construct_pattern(*problem, {}, with_work(with_helpers(run), work));
      ASSERT_TRUE(made);
      if (!first)
        first = made->draft;
      EXPECT_TRUE(std::ranges::equal(made->draft.entries(), first->entries()))
          << "work " << work << ", threads " << threads;
    }
  }
}

}  // namespace
}  // namespace lacuna::start
