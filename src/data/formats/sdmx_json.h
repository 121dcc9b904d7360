// SPDX-License-Identifier: Apache-2.0
// SDMX-JSON data messages 1.0 and 2.0 (sdmx-twg/sdmx-json): `dataSets` with `series` (keys
// "0:1:0", observations below) or flat `observations`, and the `structure` (1.0) or `structures`
// (2.0) that give the numbers of a key their codes. Attributes of data set, series and observation
// become columns. What is said of columns, FREQ and UNIT_MULT in sdmx_csv.h holds here as well.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/formats/grid.h"
#include "lacuna/result.h"

namespace lacuna::formats {

bool is_sdmx_json(std::string_view bytes);

// A grid per data set.
Result<std::vector<Grid>> read_sdmx_json(std::string_view bytes, const std::string& filename);

}  // namespace lacuna::formats
