// SPDX-License-Identifier: Apache-2.0
// Zero-half inequalities (Caprara and Fischetti 1996). Rows a'x >= b in whole numbers over columns
// that are 0 or 1, added up and halved; where a coefficient is odd, half of x_j >= 0 or of
// -x_j >= -1 is added as well. The left side is whole, so the right side may be rounded up:
//
//   sum_j ceil(sum_r a_rj / 2) x_j >= ceil(sum_r b_r / 2).
//
// It is violated if the right side was odd and all that was added has a slack below 1 together.
// Such sets of rows are searched by elimination modulo 2, the columns that cost most first (Koster,
// Zymolka and Kutschka 2009). Rows that are not whole are made so beforehand: no coefficient of
// k a'x >= k b gets smaller by rounding up. Everything else is arithmetic of whole numbers, exact.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "protect/suppression_model/cuts/cut.h"

namespace lacuna::suppression_model {

// Those of the rows that x violates, the most violated first. With bridgeless rows among them they
// hold where these do.
std::vector<Cut> rounded_cuts(std::span<const SharedCut> rows,
                              std::span<const double> x,
                              std::size_t most,
                              bool keeps_origins = false);

}  // namespace lacuna::suppression_model
