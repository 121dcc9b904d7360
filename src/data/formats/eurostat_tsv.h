// SPDX-License-Identifier: Apache-2.0
// Eurostat's tab-separated files (bulk download and TSV of the API: "TSV data format", Eurostat):
// the first column has the codes of all dimensions but the last, joined by commas, and its header
// their names, then a backslash and the name of the dimension whose codes are the other columns
// ("freq,unit,geo\TIME_PERIOD", of old "unit,geo\time").
//
// The grid has a row per cell: a column per dimension, `value`, `CONF_STATUS` where some cell has
// a flag of confidentiality ("12 c" until 2025, "12 p@C" since then), and `OBS_STATUS` where some
// cell has any other. ":" is a sign: absent; that of a cell with a confidentiality is withheld. The
// frequency is left out where it is one code, and a note says so.
#pragma once

#include <string>
#include <string_view>

#include "data/formats/grid.h"
#include "lacuna/result.h"

namespace lacuna::formats {

bool is_eurostat_tsv(std::string_view bytes);  // by the header

Result<Grid> read_eurostat_tsv(std::string_view bytes, const std::string& filename);

}  // namespace lacuna::formats
