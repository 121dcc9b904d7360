// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "lacuna/report.h"
#include "support/tables.h"

namespace lacuna::report {
namespace {

using testing::problem_of;
using testing::two_way;

std::shared_ptr<const Problem> small() {
  return problem_of(
      two_way({{10, 20, 30}, {40, 30, 70}, {50, 50, 100}}, {0, kUnboundedAbove}, 0, {0}),
      {{CellId{0}, 0, 5, 5, 0}});
}

TEST(Utility, MiddleOfWhatCanBeInferred) {
  const auto problem = small();
  const Draft draft = testing::withholding({0, 1, 3, 4});
  AuditOptions all;
  all.all_withheld = true;
  const AuditReport report = testing::audit(problem, draft, all);
  // Cell 0 is in [0, 30], middle 15; cell 1 in [0, 30], 15; cell 3 in [20, 50], 35; 4 in [20, 50].
  const Utility utility = release_utility(*problem, draft, report);
  EXPECT_EQ(utility.cells, 9);
  EXPECT_EQ(utility.changed, 4);
  EXPECT_DOUBLE_EQ(utility.max_percent, 50);
  EXPECT_DOUBLE_EQ(utility.mean_percent, (50 + 25 + 12.5 + 100.0 * 5 / 30) / 9);
  const Risk risk = release_risk(*problem, draft, report);
  EXPECT_EQ(risk.requirements, 1);
  EXPECT_DOUBLE_EQ(risk.least_ratio, 3);
  EXPECT_EQ(risk.tight, 0);
  EXPECT_EQ(utility.state(), FigureState::kComputed);
  EXPECT_EQ(risk.state(), FigureState::kComputed);
}

// Verdicts alone: nobody has looked for the ends, and a 0 would say that readers know the truth.
TEST(Utility, WithoutEndsThereAreNoFigures) {
  const auto problem = small();
  const Draft draft = testing::withholding({0, 1, 3, 4});
  AuditOptions verdicts;
  verdicts.intervals = false;
  const AuditReport report = testing::audit(problem, draft, verdicts);
  const Utility utility = release_utility(*problem, draft, report);
  EXPECT_EQ(utility.state(), FigureState::kNotComputed);
  EXPECT_EQ(utility.not_computed, 4);
  const Risk risk = release_risk(*problem, draft, report);
  EXPECT_EQ(risk.state(), FigureState::kBounded);
  EXPECT_GE(risk.least_ratio, 1);  // at least
  EXPECT_EQ(risk.tight, 0);
}

TEST(Utility, OfNothingAskedThereIsNoRisk) {
  const auto problem =
      problem_of(two_way({{10, 20, 30}, {40, 30, 70}, {50, 50, 100}}, {0, kUnboundedAbove}), {});
  EXPECT_EQ(release_risk(*problem, {}, testing::audit(problem, {})).state(),
            FigureState::kNotAsked);
}

TEST(Utility, PublishedNumbersAreTakenAsTheyAre) {
  const auto problem = small();
  Draft draft;
  draft.set_adjusted(true);
  for (const auto& [cell, value] : {std::pair{0, 15}, {1, 15}, {3, 35}, {4, 35}})
    draft.publish_adjusted(CellId{cell}, value);
  const AuditReport report = testing::audit(problem, draft);
  EXPECT_EQ(report.verdict, Verdict::kProtected);
  EXPECT_DOUBLE_EQ(release_utility(*problem, draft, report).max_percent, 50);
  const Risk risk = release_risk(*problem, draft, report);
  EXPECT_DOUBLE_EQ(risk.least_ratio, 1);
  EXPECT_EQ(risk.tight, 1);
  EXPECT_EQ(risk.state(), FigureState::kComputed);  // what is published is all there is
}

TEST(Utility, NoEndNoEstimate) {
  const auto problem =
      problem_of(two_way({{10, 20, 30}, {10, 20, 30}}, {kUnboundedBelow, kUnboundedAbove}, 0, {0}),
                 {{CellId{0}, 0, 5, 5, 0}});
  const Draft draft = testing::withholding({0, 1, 2, 3, 4, 5});
  AuditOptions all;
  all.all_withheld = true;
  const AuditReport report = testing::audit(problem, draft, all);
  EXPECT_EQ(release_utility(*problem, draft, report).without, 6);
  EXPECT_EQ(release_utility(*problem, draft, report).not_computed, 0);
  EXPECT_EQ(release_risk(*problem, draft, report).unbounded, 1);
}

}  // namespace
}  // namespace lacuna::report
