// SPDX-License-Identifier: Apache-2.0
// A table of output handed to other programs in memory (pandas, polars, DuckDB, pyarrow), by
// Arrow's C stream interface.
#pragma once

#include "data/columns/arrow_c_data.h"
#include "data/columns/output_table.h"

namespace lacuna::columns {

// A stream of one batch, which belongs to whoever reads it and is independent of everything else.
// Texts that repeat are a dictionary with numbers of 32 bits, whole numbers have 64 bits, others
// are decimals of 128 bits.
void export_stream(const OutputTable& table, ArrowArrayStream& target);

}  // namespace lacuna::columns
