// SPDX-License-Identifier: Apache-2.0
// Workbooks of spreadsheet programs, read into one grid per sheet: .xlsx (ECMA-376, ISO 29500),
// .ods (OpenDocument 1.3, ISO 26300) and .xls (Excel 97 to 2003, BIFF8; also Excel 5 and 95), known
// by their content. Taken are the values as they are stored: of a formula its stored result, of an
// error the sign that is shown (#N/A), of a date in the number format of a date 2026-11-16. A
// formula without a stored result is its own text (=SUM(B2:B6)), so that nobody takes it for an
// empty cell. Styles, charts, comments and macros are not taken.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/formats/grid.h"
#include "lacuna/result.h"

namespace lacuna::formats {

// All sheets that hold cells, hidden ones as well (Grid::is_hidden), in the order of the workbook;
// charts and empty sheets are left out. Errors: not a workbook, encrypted, .xlsb, damaged, larger
// unpacked than any table is, no cell in any sheet, a build without the library for XML.
Result<std::vector<Grid>> read_workbook(std::string_view bytes, const std::string& filename);

// Whether workbooks of XML (.xlsx, .ods) can be read by this build; .xls always can.
bool reads_xml_workbooks();

}  // namespace lacuna::formats
