// SPDX-License-Identifier: Apache-2.0
#include "data/columns/arrow_schema.h"

#include "core/base/utf8.h"

namespace lacuna::columns {
namespace {

constexpr int kDeepest = 32;
constexpr std::size_t kMostFields = 100'000;  // with the children

Error damaged() {
  return {ErrorCode::kDamaged, "the schema of the Arrow data is damaged", ""};
}

Result<ArrowInt> read_int(const FlatTable& table) {
  const auto bits = table.number<std::int32_t>(0, 0);
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return damaged();
  return ArrowInt{static_cast<std::size_t>(bits) / 8, table.number<std::uint8_t>(1, 0) != 0};
}

Status read_number_type(const FlatTable& table, ArrowType& type) {
  switch (type.id) {
    case ArrowTypeId::kInt: {
      LACUNA_TRY(type.integer, read_int(table));
      return ok_status();
    }
    case ArrowTypeId::kFloatingPoint: {
      const auto precision = table.number<std::int16_t>(0, 0);
      type.width = precision == 0 ? 2 : precision == 1 ? 4 : 8;
      return ok_status();
    }
    case ArrowTypeId::kDecimal: {
      const auto bits = table.number<std::int32_t>(2, 128);
      type.scale = table.number<std::int32_t>(1, 0);
      type.width = bits == 32 ? 4 : bits == 64 ? 8 : bits == 128 ? 16 : 32;
      return ok_status();
    }
    case ArrowTypeId::kDate:
      type.width = table.number<std::int16_t>(0, 1) == 0 ? 4 : 8;
      return ok_status();
    case ArrowTypeId::kUnion:
      type.is_dense = table.number<std::int16_t>(0, 0) == 1;
      return ok_status();
    default:
      return ok_status();
  }
}

class SchemaReader {
 public:
  Result<ArrowField> field(const FlatTable& table, int depth) {
    if (depth > kDeepest || ++count_ > kMostFields)
      return damaged();
    ArrowField field;
    field.name = table.text(0);
    if (base::find_bad_utf8(field.name) != std::string::npos)
      return damaged();
    const auto id = table.number<std::uint8_t>(2, 0);
    if (id > static_cast<std::uint8_t>(ArrowTypeId::kLargeListView) || id == 0) {
      return Error{ErrorCode::kOtherFormat,
                   "column " + field.name + " has a type that is newer than this program",
                   ""};
    }
    field.type.id = static_cast<ArrowTypeId>(id);
    if (const auto type = table.table(3))
      LACUNA_RETURN_IF_ERROR(read_number_type(*type, field.type));
    if (const auto encoding = table.table(4)) {
      field.dictionary.emplace();
      field.dictionary->id = encoding->number<std::int64_t>(0, 0);
      if (const auto index = encoding->table(1)) {
        LACUNA_TRY(field.dictionary->index, read_int(*index));
      }
    }
    for (const FlatTable& child : table.tables(5)) {
      LACUNA_TRY(ArrowField read, this->field(child, depth + 1));
      field.children.push_back(std::move(read));
    }
    return field;
  }

 private:
  std::size_t count_ = 0;
};

std::string_view type_words(ArrowTypeId id) {
  switch (id) {
    case ArrowTypeId::kBinary:
    case ArrowTypeId::kLargeBinary:
    case ArrowTypeId::kBinaryView:
    case ArrowTypeId::kFixedSizeBinary:
      return "bytes that are not text";
    case ArrowTypeId::kTime:
    case ArrowTypeId::kTimestamp:
    case ArrowTypeId::kInterval:
    case ArrowTypeId::kDuration:
      return "times";
    case ArrowTypeId::kDecimal:
      return "decimals of more than 38 digits";
    case ArrowTypeId::kRunEndEncoded:
      return "runs of equal values";
    case ArrowTypeId::kNone:
      return "values of an unknown type";
    default:
      return "lists or records";
  }
}

}  // namespace

std::optional<PlainColumn> ArrowType::plain() const {
  PlainColumn column;
  switch (id) {
    case ArrowTypeId::kInt:
      column.kind = integer.is_signed ? PlainKind::kSigned : PlainKind::kUnsigned;
      column.width = integer.width;
      return column;
    case ArrowTypeId::kFloatingPoint:
      column.kind = PlainKind::kFloat;
      break;
    case ArrowTypeId::kDecimal:
      column.kind = PlainKind::kDecimal;
      column.scale = scale;
      break;
    case ArrowTypeId::kDate:
      column.kind = PlainKind::kDate;
      break;
    case ArrowTypeId::kBool:
      column.kind = PlainKind::kBooleanBits;
      return column;
    default:
      return std::nullopt;
  }
  column.width = width;
  const bool fits = is_width(column.kind, width) && scale >= 0 && scale <= kMostScale;
  return fits ? std::optional(column) : std::nullopt;
}

std::string ArrowField::unreadable() const {
  if (type.is_text() || type.id == ArrowTypeId::kNull || type.plain())
    return {};
  return "holds " + std::string(type_words(type.id));
}

ArrowLayout layout_of(const ArrowField& field) {
  if (field.dictionary)
    return {1, 2, 0};
  ArrowLayout layout{1, 2, 0};
  switch (field.type.id) {
    case ArrowTypeId::kNull:
    case ArrowTypeId::kRunEndEncoded:
      layout.buffers = 0;
      break;
    case ArrowTypeId::kStruct:
    case ArrowTypeId::kFixedSizeList:
      layout.buffers = 1;
      break;
    case ArrowTypeId::kUnion:
      layout.buffers = field.type.is_dense ? 2 : 1;
      break;
    case ArrowTypeId::kBinary:
    case ArrowTypeId::kLargeBinary:
    case ArrowTypeId::kUtf8:
    case ArrowTypeId::kLargeUtf8:
    case ArrowTypeId::kListView:
    case ArrowTypeId::kLargeListView:
      layout.buffers = 3;
      break;
    case ArrowTypeId::kBinaryView:
    case ArrowTypeId::kUtf8View:
      layout.variadic = 1;
      break;
    default:
      break;
  }
  for (const ArrowField& child : field.children) {
    const ArrowLayout own = layout_of(child);
    layout.nodes += own.nodes;
    layout.buffers += own.buffers;
    layout.variadic += own.variadic;
  }
  return layout;
}

Result<std::vector<ArrowField>> read_arrow_schema(const FlatTable& schema, const FlatBytes& bytes) {
  if (schema.number<std::int16_t>(0, 0) != 0) {
    return Error{ErrorCode::kOtherFormat,
                 "the Arrow data were written by a big-endian machine, which is not read",
                 ""};
  }
  SchemaReader reader;
  std::vector<ArrowField> fields;
  for (const FlatTable& table : schema.tables(1)) {
    auto field = reader.field(table, 0);
    if (bytes.damaged())
      return damaged();
    if (!field)
      return field.error();
    fields.push_back(std::move(field).value());
  }
  if (bytes.damaged())
    return damaged();
  return fields;
}

}  // namespace lacuna::columns
