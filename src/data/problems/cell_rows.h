// SPDX-License-Identifier: Apache-2.0
// Which cell of a table each row of a CSV file is about: by a column `cell` with its index, or by
// one column per dimension with its code.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "data/files/csv.h"
#include "data/files/sheet.h"
#include "data/problems/cell_index.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::problems {

class CellRows {
 public:
  // Keeps references to both. `others` are the columns that the file may have besides. Errors: a
  // column that is missing, or that nobody knows.
  // With a view, dimensions that it does not have stand at their totals.
  static Result<CellRows> of(const files::CsvFile& file,
                             const Table& table,
                             std::span<const std::string_view> others,
                             const files::TableView* view = nullptr);

  Result<CellId> cell(std::size_t row);  // errors: no such cell, or a row before had it

 private:
  CellRows(const files::CsvFile& file, const Table& table)
      : file_(&file), table_(&table), seen_(static_cast<std::size_t>(table.num_cells()), false) {}
  Status find_columns(std::span<const std::string_view> others, const files::TableView* view);
  Result<CellId> find(std::size_t row) const;

  const files::CsvFile* file_;
  const Table* table_;
  bool by_index_ = false;
  static constexpr std::size_t kTotal = static_cast<std::size_t>(-1);
  std::vector<std::size_t> key_columns_;  // of each dimension; kTotal: none, it is at its total
  std::optional<CellIndex> cells_;        // unless rows go by index
  std::vector<bool> seen_;
};

}  // namespace lacuna::problems
