// SPDX-License-Identifier: Apache-2.0
// Tables, functions and queries of a DuckDB session as columns, and the types that they have.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/columns/column_source.h"
#include "data/columns/duckdb_library.h"
#include "lacuna/result.h"

namespace lacuna::columns {

enum class DuckdbKind { kExact, kTruth, kOther };  // whole numbers and decimals; truths; all others

struct DuckdbColumn {
  std::string name;
  DuckdbKind kind = DuckdbKind::kOther;
};

// `from` is what stands after FROM.
Result<std::vector<DuckdbColumn>> duckdb_columns(const duckdb::Session& session,
                                                 const std::string& from);

// The rows; of the sources of one session one may be read at a time.
Result<std::unique_ptr<ColumnSource>> open_duckdb(std::shared_ptr<const duckdb::Session> session,
                                                  const std::string& from);

}  // namespace lacuna::columns
