// SPDX-License-Identifier: Apache-2.0
// A sheet as a data set of Stata or SPSS; see stat_files.h.
#pragma once

#include <string>

#include "data/files/sheet.h"
#include "data/formats/stat_files.h"
#include "lacuna/result.h"

namespace lacuna::formats {

Result<std::string> write_data_set(const files::Sheet& sheet, StatKind kind);

}  // namespace lacuna::formats
