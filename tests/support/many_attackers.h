// SPDX-License-Identifier: Apache-2.0
// The same problem with attackers who know the values of some cells, or bounds of them: as on
// records, where every contributor knows its own.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "lacuna/problem.h"

namespace lacuna::testing {

// Of one attacker: each cell with a chance of one in six, exactly or to within a part of its value.
inline Attacker draw_attacker(const Table& table, int number, base::Random& random) {
  Attacker attacker{"respondent " + std::to_string(number), {}};
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const Cell& cell = table.cell(CellId{c});
    if (!random.chance(1, 6))
      continue;
    const Units below = random.chance(1, 2) ? 0 : random.between(0, std::max<Units>(cell.value, 1));
    const Units above = random.chance(1, 2) ? below : random.between(0, 20);
    attacker.known.push_back(
        {CellId{c}, intersect(cell.prior, {cell.value - below, cell.value + above})});
  }
  return attacker;
}

// Levels as the outsider's, as far as what the attacker knows leaves room for them.
inline Requirement level_against(const Table& table,
                                 const Attacker& attacker,
                                 std::int32_t index,
                                 Requirement need) {
  const Units value = table.value(need.cell);
  const Bounds known = known_bounds(table, attacker, need.cell);
  need.attacker = index;
  if (known.has_lower())
    need.lower = std::min(need.lower, value - known.lower);
  if (known.has_upper())
    need.upper = std::min(need.upper, known.upper - value);
  if (known.has_lower() && known.has_upper())
    need.sliding = std::min(need.sliding, known.upper - known.lower);
  return need;
}

inline std::shared_ptr<const Problem> with_many_attackers(const Problem& problem,
                                                          std::uint64_t seed,
                                                          int count) {
  base::Random random(seed * 613 + 29);
  std::vector<Attacker> attackers{problem.attackers().front()};
  std::vector<Requirement> requirements;
  for (const Requirement& need : problem.requirements()) {
    if (need.attacker == 0)
      requirements.push_back(need);
  }
  const std::vector<Requirement> against_all = requirements;
  for (int k = 1; k <= count; ++k) {
    attackers.push_back(draw_attacker(problem.table(), k, random));
    for (const Requirement& need : against_all) {
      if (random.chance(4, 5))
        requirements.push_back(level_against(problem.table(), attackers.back(), k, need));
    }
  }
  auto made =
      make_problem(problem.table(), std::move(attackers), std::move(requirements));
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return std::make_shared<const Problem>(std::move(made).value());
}

}  // namespace lacuna::testing
