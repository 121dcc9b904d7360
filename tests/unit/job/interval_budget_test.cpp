// SPDX-License-Identifier: Apache-2.0
// Exact intervals are computed where they are cheap or asked for, and else left out with a word.
#include "app/job/interval_budget.h"

#include <gmock/gmock.h>

#include "app/generate/generate.h"
#include "core/base/confidential.h"
#include "lacuna/problem.h"

namespace lacuna::job {
namespace {

using ::testing::HasSubstr;

// Everything that may be is withheld.
std::shared_ptr<const Problem> table_of(std::vector<std::int32_t> depths, std::int32_t attackers) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.depths = std::move(depths);
  options.fan_least = options.fan_most = {4};
  options.sensitive_percent = 20;
  options.attackers = attackers;
  auto made = generation::generate(options);
  EXPECT_TRUE(made);
  return std::make_shared<const Problem>(std::move(made).value());
}

Draft all_withheld(const Table& table) {
  Draft draft;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (may_be_withheld(table.cell(CellId{c})))
      draft.withhold(CellId{c});
  }
  return draft;
}

IntervalAudit audited(const std::shared_ptr<const Problem>& problem,
                      bool intervals,
                      const IntervalBudget& budget = {},
                      std::vector<std::string>* notes = nullptr) {
  AuditOptions options;
  options.intervals = intervals;
  RunContext run;
  if (notes != nullptr)
    run.log = [notes](std::string_view note) { notes->emplace_back(note); };
  auto made = audit_within(budget, Auditor(problem), all_withheld(problem->table()), options, run);
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return std::move(made).value();
}

TEST(IntervalBudget, SmallTablesHaveThem) {
  const IntervalAudit made = audited(table_of({1, 1}, 0), true);
  EXPECT_TRUE(made.left_out.empty());
  for (const Finding& finding : made.report.findings)
    EXPECT_TRUE(finding.low.exact() && finding.high.exact());
  EXPECT_FALSE(made.report.ranges.empty());
}

TEST(IntervalBudget, NobodyWantsThem) {
  const IntervalAudit made = audited(table_of({2, 2}, 10), false);
  EXPECT_TRUE(made.left_out.empty());
  EXPECT_TRUE(made.report.ranges.empty());
}

TEST(IntervalBudget, BeyondItTheyAreLeftOut) {
  const auto problem = table_of({2, 1}, 10);
  std::vector<std::string> notes;
  const IntervalAudit made = audited(problem, true, {.work = 100, .least_estimated = 0}, &notes);
  EXPECT_THAT(made.left_out, HasSubstr("not computed, since the "));
  EXPECT_THAT(base::in_full(made.left_out), HasSubstr("--exact computes them"));
  ASSERT_FALSE(notes.empty());
  EXPECT_THAT(notes.front(), HasSubstr("exact intervals: not computed"));
  EXPECT_NE(made.report.verdict, Verdict::kUndecided);
  EXPECT_TRUE(made.report.ranges.empty());
  const IntervalAudit all =
      audited(problem, true, {.unlimited = true, .work = 100, .least_estimated = 0});
  EXPECT_TRUE(all.left_out.empty());
  EXPECT_EQ(all.report.verdict, made.report.verdict);
  for (const Finding& finding : all.report.findings)
    EXPECT_TRUE(finding.low.exact() && finding.high.exact());
}

TEST(IntervalBudget, WithinItTheEstimateDoesNotMatter) {
  const auto problem = table_of({2, 1}, 10);
  const IntervalAudit made = audited(problem, true, {.least_estimated = 0});
  EXPECT_TRUE(made.left_out.empty());
  for (const Finding& finding : made.report.findings)
    EXPECT_TRUE(finding.low.exact() && finding.high.exact());
}

}  // namespace
}  // namespace lacuna::job
