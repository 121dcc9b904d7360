// SPDX-License-Identifier: Apache-2.0
#include "data/columns/memory_source.h"

namespace lacuna::columns {
namespace {

class MemoryBatch : public ColumnBatch {
 public:
  MemoryBatch(std::shared_ptr<const ColumnsInMemory> columns, std::vector<std::size_t> selected)
      : columns_(std::move(columns)), selected_(std::move(selected)) {}
  std::size_t num_rows() const override { return columns_->num_rows(); }
  std::optional<ColumnTrouble> texts(std::size_t column,
                                     RowRange rows,
                                     TextArena& arena,
                                     std::string_view* target,
                                     std::size_t stride) const override {
    columns_->texts(selected_[column], rows, arena, target, stride);
    return std::nullopt;
  }

 private:
  std::shared_ptr<const ColumnsInMemory> columns_;
  std::vector<std::size_t> selected_;
};

class MemorySource : public ColumnSource {
 public:
  explicit MemorySource(std::shared_ptr<const ColumnsInMemory> columns)
      : columns_(std::move(columns)) {}
  const std::vector<ColumnInfo>& columns() const override { return columns_->infos(); }
  Status select(std::span<const std::size_t> columns) override {
    selected_.assign(columns.begin(), columns.end());
    done_ = false;
    return ok_status();
  }
  Result<std::shared_ptr<const ColumnBatch>> next() override {
    if (done_)
      return std::shared_ptr<const ColumnBatch>();
    done_ = true;
    return std::shared_ptr<const ColumnBatch>(std::make_shared<MemoryBatch>(columns_, selected_));
  }
  double fraction() const override { return done_ ? 1 : 0; }

 private:
  std::shared_ptr<const ColumnsInMemory> columns_;
  std::vector<std::size_t> selected_;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<ColumnSource> source_in_memory(std::shared_ptr<const ColumnsInMemory> columns) {
  return std::make_unique<MemorySource>(std::move(columns));
}

}  // namespace lacuna::columns
