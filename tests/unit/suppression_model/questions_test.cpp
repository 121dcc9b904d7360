// SPDX-License-Identifier: Apache-2.0
// What follows for other attackers from an answer to the first one: exactly those whom the
// displacement does not serve are in doubt, and every equation that says more for somebody is on
// the list.
#include "protect/suppression_model/questions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "judge/attacker/lp.h"
#include "judge/presolve/merged.h"
#include "lacuna/tolerance.h"
#include "protect/suppression_model/capacities.h"
#include "protect/suppression_model/cuts/capacity.h"
#include "support/many_attackers.h"
#include "support/suppress_problems.h"

namespace lacuna::suppression_model {
namespace {

using Entry = attacker::AttackerSolver::Entry;

constexpr double kTolerance = 1e-6;

std::vector<double> random_point(const SuppressModel& model, base::Random& random) {
  std::vector<double> x(static_cast<std::size_t>(model.num_columns()));
  for (double& each : x)
    each = static_cast<double>(random.between(1, 4)) / 4;
  return x;
}

// By how much the moves are beyond what the question's attacker leaves at x, in levels.
double excess(const SuppressModel& model,
              const Questions& questions,
              std::size_t probe,
              std::span<const Entry> moves,
              const std::vector<double>& x) {
  const Need& need = questions.need_of(probe);
  const Capacities capacities(model, need.attacker, questions.level_of(probe), 0, x);
  double most = -1;
  for (const auto& [cell, move] : moves) {
    if (cell != need.cell && std::abs(move) > tol::kNegligible)
      most = std::max(most, std::abs(move) - capacities.of(cell).toward(move));
  }
  return most;
}

struct Tally {
  int served = 0, in_doubt = 0, said_more = 0, said_no_more = 0;
};

void check_doubts(const SuppressModel& model,
                  const Questions& questions,
                  const ProbeFamily& family,
                  base::Random& random,
                  Tally& tally) {
  const auto lead = static_cast<std::size_t>(family.lead);
  const Need& need = questions.need_of(lead);
  const std::vector<double> x = random_point(model, random);
  const Capacities plain(model, need.attacker, questions.level_of(lead), 0, x);
  attacker::AttackerLp lp(model.attacked(), "");
  const int sign = questions.probe(lead).side == Side::kUp ? 1 : -1;
  const auto answer = lp.push({need.cell, sign, 1}, plain, {});
  ASSERT_TRUE(answer.solved);
  const std::vector<Doubt> doubts =
      questions.doubts(lead, model.own_slacks(need.attacker), answer.moves, 1);
  for (const std::int32_t other : family.others) {
    if (questions.level_of(static_cast<std::size_t>(other)) < questions.level_of(lead))
      continue;  // less is asked: the displacement is made smaller
    const bool in_doubt = std::any_of(doubts.begin(), doubts.end(), [&](const Doubt& doubt) {
      return doubt.probe == other && doubt.holds(x);
    });
    const double beyond =
        excess(model, questions, static_cast<std::size_t>(other), answer.moves, x);
    if (in_doubt) {
      EXPECT_GT(beyond, -kTolerance);
    } else {
      EXPECT_LT(beyond, 2 * tol::kViolation);
    }
    ++(in_doubt ? tally.in_doubt : tally.served);
  }
}

std::optional<Cut> cut_of_equation(const SuppressModel& model,
                                   const Questions& questions,
                                   std::int32_t probe,
                                   std::int32_t equation) {
  const auto at = static_cast<std::size_t>(probe);
  CapacityBuilder builder(model, questions.need_of(at));
  builder.add_equation(
      equation, questions.probe(at).side == Side::kUp ? 1 : -1, questions.level_of(at));
  return builder.finish();
}

// Of an attacker who is not on the list the first one's constraint says all.
void check_equations(const SuppressModel& model,
                     const Questions& questions,
                     std::int32_t index,
                     Tally& tally) {
  const ProbeFamily& family = questions.family(index);
  const std::int32_t cell = questions.need_of(static_cast<std::size_t>(family.lead)).cell;
  for (const simplex::LazyEntry& in : model.attacked().rows_of(cell)) {
    std::set<std::int32_t> listed;
    for (const Questions::InEquation& each : questions.others_in(index, in.index))
      listed.insert(each.probe);
    const auto first = cut_of_equation(model, questions, family.lead, in.index);
    for (const std::int32_t other : family.others) {
      ++(listed.contains(other) ? tally.said_more : tally.said_no_more);
      if (listed.contains(other))
        continue;
      const auto cut = cut_of_equation(model, questions, other, in.index);
      ASSERT_TRUE(!cut || first);
      if (!cut)
        continue;
      // Points that satisfy the first one: its columns one by one, as long as it is violated.
      std::vector<double> x(static_cast<std::size_t>(model.num_columns()), 0);
      for (const std::int32_t column : first->columns) {
        if (first->violation(x) <= 0)
          break;
        x[static_cast<std::size_t>(column)] = 1;
      }
      if (first->violation(x) <= 0) {
        EXPECT_LE(cut->violation(x), kTolerance);
      }
    }
  }
}

TEST(Questions, WhatIsLeftOutFollows) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = testing::with_many_attackers(*testing::suppress_problem(seed), seed, 6);
    base::Random random(seed);
    for (const auto& part : parts_with_needs(*problem)) {
      const SuppressModel model(problem, part, presolve::always_withheld(*problem), 0);
      const Questions questions(model);
      for (std::size_t f = 0; f < questions.num_families(); ++f) {
        const auto index = static_cast<std::int32_t>(f);
        const auto lead = static_cast<std::size_t>(questions.family(index).lead);
        if (questions.probe(lead).side == Side::kBoth)
          continue;
        check_doubts(model, questions, questions.family(index), random, tally);
        check_equations(model, questions, index, tally);
        if (::testing::Test::HasFailure())
          return;
      }
    }
  }
  EXPECT_GT(tally.served, 100);
  EXPECT_GT(tally.in_doubt, 100);
  EXPECT_GT(tally.said_more, 100);
  EXPECT_GT(tally.said_no_more, 100);
}

}  // namespace
}  // namespace lacuna::suppression_model
