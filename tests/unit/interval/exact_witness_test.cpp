// SPDX-License-Identifier: Apache-2.0
// Moves of the lazy simplex at slacks that are no whole units, made exact: in balance in integers,
// the own cell at its level, no cell far from where it was. And first safe points of patterns.
#include "protect/interval/exact_witness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/generate/generate.h"
#include "core/base/exact.h"
#include "core/base/random.h"
#include "judge/attacker/repair_simplex.h"
#include "protect/interval/start.h"

namespace lacuna::interval {
namespace {

bool in_balance(const Table& table, const Displacement& z) {
  std::vector<Integer> sums(static_cast<std::size_t>(table.num_equations()));
  for (std::size_t i = 0; i < z.cells.size(); ++i) {
    for (const Incidence& in : table.equations_of(z.cells[i]))
      sums[static_cast<std::size_t>(in.equation.value)] += z.moves[i] * in.coefficient;
  }
  for (const Integer& sum : sums) {
    if (sum != 0)
      return false;
  }
  return true;
}

double own_move(const Displacement& z, std::int32_t cell) {
  for (std::size_t i = 0; i < z.cells.size(); ++i) {
    if (z.cells[i].value == cell)
      return z.moves[i].to_double() / z.denominator.to_double();
  }
  return 0;
}

std::vector<double> fractional_slacks(const Model& model, base::Random& random) {
  std::vector<double> z = model.least;
  for (std::size_t e = 0; e < z.size(); ++e) {
    if (model.role[e] == EndRole::kPriced)
      z[e] = std::min(model.most[e], z[e] + static_cast<double>(random.between(0, 700)) / 97);
  }
  return z;
}

TEST(ExactWitness, BalancesWhatTheSimplexFound) {
  std::int64_t made = 0, tried = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    const auto problem = generation::generate_small(seed);
    ASSERT_TRUE(problem);
    const auto model = make_model(*problem, {});
    ASSERT_TRUE(model);
    const attacker::RepairNet net(*model->attacked, model->weight, {});
    attacker::RepairScratch scratch(net);
    base::Random random(seed);
    for (const Goal& goal : goals_of(*model)) {
      const Need& need = model->needs[static_cast<std::size_t>(goal.need)];
      const double level = need.level(goal.sign);
      const std::vector<double> most = model->slacks(need.attacker, model->most);
      if (level == 0 || most[attacker::end_of(need.cell, goal.sign)] < level)
        continue;
      const std::vector<double> slacks =
          model->slacks(need.attacker, fractional_slacks(*model, random));
      attacker::RepairSimplex search(net, need.cell, goal.sign);
      const attacker::SlacksByEnd now(*model->attacked, slacks, most);
      const attacker::SlacksByEnd widest(*model->attacked, most);
      if (search.solve(level, now, widest, scratch) != attacker::RepairOutcome::kFound)
        continue;
      attacker::Move units = search.move();
      std::vector<double> slack;
      for (auto& [cell, amount] : units) {
        slack.push_back(most[attacker::end_of(cell, amount > 0 ? 1 : -1)] - std::abs(amount));
        amount *= model->scale;
      }
      const auto own = static_cast<Units>(std::llround(goal.sign * level * model->scale));
      const auto exact = exact_witness(problem->table(), units, slack, CellId{need.cell}, own);
      ++tried;
      if (!exact)
        continue;
      ++made;
      EXPECT_TRUE(in_balance(problem->table(), *exact));
      EXPECT_EQ(own_move(*exact, need.cell), static_cast<double>(own));
      const auto size = static_cast<double>(units.size());
      for (const auto& [cell, amount] : units)
        EXPECT_LE(std::abs(own_move(*exact, cell) - amount), 1 + size * size);
    }
  }
  EXPECT_GT(tried, 300);
  EXPECT_GT(made * 10, tried * 9);
}

TEST(StartFromPattern, EveryDemandHasAMoveThatReachesItsLevel) {
  std::int64_t complete = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const auto problem = generation::generate_small(seed);
    ASSERT_TRUE(problem);
    const auto model = make_model(*problem, {});
    ASSERT_TRUE(model);
    const std::vector<Goal> goals = goals_of(*model);
    const auto start = start_from_pattern(*model, goals, "", RunContext{});
    ASSERT_TRUE(start);
    if (!start->complete)
      continue;
    ++complete;
    std::vector<double> shown(2 * model->needs.size(), 0);
    for (std::size_t d = 0; d < goals.size(); ++d) {
      const Need& need = model->needs[static_cast<std::size_t>(goals[d].need)];
      EXPECT_TRUE(fits(start->moves[d], model->slacks(need.attacker, model->most), 1e-9));
      double own = 0;
      for (const auto& [cell, amount] : start->moves[d])
        own += cell == need.cell ? amount * goals[d].sign : 0;
      EXPECT_NEAR(own, start->shown[d], 1e-9 * (1 + own));
      EXPECT_GE(own, need.level(goals[d].sign) * (1 - 1e-9));
      shown[2 * static_cast<std::size_t>(goals[d].need) + (goals[d].sign > 0 ? 0 : 1)] = own;
    }
    for (std::size_t g = 0; g < model->needs.size(); ++g)
      EXPECT_GE(shown[2 * g] + shown[2 * g + 1], model->needs[g].sliding * (1 - 1e-9));
  }
  EXPECT_GT(complete, 50);
}

}  // namespace
}  // namespace lacuna::interval
