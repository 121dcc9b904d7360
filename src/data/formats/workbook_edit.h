// SPDX-License-Identifier: Apache-2.0
// The same .xlsx again with some cells replaced and nothing else touched. What a reader sees is what
// was judged and nothing besides: a replaced formula goes, and whatever else in the file may keep
// an old number (formulas with stored results, shared strings, pivot tables, charts, external
// links, thumbnails) is refused, or removed where nothing is lost.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "lacuna/result.h"

namespace lacuna::formats {

struct CellEdit {
  std::string sheet;           // Grid::name
  std::size_t row = 0;         // of the sheet, from 0
  std::size_t column = 0;      // of the sheet, from 0
  std::string text;            // empty: the cell loses its content and keeps its style
  bool is_number = false;      // then `text` is a number with a point and without exponent
};

// The cells of `edits` say what they hold from now on; a cell that is to stay is named too, with
// what it shows now, and is then not touched if it does. `edits` names every cell of the workbook
// whose number was judged: a formula that is none of them may show a number that follows from what
// is now withheld, and is an error. Errors: no .xlsx; no such sheet; two edits of one cell; a number
// that a double cannot hold; a formula that is not among the edits; a part that may keep old numbers.
Result<std::string> edit_workbook(std::string_view bytes,
                                  std::span<const CellEdit> edits,
                                  const std::string& filename);

}  // namespace lacuna::formats
