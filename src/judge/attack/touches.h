// SPDX-License-Identifier: Apache-2.0
// What the steps of an attack take, in nanoseconds of an ordinary core (core/base/work.h), as
// measured on tables of 2,000 to 80,000 cells; within a factor of two, which is all that budgets
// need.
#pragma once

#include <cstdint>

namespace lacuna::attack {

struct AttackTouches {
  std::int64_t view_cell = 60;        // slacks, determined cells, parts
  std::int64_t search_cell = 4;       // per search: what is known of every free cell
  std::int64_t evidence_cell = 150;   // of a witness that is checked in integers
  std::int64_t evidence_term = 25;    // of the equations of a proof
  std::int64_t look_term = 40;        // of the equations around a cell
  std::int64_t model_term = 40;       // of an LP made from a neighbourhood
  std::int64_t rounding_column = 10;  // of a solution that is rounded, and its rows
  std::int64_t flow_node = 20;        // of a network, per search and cut
  std::int64_t chain_term = 12;       // of an equation that narrows its cells
  std::int64_t kernel_entry = 3;      // of a column that is subtracted from another
};
inline constexpr AttackTouches kAttackTouches;

}  // namespace lacuna::attack
