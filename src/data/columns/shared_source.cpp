// SPDX-License-Identifier: Apache-2.0
#include "data/columns/shared_source.h"

namespace lacuna::columns {
namespace {

class SharedSource : public ColumnSource {
 public:
  explicit SharedSource(std::shared_ptr<ColumnSource> columns) : columns_(std::move(columns)) {}
  const std::vector<ColumnInfo>& columns() const override { return columns_->columns(); }
  Status select(std::span<const std::size_t> columns) override { return columns_->select(columns); }
  Result<std::shared_ptr<const ColumnBatch>> next() override { return columns_->next(); }
  double fraction() const override { return columns_->fraction(); }

 private:
  std::shared_ptr<ColumnSource> columns_;
};

}  // namespace

std::unique_ptr<ColumnSource> shared_source(std::shared_ptr<ColumnSource> columns) {
  return std::make_unique<SharedSource>(std::move(columns));
}

}  // namespace lacuna::columns
