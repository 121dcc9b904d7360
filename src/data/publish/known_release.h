// SPDX-License-Identifier: Apache-2.0
// A release of another table over the same units, read for what it tells: a table as anyone
// publishes it (.csv), or a public file of ours (.csv, .json). Its columns are told by the names of
// the dimensions; a dimension without a column stands at its total.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/table/atoms.h"
#include "lacuna/dimension.h"
#include "lacuna/result.h"

namespace lacuna::publish {

// What it says of its cells; nothing of those that are withheld. Errors carry the place: no column
// of a dimension, a code that the dimension does not have, a cell that is listed twice, adjusted
// numbers, which give no bounds.
Result<std::vector<table::KnownCell>> read_known_release(std::string text,
                                                         const std::string& filename,
                                                         std::span<const Dimension> dimensions,
                                                         int decimals);

// The same of a table without codes, whose public .csv names cells by their numbers in the column
// `cell`: by cell, no bounds where it says nothing. Errors: other numbers than those of the table,
// whose cells are `cells`.
Result<std::vector<Bounds>> read_numbered_release(std::string text,
                                                  const std::string& filename,
                                                  std::int32_t cells,
                                                  int decimals);

}  // namespace lacuna::publish
