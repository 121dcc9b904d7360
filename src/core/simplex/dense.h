// SPDX-License-Identifier: Apache-2.0
// The two loops in which the simplex method spends its time, for short dense rows. Element by
// element the same operations in the same order whatever the machine: wider registers change the
// speed, not the result.
#pragma once

#include <cstddef>

namespace lacuna::simplex {

// y[i] -= factor * x[i]
using SubtractMultiple = void (*)(double* y, const double* x, double factor, std::size_t size);
extern const SubtractMultiple subtract_multiple;

using SquaredLength = double (*)(const double* x, std::size_t size);
extern const SquaredLength squared_length;

}  // namespace lacuna::simplex
