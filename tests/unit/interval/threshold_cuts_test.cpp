// SPDX-License-Identifier: Apache-2.0
// Cuts taken apart on random networks: coefficients 0 and 1, the ends of the whole cut, and every
// one of them holds at the optimum of the compact model.
#include "protect/interval/threshold_cuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "app/generate/generate.h"
#include "core/base/random.h"
#include "judge/attacker/repair_simplex.h"
#include "protect/interval/compact.h"

namespace lacuna::interval {
namespace {

Result<Problem> small_network(std::uint64_t seed) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kOneHierarchy;
  options.columns = 4;
  options.rows = 4;
  options.tree_depth = 2;
  options.sensitive_percent = 20;
  options.above_percent = seed % 2 == 0 ? 40 : 1000;
  options.asymmetry = 1 + static_cast<std::int32_t>(seed % 3);
  options.seed = seed;
  return generation::generate(options);
}

void expect_parts(const Model& model,
                  const Goal& goal,
                  const Cut& whole,
                  const std::vector<Cut>& parts,
                  std::span<const double> safe) {
  const Need& need = model.needs[static_cast<std::size_t>(goal.need)];
  ASSERT_FALSE(parts.empty());
  std::set<std::size_t> ends;
  for (const Cut& part : parts) {
    EXPECT_GE(part.value(safe), need.level(goal.sign) * (1 - 1e-6));
    for (const auto& [end, coefficient] : part.terms) {
      EXPECT_EQ(coefficient, 1);
      ends.insert(end);
    }
  }
  // An end of the whole cut is in some part, and no other end is.
  for (const auto& [end, coefficient] : whole.terms) {
    EXPECT_LE(coefficient, 1 + 1e-6);
    EXPECT_EQ(ends.count(end), 1U);
  }
  EXPECT_EQ(ends.size(), whole.terms.size());
}

TEST(ThresholdCuts, HoldAndSayMoreThanTheirMean) {
  std::int64_t split = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const auto problem = small_network(seed);
    ASSERT_TRUE(problem);
    const auto model = make_model(*problem, {});
    ASSERT_TRUE(model);
    ASSERT_TRUE(model->network);
    const auto safe = solve_compact(*model, "", RunContext{});
    ASSERT_TRUE(safe);
    if (safe->status != LpStatus::kOptimal)
      continue;
    const attacker::RepairNet net(*model->attacked, model->weight, {});
    attacker::RepairScratch scratch(net);
    ThresholdCuts splitter(*model);
    for (const Goal& goal : goals_of(*model)) {
      const Need& need = model->needs[static_cast<std::size_t>(goal.need)];
      attacker::RepairSimplex search(net, need.cell, goal.sign);
      const std::vector<double> most = model->slacks(need.attacker, model->most);
      const double level = need.level(goal.sign);
      const attacker::SlacksByEnd slacks(*model->attacked, model->least, most);
      const attacker::SlacksByEnd widest(*model->attacked, most);
      if (search.solve(level, slacks, widest, scratch) != attacker::RepairOutcome::kFound ||
          search.multipliers().empty())
        continue;
      const Cut whole = make_cut(*model, goal, search.multipliers(), model->least);
      const auto parts = splitter.split(goal, search.multipliers(), model->least);
      expect_parts(*model, goal, whole, parts, safe->z);
      split += parts.size() > 1 ? 1 : 0;
      double least = std::numeric_limits<double>::infinity();
      for (const Cut& part : parts)
        least = std::min(least, part.value(model->least));
      EXPECT_LE(least, whole.value(model->least) + 1e-6 * level);
    }
  }
  EXPECT_GT(split, 100);
}

}  // namespace
}  // namespace lacuna::interval
