// SPDX-License-Identifier: Apache-2.0
// How far a search looks around the cells of a form, and for what: witnesses need breadth, proofs
// are mostly near.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "lacuna/units.h"

namespace lacuna::attack {

struct Look {
  std::size_t cells;
  std::size_t per_equation;  // the most cells taken from one equation
  bool for_witness, for_proof;
};
inline constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
inline constexpr Look kLooks[] = {{160, 8, true, false},
                                  {80, kAll, false, true},
                                  {640, 12, true, false},
                                  {640, kAll, true, true},
                                  {2560, kAll, true, true}};
inline constexpr std::size_t kSmallPart = 700;  // its linear program is as quick as a look
// In a network no simple witness moves a cell by more than the level; elsewhere a few times that.
inline constexpr Units kCapFactor = 8;
// Of whole numbers: cases around a cell, since the next look may need none, and units of work for a
// whole move by the engine.
inline constexpr std::int64_t kFewCases = 40;
inline constexpr std::int64_t kLookWork = 200'000;

}  // namespace lacuna::attack
