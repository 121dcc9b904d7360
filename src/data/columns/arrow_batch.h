// SPDX-License-Identifier: Apache-2.0
// The rows of one record batch of an Arrow file. What the metadata say of lengths and places is
// checked when the batch is made; offsets, indices and text when they are used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/columns/arrow_column.h"
#include "data/columns/arrow_schema.h"
#include "data/columns/column_source.h"
#include "data/columns/flatbuffer.h"
#include "lacuna/result.h"

namespace lacuna::columns {

using ArrowDictionaries = std::map<std::int64_t, std::shared_ptr<const ArrowTexts>>;

class ArrowBatch : public ColumnBatch {
 public:
  // `selected` are numbers of fields; `body` is what follows the metadata of the message. The
  // fields must outlive the batch.
  static Result<std::shared_ptr<const ArrowBatch>> make(const FlatTable& record_batch,
                                                        const FlatBytes& metadata,
                                                        std::span<const ArrowField> fields,
                                                        std::span<const std::size_t> selected,
                                                        const ArrowDictionaries& dictionaries,
                                                        std::string body);

  std::size_t num_rows() const override { return num_rows_; }
  std::optional<ColumnTrouble> texts(std::size_t column,
                                     RowRange rows,
                                     TextArena& arena,
                                     std::string_view* target,
                                     std::size_t stride) const override;

 private:
  friend class ArrowBatchMaker;
  std::string body_;
  std::vector<std::unique_ptr<std::string>> unpacked_;
  std::vector<ArrowColumn> columns_;
  std::size_t num_rows_ = 0;
};

}  // namespace lacuna::columns
