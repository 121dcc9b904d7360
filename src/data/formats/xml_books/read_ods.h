// SPDX-License-Identifier: Apache-2.0
// .ods (OpenDocument 1.3 part 3, ISO/IEC 26300: spreadsheets) as grids; see workbook.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/formats/grid.h"
#include "lacuna/result.h"

namespace lacuna::formats {

Result<std::vector<Grid>> read_ods(std::string_view bytes, const std::string& filename);

}  // namespace lacuna::formats
