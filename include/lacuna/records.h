// SPDX-License-Identifier: Apache-2.0
// Where records come from: blocks of text that one thread reads in order and any thread splits
// into fields. The readers of files are in data/problems/microdata.h; RowRecords holds records in
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/export.h"
#include "lacuna/result.h"

namespace LACUNA_API lacuna {

// Some consecutive records. The source fills it; its memory is used again for the next block.
struct RecordBlock {
  std::string bytes;
  std::uint64_t first = 1;               // line of the file, or number of the first record
  std::vector<std::string_view> fields;  // the selected columns, record by record
  std::size_t num_records = 0;
  std::shared_ptr<void> held;  // memory of the source's own that the fields point into
};

class RecordSource {
 public:
  virtual ~RecordSource() = default;
  // Chooses the columns that fields hold, in this order, and goes back to the first record.
  // Errors: a column that does not exist.
  virtual Status select(std::span<const std::string> columns) = 0;
  // The next block, not yet split; false at the end. One thread at a time.
  virtual Result<bool> read(RecordBlock& block) = 0;
  // Fills fields and num_records. Any number of threads, each with its own block.
  virtual Status split(RecordBlock& block) const = 0;
  // The place of a field of a block that has been split, for messages.
  virtual std::string where(const RecordBlock& block,
                            std::size_t record,
                            std::size_t column) const = 0;
  // The share that has been read, in [0, 1].
  virtual double fraction() const = 0;
};

class RowRecords : public RecordSource {
 public:
  // Every row has one field per column.
  RowRecords(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows);
  Status select(std::span<const std::string> columns) override;
  Result<bool> read(RecordBlock& block) override;
  Status split(RecordBlock& block) const override;
  std::string where(const RecordBlock& block,
                    std::size_t record,
                    std::size_t column) const override;
  double fraction() const override;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> selected_;
  std::size_t next_ = 0;
};

}  // namespace lacuna
