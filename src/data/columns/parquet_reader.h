// SPDX-License-Identifier: Apache-2.0
// Parquet files read by DuckDB: one SELECT of the columns that are wanted, its rows fetched in the
// file's order while the library goes on reading.
#pragma once

#include <memory>
#include <string>

#include "data/columns/column_source.h"
#include "lacuna/result.h"

namespace lacuna::columns {

Result<std::unique_ptr<ColumnSource>> open_parquet(const std::string& path, int threads);

}  // namespace lacuna::columns
