// SPDX-License-Identifier: Apache-2.0
// Inequalities over several needs and rounded sums of rows, on tiny random problems: no safe
// pattern is removed (with bridgeless rows: none of which no cell can be published again), whatever
// the weights, the group and the point they are made at, and also if the group's tree is cut off.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/base/random.h"
#include "property/seeds.h"
#include "protect/suppress/branch_and_cut.h"
#include "protect/suppress/group_cuts.h"
#include "protect/suppression_model/cuts/rounded.h"
#include "protect/suppression_model/master.h"
#include "protect/suppression_model/separator.h"
#include "protect/suppression_model/suppress_model.h"
#include "support/enumerate.h"
#include "support/safe_points.h"
#include "support/suppress_problems.h"

namespace lacuna {
namespace {

using testing::counts_are_checked;
using testing::for_each_seed;
using testing::PatternEnumeration;
using testing::safe_points;
using testing::SafePoint;
using testing::Shared;
using testing::suppress_problem;

struct Tally {
  int groups = 0, large_groups = 0, rounded = 0;
  int refused = 0;  // once made too strong
};

bool removes_one(const suppression_model::Cut& cut,
                 const std::vector<SafePoint>& safe,
                 bool only_minimal) {
  double scale = std::max(1.0, std::abs(cut.rhs));
  for (const double value : cut.values)
    scale = std::max(scale, std::abs(value));
  return std::any_of(safe.begin(), safe.end(), [&](const SafePoint& pattern) {
    return (!only_minimal || pattern.minimal) && cut.violation(pattern.x) > 1e-6 * scale;
  });
}

bool refused_if_stronger(suppression_model::Cut cut, const std::vector<SafePoint>& safe) {
  cut.rhs += 0.1 * std::max(1.0, std::abs(cut.rhs));
  return removes_one(cut, safe, false);
}

// The rows of single needs, and of bridges if asked, solved to the end; false if nothing is safe.
bool solve_root(const suppression_model::SuppressModel& model,
                bool bridges,
                suppression_model::Master& master) {
  suppression_model::Separator separator(model, "", 1);
  for (int round = 0; round < 30; ++round) {
    if (master.solve(RunContext{}) != suppression_model::Master::Outcome::kSolved)
      return false;
    const std::vector<double> x = master.x();
    std::vector<suppression_model::Cut> cuts = separator.from_equations(x);
    const auto more = separator.from_attackers(0, x, {}, RunContext{});
    cuts.insert(cuts.end(), more.begin(), more.end());
    std::vector<suppression_model::SharedCut> rows;
    for (const suppression_model::Cut& cut : cuts) {
      if (bridges || cut.family != suppression_model::CutFamily::kBridgeless)
        rows.push_back(std::make_shared<const suppression_model::Cut>(cut));
    }
    if (rows.empty())
      return true;
    master.add(rows);
    separator.share_witnesses();
  }
  return master.solve(RunContext{}) == suppression_model::Master::Outcome::kSolved;
}

suppression::Group random_group(const suppression_model::SuppressModel& model,
                                base::Random& random) {
  suppression::Group group;
  for (const suppression_model::Need& need : model.needs()) {
    if (random.chance(2, 3) && (group.empty() || group.back() != need.cell))
      group.push_back(need.cell);
  }
  return group;
}

void check_groups(const suppression_model::SuppressModel& model,
                  const suppression_model::Master& master,
                  const std::vector<SafePoint>& safe,
                  base::Random& random,
                  Tally& tally) {
  suppression::MasterPoint point = suppression::point_of(master);
  if (random.chance(2, 3)) {  // tiny masters are mostly tight: as if rows were missing
    for (double& each : point.x)
      each /= 2;
  }
  const std::vector<double> free(point.x.size(), 0), full(point.x.size(), 1);
  std::vector<suppression::Group> groups = suppression::choose_groups(model, point, 2, 3, 0);
  groups.push_back(random_group(model, random));
  for (const suppression::Group& group : groups) {
    suppression::GroupTask task{
        group, suppression::price_of_group(model, point, group), {free, full, {}}};
    if (random.chance(1, 3)) {
      for (double& weight : task.weights)
        weight = static_cast<double>(random.between(0, 9));
    }
    RunContext run;
    if (random.chance(1, 4))
      run = with_work(run, random.between(1, 200));
    const suppression::GroupAnswer answer = suppression::cut_of_group(model, {}, point, task, run);
    if (!answer.cut)
      continue;
    ++tally.groups;
    tally.large_groups += group.size() >= 3 ? 1 : 0;
    EXPECT_GT(answer.cut->violation(point.x), 0);
    EXPECT_GT(answer.gain, 0);
    EXPECT_FALSE(removes_one(*answer.cut, safe, false));
    tally.refused += refused_if_stronger(*answer.cut, safe) ? 1 : 0;
  }
}

void check_rounded(const suppression_model::Master& master,
                   bool bridges,
                   const std::vector<SafePoint>& safe,
                   base::Random& random,
                   Tally& tally) {
  std::vector<double> x = master.x();
  for (int trial = 0; trial < 4; ++trial) {
    for (const suppression_model::Cut& cut :
         suppression_model::rounded_cuts(master.rows(), x, 100)) {
      ++tally.rounded;
      EXPECT_TRUE(std::is_sorted(cut.columns.begin(), cut.columns.end()));
      EXPECT_FALSE(removes_one(cut, safe, bridges));
      tally.refused += refused_if_stronger(cut, safe) ? 1 : 0;
    }
    for (double& each : x)
      each = static_cast<double>(random.between(0, 4)) / 4;
  }
}

void check_problem(const Shared& problem, Tally& tally) {
  PatternEnumeration all(*problem, {});
  if (!all.is_small(11))
    return;
  base::Random random(all.candidates().size() + 19);
  for (const auto& part : suppression_model::parts_with_needs(*problem)) {
    const suppression_model::SuppressModel model(
        problem, part, presolve::always_withheld(*problem), 0.0);
    const std::vector<SafePoint> safe = safe_points(model, all);
    for (const bool bridges : {false, true}) {
      suppression_model::Master master(model, "");
      if (!solve_root(model, bridges, master))
        continue;
      check_groups(model, master, safe, random, tally);
      check_rounded(master, bridges, safe, random, tally);
    }
  }
}

TEST(SuppressJoinedCuts, RemoveNoSafePattern) {
  Tally tally;
  for_each_seed(
      32'001, 800, [&](std::uint64_t seed) { check_problem(suppress_problem(seed), tally); });
  if (counts_are_checked()) {
    EXPECT_GE(tally.groups, 100);
    EXPECT_GE(tally.large_groups, 20);
    EXPECT_GE(tally.rounded, 100);
    EXPECT_GE(tally.refused, 50) << "nothing wrong would be seen";
  }
}

double cheapest(const suppression_model::SuppressModel& model, const std::vector<SafePoint>& safe) {
  double least = std::numeric_limits<double>::infinity();
  for (const SafePoint& pattern : safe) {
    double cost = 0;
    for (std::size_t j = 0; j < pattern.x.size(); ++j)
      cost += pattern.x[j] * model.weights()[j];
    least = std::min(least, cost);
  }
  return least;
}

// A tree that strengthens its root from the first stall on, as if it had worked for long.
TEST(SuppressJoinedCuts, TheTreeStaysExact) {
  int compared = 0;
  const SuppressOptions options;
  for_each_seed(33'001, 400, [&](std::uint64_t seed) {
    const Shared problem = suppress_problem(seed);
    PatternEnumeration all(*problem, {});
    if (!all.is_small(11))
      return;
    for (const auto& part : suppression_model::parts_with_needs(*problem)) {
      const suppression_model::SuppressModel model(
          problem, part, presolve::always_withheld(*problem), 0.0);
      const double least = cheapest(model, safe_points(model, all));
      if (std::isinf(least))
        continue;
      suppression::TreeTask task;
      task.may_join = true;
      task.may_restart = false;
      task.begun_at = -1'000'000'000;
      const suppression::TreeResult result =
          suppression::branch_and_cut(model, options, std::move(task), RunContext{});
      EXPECT_EQ(result.why, StopReason::kOptimal);
      EXPECT_NEAR(result.cost, least, 1e-6 * std::max(1.0, least));
      EXPECT_NEAR(result.bound, least, 1e-6 * std::max(1.0, least));
      ++compared;
    }
  });
  if (counts_are_checked())
    EXPECT_GE(compared, 100);
}

}  // namespace
}  // namespace lacuna
