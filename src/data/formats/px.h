// SPDX-License-Identifier: Apache-2.0
// PX files (PC-Axis; "PX-file format specification", AXIS-VERSION 2013, Statistics Sweden), which
// PxWeb and its kin write: entries KEYWORD[language]("subkey")=values; and behind DATA the cells of
// the cross of the variables, those of STUB before those of HEADING, the last one fastest.
//
// The grid has a row per cell: a column of codes per variable (of its values where there are no
// codes), "<variable> label" beside it where codes and values differ, and `value`. Dots and dashes
// stay as they are, and `signs` says what the file says of them (DATASYMBOL1 to 6, NIL, SUM), or
// what agency_signs.h knows. Of several languages the main one is read. Totals are those that
// HIERARCHIES and ELIMINATION name. Rows that a file with KEYS leaves out are zeros, as the format
// has it. DATANOTECELL and ATTRIBUTES become columns.
//
// Where we differ: any quoted or bare field of DATA may be a sign, and ":" is one besides. Texts
// beyond 256 characters are read. What CONFIDENTIAL would change is said in a note, not changed.
#pragma once

#include <string>
#include <string_view>

#include "data/formats/grid.h"
#include "lacuna/result.h"

namespace lacuna::formats {

bool is_px(std::string_view bytes);  // by the first entry

// Errors: file, line and column of what is wrong.
Result<Grid> read_px(std::string_view bytes, const std::string& filename);

}  // namespace lacuna::formats
