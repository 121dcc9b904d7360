// SPDX-License-Identifier: Apache-2.0
// Exact solution of square sparse systems A x = b with small integer coefficients: rows and columns
// with a single entry are peeled off (in a network everything is), and what remains, the bump, is
// eliminated in rationals with a Markowitz choice of pivots.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace lacuna::base {

struct SparseEntry {
  std::int32_t column = 0;
  std::int32_t coefficient = 0;
};
using SparseRows = std::vector<std::vector<SparseEntry>>;

SparseRows transpose(const SparseRows& rows, std::int32_t num_columns);

// x with A x = b, or nothing if A is singular. A has as many rows as columns.
std::optional<std::vector<mpq_class>> solve_exactly(const SparseRows& rows,
                                                    const std::vector<mpq_class>& rhs);

}  // namespace lacuna::base
