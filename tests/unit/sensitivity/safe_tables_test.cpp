// SPDX-License-Identifier: Apache-2.0
// Thesis section 3.1: the same table and the same pattern (Figure 3.2), safe or not by the
// contributions behind it, as the auditor finds.
#include <gtest/gtest.h>

#include <memory>

#include "data/sensitivity/rule_check.h"
#include "lacuna/audit.h"
#include "lacuna/sensitivity.h"
#include "naive_tabulation.h"

namespace lacuna::sensitivity {
namespace {

using testing::find_cell;
using testing::two_way_of;

struct Example {
  Tabulation tabulation;
  std::shared_ptr<const Problem> problem;
  SensitivityReport report;

  CellId cell(const std::string& row, const std::string& column) const {
    return CellId{find_cell(tabulation, {row, column})};
  }
  Levels outside(CellId cell) const {
    for (const Requirement& need : problem->requirements()) {
      if (need.cell == cell && need.attacker == 0)
        return {need.lower, need.upper, need.sliding};
    }
    return {-1, -1, -1};
  }
  AuditReport audit() const {
    Draft draft;
    for (const char* row : {"A", "B"}) {
      for (const char* column : {"1", "2"})
        draft.withhold(cell(row, column));
    }
    auto audited = Auditor(problem).audit(draft, {}, {});
    EXPECT_TRUE(audited);
    return std::move(audited).value();
  }
};

// In tenths, so that the levels of the thesis are whole numbers.
Example example(const std::vector<Units>& a1,
                const std::vector<Units>& b1,
                SensitivityOptions options = {}) {
  auto in_tenths = [](std::vector<Units> amounts) {
    for (Units& amount : amounts)
      amount *= 10;
    return amounts;
  };
  Example result{two_way_of({{in_tenths(a1), in_tenths({40, 30, 30})},
                             {in_tenths(b1), in_tenths({40, 40, 40})},
                             {in_tenths({30, 20, 20}), in_tenths({30, 30, 20})}}),
                 nullptr,
                 {}};
  result.tabulation.decimals = 1;
  options.p_percent = 10;
  auto problem = make_sensitive_problem(result.tabulation, options, {}, result.report);
  EXPECT_TRUE(problem) << problem.error().text();
  if (problem)
    result.problem = std::make_shared<const Problem>(std::move(problem).value());
  return result;
}

TEST(SafeTables, Example31IsSafe) {
  const Example one = example({30, 20}, {65, 10, 5});
  EXPECT_EQ(one.report.sensitive, 2);
  EXPECT_EQ(one.outside(one.cell("A", "1")), (Levels{30, 30, 0}));  // 47 and 53
  EXPECT_EQ(one.outside(one.cell("B", "1")), (Levels{15, 15, 0}));  // 78.5 and 81.5
  EXPECT_EQ(one.report.explanations[static_cast<std::size_t>(one.cell("B", "1").value)].front(),
            (Explanation{"p%", "unsafe: p% rule, largest contributor known to within 7.6%"}));
  const AuditReport report = one.audit();
  EXPECT_EQ(report.verdict, Verdict::kProtected);
  // The largest contributor of A1 finds at most 100 for B1, that of B1 at most 65 for A1.
  Units b1_highest = kMaxUnits, a1_highest = kMaxUnits;
  for (const Finding& finding : report.findings) {
    const CellId cell = finding.question.cell;
    const Units found =
        one.problem->table().value(cell) + finding.high.reached.numerator().to_int64().value();
    Units& highest = cell == one.cell("B", "1") ? b1_highest : a1_highest;
    highest = std::min(highest, found);
  }
  EXPECT_EQ(b1_highest, 1000);
  EXPECT_EQ(a1_highest, 650);
}

TEST(SafeTables, Example32WithSingletonsIsNot) {
  const Example one = example({50}, {80});
  EXPECT_EQ(one.outside(one.cell("A", "1")), (Levels{50, 50, 0}));
  const AuditReport report = one.audit();
  EXPECT_EQ(report.verdict, Verdict::kExposed);
  EXPECT_EQ(report.count(Verdict::kExposed), 2);    // each learns the other
  EXPECT_EQ(report.count(Verdict::kProtected), 2);  // the outsider learns neither

  SensitivityOptions outsider_only;
  outsider_only.attackers = AttackersMeant::kOutsider;
  EXPECT_EQ(example({50}, {80}, outsider_only).audit().verdict, Verdict::kProtected);
}

TEST(SafeTables, SingletonsWhoDoNotKnowFindAnUpperBound) {
  SensitivityOptions options;
  options.singletons_know = false;
  const Example one = example({50}, {80}, options);
  const AuditReport report = one.audit();
  EXPECT_EQ(report.count(Verdict::kExposed), 2);
  for (const Finding& finding : report.findings) {
    if (finding.verdict == Verdict::kExposed) {
      EXPECT_EQ(finding.high.reached, 0);  // 80 and 50 are upper bounds
      EXPECT_GT(finding.low.reached, 0);
    }
  }
}

TEST(SafeTables, Example33IsNotThroughTheLargestContributorOfA1) {
  const Example one = example({48, 2}, {70, 8, 2});
  EXPECT_EQ(one.outside(one.cell("B", "1")), (Levels{50, 50, 0}));  // 85
  const AuditReport report = one.audit();
  EXPECT_EQ(report.verdict, Verdict::kExposed);
  int exposed = 0;
  for (const Finding& finding : report.findings) {
    if (finding.verdict != Verdict::kExposed)
      continue;
    ++exposed;
    EXPECT_EQ(finding.question.cell, one.cell("B", "1"));
    EXPECT_EQ(finding.high.reached, 20);  // 82
    const Attacker& attacker =
        one.problem->attackers()[static_cast<std::size_t>(finding.question.attacker)];
    ASSERT_EQ(attacker.known.size(), 1u);
    EXPECT_EQ(attacker.known.front().cell, one.cell("A", "1"));
    EXPECT_EQ(attacker.known.front().bounds.lower, 480);
  }
  EXPECT_EQ(exposed, 1);
}

}  // namespace
}  // namespace lacuna::sensitivity
