// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/attackers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/random.h"
#include "lacuna/audit.h"
#include "lacuna/sensitivity.h"
#include "naive_tabulation.h"

namespace lacuna::sensitivity {
namespace {

using testing::cell_of;
using testing::find_cell;
using testing::flat;
using testing::NaiveRecord;
using testing::tabulate_naively;
using testing::two_way_of;

Problem problem_of(const Tabulation& tabulation,
                   SensitivityOptions options,
                   SensitivityReport& report) {
  if (!options.p_percent)
    options.p_percent = 10;
  auto problem = make_sensitive_problem(tabulation, options, {}, report);
  EXPECT_TRUE(problem) << problem.error().text();
  return std::move(problem).value();
}

std::map<std::int32_t, Bounds> bounds_known_to(const std::string& name,
                                               const Tabulation& tabulation,
                                               const std::vector<AprioriEntry>& apriori) {
  SensitivityOptions options;
  options.p_percent = 10;
  SensitivityReport report;
  const auto problem = make_sensitive_problem(tabulation, options, apriori, report);
  EXPECT_TRUE(problem) << problem.error().text();
  std::map<std::int32_t, Bounds> known;
  for (const Attacker& attacker : problem->attackers()) {
    for (const Knowledge& one : attacker.known) {
      if (attacker.name == name)
        known[one.cell.value] = one.bounds;
    }
  }
  return known;
}

std::int64_t bounds_in(const Problem& problem) {
  std::int64_t count = 0;
  for (const Attacker& attacker : problem.attackers())
    count += static_cast<std::int64_t>(attacker.known.size());
  return count;
}

Verdict verdict_of(const Problem& problem, const Draft& draft) {
  AuditOptions verdicts;
  verdicts.intervals = false;
  const auto report =
      Auditor(std::make_shared<const Problem>(problem)).audit(draft, verdicts, RunContext{});
  EXPECT_TRUE(report) << report.error().text();
  return report->verdict;
}

// 48 knows more of the cell than 2, but 2 is the one who could estimate 48.
TEST(Attackers, LargestAttacksOtherCellsSecondLargestTheOwn) {
  const Tabulation table = two_way_of({{{48, 2}, {40, 30, 30}}, {{70, 8, 2}, {40, 40, 40}}});
  SensitivityReport report;
  const Problem problem = problem_of(table, {}, report);
  const CellId a1{find_cell(table, {"A", "1"})}, b1{find_cell(table, {"B", "1"})};
  EXPECT_EQ(report.attackers.respondents, 5);
  EXPECT_EQ(report.attackers.kept, 4);
  EXPECT_EQ(report.attackers.merged, 1);  // the third of B1 knows and needs less than the second
  struct Line {
    CellId cell;      // to protect
    CellId known;     // by who knows that this cell is at least
    Units least = 0;  // so much
    Units level = 0;
    auto operator<=>(const Line&) const = default;
  };
  std::set<Line> found;
  for (const Requirement& need : problem.requirements()) {
    if (need.attacker == 0)
      continue;
    const Attacker& attacker = problem.attackers()[static_cast<std::size_t>(need.attacker)];
    ASSERT_EQ(attacker.known.size(), 1u);
    const Knowledge known = attacker.known.front();
    found.insert({need.cell, known.cell, known.bounds.lower, need.upper});
  }
  // In A1 each of the two can find out the other.
  EXPECT_EQ(
      found,
      (std::set<Line>{
          {a1, b1, 70, 5}, {b1, a1, 48, 5}, {a1, a1, 48, 1}, {a1, a1, 2, 5}, {b1, b1, 8, 5}}));
}

TEST(Attackers, ARespondentOfSeveralCellsIsOneAttacker) {
  std::vector<NaiveRecord> records;
  const auto add = [&](std::int32_t row, std::int32_t column, std::int32_t who, Units amount) {
    records.push_back({.codes = {row, column}, .respondent = who, .amount = amount});
  };
  add(1, 1, 0, 50);
  add(2, 1, 0, 80);
  add(1, 2, 1, 30);
  add(1, 2, 2, 30);
  add(1, 2, 3, 30);
  add(2, 2, 4, 90);
  const Tabulation table = tabulate_naively(
      {flat("row", {"A", "B"}), flat("column", {"1", "2"})}, {{"table", {0, 1}}}, records);
  SensitivityReport report;
  const Problem problem = problem_of(table, {}, report);
  const auto at = std::find_if(problem.attackers().begin(),
                               problem.attackers().end(),
                               [](const Attacker& a) { return a.name == "respondent 0"; });
  ASSERT_NE(at, problem.attackers().end());
  std::map<std::int32_t, Bounds> known;
  for (const Knowledge& one : at->known)
    known[one.cell.value] = one.bounds;
  // Alone in A1, B1 and the total of column 1; that the total of row B is at least 80 follows.
  std::map<std::int32_t, Bounds> expected{{find_cell(table, {"A", "1"}), {50, 50}},
                                          {find_cell(table, {"B", "1"}), {80, 80}},
                                          {find_cell(table, {"Total", "1"}), {130, 130}}};
  EXPECT_EQ(known, expected);
  // Unless parts may be negative by a bound that was set by hand.
  AprioriEntry below{.codes = {2, 2}, .where = "m.csv:2:1"};
  below.lower_bound = -5;
  EXPECT_EQ(bounds_known_to("respondent 0", table, {below}).size(), 3u);  // then nothing is said
}

// What a respondent knows of cells that are not sensitive gives away what they protect.
TEST(Attackers, SecondariesAreKnownToTheirContributors) {
  // B1 and A1 are sensitive; A2 hides A1, and nearly all of it is from the respondent of B1.
  std::vector<NaiveRecord> records;
  const auto add = [&](std::int32_t row, std::int32_t column, std::int32_t who, Units amount) {
    records.push_back({.codes = {row, column}, .respondent = who, .amount = amount});
  };
  add(1, 1, 0, 50);
  add(1, 2, 1, 96);
  for (std::int32_t who = 2; who < 6; ++who)
    add(1, 2, who, 48);
  add(2, 1, 1, 80);
  for (std::int32_t who = 6; who < 10; ++who)
    add(2, 2, who, 40);
  const Tabulation table = tabulate_naively(
      {flat("row", {"A", "B"}), flat("column", {"1", "2"})}, {{"table", {0, 1}}}, records);
  const auto least = [&](AttackerKnowledge knowledge) {
    SensitivityOptions options;
    options.attacker_knowledge = knowledge;
    SensitivityReport report;
    const Problem problem = problem_of(table, options, report);
    EXPECT_EQ(report.attackers.all_cells, knowledge == AttackerKnowledge::kAll);
    const auto at = std::find_if(problem.attackers().begin(),
                                 problem.attackers().end(),
                                 [](const Attacker& a) { return a.name == "respondent 1"; });
    EXPECT_NE(at, problem.attackers().end());
    return known_bounds(problem.table(), *at, CellId{find_cell(table, {"A", "2"})}).lower;
  };
  EXPECT_EQ(least(AttackerKnowledge::kSensitiveOnly), 0);
  EXPECT_EQ(least(AttackerKnowledge::kAll), 96);
}

// A contribution counts although it is too small to be among the largest that the cell keeps.
TEST(Attackers, ContributionsThatAreNotListedAreKnownToo) {
  std::vector<NaiveRecord> records;
  const auto add = [&](std::int32_t row, std::int32_t column, std::int32_t who, Units amount) {
    records.push_back({.codes = {row, column}, .respondent = who, .amount = amount});
  };
  for (std::int32_t who = 0; who < 4; ++who)
    add(1, 1, who, 40);
  add(1, 1, 9, 30);
  add(1, 2, 4, 40);
  add(2, 1, 9, 80);
  add(2, 2, 5, 60);
  Tabulation table = tabulate_naively(
      {flat("row", {"A", "B"}), flat("column", {"1", "2"})}, {{"table", {0, 1}}}, records, 0, 3);
  const std::int32_t a1 = find_cell(table, {"A", "1"});
  EXPECT_EQ(bounds_known_to("respondent 9", table, {}).at(a1), (Bounds{30, kUnboundedAbove}));
  table.contributions = nullptr;  // then nobody could know
  EXPECT_FALSE(bounds_known_to("respondent 9", table, {}).contains(a1));
}

// Lower bounds of sums that follow from those of the parts are left out. It changes no verdict.
TEST(Attackers, WhatIsImpliedChangesNoVerdict) {
  base::Random random(17);
  int exposed = 0, safe = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<NaiveRecord> records;
    for (int i = 0; i < 18; ++i) {
      records.push_back({.codes = {static_cast<std::int32_t>(random.between(1, 3)),
                                   static_cast<std::int32_t>(random.between(1, 3))},
                         .respondent = static_cast<std::int32_t>(random.between(0, 9)),
                         .amount = random.between(1, random.chance(1, 2) ? 10 : 100)});
    }
    Tabulation table =
        tabulate_naively({flat("row", {"A", "B", "C"}), flat("column", {"1", "2", "3"})},
                         {{"table", {0, 1}}},
                         records);
    SensitivityReport report;
    const Problem brief = problem_of(table, {}, report);
    const std::int64_t known = bounds_in(brief);
    table.contributions = nullptr;  // all contributions are listed, so everything is written down
    const Problem full = problem_of(table, {}, report);
    EXPECT_LE(known, bounds_in(full));
    Draft draft = Draft::withholding_primaries(brief.table());
    for (std::int32_t cell = 0; cell < brief.table().num_cells(); ++cell) {
      if (random.chance(2, 3))
        draft.withhold(CellId{cell});
    }
    const Verdict expected = verdict_of(full, draft);
    EXPECT_EQ(verdict_of(brief, draft), expected) << "round " << round;
    ++(expected == Verdict::kProtected ? safe : exposed);
  }
  EXPECT_GT(exposed, 5);
  EXPECT_GT(safe, 5);
}

std::size_t rank_of(const CellFacts& facts, std::int32_t who) {
  const auto at = std::find_if(facts.largest.begin(),
                               facts.largest.end(),
                               [&](const Contribution& one) { return one.respondent == who; });
  return static_cast<std::size_t>(at - facts.largest.begin());
}

// What the respondent knows of all cells, found the plain way; all contributions are listed.
std::map<std::int32_t, Bounds> own_bounds(const Tabulation& table,
                                          std::int32_t who,
                                          bool singletons_know) {
  std::map<std::int32_t, Bounds> known;
  for (std::size_t c = 0; c < table.cells.size(); ++c) {
    const CellFacts& facts = table.cells[c];
    const std::size_t rank = rank_of(facts, who);
    if (rank == facts.largest.size())
      continue;
    const bool sure = facts.contributors == 1 && singletons_know;
    known[static_cast<std::int32_t>(c)] = {facts.largest[rank].amount,
                                           sure ? facts.value : kUnboundedAbove};
  }
  return known;
}

// Every respondent's requirement, found the plain way, is kept or follows from a kept one.
TEST(Attackers, WhatIsMergedFollowsFromWhatIsKept) {
  base::Random random(5);
  std::int64_t merged = 0, implied = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<NaiveRecord> records;
    for (int i = 0; i < 25; ++i) {
      records.push_back({.codes = {static_cast<std::int32_t>(random.between(1, 3)),
                                   static_cast<std::int32_t>(random.between(1, 4))},
                         .respondent = static_cast<std::int32_t>(random.between(0, 13)),
                         .amount = random.between(1, random.chance(1, 2) ? 10 : 300)});
    }
    const Tabulation table =
        tabulate_naively({flat("row", {"A", "B", "C"}), flat("column", {"1", "2", "3", "4"})},
                         {{"table", {0, 1}}},
                         records);
    SensitivityOptions options;
    options.p_percent = 15;
    options.singletons_know = round % 2 == 0;
    SensitivityReport report;
    const Problem problem = problem_of(table, options, report);
    merged += report.attackers.merged;
    implied += report.attackers.implied;
    EXPECT_EQ(report.attackers.kept + report.attackers.merged, report.attackers.respondents);
    const auto rules = read_options(options);
    std::set<std::int32_t> sensitive;
    for (const Requirement& need : problem.requirements())
      sensitive.insert(need.cell.value);
    for (std::int32_t who = 0; who < 14; ++who) {
      std::map<std::int32_t, Bounds> knows = own_bounds(table, who, options.singletons_know);
      const bool attacks = std::any_of(sensitive.begin(), sensitive.end(), [&](std::int32_t cell) {
        return knows.contains(cell);
      });
      if (!attacks)
        continue;
      for (const std::int32_t cell : sensitive) {
        const CellFacts& facts = table.cells[static_cast<std::size_t>(cell)];
        const std::vector<Hit> hits = judge(facts, *rules, 0);
        Levels levels = levels_of(facts, hits, *rules, facts.value).value();
        if (knows.contains(cell)) {
          const std::size_t own[] = {rank_of(facts, who)};
          levels = levels_inside(facts, hits, *rules, levels, {own}).value_or(Levels{});
          levels.lower = std::min(levels.lower, facts.value - knows[cell].lower);
        }
        if (levels == Levels{})
          continue;
        const bool follows = std::any_of(
            problem.requirements().begin(),
            problem.requirements().end(),
            [&](const Requirement& r) {
              if (r.cell.value != cell || r.upper < levels.upper || r.lower < levels.lower)
                return false;
              const std::string& name =
                  problem.attackers()[static_cast<std::size_t>(r.attacker)].name;
              std::map<std::int32_t, Bounds> theirs;
              if (r.attacker > 0) {
                const std::int32_t other = std::stoi(name.substr(name.rfind(' ')));
                theirs = own_bounds(table, other, options.singletons_know);
              }
              return std::all_of(knows.begin(), knows.end(), [&](const auto& mine) {
                const auto same = theirs.find(mine.first);
                return same != theirs.end() && intersect(same->second, mine.second) == same->second;
              });
            });
        ASSERT_TRUE(follows) << "round " << round << ", respondent " << who << ", cell " << cell;
      }
    }
  }
  EXPECT_GT(merged, 40);
  EXPECT_GT(implied, 500);
}

TEST(Attackers, ContributionsThatMayBeNegativeAreNoBounds) {
  const Tabulation table = two_way_of({{{48, 2}, {40, 30, -30}}, {{70}, {40, 40, 40}}});
  SensitivityReport report;
  const Problem problem = problem_of(table, {}, report);
  ASSERT_EQ(problem.attackers().size(), 2u);  // only who is alone in B1 knows something
  EXPECT_EQ(problem.attackers()[1].known.size(), 1u);
  EXPECT_TRUE(problem.attackers()[1].known[0].bounds.is_point());
}

TEST(Attackers, CoalitionsKnowTheSum) {
  const Tabulation table = two_way_of({{{50, 30, 20, 3}, {40, 30, 30}}, {{70, 60, 50, 40}, {9}}});
  SensitivityOptions options;
  options.coalition = 2;
  SensitivityReport report;
  const Problem problem = problem_of(table, options, report);
  EXPECT_GT(report.attackers.coalitions, 0);
  const CellId a1{find_cell(table, {"A", "1"})};
  bool seen = false;
  for (const Requirement& need : problem.requirements()) {
    if (need.cell != a1 || need.attacker == 0)
      continue;
    const Attacker& attacker = problem.attackers()[static_cast<std::size_t>(need.attacker)];
    for (const Knowledge& known : attacker.known) {
      // 30 and 20 together: all that hides 50 is 3, so the level is 5 - 3.
      if (known.cell == a1 && known.bounds.lower == 50 && need.upper == 2)
        seen = true;
    }
  }
  EXPECT_TRUE(seen);
}

TEST(Attackers, NeverCarryIdentities) {
  Tabulation table = two_way_of({{{50}, {40, 30, 30}}, {{80}, {40, 40, 40}}});
  table.respondents.assign(table.respondents.size(), "Acme Ltd");
  SensitivityReport report;
  for (const Attacker& attacker : problem_of(table, {}, report).attackers())
    EXPECT_EQ(attacker.name.find("Acme"), std::string::npos);
}

TEST(Attackers, ReachCanBeLimitedAndIsCounted) {
  const Tabulation table = two_way_of({{{50}, {40, 30, 30}}, {{9, 9, 9}, {80}}});
  SensitivityReport everywhere, nearby;
  problem_of(table, {}, everywhere);
  EXPECT_EQ(everywhere.attackers.requirements, 2);
  SensitivityOptions options;
  options.attacker_reach = AttackerReach::kEquation;
  problem_of(table, options, nearby);
  EXPECT_EQ(nearby.attackers.requirements, 0);
  EXPECT_EQ(nearby.attackers.out_of_reach, 2);
}

// The level for insiders by its definition: the best estimate of any other contribution.
TEST(Attackers, LevelsInsideAreTheSmallestThatHideTheOthers) {
  base::Random random(11);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Units> c;
    for (std::int64_t i = random.between(2, 6); i > 0; --i)
      c.push_back(random.between(1, 200));
    std::sort(c.rbegin(), c.rend());
    const CellFacts facts = cell_of(c);
    SensitivityOptions options;
    options.p_percent = 60;
    const auto rules = read_options(options);
    ASSERT_TRUE(rules);
    const std::vector<Hit> hits = judge(facts, *rules, 0);
    if (hits.empty())
      continue;
    const auto outside = levels_of(facts, hits, *rules, facts.value);
    ASSERT_TRUE(outside);
    Units largest = 0;
    for (std::size_t own = 0; own < c.size(); ++own) {
      Units needed =
          0;  // smallest T with C + T - own >= 1.6 c_t and C - T - own - 2 rest <= .4 c_t
      for (std::size_t t = 0; t < c.size(); ++t) {
        if (t == own)
          continue;
        const Units rest = facts.value - c[own] - c[t];
        Units level = 0;
        while (100 * (facts.value + level - c[own]) < 160 * c[t] ||
               100 * (facts.value - level - c[own] - 2 * rest) > 40 * c[t])
          ++level;
        needed = std::max(needed, level);
      }
      const std::size_t insiders[] = {own};
      const auto inside = levels_inside(facts, hits, *rules, *outside, {insiders});
      ASSERT_TRUE(inside);
      ASSERT_EQ(inside->upper, needed);
      ASSERT_EQ(inside->lower, needed);
      largest = std::max(largest, needed);
    }
    ASSERT_EQ(outside->upper, largest);  // (3.3) is the level against the strongest insider
  }
}

}  // namespace
}  // namespace lacuna::sensitivity
