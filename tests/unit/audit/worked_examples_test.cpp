// SPDX-License-Identifier: Apache-2.0
// Examples whose answers are printed in the literature.
#include <gtest/gtest.h>

#include "support/tables.h"

namespace lacuna::audit {
namespace {

using testing::audit;
using testing::Inferred;
using testing::inferred;
using testing::problem_of;
using testing::two_way;
using testing::withholding;

AuditOptions all_ends() {
  AuditOptions options;
  options.all_withheld = true;
  return options;
}

Inferred range_of(const Problem& problem, const AuditReport& report, std::int32_t cell) {
  for (const Finding& finding : report.findings) {
    if (finding.question.cell.value == cell)
      return inferred(problem.table(), CellId{cell}, finding.low, finding.high);
  }
  for (const CellRange& range : report.ranges) {
    if (range.cell.value == cell)
      return inferred(problem.table(), CellId{cell}, range.low, range.high);
  }
  ADD_FAILURE() << "cell " << cell << " is not in the report";
  return {};
}

// Karlsson and Olsson (2015), Figure 3.6 and Example 3.5.
TEST(WorkedExamples, ThesisFigure36) {
  const auto problem = problem_of(
      two_way({{255, 90, 45, 390}, {290, 230, 65, 585}, {545, 320, 110, 975}}, {0, 1000}, 0, {0}),
      {{.cell = CellId{0}}});
  const AuditReport report = audit(problem, withholding({0, 2, 4, 6}), all_ends());
  EXPECT_EQ(range_of(*problem, report, 0), (Inferred{190, 300}));
  EXPECT_EQ(range_of(*problem, report, 2), (Inferred{0, 110}));
  EXPECT_EQ(range_of(*problem, report, 4), (Inferred{245, 355}));
  EXPECT_EQ(range_of(*problem, report, 6), (Inferred{0, 110}));
}

std::shared_ptr<const Problem> salazar(Units lower, Units upper, Units sliding = 0) {
  return problem_of(
      two_way({{20, 50, 10, 80}, {8, 19, 22, 49}, {17, 32, 12, 61}, {45, 101, 44, 190}},
              {0, kUnboundedAbove},
              0,
              {6}),
      {{.cell = CellId{6}, .lower = lower, .upper = upper, .sliding = sliding}});
}

// Salazar-Gonzalez (2002), Figures 1 and 2: levels 10 and 12, interval [5, 30].
TEST(WorkedExamples, UnifiedFrameworkFigure2) {
  const Draft draft = withholding({4, 6, 8, 10});
  const auto tight = salazar(17, 8, 25);
  const AuditReport report = audit(tight, draft);
  EXPECT_EQ(range_of(*tight, report, 6), (Inferred{5, 30}));
  EXPECT_EQ(report.verdict, Verdict::kProtected);
  // One unit more on any level and the auditor says no.
  EXPECT_EQ(audit(salazar(18, 8), draft).verdict, Verdict::kExposed);
  EXPECT_EQ(audit(salazar(17, 9), draft).verdict, Verdict::kExposed);
  EXPECT_EQ(audit(salazar(0, 0, 26), draft).verdict, Verdict::kExposed);
  // The levels 10 and 12 named in the paper are not met by its Figure 2: 30 < 22 + 12.
  EXPECT_EQ(audit(salazar(10, 12), draft).verdict, Verdict::kExposed);
}

// Figures 8 and 11 of the same paper: a reader who knows the base (or a range of 10 around each
// perturbed number) infers no more of cell (II, C) than its own statement says.
TEST(WorkedExamples, UnifiedFrameworkFigure8Rounding) {
  const std::vector<Units> values{20, 50, 10, 80, 10, 20, 20, 50, 20, 30, 10, 60, 50, 100, 40, 190};
  Draft draft;
  for (std::int32_t c = 0; c < 16; ++c) {
    draft.publish_rounded(CellId{c}, values[static_cast<std::size_t>(c)], 10);
  }
  const auto problem = salazar(12, 8, 20);
  const AuditReport report = audit(problem, draft);
  EXPECT_EQ(range_of(*problem, report, 6), (Inferred{10, 30}));
  EXPECT_EQ(report.verdict, Verdict::kProtected);
  EXPECT_EQ(audit(salazar(12, 9), draft).verdict, Verdict::kExposed);
}

TEST(WorkedExamples, UnifiedFrameworkFigure11Perturbation) {
  const std::vector<Units> values{20, 50, 10, 80, 7, 16, 26, 49, 18, 35, 8, 61, 45, 101, 44, 190};
  Draft draft;
  for (std::int32_t c = 0; c < 16; ++c) {
    const Units value = values[static_cast<std::size_t>(c)];
    if (value == salazar(0, 0)->table().value(CellId{c}))
      continue;
    draft.publish_altered(CellId{c}, value, {value - 10, value + 10});
  }
  const auto problem = salazar(0, 0);
  const AuditReport report = audit(problem, draft);
  EXPECT_EQ(range_of(*problem, report, 6), (Inferred{16, 34}));
}

// Serpell et al., Table 1: with only the primaries withheld, cells 16, 19, 20, 24 and 27 are
// exposed; the superset of the initially exposed is {16, 19, 24}. Levels in tenths.
TEST(WorkedExamples, SerpellSixBySix) {
  // The total row and column stand first in the paper; here they stand last. paper(i) maps.
  const std::vector<std::vector<Units>> body{{9, 51, 41, 47, 3, 48},
                                             {8, 1, 54, 44, 45, 12},
                                             {8, 70, 6, 76, 64, 21},
                                             {33, 46, 45, 27, 37, 60},
                                             {87, 51, 18, 35, 49, 72},
                                             {48, 59, 39, 65, 35, 58}};
  std::vector<std::vector<Units>> rows;
  std::vector<Units> totals(7, 0);
  for (const auto& line : body) {
    std::vector<Units> row;
    Units sum = 0;
    for (std::size_t c = 0; c < line.size(); ++c) {
      row.push_back(line[c] * 10);
      sum += line[c] * 10;
      totals[c] += line[c] * 10;
    }
    row.push_back(sum);
    totals[6] += sum;
    rows.push_back(row);
  }
  rows.push_back(totals);
  const auto paper = [](std::int32_t cell) { return CellId{(cell / 7 - 1) * 7 + (cell % 7 - 1)}; };
  const std::vector<std::pair<std::int32_t, Units>> primaries{
      {8, 10}, {12, 10}, {15, 10}, {16, 10}, {19, 45}, {20, 12}, {24, 10}, {27, 21}};
  std::vector<std::int32_t> cells;
  std::vector<Requirement> needs;
  for (const auto& [cell, level] : primaries) {
    cells.push_back(paper(cell).value);
    needs.push_back({.cell = paper(cell), .lower = level, .upper = level});
  }
  const auto problem = problem_of(two_way(rows, {0, kUnboundedAbove}, 1, cells), needs);
  ASSERT_EQ(problem->table().value(CellId{48}), 14720);
  AuditOptions options;
  options.exposure = true;
  const AuditReport report =
      audit(problem, Draft::withholding_primaries(problem->table()), options);
  std::vector<std::int32_t> exposed, initially;
  for (const auto& [cell, level] : primaries) {
    for (std::size_t i = 0; i < report.findings.size(); ++i) {
      if (report.findings[i].question.cell != paper(cell))
        continue;
      EXPECT_NE(report.findings[i].verdict, Verdict::kUndecided);
      if (report.findings[i].verdict == Verdict::kExposed)
        exposed.push_back(cell);
      if (report.exposure[i] == Exposure::kInitially)
        initially.push_back(cell);
    }
  }
  EXPECT_EQ(exposed, (std::vector<std::int32_t>{16, 19, 20, 24, 27}));
  EXPECT_EQ(initially, (std::vector<std::int32_t>{16, 19, 24}));
}

// Thesis Examples 3.1 to 3.3: the table of Figure 3.2 under the p% rule (p = 10), each respondent
// an attacker who knows the own contribution. Numbers in tenths so that 78.5 is a whole number.
struct Contributions {
  std::vector<Units> a1, b1;
  Units a1_low, a1_high, b1_low, b1_high;  // bounds that must not be beaten, (3.1) and (3.2)
  bool singletons_know = false;
};

AuditReport audit_respondents(const Contributions& c) {
  const std::vector<Units> a2{400, 300, 300}, b2{400, 400, 400};
  const std::vector<std::vector<Units>> rows{
      {500, 1000, 1500}, {800, 1200, 2000}, {700, 800, 1500}, {2000, 3000, 5000}};
  std::vector<Attacker> attackers{outsider()};
  const auto add_respondents = [&](std::int32_t cell,
                                   Units value,
                                   const std::vector<Units>& contributions) {
    for (std::size_t i = 0; i < contributions.size(); ++i) {
      const bool sole = c.singletons_know && contributions.size() == 1;
      const Bounds bounds{contributions[i], sole ? value : kUnboundedAbove};
      attackers.push_back({"respondent " + std::to_string(i) + " of cell " + std::to_string(cell),
                           {{CellId{cell}, bounds}}});
    }
  };
  add_respondents(0, 500, c.a1);
  add_respondents(1, 1000, a2);
  add_respondents(3, 800, c.b1);
  add_respondents(4, 1200, b2);
  std::vector<Requirement> needs;
  for (std::int32_t a = 0; a < static_cast<std::int32_t>(attackers.size()); ++a) {
    // A respondent's own cell is another matter: the criterion is about estimates by others.
    const bool of_a1 = a > 0 && attackers[static_cast<std::size_t>(a)].known[0].cell == CellId{0};
    const bool of_b1 = a > 0 && attackers[static_cast<std::size_t>(a)].known[0].cell == CellId{3};
    if (!of_a1)
      needs.push_back(
          {.cell = CellId{0}, .attacker = a, .lower = 500 - c.a1_low, .upper = c.a1_high - 500});
    if (!of_b1)
      needs.push_back(
          {.cell = CellId{3}, .attacker = a, .lower = 800 - c.b1_low, .upper = c.b1_high - 800});
  }
  const auto problem = problem_of(two_way(rows, {0, kUnboundedAbove}, 1, {0, 3}), needs, attackers);
  return audit(problem, withholding({0, 1, 3, 4}));
}

TEST(WorkedExamples, ThesisExample31IsSafe) {
  EXPECT_EQ(audit_respondents({{300, 200}, {650, 100, 50}, 470, 530, 785, 815}).verdict,
            Verdict::kProtected);
}

TEST(WorkedExamples, ThesisExample32SingletonsExposeEachOther) {
  const Contributions singletons{{500}, {800}, 450, 550, 720, 880};
  EXPECT_EQ(audit_respondents(singletons).verdict, Verdict::kExposed);
  Contributions aware = singletons;
  aware.singletons_know = true;
  EXPECT_EQ(audit_respondents(aware).verdict, Verdict::kExposed);
}

TEST(WorkedExamples, ThesisExample33LargestContributorIsTooClose) {
  const AuditReport report = audit_respondents({{480, 20}, {700, 80, 20}, 452, 548, 750, 850});
  EXPECT_EQ(report.verdict, Verdict::kExposed);
  // The largest contributor of A1 bounds B1 by 82 < 85.
  bool found = false;
  for (const Finding& finding : report.findings) {
    if (finding.question.cell == CellId{3} && finding.question.attacker == 1) {
      EXPECT_EQ(finding.verdict, Verdict::kExposed);
      EXPECT_EQ(finding.high.bound, (Fraction{20, 1}));
      found = true;
    }
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace lacuna::audit
