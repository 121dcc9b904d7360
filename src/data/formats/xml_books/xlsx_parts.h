// SPDX-License-Identifier: Apache-2.0
// The parts of an .xlsx and how they hang together (ECMA-376 part 2: packages; part 1, 12: parts of
// a workbook), for the reader and for the editor.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/files/zip_reader.h"
#include "data/formats/sheet_cells.h"
#include "data/formats/xml_books/xml.h"
#include "lacuna/result.h"

namespace lacuna::formats {

struct Relationship {
  std::string id, type;  // the last word of the type: "worksheet", "sharedStrings"
  std::string target;    // name of the member; of what is outside the file its address
  bool is_external = false;
};

struct XlsxSheet {
  std::string name, part;
  bool is_hidden = false;
};

struct XlsxParts {
  std::string workbook;  // name of the part
  std::vector<Relationship> links;
  std::vector<XlsxSheet> sheets;  // with cells: no charts, no dialogs
  bool from_1904 = false;
  bool computes_on_load = false;                     // stored results of formulas need not be any
  std::string part_of(std::string_view type) const;  // empty if there is none
};

// Of a part; none if it has no list.
Result<std::vector<Relationship>> relationships_of(files::ZipReader& zip,
                                                   const std::string& part,
                                                   const std::string& filename);
Result<XlsxParts> read_parts(files::ZipReader& zip, const std::string& filename);

// Number formats by the style of a cell (s="3").
Result<std::vector<NumberFormat>> read_styles(files::ZipReader& zip,
                                              const XlsxParts& parts,
                                              const std::string& filename);

// The text of <si> or <is>: its runs without the reading of Chinese characters, _x000D_ read.
std::string rich_text(pugi::xml_node item);
Result<std::vector<std::string>> read_shared_strings(files::ZipReader& zip,
                                                     const XlsxParts& parts,
                                                     const std::string& filename);

// "B7" as row 6 and column 1; false if it is no such place.
bool read_place(std::string_view text, std::uint64_t& row, std::uint64_t& column);

// The cells of <sheetData> with their places, which a cell need not have; `visit(cell, row,
// column)` returns a Status.
template <class Visit>
Status each_cell(pugi::xml_node sheet_data, const std::string& where, Visit visit) {
  std::uint64_t next_row = 0;
  for (pugi::xml_node row = sheet_data.first_child(); row; row = row.next_sibling()) {
    if (!is_named(row, "row"))
      continue;
    const std::uint64_t at = whole_number(attribute_of(row, "r"), next_row + 1) - 1;
    next_row = at + 1;
    std::uint64_t next_column = 0;
    for (pugi::xml_node cell = row.first_child(); cell; cell = cell.next_sibling()) {
      if (!is_named(cell, "c"))
        continue;
      std::uint64_t r = at, c = next_column;
      const std::string_view place = attribute_of(cell, "r");
      if (!place.empty() && (!read_place(place, r, c) || r != at))
        return Error{ErrorCode::kDamaged,
                     "the workbook is damaged: a cell of row " + std::to_string(at + 1) +
                         " says that it is " + std::string(place.substr(0, 20)),
                     where};
      next_column = c + 1;
      LACUNA_RETURN_IF_ERROR(visit(cell, r, c));
    }
  }
  return ok_status();
}

}  // namespace lacuna::formats
