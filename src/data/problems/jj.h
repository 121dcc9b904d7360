// SPDX-License-Identifier: Apache-2.0
// The JJ format of tau-ARGUS and its solvers: cells by index, then equations (docs/formats.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::problems {

// `notes` receives a sentence for everything that was read differently from what the file says
// (protection levels with more digits than a table can hold are rounded up).
Result<Problem> read_jj(std::string_view text,
                        const std::string& filename,
                        std::vector<std::string>* notes = nullptr);

// Values, weights, status, bounds and the outsider's levels. Codes and frequencies have no place
// in a JJ file and are left out; attackers with knowledge of their own, and levels of cells that
// are not primary, are an error.
Result<std::string> write_jj(const Problem& problem);

}  // namespace lacuna::problems
