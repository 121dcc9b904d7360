// SPDX-License-Identifier: Apache-2.0
// The lossless format of a problem: everything, all table numbers as whole units (docs/formats.md).
#pragma once

#include <string>
#include <string_view>

#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::problems {

inline constexpr std::string_view kProblemFormat = "lacuna-problem-1";

// Syntax errors carry file:line:column, all others file:path such as "t.json:cells[3].value".
Result<Problem> read_problem_json(std::string_view text, const std::string& filename);
std::string write_problem_json(const Problem& problem);

// The words of the "status" member: free, primary, withheld, published, known.
std::string_view to_string(CellStatus status);

}  // namespace lacuna::problems
