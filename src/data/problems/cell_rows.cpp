// SPDX-License-Identifier: Apache-2.0
#include "data/problems/cell_rows.h"

#include <algorithm>
#include <charconv>

#include "core/base/confidential.h"
#include "core/base/nearest.h"

namespace lacuna::problems {

Result<CellRows> CellRows::of(const files::CsvFile& file,
                              const Table& table,
                              std::span<const std::string_view> others,
                              const files::TableView* view) {
  CellRows rows(file, table);
  LACUNA_RETURN_IF_ERROR(rows.find_columns(others, view));
  if (!rows.by_index_)
    rows.cells_.emplace(table);
  return rows;
}

Status CellRows::find_columns(std::span<const std::string_view> others,
                              const files::TableView* view) {
  const auto header_error = [&](std::string message) {
    return Error{ErrorCode::kMissingColumn, std::move(message), file_->where_header()};
  };
  by_index_ = file_->find_column("cell") < file_->num_columns();
  std::vector<std::string_view> known(others.begin(), others.end());
  if (by_index_)
    known.push_back("cell");
  for (std::size_t d = 0; d < table_->dimensions().size(); ++d) {
    if (view != nullptr && !view->has(d)) {
      key_columns_.push_back(kTotal);
      continue;
    }
    const Dimension& dimension = table_->dimensions()[d];
    const std::size_t column = file_->find_column(dimension.name());
    known.push_back(dimension.name());
    key_columns_.push_back(column);
    if (!by_index_ && column == file_->num_columns())
      return header_error("there is no column '" + std::string(dimension.name()) + "', nor 'cell'");
  }
  if (!by_index_ && key_columns_.empty())
    return header_error("the table has no codes: a column 'cell' is needed");
  for (std::size_t c = 0; c < file_->num_columns(); ++c) {
    const std::string name(file_->header(c));
    if (std::find(known.begin(), known.end(), name) == known.end())
      return header_error("unknown column " + base::strange_field_in_quotes(name) +
                          base::did_you_mean(name, known));
  }
  return ok_status();
}

Result<CellId> CellRows::find(std::size_t row) const {
  if (by_index_) {
    const std::size_t column = file_->find_column("cell");
    const std::string_view text = file_->field(row, column);
    std::int32_t index = -1;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), index);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || index < 0 ||
        index >= table_->num_cells())
      return file_->error(
          row, column, "there is no cell " + base::confidential(base::in_quotes(text)));
    return CellId{index};
  }
  std::vector<std::string_view> key;
  for (std::size_t d = 0; d < key_columns_.size(); ++d) {
    const Dimension& dimension = table_->dimensions()[d];
    key.push_back(key_columns_[d] == kTotal ? std::string_view(dimension.code(dimension.total()))
                                            : file_->field(row, key_columns_[d]));
  }
  const std::optional<CellId> found = cells_->find(key);
  if (!found)
    return file_->error(row, 0, "the table has no cell with these codes");
  return *found;
}

Result<CellId> CellRows::cell(std::size_t row) {
  LACUNA_TRY(const CellId found, find(row));
  const auto index = static_cast<std::size_t>(found.value);
  if (seen_[index])
    return file_->error(row, 0, "the cell is listed twice");
  seen_[index] = true;
  return found;
}

}  // namespace lacuna::problems
