// SPDX-License-Identifier: Apache-2.0
// The release as it may leave the house, as a file of columns: codes, value, state, and where some
// cell has them lower, upper, base and steps; numbers as whole numbers or decimals with the table's
// digits. The file's key-values say the format, the decimals, and title, method and date if they
// are said at all. One table per file.
#pragma once

#include <string>

#include "data/columns/output_table.h"
#include "data/publish/release_formats.h"
#include "lacuna/result.h"

namespace lacuna::publish {

Result<columns::OutputTable> public_columns(const PublicRelease& release);
Result<std::string> public_parquet(const PublicRelease& release);
Result<std::string> public_arrow(const PublicRelease& release);

}  // namespace lacuna::publish
