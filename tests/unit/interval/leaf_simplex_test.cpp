// SPDX-License-Identifier: Apache-2.0
// The search over leaves against the one over equations on random tables, points and attackers,
// each starting where the last one ended: same outcome, same cost of widening, cuts that the point
// violates as much.
#include "judge/attacker/leaf_simplex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "lacuna/generate.h"
#include "protect/interval/cut.h"
#include "support/interval_moves.h"

namespace lacuna::interval {
namespace {

struct Tally {
  std::int64_t widened = 0, met = 0, impossible = 0;
};

std::vector<double> random_rooms(const Model& model, base::Random& random) {
  std::vector<double> z(model.num_ends(), 0);
  for (std::size_t e = 0; e < z.size(); ++e) {
    const double share = static_cast<double>(random.between(0, 8)) / 4 - 0.5;
    const double room = model.least[e] + std::max(0.0, share) * 8;
    z[e] = model.role[e] == EndRole::kPriced ? std::min(room, model.most[e]) : 0;
  }
  return z;
}

double widening_cost(const attacker::RepairNet& net,
                     const attacker::Move& move,
                     std::int32_t own,
                     std::span<const double> rooms) {
  double cost = 0;
  for (const auto& [cell, amount] : move) {
    const std::size_t end = attacker::end_of(cell, amount > 0 ? 1 : -1);
    if (cell != own)
      cost += net.weight(end) * std::max(0.0, std::abs(amount) - rooms[end]);
  }
  return cost;
}

void compare(std::uint64_t seed, Tally& tally) {
  SCOPED_TRACE(seed);
  const auto problem = generate_small(seed);
  ASSERT_TRUE(problem);
  const auto model = make_model(*problem, {});
  ASSERT_TRUE(model);
  const attacker::RepairNet net(*model->attacked, model->weight, {});
  const attacker::LeafNet leaf_net(net);
  attacker::RepairScratch scratch(net);
  base::Random random(seed);
  for (const Demand& demand : demands_of(*model)) {
    const Goal& goal = model->goals[static_cast<std::size_t>(demand.goal)];
    const double level = std::max(goal.level(demand.sign), goal.sliding);
    const std::vector<double> most = model->rooms(goal.attacker, model->most);
    if (most[attacker::end_of(goal.cell, demand.sign)] < level)
      continue;
    attacker::RepairSimplex by_equations(net, goal.cell, demand.sign);
    attacker::LeafSimplex by_leaves(leaf_net, goal.cell, demand.sign);
    for (int point = 0; point < 4; ++point) {
      const std::vector<double> z = random_rooms(*model, random);
      const std::vector<double> rooms = model->rooms(goal.attacker, z);
      const double near = 1e-6 * std::max(1.0, level);
      const attacker::RoomsByEnd now(*model->attacked, rooms, most);
      const attacker::RoomsByEnd widest(*model->attacked, most);
      const attacker::RepairOutcome outcome = by_equations.solve(level, now, widest, scratch);
      ASSERT_EQ(by_leaves.solve(level, now, widest, RunContext{}), outcome);
      const attacker::Move& answer = by_leaves.coefficients();
      if (outcome == attacker::RepairOutcome::kImpossible) {
        ++tally.impossible;
        EXPECT_LT(make_cut(*model, demand, answer, z).value(most), level);
        continue;
      }
      EXPECT_LE(imbalance(problem->table(), by_leaves.move()), near);
      EXPECT_TRUE(fits(by_leaves.move(), most, near));
      const double cost = widening_cost(net, by_equations.move(), goal.cell, rooms);
      // Prices within the rooms and noise may hide a little.
      EXPECT_NEAR(widening_cost(net, by_leaves.move(), goal.cell, rooms), cost, 0.03 * cost + near);
      if (by_leaves.excess() <= near) {
        ++tally.met;
        continue;
      }
      ++tally.widened;
      EXPECT_LT(make_cut(*model, demand, answer, z).value(rooms), level);
      EXPECT_GE(make_cut(*model, demand, answer, z).value(most), level - near);
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
