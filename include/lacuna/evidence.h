// SPDX-License-Identifier: Apache-2.0
// Evidence that anyone can check with additions and multiplications of integers, without a solver.
// With a the true table and z = y - a the displacement of another table y:
//   a witness is a displacement z: M z = 0 and a + z lies within what the attacker knows, so the
//   attacker cannot rule out the value a_p + z_p;
//   a proof is a vector of multipliers g, one per equation: for sign s = +1 (how high) or -1 (how
//   low), with d = s e_p - M'g every such z has  s z_p = d'z <= sum_i max(d_i up_i, -d_i down_i),
//   where down_i and up_i are the attacker's room below and above a_i (LP duality; (7) and (8) of
//   Salazar-Gonzalez 2002).
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <vector>

#include "lacuna/export.h"
#include "lacuna/units.h"

namespace LACUNA_API lacuna {

using Integer = mpz_class;   // of any size: vertices can have long denominators
using Fraction = mpq_class;  // in lowest terms

struct Displacement {          // z_i = moves / denominator units for the cells listed, else 0
  std::vector<CellId> cells;   // strictly increasing
  std::vector<Integer> moves;  // not zero
  Integer denominator = 1;     // positive
  bool operator==(const Displacement&) const = default;
};

struct Multipliers {                  // g_j = values / denominator for the equations listed, else 0
  std::vector<EquationId> equations;  // strictly increasing
  std::vector<Integer> values;
  Integer denominator = 1;  // positive
  bool operator==(const Multipliers&) const = default;
};

enum class Direction : std::int8_t { kLow = -1, kHigh = 1 };
inline int sign(Direction direction) {
  return direction == Direction::kHigh ? 1 : -1;
}

}  // namespace lacuna
