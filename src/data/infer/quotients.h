// SPDX-License-Identifier: Apache-2.0
// Columns of a table file that are computed from others: 100 v / v(total), or one column divided by
// another, rounded to the decimals that they are written with. Known by the numbers alone, before
// anything else is known of the table, so that a percentage is not taken for the value. What exactly
// they are, and of how many numbers it is true, is said once the table is read
// (app/load/recognise.h).
#pragma once

#include <cstddef>
#include <vector>

#include "data/files/csv.h"

namespace lacuna::infer {

// Of the candidates those that are quotients of others of the candidates and bases, which are
// columns of numbers.
std::vector<std::size_t> quotient_columns(const files::CsvFile& file,
                                          const std::vector<std::size_t>& dimensions,
                                          const std::vector<std::size_t>& candidates,
                                          const std::vector<std::size_t>& bases);

}  // namespace lacuna::infer
