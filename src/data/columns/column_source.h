// SPDX-License-Identifier: Apache-2.0
// Files that hold columns of typed values (Parquet, Arrow), delivered as text: whole numbers and
// decimals exactly, floating-point numbers as the shortest text that reads back as the same number,
// TRUE and FALSE, dates as 2026-11-16, and nothing for a null. Rows come in batches, in the file's
// order; any thread may turn any part of a batch into text.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/columns/text_arena.h"
#include "lacuna/result.h"

namespace lacuna::columns {

struct ColumnInfo {
  std::string name;
  std::string unreadable;  // "holds lists": why it has no text; empty if it has
};

struct ColumnTrouble {
  std::size_t row = 0;  // of the batch
  std::string message;
};

struct RowRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

class ColumnBatch {
 public:
  virtual ~ColumnBatch() = default;
  virtual std::size_t num_rows() const = 0;
  // The texts of some rows of the n-th selected column, at target[0], target[stride], ... They live
  // as long as the batch and the arena.
  virtual std::optional<ColumnTrouble> texts(std::size_t column,
                                             RowRange rows,
                                             TextArena& arena,
                                             std::string_view* target,
                                             std::size_t stride) const = 0;
};

class ColumnSource {
 public:
  virtual ~ColumnSource() = default;
  virtual const std::vector<ColumnInfo>& columns() const = 0;
  // Chooses columns that are readable, by their numbers, and goes back to the first row.
  virtual Status select(std::span<const std::size_t> columns) = 0;
  // The next rows, or null at the end.
  virtual Result<std::shared_ptr<const ColumnBatch>> next() = 0;
  virtual double fraction() const = 0;  // of the file that has been read, in [0, 1]
};

}  // namespace lacuna::columns
