// SPDX-License-Identifier: Apache-2.0
// The lazy simplex against the LP of an engine on random tables, points and attackers, each search
// starting where the last one ended.
#include "judge/attacker/repair_simplex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/generate/generate.h"
#include "core/base/random.h"
#include "judge/attacker/lp.h"
#include "protect/interval/cut.h"
#include "support/interval_moves.h"

namespace lacuna::interval {
namespace {

std::vector<double> random_slacks(const Model& model, base::Random& random) {
  std::vector<double> z(model.num_ends(), 0);
  for (std::size_t e = 0; e < z.size(); ++e) {
    const double least = model.least[e];
    const double share = static_cast<double>(random.between(0, 8)) / 4 - 0.5;
    const double slack = least + std::max(0.0, share) * 8;
    z[e] = model.role[e] == EndRole::kPriced ? std::min(slack, model.most[e]) : 0;
  }
  return z;
}

struct Tally {
  std::int64_t short_of_level = 0, met = 0, impossible = 0;
};

void compare(std::uint64_t seed, Tally& tally) {
  SCOPED_TRACE(seed);
  const auto problem = generation::generate_small(seed);
  ASSERT_TRUE(problem);
  const auto model = make_model(*problem, {});
  ASSERT_TRUE(model);
  const attacker::AttackerProblem& attacked = *model->attacked;
  attacker::AttackerLp engine(attacked, "", attacker::LpForm::kEquations);
  const attacker::RepairNet net(attacked, model->weight, {});
  attacker::RepairScratch scratch(net);
  base::Random random(seed);
  for (const Goal& goal : goals_of(*model)) {
    const Need& need = model->needs[static_cast<std::size_t>(goal.need)];
    const double level = std::max(need.level(goal.sign), need.sliding);
    const std::size_t own = attacker::end_of(need.cell, goal.sign);
    const std::vector<double> most = model->slacks(need.attacker, model->most);
    if (most[own] < level)
      continue;
    attacker::RepairSimplex reach(net, need.cell, goal.sign, attacker::RepairObjective::kReach);
    attacker::RepairSimplex widen(net, need.cell, goal.sign);
    for (int point = 0; point < 4; ++point) {
      std::vector<double> z = random_slacks(*model, random);
      z[own] = model->most[own];
      const std::vector<double> slacks = model->slacks(need.attacker, z);
      const attacker::SlacksByEnd now(attacked, slacks, most);
      const attacker::SlacksByEnd widest(attacked, most);
      const auto known = engine.push(
          {attacked.local(CellId{need.cell}), goal.sign, std::min(level, slacks[own])}, now, {});
      ASSERT_TRUE(known.solved);
      ASSERT_EQ(reach.solve(level, now, widest, scratch), attacker::RepairOutcome::kFound);
      const double near = 1e-6 * std::max(1.0, level);
      EXPECT_NEAR(level - reach.excess(), known.value, near);
      EXPECT_LE(imbalance(problem->table(), reach.move()), near);
      EXPECT_TRUE(fits(reach.move(), slacks, near));

      const attacker::RepairOutcome outcome = widen.solve(level, now, widest, scratch);
      ASSERT_NE(outcome, attacker::RepairOutcome::kGivenUp);
      if (outcome == attacker::RepairOutcome::kImpossible) {
        ++tally.impossible;
        EXPECT_LT(make_cut(*model, goal, widen.multipliers(), z).value(most), level);
        continue;
      }
      EXPECT_LE(imbalance(problem->table(), widen.move()), near);
      EXPECT_TRUE(fits(widen.move(), most, near));
      if (widen.excess() <= near) {
        ++tally.met;
        EXPECT_NEAR(known.value, level, near);
      } else if (known.value < level - near) {
        ++tally.short_of_level;
        const Cut cut = make_cut(*model, goal, widen.multipliers(), z);
        EXPECT_LT(cut.value(z), level);
        std::vector<double> wide = z;  // the cut holds where the cell reaches its level
        for (const auto& [cell, amount] : widen.move()) {
          double& slack = wide[attacker::end_of(cell, amount > 0 ? 1 : -1)];
          slack = std::max(slack, std::abs(amount));
        }
        EXPECT_GE(cut.value(wide), level - near);
      }
    }
  }
}

TEST(RepairSimplex, AgreesWithAnEngine) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 150; ++seed)
    compare(seed, tally);
  EXPECT_GT(tally.short_of_level, 100);
  EXPECT_GT(tally.met, 100);
}

}  // namespace
}  // namespace lacuna::interval
