// SPDX-License-Identifier: Apache-2.0
// .xls (Microsoft, MS-XLS: BIFF8 of Excel 97 to 2003; BIFF5 of Excel 5 and 95) as grids; see
// workbook.h.
//
// An own reader: FreeXL, the library for it in Debian, tells neither which sheets are hidden nor
// which cells are merged, gives errors as empty cells, and takes dates in number formats that a
// user has made for plain numbers; and it is C that was not written for files of strangers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/formats/grid.h"
#include "lacuna/result.h"

namespace lacuna::formats {

Result<std::vector<Grid>> read_xls(std::string_view bytes, const std::string& filename);

}  // namespace lacuna::formats
