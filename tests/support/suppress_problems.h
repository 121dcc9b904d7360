// SPDX-License-Identifier: Apache-2.0
// Small random problems for the tests of suppression: generation::generate_small with what it
// leaves out, cells withheld already, odd weights (zero among them) and more cells that must be
// published.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "app/generate/generate.h"
#include "core/base/random.h"
#include "lacuna/problem.h"

namespace lacuna::testing {

using Shared = std::shared_ptr<const Problem>;

struct Dressing {
  std::int64_t published_percent = 0;  // of the free cells that need no protection
};

inline bool needs_protection(const Problem& problem, CellId cell) {
  for (const Requirement& need : problem.requirements()) {
    if (need.cell == cell)
      return true;
  }
  return false;
}

inline Shared suppress_problem(std::uint64_t seed, const Dressing& dressing = {}) {
  auto made = generation::generate_small(seed);
  EXPECT_TRUE(made);
  base::Random random(seed * 977 + 5);
  const Table& table = made->table();
  const bool odd_weights = random.chance(1, 2);
  const bool some_withheld = random.chance(1, 3);
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    Cell cell = table.cell(CellId{c});
    if (odd_weights)
      cell.weight = static_cast<double>(random.between(0, 40)) / 4;
    const bool free = cell.status == CellStatus::kFree && !needs_protection(*made, CellId{c});
    if (free && random.chance(dressing.published_percent, 100))
      cell.status = CellStatus::kMustPublish;
    else if (free && some_withheld && random.chance(1, 10))
      cell.status = CellStatus::kSecondary;
    EXPECT_TRUE(builder.add_cell(cell, table.codes(CellId{c})));
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e)
    EXPECT_TRUE(builder.add_equation(table.equation(EquationId{e}), table.rhs(EquationId{e})));
  auto built = std::move(builder).build();
  EXPECT_TRUE(built);
  auto problem = make_problem(std::move(built).value(), made->attackers(), made->requirements());
  EXPECT_TRUE(problem) << (problem ? "" : problem.error().text());
  return std::make_shared<const Problem>(std::move(problem).value());
}

// A single seed is replayed without counting how many cases there were of each kind.
inline bool counts_are_checked() {
  return std::getenv("LACUNA_SEED") == nullptr;
}

}  // namespace lacuna::testing
