// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>

#include "core/base/confidential.h"
#include "data/sensitivity/rule_check.h"
#include "lacuna/audit.h"
#include "lacuna/sensitivity.h"
#include "naive_tabulation.h"

namespace lacuna::sensitivity {
namespace {

using testing::find_cell;
using testing::flat;
using testing::NaiveRecord;
using testing::tabulate_naively;
using testing::two_way_of;

// Figure 2.4 of the thesis.
Tabulation figure_24() {
  return two_way_of({{{120, 80, 40, 10}, {55, 45}}, {{280, 15, 5}, {99, 99, 2}}});
}

struct Made {
  Tabulation tabulation;
  SensitivityReport report;
  std::optional<Problem> problem;
  std::string error;

  CellId cell(const std::string& row, const std::string& column) const {
    return CellId{find_cell(tabulation, {row, column})};
  }
  CellStatus status(const std::string& row, const std::string& column) const {
    return problem->table().cell(cell(row, column)).status;
  }
  std::string why(const std::string& row, const std::string& column) const {
    const auto& all = report.explanations[static_cast<std::size_t>(cell(row, column).value)];
    return all.empty() ? "safe" : all.front().text;
  }
  Levels outside(const std::string& row, const std::string& column) const {
    for (const Requirement& need : problem->requirements()) {
      if (need.cell == cell(row, column) && need.attacker == 0)
        return {need.lower, need.upper, need.sliding};
    }
    return {-1, -1, -1};
  }
};

Made make(Tabulation tabulation,
          const SensitivityOptions& options,
          const std::vector<AprioriEntry>& apriori = {}) {
  Made made{std::move(tabulation), {}, {}, {}};
  auto problem = make_sensitive_problem(made.tabulation, options, apriori, made.report);
  if (problem)
    made.problem = std::move(problem).value();
  else
    made.error = base::in_full(problem.error().text());
  return made;
}

AprioriEntry entry(const std::vector<std::int32_t>& codes, AprioriStatus status) {
  return {.codes = codes, .status = status, .where = "m.csv:2:1"};
}

TEST(SensitiveProblem, ExplainsEveryRule) {
  SensitivityOptions options;
  options.minimum_frequency = 3;
  EXPECT_EQ(make(figure_24(), options).why("A", "2"), "unsafe: 2 contributors, fewer than 3");
  options = {};
  options.dominance = {{1, 90}, {2, 85}};
  const Made dominated = make(figure_24(), options);
  EXPECT_EQ(dominated.why("B", "1"),
            "unsafe: the largest contributor holds 93.4% of the value, more than 90%");
  EXPECT_EQ(dominated.why("B", "2"),
            "unsafe: the 2 largest contributors hold 99.0% of the value, more than 85%");
  EXPECT_EQ(dominated.why("A", "1"), "safe");
  options = {};
  options.prior_posterior = {{20, 50}};
  EXPECT_EQ(make(figure_24(), options).why("B", "2"),
            "unsafe: prior-posterior rule, largest contributor known to within 1.0%");
  options = {};
  options.p_percent = Decimal(125, 1);
  options.coalition = 2;
  EXPECT_EQ(make(figure_24(), options).why("A", "1"),
            "unsafe: p% rule, largest contributor known to a coalition of 2 to within 8.3%");
}

TEST(SensitiveProblem, LevelsOfBothFormulasAreRoundedUp) {
  SensitivityOptions options;
  options.prior_posterior = {{20, 50}};
  options.attackers = AttackersMeant::kOutsider;
  // B1: 20% of 280 less 50% of 5 is 53.5; tau-ARGUS: 280 * 20 / 50 - 5 = 107.
  EXPECT_EQ(make(figure_24(), options).outside("B", "1"), (Levels{54, 54, 0}));
  options.level_formula = LevelFormula::kArgus;
  EXPECT_EQ(make(figure_24(), options).outside("B", "1"), (Levels{107, 107, 0}));
  options = {};
  options.attackers = AttackersMeant::kOutsider;
  options.dominance = {{1, 90}};
  // 280 / 0.9 - 300 = 11.1...
  EXPECT_EQ(make(figure_24(), options).outside("B", "1"), (Levels{12, 12, 0}));
  options.level_ratio = Decimal(15, 1);
  EXPECT_EQ(make(figure_24(), options).outside("B", "1"), (Levels{12, 17, 0}));
  options.level_ratio = Decimal(5, 1);
  EXPECT_EQ(make(figure_24(), options).outside("B", "1"), (Levels{23, 12, 0}));
  options.level_ratio = 1;
  options.sliding_percent = 150;
  EXPECT_EQ(make(figure_24(), options).outside("B", "1"), (Levels{12, 12, 36}));
  options.sliding_only = true;
  EXPECT_EQ(make(figure_24(), options).outside("B", "1"), (Levels{0, 0, 36}));
  options = {};
  options.attackers = AttackersMeant::kOutsider;
  options.minimum_frequency = 3;
  options.frequency_range = Decimal(125, 1);
  EXPECT_EQ(make(figure_24(), options).outside("A", "2"), (Levels{13, 13, 0}));
}

TEST(SensitiveProblem, ZerosAreUnsafeOnDemandAndUpwardOnly) {
  SensitivityOptions options;
  options.attackers = AttackersMeant::kOutsider;
  EXPECT_EQ(make(two_way_of({{{0, 0}, {5}}, {{7}, {8}}}), options).why("A", "1"), "safe");
  options.zero_level = Decimal(25, 1);
  const Made made = make(two_way_of({{{0, 0}, {5}}, {{7}, {8}}}), options);
  EXPECT_EQ(made.why("A", "1"), "unsafe: zero, from 2 contributors");
  EXPECT_EQ(made.outside("A", "1"), (Levels{0, 3, 0}));
  options = {};
  options.attackers = AttackersMeant::kOutsider;
  options.minimum_frequency = 3;
  // A level in percent ends where the bounds do; upward it is at least one unit.
  EXPECT_EQ(make(two_way_of({{{0, 0}, {5}}, {{7}, {8}}}), options).outside("A", "1"),
            (Levels{0, 1, 0}));
}

TEST(SensitiveProblem, LevelsThatDoNotFitTheBounds) {
  SensitivityOptions options;
  options.attackers = AttackersMeant::kOutsider;
  options.p_percent = 20;
  options.upper_bound = KnownBound::percent(10);
  EXPECT_EQ(make(figure_24(), options).error,
            "row=A|column=2: the upper protection level 11 does not fit: everyone knows that the "
            "value is at most 110; give wider bounds, or --misfit widen or cut");
  options.misfit = Misfit::kWiden;
  const Made wide = make(figure_24(), options);
  ASSERT_TRUE(wide.problem) << wide.error;
  EXPECT_EQ(wide.report.widened, 2);
  EXPECT_EQ(wide.problem->table().cell(wide.cell("A", "2")).prior, (Bounds{0, 111}));
  options.misfit = Misfit::kCut;
  const Made cut = make(figure_24(), options);
  ASSERT_TRUE(cut.problem) << cut.error;
  EXPECT_EQ(cut.report.cut, 2);
  EXPECT_EQ(cut.outside("A", "2"), (Levels{11, 10, 0}));
  options.lower_bound = KnownBound::at(101);
  EXPECT_EQ(make(figure_24(), options).error,
            "row=A|column=2: the bounds do not contain the value; give wider ones or a percentage");
}

TEST(SensitiveProblem, WhatIsSetByHand) {
  SensitivityOptions options;
  options.attackers = AttackersMeant::kOutsider;
  options.minimum_frequency = 3;
  options.manual_range = 10;
  AprioriEntry levels = entry({2, 1}, AprioriStatus::kUnsafe);  // B1
  levels.lower = 5;
  levels.cost = 42;
  levels.upper_bound = 400;
  const Made made = make(figure_24(),
                         options,
                         {levels,
                          entry({1, 2}, AprioriStatus::kSafe),
                          entry({1, 1}, AprioriStatus::kMustPublish),
                          entry({2, 2}, AprioriStatus::kSecondary)});
  ASSERT_TRUE(made.problem) << made.error;
  EXPECT_EQ(made.status("B", "1"), CellStatus::kPrimary);
  EXPECT_EQ(made.why("B", "1"), "unsafe: set by hand (m.csv:2:1)");
  EXPECT_EQ(made.outside("B", "1"), (Levels{5, 30, 0}));
  EXPECT_EQ(made.problem->table().cell(made.cell("B", "1")).weight, 42);
  EXPECT_EQ(made.problem->table().cell(made.cell("B", "1")).prior.upper, 400);
  EXPECT_EQ(made.status("A", "2"), CellStatus::kFree);
  EXPECT_EQ(made.why("A", "2"), "safe: set by hand, though a rule calls it unsafe");
  EXPECT_EQ(made.status("A", "1"), CellStatus::kMustPublish);
  EXPECT_EQ(made.status("B", "2"), CellStatus::kSecondary);
  EXPECT_EQ(made.problem->table().cell(made.cell("A", "1")).weight, 250);
}

TEST(SensitiveProblem, WhereABoundAllowsNegativeContributionsTheOwnIsNoBound) {
  SensitivityOptions options;
  options.p_percent = 10;
  const Tabulation table = two_way_of({{{48, 2}, {40, 30, 30}}, {{70, 8, 2}, {40, 40, 40}}});
  EXPECT_EQ(make(table, options).problem->attackers().size(), 5u);
  AprioriEntry bound{.codes = {0, 0}, .lower_bound = -1};
  EXPECT_EQ(make(table, options, {bound}).problem->attackers().size(), 1u);
}

TEST(SensitiveProblem, RefusesWhatTheStatusDoesNotAllow) {
  SensitivityOptions options;
  options.minimum_frequency = 3;
  EXPECT_EQ(make(figure_24(), options, {entry({1, 2}, AprioriStatus::kMustPublish)}).error,
            "m.csv:2:1: an unsafe cell cannot be published; make it safe first "
            "(row=A|column=2)");
  EXPECT_EQ(make(figure_24(), options, {entry({1, 2}, AprioriStatus::kSecondary)}).error,
            "m.csv:2:1: only a safe cell can become a secondary by hand (row=A|column=2)");
  AprioriEntry levels{.codes = {1, 1}, .lower = 3, .where = "m.csv:4:1"};
  EXPECT_EQ(make(figure_24(), options, {levels}).error,
            "m.csv:4:1: protection levels are for sensitive cells, and the cell is not "
            "(row=A|column=1)");
  Tabulation small = two_way_of({{{5, 4}, {}}, {{7}, {8}}});
  EXPECT_EQ(make(small, options, {entry({1, 2}, AprioriStatus::kUnsafe)}).error,
            "m.csv:2:1: the table has no such cell");
  AprioriEntry maybe = entry({1, 2}, AprioriStatus::kUnsafe);
  maybe.if_present = true;
  EXPECT_TRUE(make(small, options, {maybe}).problem);
}

TEST(SensitiveProblem, RefusesATabulationThatKeepsTooLittle) {
  Tabulation shallow = figure_24();
  shallow.top = 1;
  SensitivityOptions options;
  options.p_percent = 10;
  EXPECT_EQ(make(shallow, options).error,
            "the rules look at the 2 largest contributions of a cell, but only 1 are kept; "
            "tabulate with more");
}

TEST(SensitiveProblem, OptionsAreChecked) {
  const auto said = [](auto change) {
    SensitivityOptions options;
    change(options);
    const Status status = options.validate();
    return status ? "fine" : base::in_full(status.error().text());
  };
  using Options = SensitivityOptions;
  EXPECT_EQ(said([](Options&) {}), "fine");
  EXPECT_EQ(said([](Options& o) {
              o.dominance = {{1001, 80}};
            }),
            "--dominance: n must be a whole number from 1 to 1000");
  EXPECT_EQ(said([](Options& o) {
              o.dominance = {{1, 100}};
            }),
            "--dominance: k must be below 100, or every cell is safe");
  EXPECT_EQ(said([](Options& o) { o.dominance = {{1, Decimal(999999999999999999, 16)}}; }), "fine");
  EXPECT_EQ(said([](Options& o) { o.p_percent = 0; }),
            "--p-percent: the number must be greater than 0");
  EXPECT_EQ(said([](Options& o) { o.p_percent = Decimal(1, 400); }), "fine");
  EXPECT_EQ(said([](Options& o) { o.zero_level = Decimal(-1, 400); }),
            "--zero-level: the number may not be negative");
  EXPECT_EQ(said([](Options& o) {
              o.prior_posterior = {{50, 20}};
            }),
            "--prior-posterior: p must be less than q");
  EXPECT_EQ(said([](Options& o) {
              o.prior_posterior = {{20, 20}};
            }),
            "--prior-posterior: p must be less than q");
  EXPECT_EQ(said([](Options& o) { o.coalition = 0; }),
            "--coalition: the number must be from 1 to 1000");
  EXPECT_EQ(said([](Options& o) { o.sliding_only = true; }),
            "--sliding-only: sliding levels alone need --sliding-percent");
  EXPECT_EQ(said([](Options& o) { o.lower_bound = KnownBound::percent(-5); }),
            "--lower-bound: the number may not be negative");
  EXPECT_EQ(said([](Options& o) { o.lower_bound = KnownBound::at(-5); }), "fine");
  EXPECT_EQ(said([](Options& o) { o.weights = "gold"; }).substr(0, 10), "--weights:");
}

// Two tables over the same records that share only the totals of "row".
std::vector<NaiveRecord> linked_records() {
  std::vector<NaiveRecord> records;
  std::int32_t who = 0;
  const auto add = [&](std::int32_t row, std::int32_t column, std::int32_t kind, Units amount) {
    records.push_back({.codes = {row, column, kind}, .respondent = who++, .amount = amount});
  };
  for (std::int32_t row = 1; row <= 2; ++row) {
    for (std::int32_t column = 1; column <= 2; ++column) {
      for (std::int32_t kind = 1; kind <= 2; ++kind) {
        for (int times = 0; times < 3; ++times)
          add(row, column, kind, 30);
      }
    }
  }
  // Row C has a single contributor, so its total is sensitive in both tables.
  add(3, 1, 1, 100);
  return records;
}

Tabulation linked(std::vector<LinkedTable> tables) {
  return tabulate_naively(
      {flat("row", {"A", "B", "C"}), flat("column", {"1", "2"}), flat("kind", {"x", "y"})},
      std::move(tables),
      linked_records());
}

Verdict verdict_of(const Tabulation& tabulation,
                   const std::vector<std::vector<std::string>>& hide) {
  SensitivityOptions options;
  options.p_percent = 10;
  options.attackers = AttackersMeant::kOutsider;
  const Made made = make(tabulation, options);
  EXPECT_TRUE(made.problem) << made.error;
  Draft draft = Draft::withholding_primaries(made.problem->table());
  for (const auto& codes : hide) {
    const std::int32_t cell = find_cell(tabulation, codes);
    if (cell >= 0)
      draft.withhold(CellId{cell});
  }
  const auto report = Auditor(std::make_shared<const Problem>(*made.problem)).audit(draft, {}, {});
  EXPECT_TRUE(report);
  return report->verdict;
}

// Whoever is said to know a value to within 10% knows at least that: ends are rounded inward.
TEST(SensitiveProblem, PercentagesOfBoundsAreRoundedInward) {
  SensitivityOptions options;
  options.lower_bound = options.upper_bound = KnownBound::percent(10);
  const Made made = make(figure_24(), options);
  ASSERT_TRUE(made.problem) << made.error;
  EXPECT_EQ(made.problem->table().cell(made.cell("A", "1")).prior, (Bounds{225, 275}));
  EXPECT_EQ(made.problem->table().cell(made.cell("A", "2")).prior, (Bounds{90, 110}));
  options.lower_bound = KnownBound::percent(Decimal(7, 1));
  options.upper_bound = KnownBound::percent(Decimal(3, 1));
  const Made close = make(figure_24(), options);
  EXPECT_EQ(close.problem->table().cell(close.cell("A", "1")).prior, (Bounds{249, 250}));
  EXPECT_EQ(close.problem->table().cell(close.cell("A", "2")).prior, (Bounds{100, 100}));
  options.lower_bound = KnownBound::at(Decimal(175, 1));  // a number, likewise
  EXPECT_EQ(make(figure_24(), options).problem->table().cell(close.cell("A", "1")).prior.lower, 18);
  // Beyond all numbers of the table on the wrong side: not the same as no bound.
  options.lower_bound = KnownBound::at(4000000000000000000);
  Tabulation finer = figure_24();
  finer.decimals = 2;
  EXPECT_NE(make(finer, options).error.find("the bounds do not contain the value"),
            std::string::npos);
}

TEST(SensitiveProblem, ACellOfTwoTablesIsOneCell) {
  const LinkedTable by_column{"by column", {0, 1}};
  const LinkedTable by_kind{"by kind", {0, 2}};
  const Tabulation both = linked({by_column, by_kind});
  std::size_t shared = 0;
  const std::size_t width = both.dimensions.size();
  for (std::size_t cell = 0; cell < both.cells.size(); ++cell)
    shared += both.codes[cell * width + 1] == 0 && both.codes[cell * width + 2] == 0 ? 1U : 0U;
  EXPECT_EQ(shared, 4u);

  // The secondaries that protect row C in the first table alone.
  const std::vector<std::vector<std::string>> in_first{{"A", "1", "Total"},
                                                       {"A", "Total", "Total"}};
  EXPECT_EQ(verdict_of(linked({by_column}), in_first), Verdict::kProtected);
  // In the second table the total of A can still be added up: the link gives the cell away.
  EXPECT_EQ(verdict_of(both, in_first), Verdict::kExposed);
  auto in_both = in_first;
  in_both.push_back({"A", "Total", "x"});
  EXPECT_EQ(verdict_of(both, in_both), Verdict::kProtected);
}

}  // namespace
}  // namespace lacuna::sensitivity
