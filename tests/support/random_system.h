// SPDX-License-Identifier: Apache-2.0
// Problems that are no table of sums: equations with any small coefficients, values and bounds of
// either sign, attackers who know anything true. Ends are fractions here, and evidence is harder.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/base/random.h"
#include "lacuna/problem.h"
#include "support/random_draft.h"

namespace lacuna::testing {

// A level that fits the slack the attacker's own bounds leave, or zero.
inline Units random_level(Wide slack, base::Random& random) {
  const auto most = static_cast<std::int64_t>(std::min<Wide>(slack, 12));
  return random.chance(1, 4) ? 0 : random.between(0, most);
}

inline std::shared_ptr<const Problem> random_system(base::Random& random) {
  TableBuilder builder(0);
  const std::int64_t num_cells = random.between(3, 14);
  for (std::int64_t c = 0; c < num_cells; ++c) {
    Cell cell;
    cell.value = random.between(-20, 40);
    cell.prior = random_bounds(cell.value, random);
    cell.status = random.chance(1, 3) ? CellStatus::kPrimary : CellStatus::kFree;
    EXPECT_TRUE(builder.add_cell(cell));
  }
  const std::int64_t num_equations = random.between(1, num_cells - 1);
  for (std::int64_t e = 0; e < num_equations; ++e) {
    std::vector<Term> terms;
    Units sum = 0;
    for (std::int32_t c = 0; c < num_cells; ++c) {
      if (!random.chance(1, 2))
        continue;
      const auto coefficient = static_cast<std::int32_t>(random.between(-5, 5));
      terms.push_back({CellId{c}, coefficient});
      sum += coefficient * builder.cell(CellId{c}).value;
    }
    EXPECT_TRUE(builder.add_equation(terms, sum));
  }
  auto built = std::move(builder).build();
  EXPECT_TRUE(built);
  const Table& table = *built;
  Attacker insider{"insider", {}};
  for (std::int32_t c = 0; c < num_cells; ++c) {
    if (random.chance(1, 4))
      insider.known.push_back({CellId{c}, random_bounds(table.value(CellId{c}), random)});
  }
  std::vector<Requirement> needs;
  for (std::int32_t c = 0; c < num_cells; ++c) {
    if (table.cell(CellId{c}).status != CellStatus::kPrimary)
      continue;
    const Units value = table.value(CellId{c});
    for (std::int32_t a = 0; a < 2; ++a) {
      Bounds own = table.cell(CellId{c}).prior;
      for (const Knowledge& known : insider.known) {
        if (a == 1 && known.cell == CellId{c})
          own = intersect(own, known.bounds);
      }
      const Wide up = own.has_upper() ? Wide{own.upper} - value : Wide{kUnboundedAbove};
      const Wide down = own.has_lower() ? Wide{value} - own.lower : Wide{kUnboundedAbove};
      Requirement need{.cell = CellId{c}, .attacker = a};
      need.lower = random_level(down, random);
      need.upper = random_level(up, random);
      need.sliding = random_level(up + down, random) * (random.chance(1, 2) ? 1 : 0);
      needs.push_back(need);
    }
  }
  auto problem = make_problem(std::move(built).value(), {outsider(), insider}, needs);
  EXPECT_TRUE(problem) << (problem ? "" : problem.error().text());
  return std::make_shared<const Problem>(std::move(problem).value());
}

}  // namespace lacuna::testing
