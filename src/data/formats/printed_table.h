// SPDX-License-Identifier: Apache-2.0
// Tables as statistics programs print them into logs and text files: data frames and cross tables
// of pandas, tables, xtabs, ftable and data frames of R, tabulate of Stata. The columns of such a
// text are told by blanks and bars; what cannot be told is no table here.
//
//   sex     F   M  All            sex                     |        sex
//   region                region    F   M          region |   F    M |   Total
//   North  12  34   46      North  12  34       ----------+----------+--------
//   All    17  40   57      South   5   6            North |  12   34 |      46
//        pandas                   R                          Stata
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/formats/grid.h"

namespace lacuna::formats {

// The tables of a text, in their order; blank lines and other text may stand around them. Every
// grid has a heading and codes in every row. `first_row` is the line of its heading, from 0.
std::vector<Grid> printed_tables(std::string_view text, const std::string& filename);

}  // namespace lacuna::formats
