// SPDX-License-Identifier: Apache-2.0
// Small problems of every kind for tests that run over many seeds.
#include <algorithm>
#include <array>
#include <limits>

#include "app/generate/generate.h"
#include "app/generate/values.h"

namespace lacuna::generation {
namespace {

constexpr std::int32_t kMostCells = 40;

std::int32_t draw(base::Random& random, std::int32_t low, std::int32_t high) {
  return static_cast<std::int32_t>(random.between(low, high));
}

template <std::size_t n>
std::int32_t one_of(const std::array<std::int32_t, n>& choices, base::Random& random) {
  return choices[static_cast<std::size_t>(draw(random, 0, static_cast<std::int32_t>(n) - 1))];
}

void draw_shape(GenerateOptions& options, base::Random& random) {
  switch (draw(random, 0, 4)) {
    case 0:
      options.sizes = {draw(random, 1, 5), draw(random, 1, 5)};
      break;
    case 1:
      options.sizes = {2, draw(random, 1, 2), draw(random, 1, 3)};
      break;
    case 2:
      options.kind = GenerateKind::kHierarchical;
      options.depths = {2, draw(random, 1, 2)};
      break;
    case 3:
      options.kind = GenerateKind::kHierarchical;
      options.depths = {draw(random, 1, 3)};
      break;
    default:
      options.kind = GenerateKind::kLinked;
      options.depths = {draw(random, 1, 2), 1};
      options.tables = draw(random, 2, 3);
      options.second_hierarchy = random.chance(1, 3);
      break;
  }
  options.fan_least = {random.chance(1, 2) ? 1 : 2};
  options.fan_most = {draw(random, 2, 3)};
  options.ragged_percent = one_of<3>({0, 0, 40}, random);
  options.one_child_percent = one_of<3>({0, 0, 30}, random);
}

void draw_values(GenerateOptions& options, base::Random& random) {
  options.absent_percent = one_of<3>({0, 0, 15}, random);
  options.zero_percent = one_of<3>({0, 0, 20}, random);
  options.typical_value = random.between(3, 60);
  options.skew = draw(random, 0, 3);
  options.decimals = one_of<4>({0, 0, 1, 2}, random);
  options.weight = random.chance(1, 2) ? GenerateWeight::kUnity : GenerateWeight::kValue;
  options.published_percent = one_of<4>({0, 0, 0, 10}, random);
}

void draw_protection(GenerateOptions& options, base::Random& random) {
  options.sensitive_count = draw(random, 1, 5);
  options.below_percent = one_of<4>({100, 100, 50, 15}, random);
  options.above_percent = one_of<5>({-1, 1000, 100, 50, 15}, random);
  options.upper_percent = one_of<4>({0, 5, 10, 15}, random);
  options.asymmetry = one_of<4>({1, 1, 2, 3}, random);
  options.sliding_percent = one_of<4>({0, 0, 20, 30}, random);
  options.attackers = one_of<4>({0, 0, 1, 2}, random);
  options.attacker_share = one_of<3>({20, 50, 100}, random);
}

}  // namespace

Result<Problem> generate_small(std::uint64_t seed) {
  base::Random random = stream(seed, Stage::kSmall);
  constexpr int kMaxTries = 1000;
  for (int i = 0; i < kMaxTries; ++i) {
    GenerateOptions options;
    options.seed = random.next();
    draw_shape(options, random);
    draw_values(options, random);
    draw_protection(options, random);
    // Too large, or too few cells that are not zero: the next draw will do.
    auto problem = generate(options);
    if (problem && problem->table().num_cells() >= 4 && problem->table().num_cells() <= kMostCells)
      return problem;
  }
  return Error{ErrorCode::kUnsupported, "no small problem was found for this seed", ""};
}

}  // namespace lacuna::generation
