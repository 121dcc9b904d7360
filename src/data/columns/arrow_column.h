// SPDX-License-Identifier: Apache-2.0
// One column in Arrow's layout, wherever its buffers come from (a file, or the memory of another
// program), to text. Offsets, views and indices are checked against the buffers when they are used.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "data/columns/arrow_schema.h"
#include "data/columns/column_source.h"
#include "data/columns/text_arena.h"

namespace lacuna::columns {

constexpr std::size_t kArrowViewBytes = 16;  // of a text with views

// The texts that a dictionary has, by number.
struct ArrowTexts {
  TextArena arena;
  std::vector<std::string_view> texts;
  std::vector<std::shared_ptr<const ColumnBatch>> held;  // what the texts point into
  std::shared_ptr<const ArrowTexts> before;              // the dictionary that this one lengthens
};

struct ArrowColumn {
  const ArrowField* field = nullptr;
  const unsigned char* validity = nullptr;
  std::string_view values;               // numbers, indices, views or offsets
  std::string_view letters;              // of text with offsets
  std::vector<std::string_view> pieces;  // of text with views
  std::shared_ptr<const ArrowTexts> dictionary;
  std::size_t offset = 0;  // of the first row in all of these
  bool nan_is_null = false;
};

inline const unsigned char* arrow_bytes(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());  // NOLINT: the same bytes
}

// As ColumnBatch::texts. The buffers cover the rows.
std::optional<ColumnTrouble> arrow_texts(const ArrowColumn& column,
                                         RowRange rows,
                                         TextArena& arena,
                                         std::string_view* target,
                                         std::size_t stride);

}  // namespace lacuna::columns
