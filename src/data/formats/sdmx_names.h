// SPDX-License-Identifier: Apache-2.0
// Components of SDMX by their standard names: the cross-domain concepts of the SDMX
// content-oriented guidelines (annex 1) and the attributes of the global structure definitions;
// OBS_FLAG is Eurostat's name of the observation status.
#pragma once

#include <string>
#include <string_view>

#include "data/formats/grid.h"

namespace lacuna::formats {

bool is_time_name(std::string_view name);       // TIME_PERIOD, time
bool is_frequency_name(std::string_view name);  // FREQ, freq
bool is_value_name(std::string_view name);      // OBS_VALUE
// A component that is never a dimension, wherever it stands: OBS_STATUS, UNIT_MULT, DECIMALS, ...
bool is_attribute_name(std::string_view name);
// Confidentiality, observation status, or a note.
ColumnRole role_of_attribute(std::string_view name);

// Flags as Eurostat writes them together: "bec" until 2025, where c is the confidentiality, and
// "be@C" since then; C, N and P are of confidentiality without the sign, too.
struct SplitFlags {
  std::string observation, confidentiality;
};
SplitFlags split_flags(std::string_view flags);

// What columns say of the whole: a frequency of one value is left out with a note, UNIT_MULT and
// DECIMALS of one value are scale and decimals of the grid, UNIT_MEASURE (an attribute) its unit,
// TITLE its title. Columns of attributes without any text are left out.
void settle_sdmx(Grid& grid);
void leave_out_frequency(Grid& grid);  // the first of these alone

// A column of flags that holds confidentiality besides (Eurostat until 2025: c among OBS_FLAG)
// becomes two, unless there is one of confidentiality already.
void split_flag_column(Grid& grid);

void remove_column(Grid& grid, std::size_t column);
// The one text of a column, or absent as an empty text; `same` says whether all rows have it.
std::string only_text(const Grid& grid, std::size_t column, bool& same);

}  // namespace lacuna::formats
