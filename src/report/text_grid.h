// SPDX-License-Identifier: Apache-2.0
// A small table as text for a terminal: rows are the tree of the first dimension, columns that of
// the second, one grid for each combination of the others; a table without codes is a list.
#pragma once

#include <cstdint>
#include <string>

#include "lacuna/draft.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::inline report {

struct TextGridOptions {
  bool color = false;        // with the colours of a terminal
  bool sensitive = false;    // mark primaries with *
  std::int64_t most = 2000;  // cells; more is an error that names the report
};

// What is published of each cell: × withheld, [10, 20] interval, ≈ rounded, ~ altered. An empty
// draft shows the true table.
Result<std::string> text_grid(const Table& table,
                              const Draft& draft,
                              const TextGridOptions& options);

}  // namespace lacuna::inline report
