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

#include <cstdint>
#include <vector>

#include "lacuna/units.h"

namespace lacuna {

// A rational number in lowest terms, |numerator| < 2^96 and 0 < denominator < 2^31, so that
// comparisons fit 128 bits.
struct Fraction {
  Wide numerator = 0;
  Wide denominator = 1;
  bool operator==(const Fraction&) const = default;
};
bool fits_fraction(Wide numerator, Wide denominator);
Fraction make_fraction(Wide numerator, Wide denominator);  // denominator > 0; must fit
inline bool operator<(const Fraction& a, const Fraction& b) {
  return a.numerator * b.denominator < b.numerator * a.denominator;
}
inline bool operator>=(const Fraction& a, const Fraction& b) {
  return !(a < b);
}

struct Displacement {         // z_i = moves / denominator units for the cells listed, else 0
  std::vector<CellId> cells;  // strictly increasing
  std::vector<Wide> moves;    // not zero
  Wide denominator = 1;       // in [1, 2^31)
  bool operator==(const Displacement&) const = default;
};

struct Multipliers {                  // g_j = values / denominator for the equations listed, else 0
  std::vector<EquationId> equations;  // strictly increasing
  std::vector<Wide> values;
  Wide denominator = 1;
  bool operator==(const Multipliers&) const = default;
};

enum class Direction : std::int8_t { kLow = -1, kHigh = 1 };
inline int sign(Direction direction) {
  return direction == Direction::kHigh ? 1 : -1;
}

}  // namespace lacuna
