// SPDX-License-Identifier: Apache-2.0
// .xlsx (ECMA-376 part 1, SpreadsheetML, transitional and strict) as grids; see workbook.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/formats/grid.h"
#include "lacuna/result.h"

namespace lacuna::formats {

Result<std::vector<Grid>> read_xlsx(std::string_view bytes, const std::string& filename);

}  // namespace lacuna::formats
