// SPDX-License-Identifier: Apache-2.0
// Tables that other programs hand over in memory (pandas, polars, DuckDB, pyarrow), by Arrow's C
// stream interface. Nothing is copied: the batches stay with their owner's memory until the source
// and all that it gave are gone.
//
// The interface does not tell how long a buffer is. So that far a producer is trusted; lengths,
// offsets, missing buffers and numbers of dictionary entries are checked.
#pragma once

#include <memory>

#include "data/columns/arrow_c_data.h"
#include "data/columns/column_source.h"
#include "lacuna/result.h"

namespace lacuna::columns {

struct ArrowStreamOptions {
  bool nan_is_null = true;  // pandas writes missing numbers so
};

// Takes the stream over, also if it cannot be read: `stream` is empty afterwards. Batches are kept
// when they have been read, so that select() can go back to the first row.
Result<std::unique_ptr<ColumnSource>> columns_of_stream(ArrowArrayStream& stream,
                                                        const ArrowStreamOptions& options = {});

}  // namespace lacuna::columns
