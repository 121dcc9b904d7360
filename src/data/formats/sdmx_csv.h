// SPDX-License-Identifier: Apache-2.0
// SDMX-CSV 1.0 (first column DATAFLOW) and 2.0 (STRUCTURE, STRUCTURE_ID, ACTION), messages of data
// as sdmx-twg/sdmx-csv defines them: one row per observation, a column per component of the
// structure. The file does not say which columns are dimensions: 1.0 and 2.0 have them before
// OBS_VALUE and attributes behind it, and sdmx_names.h knows attributes by their standard names
// wherever they stand. "CODE: Label" (labels=both) becomes a column of codes and one of labels; the
// same of the names in the header.
//
// FREQ and any other dimension of the concept frequency is left out where it is one value, and a
// note says which; UNIT_MULT of one value is the scale of the grid. NaN is a sign: absent.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/formats/grid.h"
#include "lacuna/result.h"

namespace lacuna::formats {

bool is_sdmx_csv(std::string_view bytes);  // by the header

// A grid per structure that the file names, in their order.
Result<std::vector<Grid>> read_sdmx_csv(std::string_view bytes, const std::string& filename);

}  // namespace lacuna::formats
