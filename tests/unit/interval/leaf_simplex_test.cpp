// SPDX-License-Identifier: Apache-2.0
// The search over leaves against the one over equations on random tables, points and attackers,
// each starting where the last one ended: same outcome, same cost of widening, cuts that the point
// violates as much.
#include "judge/attacker/leaf_simplex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/generate/generate.h"
#include "core/base/random.h"
#include "protect/interval/cut.h"
#include "support/interval_moves.h"

namespace lacuna::interval {
namespace {

struct Tally {
  std::int64_t widened = 0, met = 0, impossible = 0;
};

std::vector<double> random_slacks(const Model& model, base::Random& random) {
  std::vector<double> z(model.num_ends(), 0);
  for (std::size_t e = 0; e < z.size(); ++e) {
    const double share = static_cast<double>(random.between(0, 8)) / 4 - 0.5;
    const double slack = model.least[e] + std::max(0.0, share) * 8;
    z[e] = model.role[e] == EndRole::kPriced ? std::min(slack, model.most[e]) : 0;
  }
  return z;
}

double widening_cost(const attacker::RepairNet& net,
                     const attacker::Move& move,
                     std::int32_t own,
                     std::span<const double> slacks) {
  double cost = 0;
  for (const auto& [cell, amount] : move) {
    const std::size_t end = attacker::end_of(cell, amount > 0 ? 1 : -1);
    if (cell != own)
      cost += net.weight(end) * std::max(0.0, std::abs(amount) - slacks[end]);
  }
  return cost;
}

void compare(std::uint64_t seed, Tally& tally) {
  SCOPED_TRACE(seed);
  const auto problem = generation::generate_small(seed);
  ASSERT_TRUE(problem);
  const auto model = make_model(*problem, {});
  ASSERT_TRUE(model);
  const attacker::RepairNet net(*model->attacked, model->weight, {});
  const attacker::LeafNet leaf_net(net);
  attacker::RepairScratch scratch(net);
  base::Random random(seed);
  for (const Goal& goal : goals_of(*model)) {
    const Need& need = model->needs[static_cast<std::size_t>(goal.need)];
    const double level = std::max(need.level(goal.sign), need.sliding);
    const std::vector<double> most = model->slacks(need.attacker, model->most);
    if (most[attacker::end_of(need.cell, goal.sign)] < level)
      continue;
    attacker::RepairSimplex by_equations(net, need.cell, goal.sign);
    attacker::LeafSimplex by_leaves(leaf_net, need.cell, goal.sign);
    for (int point = 0; point < 4; ++point) {
      const std::vector<double> z = random_slacks(*model, random);
      const std::vector<double> slacks = model->slacks(need.attacker, z);
      const double near = 1e-6 * std::max(1.0, level);
      const attacker::SlacksByEnd now(*model->attacked, slacks, most);
      const attacker::SlacksByEnd widest(*model->attacked, most);
      const attacker::RepairOutcome outcome = by_equations.solve(level, now, widest, scratch);
      ASSERT_EQ(by_leaves.solve(level, now, widest, RunContext{}), outcome);
      const attacker::Move& answer = by_leaves.coefficients();
      if (outcome == attacker::RepairOutcome::kImpossible) {
        ++tally.impossible;
        EXPECT_LT(make_cut(*model, goal, answer, z).value(most), level);
        continue;
      }
      EXPECT_LE(imbalance(problem->table(), by_leaves.move()), near);
      EXPECT_TRUE(fits(by_leaves.move(), most, near));
      const double cost = widening_cost(net, by_equations.move(), need.cell, slacks);
      // Prices within the slacks and noise may hide a little.
      EXPECT_NEAR(
          widening_cost(net, by_leaves.move(), need.cell, slacks), cost, 0.03 * cost + near);
      if (by_leaves.excess() <= near) {
        ++tally.met;
        continue;
      }
      ++tally.widened;
      EXPECT_LT(make_cut(*model, goal, answer, z).value(slacks), level);
      EXPECT_GE(make_cut(*model, goal, answer, z).value(most), level - near);
    }
  }
}

TEST(LeafSimplex, AgreesWithTheSearchOverEquations) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 250; ++seed)
    compare(seed, tally);
  EXPECT_GT(tally.widened, 500);
  EXPECT_GT(tally.met, 100);
  EXPECT_GT(tally.impossible, 5);
}

}  // namespace
}  // namespace lacuna::interval
