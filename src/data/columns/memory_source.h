// SPDX-License-Identifier: Apache-2.0
// Columns that somebody else holds in memory, delivered as one batch: what data frames of other
// languages have in common. Texts are made of them on any thread.
#pragma once

#include <memory>
#include <vector>

#include "data/columns/column_source.h"

namespace lacuna::columns {

class ColumnsInMemory {
 public:
  virtual ~ColumnsInMemory() = default;
  virtual const std::vector<ColumnInfo>& infos() const = 0;
  virtual std::size_t num_rows() const = 0;
  // As ColumnBatch::texts(), of any column.
  virtual void texts(std::size_t column,
                     RowRange rows,
                     TextArena& arena,
                     std::string_view* target,
                     std::size_t stride) const = 0;
};

// Any number of sources may read the same columns.
std::unique_ptr<ColumnSource> source_in_memory(std::shared_ptr<const ColumnsInMemory> columns);

}  // namespace lacuna::columns
