// SPDX-License-Identifier: Apache-2.0
// The same .xlsx again with some cells replaced and nothing else touched: every other member of the
// archive stays byte for byte, and in the XML of a sheet everything but these cells. A reader must
// find what was judged and nothing from before: replaced formulas go, texts that only replaced
// cells had go from the list of shared texts, and so do the caches of charts, the chain of
// calculation and the preview picture. What may keep old numbers and cannot be cleaned is an error
// that names it: formulas that were not judged, pivot tables, links to other files, queries,
// macros, embedded files, hidden sheets with numbers, comments with digits, and any number of a
// withheld cell that still stands elsewhere.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::formats {

struct CellEdit {
  std::string sheet;       // Grid::name
  std::size_t row = 0;     // of the sheet, from 0
  std::size_t column = 0;  // of the sheet, from 0
  std::string text;        // empty: the cell loses its content and keeps its style
  bool is_number = false;  // then `text` is a number with a point and without exponent
};

struct EditedWorkbook {
  std::string bytes;
  // What was not judged and is as it was: "sheet Notes: 12 numbers were not judged (first: B3)".
  std::vector<std::string> notes;
};

// `edits` names every cell that was judged, with what it shows from now on; one that shows it
// already and has no formula is not touched. The number that a cell showed before, and does not show
// any more, must not be found elsewhere. Errors: no .xlsx, no such sheet, two edits of one cell, a
// number that a double cannot hold exactly, and all of the above.
Result<EditedWorkbook> edit_workbook(std::string_view bytes,
                                     std::span<const CellEdit> edits,
                                     const std::string& filename);

}  // namespace lacuna::formats
