// SPDX-License-Identifier: Apache-2.0
// Pairs that nobody was asked about: what the witnesses are said to show of them, an audit that is
// asked confirms. And attackers who are asked about get the verdict of an audit of their own.
#include "judge/audit/bystanders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "app/generate/generate.h"
#include "core/base/random.h"

namespace lacuna::audit {
namespace {

Problem drawn_problem(std::uint64_t seed) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.depths = {2, 2};
  options.seed = seed;
  auto problem = generation::generate(options);
  EXPECT_TRUE(problem.has_value());
  return std::move(problem).value();
}

// Knows a few cells closely, or for certain.
Attacker drawn_attacker(base::Random& random, const Table& table) {
  Attacker drawn{"drawn", {}};
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (!random.chance(1, 12))
      continue;
    const Units value = table.value(CellId{c});
    const Units below = random.chance(1, 3) ? 0 : random.between(0, value);
    Bounds bounds{value - below, kUnboundedAbove};
    if (random.chance(1, 3))
      bounds.upper = value + random.between(0, value);
    drawn.known.push_back({CellId{c}, bounds});
  }
  return drawn;
}

Draft drawn_draft(base::Random& random, const Table& table) {
  Draft draft;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const Cell& cell = table.cell(CellId{c});
    if (cell.status == CellStatus::kPrimary || (may_be_withheld(cell) && random.chance(3, 4)))
      draft.withhold(CellId{c});
  }
  return draft;
}

AuditReport audited(const Problem& problem, const Draft& draft, bool intervals) {
  AuditOptions options;
  options.intervals = intervals;
  auto report =
      Auditor(std::make_shared<const Problem>(problem)).audit(draft, options, RunContext{});
  EXPECT_TRUE(report.has_value());
  return std::move(report).value();
}

bool shares_a_sum(const Table& table, const Attacker& who, CellId cell) {
  return std::any_of(who.known.begin(), who.known.end(), [&](const Knowledge& known) {
    for (const Incidence& incidence : table.equations_of(known.cell)) {
      for (const Term& term : table.equation(incidence.equation)) {
        if (term.cell == cell)
          return true;
      }
    }
    return false;
  });
}

// The levels of a cell against one attacker, asked for in so many words.
Verdict asked(const Problem& problem, const Draft& draft, const Attacker& who, Requirement need) {
  need.attacker = 1;
  auto made = make_problem(problem.table(), {outsider(), who}, {need});
  EXPECT_TRUE(made.has_value()) << made.error().text();
  return made ? audited(*made, draft, false).verdict : Verdict::kUndecided;
}

TEST(Bystanders, WhatWitnessesShowAnAuditConfirms) {
  std::int64_t shown = 0;
  std::int64_t open = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    base::Random random(seed);
    const Problem problem = drawn_problem(seed);
    const Draft draft = drawn_draft(random, problem.table());
    const AuditReport report = audited(problem, draft, false);
    if (report.verdict != Verdict::kProtected)
      continue;
    std::vector<Attacker> others;
    for (int i = 0; i < 3; ++i)
      others.push_back(drawn_attacker(random, problem.table()));
    const PairsLeftOpen left = pairs_left_open(problem, draft, report, others);
    open += std::ssize(left.pairs);
    const auto first = static_cast<std::int32_t>(problem.attackers().size());
    for (std::int32_t k = 0; k < std::ssize(others); ++k) {
      const Attacker& who = others[static_cast<std::size_t>(k)];
      for (const Requirement& need : problem.requirements()) {
        const std::pair<std::int32_t, CellId> pair{first + k, need.cell};
        const bool is_open =
            std::find(left.pairs.begin(), left.pairs.end(), pair) != left.pairs.end();
        if (shares_a_sum(problem.table(), who, need.cell)) {
          EXPECT_FALSE(is_open);
          continue;
        }
        if (is_open)
          continue;
        EXPECT_EQ(asked(problem, draft, who, need), Verdict::kProtected);
        ++shown;
      }
    }
  }
  EXPECT_GT(shown, 50);
  EXPECT_GT(open, 0);
}

// Pairs that are left open, asked one by one: the levels are those of the cell, and the verdict is
// that of an audit of the pair alone.
TEST(Bystanders, OpenPairsCanBeAsked) {
  int asked_of = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    base::Random random(seed);
    const Problem problem = drawn_problem(seed);
    const Draft draft = drawn_draft(random, problem.table());
    const AuditReport report = audited(problem, draft, false);
    if (report.verdict != Verdict::kProtected)
      continue;
    std::vector<Attacker> others;
    for (int i = 0; i < 3; ++i)
      others.push_back(drawn_attacker(random, problem.table()));
    const PairsLeftOpen left = pairs_left_open(problem, draft, report, others);
    const ProblemWithPairs made = with_pairs(problem, others, left.pairs);
    EXPECT_EQ(made.added.size(), left.pairs.size());
    EXPECT_EQ(made.problem->requirements().size(),
              problem.requirements().size() + left.pairs.size());
    AuditOptions options;
    options.intervals = false;
    options.only = made.added;
    const auto more = Auditor(made.problem).audit(draft, options, RunContext{});
    ASSERT_TRUE(more.has_value());
    for (const Finding& finding : more->of(Domain::kRational)) {
      const Question& question = finding.question;
      const Attacker& who =
          made.problem->attackers()[static_cast<std::size_t>(question.attacker)];
      const auto need = std::find_if(
          problem.requirements().begin(),
          problem.requirements().end(),
          [&](const Requirement& each) { return each.cell == question.cell; });
      ASSERT_NE(need, problem.requirements().end());
      EXPECT_EQ(question.upper, need->upper);
      EXPECT_EQ(finding.verdict, asked(problem, draft, who, *need));
      ++asked_of;
    }
  }
  EXPECT_GT(asked_of, 0);
}

// Who knows all but one cell of every sum is shown nothing.
TEST(Bystanders, NothingIsShownAgainstWhoKnowsTheCells) {
  const Problem problem = drawn_problem(3);
  Draft draft;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    if (may_be_withheld(problem.table().cell(CellId{c})))
      draft.withhold(CellId{c});
  }
  AuditReport report = audited(problem, draft, false);
  ASSERT_EQ(report.verdict, Verdict::kProtected);
  report.evidence.witnesses.clear();
  const std::vector<Attacker> nobody{{"nobody", {}}};
  const PairsLeftOpen left = pairs_left_open(problem, draft, report, nobody);
  EXPECT_EQ(left.attackers, 1);
  EXPECT_EQ(left.cells, std::ssize(problem.requirements()));
}

TEST(Bystanders, SharedWitnessesChangeNoVerdict) {
  std::int64_t exposed = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    base::Random random(100 + seed);
    const Problem alone = drawn_problem(seed);
    std::vector<Attacker> attackers{outsider()};
    std::vector<Requirement> needs = alone.requirements();
    for (std::int32_t a = 1; a <= 5; ++a) {
      attackers.push_back(drawn_attacker(random, alone.table()));
      for (Requirement need : alone.requirements()) {
        const auto& known = attackers.back().known;
        const bool own = std::any_of(known.begin(), known.end(), [&](const Knowledge& each) {
          return each.cell == need.cell;
        });
        need.attacker = a;
        if (!own)
          needs.push_back(need);
      }
    }
    const auto problem = make_problem(alone.table(), attackers, needs);
    ASSERT_TRUE(problem.has_value()) << problem.error().text();
    const Draft draft = drawn_draft(random, problem->table());
    const AuditReport shared = audited(*problem, draft, false);
    const AuditReport exact = audited(*problem, draft, true);  // a view for every attacker
    ASSERT_EQ(shared.findings.size(), exact.findings.size());
    for (std::size_t i = 0; i < shared.findings.size(); ++i) {
      EXPECT_EQ(shared.findings[i].verdict, exact.findings[i].verdict) << i;
      exposed += shared.findings[i].verdict == Verdict::kExposed ? 1 : 0;
    }
    const auto confirmed = confirm(*problem, draft, shared);
    ASSERT_TRUE(confirmed.has_value()) << confirmed.error().text();
    EXPECT_EQ(confirmed->verdict, shared.verdict);
    for (std::size_t i = 0; i < shared.findings.size(); ++i)
      EXPECT_EQ(shared.findings[i].verdict, confirmed->findings[i].verdict) << i;
  }
  EXPECT_GT(exposed, 0);
}

}  // namespace
}  // namespace lacuna::audit
