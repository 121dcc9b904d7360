// SPDX-License-Identifier: Apache-2.0
// Why a number cannot lie beyond an end, in words: sums of published cells.
#pragma once

#include <string>

#include "app/inference/inference.h"
#include "lacuna/evidence.h"

namespace lacuna::inference {

// "industry=10 - industry=44|area=44001 + ...": by the codes in which the cells differ from the one
// asked about. What everyone knows of cells that are not told stands behind them: "(at most 12)".
// Of more than some terms the rest is counted. Of whole numbers it may be a chain of sums or a
// distinction of cases, which is named. Empty if nothing shows the end.
std::string proof_text(const Inference& inference, const InferredCell& cell, Direction direction);

}  // namespace lacuna::inference
