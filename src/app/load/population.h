// SPDX-License-Identifier: Apache-2.0
// The public numbers by which rates are divided (docs/derived.md), such as inhabitants: a file with
// columns of dimensions and one of whole numbers, or a column of the table's own file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "data/files/csv.h"
#include "lacuna/result.h"
#include "lacuna/table.h"
#include "lacuna/units.h"

namespace lacuna::load {

// By its codes, in the order of the dimensions that its file has.
struct Population {
  std::vector<std::size_t> dimensions;
  std::map<std::vector<std::int32_t>, Units> numbers;
};

// Of every row of a file its cell; empty if the file has no column for some dimension.
std::vector<std::optional<CellId>> cells_of_rows(const files::CsvFile& file, const Table& table);

// A file of its own. Errors: other columns; numbers that are not whole or below 1.
Result<Population> population_of_file(const files::CsvFile& file, const Table& table);

// A column of a file of the table. Errors: as above.
Result<Population> population_of_column(const files::CsvFile& file,
                                        std::size_t column,
                                        const Table& table);

}  // namespace lacuna::load
