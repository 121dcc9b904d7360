// SPDX-License-Identifier: Apache-2.0
// Columns of numbers, truth values and dates, as Arrow and DuckDB both lay them out in memory, to
// text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "data/columns/column_source.h"
#include "data/columns/text_arena.h"

namespace lacuna::columns {

enum class PlainKind { kSigned, kUnsigned, kDecimal, kFloat, kBooleanBytes, kBooleanBits, kDate };

struct PlainColumn {
  PlainKind kind = PlainKind::kSigned;
  std::size_t width = 8;                    // bytes; of kBooleanBits nothing
  int scale = 0;                            // digits after the point of kDecimal
  bool nan_is_null = false;                 // of kFloat
  const unsigned char* validity = nullptr;  // one bit per value, least significant first; may be 0
  const unsigned char* values = nullptr;    // need not be aligned
};

inline bool bit_at(const unsigned char* bits, std::size_t index) {
  return (bits[index >> 3U] >> (index & 7U) & 1U) != 0;
}
inline bool is_valid(const unsigned char* validity, std::size_t index) {
  return validity == nullptr || bit_at(validity, index);
}

template <class Value>
Value load(const unsigned char* values, std::size_t index) {
  Value value;
  std::memcpy(&value, values + index * sizeof(Value), sizeof(Value));
  return value;
}

constexpr int kMostScale = 38;  // digits of a decimal of 128 bits

// Whether the kind has values of this width.
bool is_width(PlainKind kind, std::size_t width);

// The column's memory covers the rows, its width is one of its kind's.
void plain_texts(const PlainColumn& column,
                 RowRange rows,
                 TextArena& arena,
                 std::string_view* target,
                 std::size_t stride);

}  // namespace lacuna::columns
