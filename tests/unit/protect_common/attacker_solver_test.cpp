// SPDX-License-Identifier: Apache-2.0
// Two or three ways to solve one attacker problem agree: the lazy simplex, the linear program and,
// in networks, the largest flow. Each answer carries its own check: a displacement within the
// capacities that reaches the value, and multipliers that say nothing reaches more.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "base/random.h"
#include "lacuna/generate.h"
#include "protect/common/attacker_flow.h"
#include "protect/common/attacker_lazy.h"
#include "protect/common/attacker_lp.h"
#include "protect/common/demands.h"

namespace lacuna {
namespace {

using Numbers = std::vector<double>;

constexpr double kSlack = 1e-6;

std::shared_ptr<const Problem> table_of(std::uint64_t seed, std::vector<std::int32_t> sizes) {
  GenerateOptions options;
  options.kind = seed % 2 == 0 ? GenerateKind::kFlat : GenerateKind::kHierarchical;
  options.sizes = std::move(sizes);
  options.depths = std::vector<std::int32_t>(options.sizes.size(), 2);
  options.fan_most = {2};  // small enough for the lazy search to end
  options.seed = seed;
  auto made = generate(options);
  EXPECT_TRUE(made);
  return std::make_shared<const Problem>(std::move(made).value());
}

struct Capacities {
  Numbers up, down;
};

// Nothing, little or all of a room that differs by direction.
Capacities random_capacities(std::size_t cells, Random& random) {
  Capacities made{Numbers(cells), Numbers(cells)};
  for (std::size_t i = 0; i < cells; ++i) {
    const auto share = static_cast<double>(random.between(0, 3)) / 3;
    made.up[i] = share * static_cast<double>(random.between(1, 1000)) / 1000;
    made.down[i] = share * static_cast<double>(random.between(1, 1000)) / 1000;
  }
  return made;
}

void expect_sound(const SuppressModel& model,
                  const AttackerSolver::Target& target,
                  const Capacities& room,
                  const AttackerSolver::Answer& answer) {
  ASSERT_TRUE(answer.solved);
  double most = 0;  // what the multipliers allow
  for (std::int32_t i = 0; i < model.num_cells(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i == target.cell) {
      most += std::max(0.0, target.sign * answer.dual[at]) * target.own;
      continue;
    }
    EXPECT_LE(answer.moves[at], room.up[at] + kSlack);
    EXPECT_GE(answer.moves[at], -room.down[at] - kSlack);
    most += std::max(answer.dual[at], 0.0) * room.up[at] +
            std::max(-answer.dual[at], 0.0) * room.down[at];
  }
  EXPECT_NEAR(
      answer.moves[static_cast<std::size_t>(target.cell)], target.sign * answer.value, kSlack);
  EXPECT_NEAR(most, answer.value, 1e-5);
  for (std::int32_t e = 0; e < model.num_equations(); ++e) {
    double sum = 0;
    for (const LocalTerm& term : model.equation(e))
      sum += term.coefficient * answer.moves[static_cast<std::size_t>(term.cell)];
    EXPECT_NEAR(sum, 0, kSlack);
  }
}

// d'z = s z_p for every displacement z: tried with what another solver found.
void expect_identity(const AttackerSolver::Target& target,
                     std::span<const double> dual,
                     const Numbers& moves) {
  double sum = 0;
  for (std::size_t i = 0; i < moves.size(); ++i)
    sum += dual[i] * moves[i];
  EXPECT_NEAR(sum, target.sign * moves[static_cast<std::size_t>(target.cell)], 1e-5);
}

void compare(const SuppressModel& model, Random& random) {
  AttackerLp lp(model, "");
  AttackerLazy lazy(model, "");
  std::unique_ptr<AttackerSolver> flow;
  if (const Network* network = model.network())
    flow = std::make_unique<AttackerFlow>(model, *network);
  const auto cells = static_cast<std::size_t>(model.num_cells());
  for (int round = 0; round < 12; ++round) {
    const AttackerSolver::Target target{
        static_cast<std::int32_t>(random.between(0, model.num_cells() - 1)),
        random.chance(1, 2) ? 1 : -1,
        random.chance(1, 2) ? 1.0 : 0.5};
    Capacities room = random_capacities(cells, random);
    const auto first = lp.push(target, room.up, room.down, {});
    const double value = first.value;
    const Numbers moves(first.moves.begin(), first.moves.end());
    expect_sound(model, target, room, first);
    const auto own = lazy.push(target, room.up, room.down, {});
    expect_sound(model, target, room, own);
    EXPECT_NEAR(own.value, value, 1e-5);
    expect_identity(target, own.dual, moves);
    if (flow) {
      EXPECT_NEAR(flow->push(target, room.up, room.down, {}).value, value, 1e-5);
    }
    for (double& up : room.up)  // and on from there
      up = std::max(up, 0.01);
    const double again = lp.push_again(room.up, room.down, {}).value;
    const auto lifted = lazy.push_again(room.up, room.down, {});
    expect_sound(model, target, room, lifted);
    EXPECT_NEAR(lifted.value, again, 1e-5);
    if (::testing::Test::HasFailure())
      return;
  }
}

void compare_all(const std::vector<std::int32_t>& sizes) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = table_of(seed, sizes);
    Random random(seed);
    for (const auto& part : parts_with_needs(*problem))
      compare(SuppressModel(problem, part, always_withheld(*problem), 0), random);
    if (::testing::Test::HasFailure())
      return;
  }
}

TEST(AttackerSolver, AgreesInNetworks) {
  compare_all({5, 6});
}

TEST(AttackerSolver, AgreesInThreeDimensions) {
  compare_all({3, 4, 3});
}

}  // namespace
}  // namespace lacuna
