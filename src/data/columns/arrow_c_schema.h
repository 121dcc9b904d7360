// SPDX-License-Identifier: Apache-2.0
// The columns of a table that another program describes by Arrow's C data interface, where the type
// of a column is a text ("u", "d:18,2").
#pragma once

#include <vector>

#include "data/columns/arrow_c_data.h"
#include "data/columns/arrow_schema.h"
#include "data/columns/column_source.h"
#include "lacuna/result.h"

namespace lacuna::columns {

struct ArrowCSchema {
  std::vector<ArrowField> fields;
  std::vector<ColumnInfo> columns;  // the same ones
};

Result<ArrowCSchema> read_c_schema(const ArrowSchema& schema);

}  // namespace lacuna::columns
