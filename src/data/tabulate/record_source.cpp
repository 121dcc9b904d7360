// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/check.h"
#include "lacuna/records.h"

namespace lacuna {
namespace {

constexpr std::size_t kRowsPerBlock = 256;

}  // namespace

RowRecords::RowRecords(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows)
    : columns_(std::move(columns)), rows_(std::move(rows)) {
  for (const auto& row : rows_)
    LACUNA_CHECK(row.size() == columns_.size());
}

Status RowRecords::select(std::span<const std::string> columns) {
  selected_.clear();
  next_ = 0;
  for (const std::string& name : columns) {
    const auto at = std::find(columns_.begin(), columns_.end(), name);
    if (at == columns_.end())
      return Error{
          ErrorCode::kMissingColumn, "the records have no column '" + name + "'", "records"};
    selected_.push_back(static_cast<std::size_t>(at - columns_.begin()));
  }
  return ok_status();
}

Result<bool> RowRecords::read(RecordBlock& block) {
  block.first = next_ + 1;
  block.num_records = std::min(kRowsPerBlock, rows_.size() - next_);
  next_ += block.num_records;
  return block.num_records > 0;
}

Status RowRecords::split(RecordBlock& block) const {
  block.fields.clear();
  for (std::size_t i = 0; i < block.num_records; ++i) {
    const auto& row = rows_[static_cast<std::size_t>(block.first) - 1 + i];
    for (const std::size_t column : selected_)
      block.fields.push_back(row[column]);
  }
  return ok_status();
}

std::string RowRecords::where(const RecordBlock& block,
                              std::size_t record,
                              std::size_t column) const {
  return "record " + std::to_string(block.first + record) + ", column " +
         columns_[selected_[column]];
}

double RowRecords::fraction() const {
  return rows_.empty() ? 1.0 : static_cast<double>(next_) / static_cast<double>(rows_.size());
}

}  // namespace lacuna
