// SPDX-License-Identifier: Apache-2.0
#include "app/load/population.h"

#include <algorithm>

#include "core/base/decimal.h"
#include "core/base/text.h"
#include "data/problems/cell_index.h"

namespace lacuna::load {
namespace {

using Codes = std::vector<std::int32_t>;

Result<Units> number_at(const files::CsvFile& file, std::size_t row, std::size_t column) {
  const auto number = base::parse_units(file.field(row, column), 0);
  if (!number || *number < 1)
    return file.error(row, column, "a population must be a whole number from 1 on");
  return *number;
}

}  // namespace

std::vector<std::optional<CellId>> cells_of_rows(const files::CsvFile& file, const Table& table) {
  std::vector<std::size_t> columns;
  for (const Dimension& dimension : table.dimensions()) {
    columns.push_back(file.find_column(dimension.name()));
    if (columns.back() == file.num_columns())
      return {};
  }
  const problems::CellIndex index(table);
  std::vector<std::optional<CellId>> cells;
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    std::vector<std::string_view> codes;
    for (std::size_t d = 0; d < columns.size(); ++d) {
      const Dimension& dimension = table.dimensions()[d];
      const std::string_view code = file.field(r, columns[d]);
      const bool is_total = dimension.find(code) < 0 && base::trimmed(code).empty();
      codes.push_back(is_total ? std::string_view(dimension.code(dimension.total())) : code);
    }
    cells.push_back(index.find(codes));
  }
  return cells;
}

Result<Population> population_of_file(const files::CsvFile& file, const Table& table) {
  Population population;
  std::vector<std::size_t> columns;
  for (std::size_t d = 0; d < table.dimensions().size(); ++d) {
    const std::size_t column = file.find_column(table.dimensions()[d].name());
    if (column == file.num_columns())
      continue;
    population.dimensions.push_back(d);
    columns.push_back(column);
  }
  if (columns.size() + 1 != file.num_columns())
    return Error{ErrorCode::kMissingColumn,
                 "the file of the population needs columns with the names of dimensions and one "
                 "more with the numbers",
                 file.where_header()};
  std::size_t numbers = 0;
  while (std::find(columns.begin(), columns.end(), numbers) != columns.end())
    ++numbers;
  for (std::size_t row = 0; row < file.num_rows(); ++row) {
    Codes key;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Dimension& dimension = table.dimensions()[population.dimensions[i]];
      key.push_back(dimension.find(file.field(row, columns[i])));
    }
    LACUNA_TRY(const Units number, number_at(file, row, numbers));
    if (std::find(key.begin(), key.end(), -1) == key.end())
      population.numbers[key] = number;
  }
  return population;
}

Result<Population> population_of_column(const files::CsvFile& file,
                                        std::size_t column,
                                        const Table& table) {
  Population population;
  for (std::size_t d = 0; d < table.dimensions().size(); ++d)
    population.dimensions.push_back(d);
  const std::vector<std::optional<CellId>> cells = cells_of_rows(file, table);
  for (std::size_t row = 0; row < cells.size(); ++row) {
    if (!cells[row])
      continue;
    const auto codes = table.codes(*cells[row]);
    LACUNA_TRY(population.numbers[Codes(codes.begin(), codes.end())],
               number_at(file, row, column));
  }
  return population;
}

}  // namespace lacuna::load
