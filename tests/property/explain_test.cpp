// SPDX-License-Identifier: Apache-2.0
// What is said of a cell is true: what publishing it would tell is compared with a second opinion
// on attackers, exchanges with every pattern of tiny tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>

#include "app/explain/cell_explanation.h"
#include "app/explain/explanation_text.h"
#include "core/base/index.h"
#include "core/base/random.h"
#include "core/base/rational.h"
#include "property/seeds.h"
#include "support/enumerate.h"
#include "support/oracle.h"
#include "support/suppress_problems.h"

namespace lacuna::explain {
namespace {

using testing::Oracle;
using testing::PatternEnumeration;
using testing::Shared;

// Requirements that the draft breaks, by the oracle.
std::set<std::pair<CellId, std::int32_t>> broken_by(const Problem& problem, const Draft& draft) {
  std::set<std::pair<CellId, std::int32_t>> broken;
  for (const Requirement& need : problem.requirements()) {
    Oracle oracle(problem.table(), draft, problem.attackers()[base::at(need.attacker)]);
    if (oracle.verdict(need) == Verdict::kExposed)
      broken.insert({need.cell, need.attacker});
  }
  return broken;
}

Draft without(Draft draft, CellId cell) {
  draft.publish_exact(cell);
  return draft;
}

// The sum holds at the truth, and what it tells is no more than what can be told.
void expect_true_sum(const Problem& problem, const Draft& then, const Consequence& told) {
  ASSERT_TRUE(told.sum);
  const Sum& sum = *told.sum;
  const Table& table = problem.table();
  Fraction value = sum.constant;
  for (const SumTerm& term : sum.terms) {
    value += term.factor * base::to_integer(table.value(term.cell));
    EXPECT_EQ(term.is_known(), then.is_exact(term.cell) || term.known.is_point());
    EXPECT_TRUE(term.known.contains(table.value(term.cell)));
  }
  EXPECT_EQ(value, Fraction(base::to_integer(table.value(sum.cell))));
  if (told.by_short_sum) {
    EXPECT_TRUE(tells_too_much(told.finding.question, sum));
    EXPECT_LE(sum.equations, 3);
  }
  const Attacker& attacker = problem.attackers()[base::at(told.finding.question.attacker)];
  const auto range = Oracle(table, then, attacker).range(sum.cell);
  const Integer truth = base::to_integer(table.value(sum.cell));
  if (sum.above) {
    EXPECT_LE(*range.upper, mpq_class(truth + *sum.above));
  }
  if (sum.below) {
    EXPECT_GE(*range.lower, mpq_class(truth - *sum.below));
  }
}

void expect_true_consequences(const Shared& problem,
                              const Draft& draft,
                              CellId cell,
                              const IfPublished& told) {
  ASSERT_TRUE(told.computed);
  const Draft then = without(draft, cell);
  const auto before = broken_by(*problem, draft);
  std::set<std::pair<CellId, std::int32_t>> broken;
  std::set<CellId> cells;
  for (const auto& each : broken_by(*problem, then)) {
    if (!before.contains(each)) {
      broken.insert(each);
      cells.insert(each.first);
    }
  }
  EXPECT_EQ(told.undecided, 0);
  EXPECT_EQ(told.exposed, std::ssize(broken));
  EXPECT_EQ(std::set(told.keeps_safe.begin(), told.keeps_safe.end()), cells);
  for (const Consequence& each : told.consequences) {
    const Question& asked = each.finding.question;
    EXPECT_TRUE(broken.contains({asked.cell, asked.attacker}));
    const auto range =
        Oracle(problem->table(), then, problem->attackers()[base::at(asked.attacker)])
            .range(asked.cell);
    const Integer truth = base::to_integer(problem->table().value(asked.cell));
    ASSERT_TRUE(each.finding.low.exact() && each.finding.high.exact());
    EXPECT_EQ(each.finding.high.unbounded, !range.upper.has_value());
    if (range.upper) {
      EXPECT_EQ(mpq_class(truth + each.finding.high.reached), *range.upper);
    }
    if (range.lower) {
      EXPECT_EQ(mpq_class(truth - each.finding.low.reached), *range.lower);
    }
    expect_true_sum(*problem, then, each);
  }
}

double cost_of_pattern(const Table& table, const Draft& draft) {
  double cost = 0;
  for (std::int32_t c = 0; c < table.num_cells(); ++c)
    cost += draft.is_exact(CellId{c}) ? 0 : table.cell(CellId{c}).weight;
  return cost;
}

// The cheapest safe pattern that publishes the cell, of all or of those that keep the draft's rest.
std::optional<double> cheapest_without(const Problem& problem,
                                       const Draft& draft,
                                       CellId cell,
                                       PatternEnumeration& all,
                                       bool keeping_the_rest) {
  std::optional<double> least;
  for (const PatternEnumeration::Mask mask : all.safe_patterns()) {
    const Draft pattern = all.draft_of(mask);
    bool fits = pattern.is_exact(cell);
    for (const CellEntry& entry : draft.each())
      fits = fits && (!keeping_the_rest || entry.cell == cell || !pattern.is_exact(entry.cell));
    if (fits) {
      const double cost = cost_of_pattern(problem.table(), pattern);
      least = std::min(least.value_or(cost), cost);
    }
  }
  return least;
}

void expect_true_exchange(const Problem& problem,
                          const Draft& draft,
                          CellId cell,
                          const Exchange& exchange,
                          PatternEnumeration& all) {
  const Table& table = problem.table();
  const auto keeping = cheapest_without(problem, draft, cell, all, true);
  if (exchange.state == ExchangeState::kImpossible) {
    EXPECT_FALSE(cheapest_without(problem, draft, cell, all, false));
    return;
  }
  ASSERT_TRUE(exchange.state == ExchangeState::kFound ||
              exchange.state == ExchangeState::kNotNeeded)
      << exchange.why;
  ASSERT_TRUE(keeping);
  EXPECT_TRUE(exchange.draft.is_exact(cell));
  EXPECT_TRUE(broken_by(problem, exchange.draft).empty());
  EXPECT_NEAR(exchange.cost_before, cost_of_pattern(table, draft), 1e-9);
  EXPECT_NEAR(exchange.cost_after, cost_of_pattern(table, exchange.draft), 1e-9);
  EXPECT_LE(exchange.cost_after, *keeping + 1e-9);
  for (const CellId each : exchange.withheld)
    EXPECT_TRUE(draft.is_exact(each) && !exchange.draft.is_exact(each));
  for (const CellId each : exchange.published)
    EXPECT_TRUE(!draft.is_exact(each) && exchange.draft.is_exact(each) && each != cell);
  if (exchange.state == ExchangeState::kNotNeeded) {
    EXPECT_TRUE(exchange.withheld.empty());
    return;
  }
  EXPECT_FALSE(exchange.withheld.empty());
  EXPECT_LE(exchange.bound, *keeping + 1e-6);
  if (exchange.cheapest) {
    EXPECT_NEAR(exchange.bound, *keeping, 1e-6);
  }
}

struct Seen {
  int keeping = 0, superfluous = 0, found = 0, impossible = 0, short_sums = 0, long_sums = 0;
};

// One table, with a pattern that is safe and not always the cheapest.
void look_at_table(std::uint64_t seed, Seen& seen) {
  base::Random random(seed);
  const Shared problem =
      testing::suppress_problem(seed, {.published_percent = random.between(-40, 40)});
  PatternEnumeration all(*problem, {});
  if (!all.is_small() || all.candidates().empty())
    return;
  const auto patterns = all.safe_patterns();
  if (patterns.empty())
    return;
  const auto one = static_cast<std::size_t>(random.between(0, std::ssize(patterns) - 1));
  const Draft draft = all.draft_of(random.chance(1, 2) ? *all.cheapest() : patterns[one]);
  for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
    const CellId cell{c};
    const auto made = explain_cell(problem, draft, cell, {}, {});
    ASSERT_TRUE(made) << made.error().text();
    const CellExplanation& told = *made;
    EXPECT_EQ(told.role == CellRole::kPublished, draft.is_exact(cell));
    EXPECT_FALSE(explanation_text(*problem, draft, {}, told).empty());
    if (told.role == CellRole::kPublished || told.role == CellRole::kSensitive)
      continue;
    SCOPED_TRACE("cell " + std::to_string(c));
    expect_true_consequences(problem, draft, cell, told.if_published);
    ++(told.if_published.keeps_safe.empty() ? seen.superfluous : seen.keeping);
    for (const Consequence& each : told.if_published.consequences)
      ++(each.by_short_sum ? seen.short_sums : seen.long_sums);
    if (told.role == CellRole::kByInput)  // enumeration takes them for withheld
      continue;
    expect_true_exchange(*problem, draft, cell, told.exchange, all);
    seen.found += told.exchange.state == ExchangeState::kFound ? 1 : 0;
    seen.impossible += told.exchange.state == ExchangeState::kImpossible ? 1 : 0;
  }
}

TEST(Explain, IsTrueOfRandomTables) {
  Seen seen;
  testing::for_each_seed(1, 250, [&](std::uint64_t seed) { look_at_table(seed, seen); });
  if (!testing::counts_are_checked())
    return;
  std::printf(
      "%d keep others safe, %d do not; %d exchanges, %d impossible; %d short sums, %d others\n",
      seen.keeping,
      seen.superfluous,
      seen.found,
      seen.impossible,
      seen.short_sums,
      seen.long_sums);
  EXPECT_GT(seen.keeping, 100);
  EXPECT_GT(seen.superfluous, 20);
  EXPECT_GT(seen.found, 50);
  EXPECT_GT(seen.impossible, 10);
  EXPECT_GT(seen.short_sums, 100);
}

}  // namespace
}  // namespace lacuna::explain
