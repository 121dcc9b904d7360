// SPDX-License-Identifier: Apache-2.0
// Splitting against the compact model: its cuts hold for optimal slacks, together they prove nearly
// the optimum, and its slacks cost nearly that. The same for any number of threads.
#include "protect/interval/splitting.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/generate/generate.h"
#include "protect/interval/compact.h"
#include "support/random_system.h"

namespace lacuna::interval {
namespace {

using interval::Cut;
using interval::Master;
using interval::Model;
using interval::Need;
using interval::Point;
using interval::Splitting;

std::shared_ptr<const Problem> deep_table(std::uint64_t seed) {
  generation::GenerateOptions shape;
  shape.kind = generation::GenerateKind::kHierarchical;
  shape.depths = {2, 1, 1};
  shape.fan_least = {2};
  shape.fan_most = {3};
  shape.weight =
      seed % 2 == 0 ? generation::GenerateWeight::kUnity : generation::GenerateWeight::kValue;
  shape.absent_percent = 20;
  shape.seed = seed;
  return std::make_shared<const Problem>(generation::generate(shape).value());
}

// Of the cuts at the point where they were found, one per goal.
void expect_valid(const Model& model, const std::vector<Cut>& cuts, const std::vector<double>& z) {
  for (const Cut& cut : cuts) {
    const Need& need = model.needs[static_cast<std::size_t>(cut.goal.need)];
    const double level = need.level(cut.goal.sign);
    EXPECT_GE(cut.value(z), level - 1e-6 * std::max(1.0, level));
  }
}

TEST(Splitting, CutsAndRoomsAreNearTheOptimum) {
  int split = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const auto problem = deep_table(seed);
    const auto model = interval::make_model(*problem, {});
    ASSERT_TRUE(model);
    const auto compact = interval::solve_compact(*model, "", RunContext{});
    ASSERT_TRUE(compact);
    const auto goals = interval::goals_of(*model);
    const auto splitting = Splitting::make(*model, goals, 1, RunContext{});
    if (compact->status != LpStatus::kOptimal || !splitting)
      continue;
    ++split;
    splitting->run(1e-3, RunContext{});
    const std::vector<Cut> cuts = splitting->cuts();
    expect_valid(*model, cuts, compact->z);
    const auto master = Master::make(*model, "");
    ASSERT_TRUE(master);
    (*master)->set_true_prices();
    (*master)->add_cuts(cuts);
    Point point;
    double bound = 0;
    ASSERT_EQ((*master)->solve(RunContext{}, point, bound), LpStatus::kOptimal);
    EXPECT_LE(bound, compact->cost * (1 + 1e-6));
    EXPECT_GE(bound, compact->cost * 0.95);
    EXPECT_NEAR(model->cost(splitting->point().z), compact->cost, 0.05 * compact->cost);
  }
  EXPECT_GE(split, 2);
}

TEST(Splitting, CutsHoldOnAnySystem) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    const auto problem = testing::random_system(random);
    const auto model = interval::make_model(*problem, {});
    ASSERT_TRUE(model);
    const auto compact = interval::solve_compact(*model, "", RunContext{});
    ASSERT_TRUE(compact);
    const auto goals = interval::goals_of(*model);
    const auto splitting = Splitting::make(*model, goals, 1, RunContext{});
    if (compact->status != LpStatus::kOptimal || !splitting)
      continue;
    splitting->run(1e-2, RunContext{});
    expect_valid(*model, splitting->cuts(), compact->z);
  }
}

TEST(Splitting, SameForAnyNumberOfThreads) {
  const auto problem = deep_table(2);
  const auto model = interval::make_model(*problem, {});
  ASSERT_TRUE(model);
  const auto goals = interval::goals_of(*model);
  const auto one = Splitting::make(*model, goals, 1, RunContext{});
  const auto three = Splitting::make(*model, goals, 3, RunContext{});
  ASSERT_TRUE(one && three);
  one->run(1e-2, RunContext{});
  three->run(1e-2, RunContext{});
  EXPECT_EQ(one->point().z, three->point().z);
}

}  // namespace
}  // namespace lacuna::interval
