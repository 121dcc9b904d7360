// SPDX-License-Identifier: Apache-2.0
#include "data/columns/arrow_c_schema.h"

#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

#include "core/base/utf8.h"

namespace lacuna::columns {
namespace {

Error damaged() {
  return {ErrorCode::kDamaged, "the schema of the Arrow data is damaged", ""};
}

ArrowType integer_type(std::size_t width, bool is_signed) {
  ArrowType type;
  type.id = ArrowTypeId::kInt;
  type.integer = {width, is_signed};
  return type;
}

ArrowType type_of_width(ArrowTypeId id, std::size_t width) {
  ArrowType type;
  type.id = id;
  type.width = width;
  return type;
}

ArrowType type_of_letter(char letter) {
  switch (letter) {
    case 'n':
      return type_of_width(ArrowTypeId::kNull, 0);
    case 'b':
      return type_of_width(ArrowTypeId::kBool, 0);
    case 'c':
      return integer_type(1, true);
    case 'C':
      return integer_type(1, false);
    case 's':
      return integer_type(2, true);
    case 'S':
      return integer_type(2, false);
    case 'i':
      return integer_type(4, true);
    case 'I':
      return integer_type(4, false);
    case 'l':
      return integer_type(8, true);
    case 'L':
      return integer_type(8, false);
    case 'e':
      return type_of_width(ArrowTypeId::kFloatingPoint, 2);
    case 'f':
      return type_of_width(ArrowTypeId::kFloatingPoint, 4);
    case 'g':
      return type_of_width(ArrowTypeId::kFloatingPoint, 8);
    case 'u':
      return type_of_width(ArrowTypeId::kUtf8, 0);
    case 'U':
      return type_of_width(ArrowTypeId::kLargeUtf8, 0);
    case 'z':
      return type_of_width(ArrowTypeId::kBinary, 0);
    case 'Z':
      return type_of_width(ArrowTypeId::kLargeBinary, 0);
    default:
      return {};
  }
}

// "d:18,2" or "d:18,2,64": digits, those after the point, bits.
ArrowType decimal_type(std::string_view format) {
  int numbers[3] = {0, 0, 128};
  std::size_t count = 0;
  const char* at = format.data() + 1;
  const char* const end = format.data() + format.size();
  while (at != end && count < 3) {
    const auto [next, trouble] = std::from_chars(at + 1, end, numbers[count++]);
    if (trouble != std::errc() || (next != end && *next != ','))
      return {};
    at = next;
  }
  const int bits = numbers[2];
  if (at != end || count < 2 || bits <= 0 || bits % 8 != 0)
    return {};
  ArrowType type = type_of_width(ArrowTypeId::kDecimal, static_cast<std::size_t>(bits) / 8);
  type.scale = numbers[1];
  return type;
}

ArrowType time_type(std::string_view format) {
  if (format == "tdD")
    return type_of_width(ArrowTypeId::kDate, 4);
  if (format == "tdm")
    return type_of_width(ArrowTypeId::kDate, 8);
  return type_of_width(ArrowTypeId::kTime, 0);
}

// Nothing (kNone) for what the specification did not have when this was written.
ArrowType type_of(std::string_view format) {
  if (format.size() == 1)
    return type_of_letter(format.front());
  if (format == "vu")
    return type_of_width(ArrowTypeId::kUtf8View, 0);
  if (format == "vz")
    return type_of_width(ArrowTypeId::kBinaryView, 0);
  if (format.starts_with("d:"))
    return decimal_type(format);
  if (format.starts_with("w:"))
    return type_of_width(ArrowTypeId::kFixedSizeBinary, 0);
  if (format.starts_with("t"))
    return time_type(format);
  if (format == "+r")
    return type_of_width(ArrowTypeId::kRunEndEncoded, 0);
  if (format.starts_with("+"))
    return type_of_width(ArrowTypeId::kStruct, 0);
  return {};
}

// A number of 32 bits and so many bytes, in pairs after their number; how long all are is not told.
std::string extension_name(const char* metadata) {
  if (metadata == nullptr)
    return {};
  const auto number = [&] {
    std::int32_t value = 0;
    std::memcpy(&value, metadata, sizeof(value));
    metadata += sizeof(value);
    return value;
  };
  const auto text = [&](std::int32_t length) {
    const std::string_view found(metadata, static_cast<std::size_t>(length));
    metadata += length;
    return found;
  };
  for (std::int32_t pairs = number(); pairs > 0; --pairs) {
    const std::int32_t key_length = number();
    if (key_length < 0)
      return {};
    const std::string_view key = text(key_length);
    const std::int32_t value_length = number();
    if (value_length < 0)
      return {};
    const std::string_view value = text(value_length);
    if (key == "ARROW:extension:name")
      return std::string(value);
  }
  return {};
}

std::string why_unreadable(const ArrowSchema& schema, const ArrowField& field) {
  std::string extension = extension_name(schema.metadata);
  if (extension.empty() && schema.dictionary != nullptr)
    extension = extension_name(schema.dictionary->metadata);
  if (!extension.empty()) {
    const bool has_name = base::find_bad_utf8(extension) == std::string::npos;
    return "holds values of an extension type" + (has_name ? " (" + extension + ")" : "");
  }
  if (schema.dictionary != nullptr && schema.dictionary->dictionary != nullptr)
    return "holds a dictionary of a dictionary";
  return field.unreadable();
}

Result<ArrowField> read_field(const ArrowSchema& schema) {
  if (schema.format == nullptr)
    return damaged();
  ArrowField field;
  field.name = schema.name == nullptr ? "" : schema.name;
  if (base::find_bad_utf8(field.name) != std::string::npos)
    return damaged();
  field.type = type_of(schema.format);
  if (schema.dictionary == nullptr)
    return field;
  if (field.type.id != ArrowTypeId::kInt || schema.dictionary->format == nullptr)
    return damaged();
  field.dictionary = ArrowDictionary{0, field.type.integer};
  field.type = type_of(schema.dictionary->format);
  return field;
}

}  // namespace

Result<ArrowCSchema> read_c_schema(const ArrowSchema& schema) {
  if (schema.release == nullptr || schema.format == nullptr)
    return damaged();
  if (std::string_view(schema.format) != "+s" || schema.dictionary != nullptr) {
    return Error{ErrorCode::kOtherContent,
                 "the Arrow data are one column and not a table: give a table",
                 ""};
  }
  if (schema.n_children < 0 || (schema.n_children > 0 && schema.children == nullptr))
    return damaged();
  ArrowCSchema read;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (schema.children[i] == nullptr)
      return damaged();
    LACUNA_TRY(ArrowField field, read_field(*schema.children[i]));
    read.columns.push_back({field.name, why_unreadable(*schema.children[i], field)});
    read.fields.push_back(std::move(field));
  }
  return read;
}

}  // namespace lacuna::columns
