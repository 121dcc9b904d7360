// SPDX-License-Identifier: Apache-2.0
// A quotient of two cells that is published with some decimals, and what a reader of it knows
// (docs/derived.md). With x above and n > 0 below the line, in units, the number
//   p = A (x - g n) / (B n),   A, B > 0 whole; g = 1 of growth, else 0,                        (1)
// is printed as a whole number P of its last digit. Whatever the rule of rounding, P stands for
// the p with  l <= 2 p <= u,  l and u whole, each end within or not:
//   half-up     [2P - 1, 2P + 1), of P < 0 (2P - 1, 2P + 1], of P = 0 open at both ends
//   half-even   closed if P is even, else open
//   down        [2P, 2P + 2),      up  (2P - 2, 2P]
// As n > 0, these are two inequalities with whole coefficients, exact whatever is published of x
// and n:
//   2A x - (l B + 2A g) n >= e,   (u B + 2A g) n - 2A x >= e,   n >= 1,                        (2)
// e = 0 at a closed end and 1 at an open one, as the left-hand sides are whole numbers.
#pragma once

#include <optional>
#include <string>

#include "core/table/appendix.h"
#include "lacuna/result.h"
#include "lacuna/table.h"
#include "lacuna/units.h"

namespace lacuna::table {

enum class RatioRounding { kHalfUp, kHalfEven, kDown, kUp };

struct RatioScale {
  Units above = 1, below = 1;  // A and B
  bool growth = false;
  RatioRounding rounding = RatioRounding::kHalfUp;
};

// P of (1), n > 0; nothing if it does not fit 62 bits.
std::optional<Units> printed_ratio(Units x, Units n, const RatioScale& scale);

struct RatioRange {  // of 2p
  Wide lower = 0, upper = 0;
  bool lower_open = false, upper_open = false;
};
RatioRange range_of(Units printed, RatioRounding rounding);

// (2), of cells that are not below zero; with a switch for those who know it. Errors: as of
// Appendix::add_at_least.
Status add_printed_ratio(Appendix& to,
                         CellId x,
                         CellId n,
                         const RatioScale& scale,
                         Units printed,
                         CellId like,
                         CellId unless = CellId{-1});

}  // namespace lacuna::table
