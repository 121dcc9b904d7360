// SPDX-License-Identifier: Apache-2.0
// Some rows of a column of output as the buffers of Arrow's layout, for files and for the memory of
// other programs alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "data/columns/column_source.h"
#include "data/columns/output_table.h"

namespace lacuna::columns {

template <class Number>
void append_bytes(std::string& bytes, Number value) {
  char raw[sizeof(value)];
  std::memcpy(raw, &value, sizeof(value));
  bytes.append(raw, sizeof(value));
}

struct ArrowNulls {
  std::int64_t count = 0;
  std::string bits;  // one per row, set if it is not null; empty if none is
};
ArrowNulls arrow_nulls(const OutputColumn& column, RowRange rows);

// Of a column that is not text: 64 bits each, decimals 128, truth values one.
std::string arrow_values(const OutputColumn& column, RowRange rows);

struct ArrowLetters {
  std::vector<std::int64_t> offsets = {0};  // where each text begins, and where the last one ends
  std::string letters;

  void add(std::string_view text) {
    letters += text;
    offsets.push_back(static_cast<std::int64_t>(letters.size()));
  }
  // More than offsets of 32 bits can tell.
  bool is_large() const { return offsets.back() > std::numeric_limits<std::int32_t>::max(); }
  // Of 32 bits each, of 64 if it is large.
  std::string offset_bytes() const;
};
ArrowLetters arrow_letters(const OutputColumn& column, RowRange rows);

}  // namespace lacuna::columns
