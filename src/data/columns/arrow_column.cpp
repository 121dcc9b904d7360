// SPDX-License-Identifier: Apache-2.0
#include "data/columns/arrow_column.h"

#include "core/base/utf8.h"

namespace lacuna::columns {
namespace {

constexpr std::uint32_t kInView = 12;  // bytes of a short text, inside its view

bool is_plain_ascii(std::string_view text) {
  unsigned char seen = 0;
  for (const char c : text)
    seen = static_cast<unsigned char>(seen | static_cast<unsigned char>(c));
  return seen < 0x80U;
}

bool is_good_text(std::string_view text) {
  return is_plain_ascii(text) || base::find_bad_utf8(text) == std::string_view::npos;
}

// find(column, index, text) gives the text of a value that is not null, or what is wrong with it.
template <class Find>
std::optional<ColumnTrouble> each_text(const ArrowColumn& column,
                                       RowRange rows,
                                       std::string_view* target,
                                       std::size_t stride,
                                       Find find) {
  for (std::size_t i = rows.first; i < rows.first + rows.count; ++i, target += stride) {
    *target = {};
    if (!is_valid(column.validity, i))
      continue;
    if (const char* trouble = find(column, i, *target); trouble != nullptr)
      return ColumnTrouble{i - column.offset, trouble};
  }
  return std::nullopt;
}

constexpr const char* kOutside = "the Arrow data are damaged: a text lies outside of its buffer";
constexpr const char* kNotUtf8 = "the text is not UTF-8: write the column as text of UTF-8";

template <class Offset>
const char* offset_text(const ArrowColumn& column, std::size_t i, std::string_view& text) {
  const auto begin = load<Offset>(arrow_bytes(column.values), i);
  const auto end = load<Offset>(arrow_bytes(column.values), i + 1);
  if (begin < 0 || end < begin || static_cast<std::uint64_t>(end) > column.letters.size())
    return kOutside;
  text =
      column.letters.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  return is_good_text(text) ? nullptr : kNotUtf8;
}

const char* view_text(const ArrowColumn& column, std::size_t i, std::string_view& text) {
  const std::string_view view = column.values.substr(i * kArrowViewBytes, kArrowViewBytes);
  const auto length = load<std::uint32_t>(arrow_bytes(view), 0);
  if (length <= kInView) {
    text = view.substr(4, length);
  } else {
    const auto piece = load<std::uint32_t>(arrow_bytes(view), 2);
    const auto offset = load<std::uint32_t>(arrow_bytes(view), 3);
    if (piece >= column.pieces.size() || offset > column.pieces[piece].size() ||
        column.pieces[piece].size() - offset < length)
      return kOutside;
    text = column.pieces[piece].substr(offset, length);
  }
  return is_good_text(text) ? nullptr : kNotUtf8;
}

std::uint64_t index_at(const ArrowInt& type, const unsigned char* values, std::size_t i) {
  switch (type.width) {  // a negative number becomes one that is too large
    case 1:
      return type.is_signed ? static_cast<std::uint64_t>(load<std::int8_t>(values, i))
                            : load<std::uint8_t>(values, i);
    case 2:
      return type.is_signed ? static_cast<std::uint64_t>(load<std::int16_t>(values, i))
                            : load<std::uint16_t>(values, i);
    case 4:
      return type.is_signed ? static_cast<std::uint64_t>(load<std::int32_t>(values, i))
                            : load<std::uint32_t>(values, i);
    default:
      return load<std::uint64_t>(values, i);
  }
}

const char* dictionary_text(const ArrowColumn& column, std::size_t i, std::string_view& text) {
  const auto index = index_at(column.field->dictionary->index, arrow_bytes(column.values), i);
  if (index >= column.dictionary->texts.size())
    return "the Arrow data are damaged: the column's dictionary has no such entry";
  text = column.dictionary->texts[index];
  return nullptr;
}

}  // namespace

std::optional<ColumnTrouble> arrow_texts(const ArrowColumn& column,
                                         RowRange rows,
                                         TextArena& arena,
                                         std::string_view* target,
                                         std::size_t stride) {
  rows.first += column.offset;
  if (column.dictionary)
    return each_text(column, rows, target, stride, dictionary_text);
  switch (column.field->type.id) {
    case ArrowTypeId::kNull:
      for (std::size_t i = 0; i < rows.count; ++i)
        target[i * stride] = {};
      return std::nullopt;
    case ArrowTypeId::kUtf8:
      return each_text(column, rows, target, stride, offset_text<std::int32_t>);
    case ArrowTypeId::kLargeUtf8:
      return each_text(column, rows, target, stride, offset_text<std::int64_t>);
    case ArrowTypeId::kUtf8View:
      return each_text(column, rows, target, stride, view_text);
    default:
      break;
  }
  PlainColumn plain = *column.field->type.plain();
  plain.validity = column.validity;
  plain.values = arrow_bytes(column.values);
  plain.nan_is_null = column.nan_is_null;
  plain_texts(plain, rows, arena, target, stride);
  return std::nullopt;
}

}  // namespace lacuna::columns
