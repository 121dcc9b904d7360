// SPDX-License-Identifier: Apache-2.0
// The attacker's problem at points of the master: the lazy simplex, the linear program and, in
// networks, the largest flow agree on capacities. Each answer carries its own check: a displacement
// within the capacities that reaches the value, and multipliers that say nothing reaches more.
#include "protect/suppression_model/capacities.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "app/generate/generate.h"
#include "core/base/random.h"
#include "core/base/work.h"
#include "judge/attacker/flow.h"
#include "judge/attacker/lazy.h"
#include "judge/attacker/lp.h"
#include "protect/suppression_model/cuts/bridgeless.h"
#include "protect/suppression_model/cuts/capacity.h"
#include "protect/suppression_model/pattern_requirements.h"

namespace lacuna::suppression_model {
namespace {

using Numbers = std::vector<double>;

constexpr double kTolerance = 1e-6;

std::shared_ptr<const Problem> table_of(std::uint64_t seed, std::vector<std::int32_t> sizes) {
  generation::GenerateOptions options;
  options.kind =
      seed % 2 == 0 ? generation::GenerateKind::kFlat : generation::GenerateKind::kHierarchical;
  options.sizes = std::move(sizes);
  options.depths = std::vector<std::int32_t>(options.sizes.size(), 2);
  options.fan_most = {2};  // small enough for the lazy search to end
  options.seed = seed;
  auto made = generation::generate(options);
  EXPECT_TRUE(made);
  return std::make_shared<const Problem>(std::move(made).value());
}

// Nothing, a third, two thirds or all of every column.
Numbers random_point(std::size_t columns, base::Random& random) {
  Numbers x(columns);
  for (double& each : x)
    each = static_cast<double>(random.between(0, 3)) / 3;
  return x;
}

Numbers dense(const SuppressModel& model,
              std::span<const attacker::AttackerSolver::Entry> entries) {
  Numbers made(static_cast<std::size_t>(model.num_cells()), 0);
  for (const auto& [cell, value] : entries)
    made[static_cast<std::size_t>(cell)] += value;
  return made;
}

void expect_sound(const SuppressModel& model,
                  const attacker::AttackerSolver::Query& target,
                  const Capacities& capacities,
                  const attacker::AttackerSolver::Answer& answer) {
  ASSERT_TRUE(answer.solved);
  const Numbers moves = dense(model, answer.moves);
  const Numbers dual = dense(model, answer.dual);
  double most = 0;  // what the multipliers allow
  for (std::int32_t i = 0; i < model.num_cells(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i == target.cell) {
      most += std::max(0.0, target.sign * dual[at]) * target.most;
      continue;
    }
    const attacker::RealSlack slack = capacities.of(i);
    EXPECT_LE(moves[at], slack.up + kTolerance);
    EXPECT_GE(moves[at], -slack.down - kTolerance);
    most += std::max(dual[at], 0.0) * slack.up + std::max(-dual[at], 0.0) * slack.down;
  }
  EXPECT_NEAR(moves[static_cast<std::size_t>(target.cell)], target.sign * answer.value, kTolerance);
  EXPECT_NEAR(most, answer.value, 1e-5);
  for (std::int32_t e = 0; e < model.attacked().num_rows(); ++e) {
    double sum = 0;
    for (const simplex::LazyEntry& entry : model.attacked().row(e))
      sum += entry.coefficient * moves[static_cast<std::size_t>(entry.index)];
    EXPECT_NEAR(sum, 0, kTolerance);
  }
}

// d'z = s z_p for every displacement z: tried with what another solver found.
void expect_identity(const attacker::AttackerSolver::Query& target,
                     const Numbers& dual,
                     const Numbers& moves) {
  double sum = 0;
  for (std::size_t i = 0; i < moves.size(); ++i)
    sum += dual[i] * moves[i];
  EXPECT_NEAR(sum, target.sign * moves[static_cast<std::size_t>(target.cell)], 1e-5);
}

void compare(const SuppressModel& model, base::Random& random) {
  attacker::AttackerLp lp(model.attacked(), "");
  attacker::AttackerLazy lazy(model.attacked(), "");
  std::unique_ptr<attacker::AttackerSolver> flow;
  if (model.attacked().network() != nullptr)
    flow = std::make_unique<attacker::AttackerFlow>(model.attacked());
  for (int round = 0; round < 12; ++round) {
    const attacker::AttackerSolver::Query target{
        static_cast<std::int32_t>(random.between(0, model.num_cells() - 1)),
        random.chance(1, 2) ? 1 : -1,
        random.chance(1, 2) ? 1.0 : 0.5};
    const Numbers x = random_point(static_cast<std::size_t>(model.num_columns()), random);
    const auto level = static_cast<double>(random.between(1, 200));
    const Capacities plain(model, 0, level, 0, x);
    const auto first = lp.push(target, plain, {});
    const double value = first.value;
    const Numbers moves = dense(model, first.moves);
    expect_sound(model, target, plain, first);
    const auto own = lazy.push(target, plain, {});
    expect_sound(model, target, plain, own);
    EXPECT_NEAR(own.value, value, 1e-5);
    expect_identity(target, dense(model, own.dual), moves);
    expect_sound(model, target, plain, lazy.insist(plain, {}));
    if (flow) {
      EXPECT_NEAR(flow->push(target, plain, {}).value, value, 1e-5);
    }
    lazy.push(target, plain, {});  // and on from there
    const Capacities slack(model, 0, level, 0.01, x);
    const double again = lp.push_again(slack, {}).value;
    const auto lifted = lazy.push_again(slack, {});
    expect_sound(model, target, slack, lifted);
    EXPECT_NEAR(lifted.value, again, 1e-5);
    if (::testing::Test::HasFailure())
      return;
  }
}

void compare_all(const std::vector<std::int32_t>& sizes) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = table_of(seed, sizes);
    base::Random random(seed);
    for (const auto& part : parts_with_needs(*problem))
      compare(SuppressModel(problem, part, presolve::always_withheld(*problem), 0), random);
    if (::testing::Test::HasFailure())
      return;
  }
}

TEST(Capacities, AgreesInNetworks) {
  compare_all({5, 6});
}

TEST(Capacities, AgreesInThreeDimensions) {
  compare_all({3, 4, 3});
}

// A question that nobody answered says nothing: it once made the constraint 0 >= 1, and the master
// was infeasible and its pattern optimal.
TEST(Capacities, StoppedQuestionsMakeNoConstraint) {
  const auto problem = table_of(2, {6, 5, 4});
  RunContext spent;
  spent.work_end = work_done();
  int asked = 0;
  for (const auto& part : parts_with_needs(*problem)) {
    const SuppressModel model(problem, part, presolve::always_withheld(*problem), 0);
    const Numbers x(static_cast<std::size_t>(model.num_columns()), 0.0);
    attacker::AttackerLp engine(model.attacked(), "");
    for (const suppression_model::Need& need : model.needs()) {
      const Capacities plain(model, need.attacker, need.upper, 0, x);
      const auto answer = engine.push({need.cell, 1, 1}, plain, spent);
      ++asked;
      ASSERT_FALSE(answer.solved);
      CapacityBuilder one(model, need), both(model, need);
      one.add(answer.dual, 1, need.upper);
      EXPECT_FALSE(one.finish());
      both.ask(need.upper);
      both.add_end(answer.dual, 1);
      both.add_end(answer.dual, -1);
      EXPECT_FALSE(both.finish());
    }
    if (model.num_columns() > 0)
      EXPECT_FALSE(bridgeless_cut(model, 0, std::span<const attacker::AttackerSolver::Entry>()));
  }
  EXPECT_GT(asked, 0);
}

}  // namespace
}  // namespace lacuna::suppression_model
