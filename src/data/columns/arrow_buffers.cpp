// SPDX-License-Identifier: Apache-2.0
#include "data/columns/arrow_buffers.h"

namespace lacuna::columns {
namespace {

// is_set(row) for each row.
template <class IsSet>
std::string bits_of(RowRange rows, IsSet is_set) {
  std::string bits((rows.count + 7) / 8, '\0');
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (is_set(rows.first + i))
      bits[i / 8] = static_cast<char>(static_cast<unsigned char>(bits[i / 8]) | 1U << (i % 8));
  }
  return bits;
}

}  // namespace

ArrowNulls arrow_nulls(const OutputColumn& column, RowRange rows) {
  ArrowNulls nulls;
  for (std::size_t i = rows.first; i < rows.first + rows.count; ++i)
    nulls.count += column.is_null(i) ? 1 : 0;
  if (nulls.count > 0)
    nulls.bits = bits_of(rows, [&](std::size_t row) { return !column.is_null(row); });
  return nulls;
}

std::string arrow_values(const OutputColumn& column, RowRange rows) {
  if (column.kind == OutputKind::kTruth) {
    return bits_of(
        rows, [&](std::size_t row) { return !column.is_null(row) && column.numbers[row] != 0; });
  }
  std::string values;
  for (std::size_t i = rows.first; i < rows.first + rows.count; ++i) {
    if (column.kind == OutputKind::kReal) {
      append_bytes(values, column.is_null(i) ? 0.0 : column.reals[i]);
      continue;
    }
    const Units number = column.is_null(i) ? 0 : column.numbers[i];
    append_bytes(values, number);
    if (column.is_decimal())
      append_bytes(values, number < 0 ? std::int64_t{-1} : std::int64_t{0});  // the upper half
  }
  return values;
}

std::string ArrowLetters::offset_bytes() const {
  std::string bytes;
  for (const std::int64_t offset : offsets) {
    if (is_large())
      append_bytes(bytes, offset);
    else
      append_bytes(bytes, static_cast<std::int32_t>(offset));
  }
  return bytes;
}

ArrowLetters arrow_letters(const OutputColumn& column, RowRange rows) {
  ArrowLetters text;
  for (std::size_t i = rows.first; i < rows.first + rows.count; ++i)
    text.add(column.is_null(i) ? std::string_view{} : column.texts[i]);
  return text;
}

}  // namespace lacuna::columns
