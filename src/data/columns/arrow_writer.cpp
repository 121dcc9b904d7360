// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "data/columns/arrow_buffers.h"
#include "data/columns/arrow_schema.h"
#include "data/columns/flatbuffer_writer.h"
#include "data/columns/output_table.h"

namespace lacuna::columns {
namespace {

using Ref = FlatWriter::Ref;

constexpr std::int16_t kVersion = 4;  // of the metadata: V5
constexpr std::size_t kRowsOfBatch = std::size_t{1} << 20U;
constexpr std::size_t kAlignment = 64;
constexpr std::string_view kMagic = "ARROW1";

ArrowTypeId type_id(const OutputColumn& column) {
  switch (column.kind) {
    case OutputKind::kText:
      return ArrowTypeId::kUtf8;
    case OutputKind::kNumber:
      return column.is_decimal() ? ArrowTypeId::kDecimal : ArrowTypeId::kInt;
    case OutputKind::kReal:
      return ArrowTypeId::kFloatingPoint;
    case OutputKind::kTruth:
      return ArrowTypeId::kBool;
  }
  return ArrowTypeId::kNone;
}

Ref put_type(FlatWriter& writer, const OutputColumn& column) {
  writer.begin();
  switch (type_id(column)) {
    case ArrowTypeId::kInt:
      writer.number<std::int32_t>(0, 64);
      writer.number<std::uint8_t>(1, 1);
      break;
    case ArrowTypeId::kDecimal:
      writer.number<std::int32_t>(0, column.precision());
      writer.number<std::int32_t>(1, column.decimals);
      writer.number<std::int32_t>(2, 128);
      break;
    case ArrowTypeId::kFloatingPoint:
      writer.number<std::int16_t>(0, 2);  // 64 bits
      break;
    default:
      break;
  }
  return writer.end();
}

Ref put_field(FlatWriter& writer, const OutputColumn& column) {
  const Ref type = put_type(writer, column);
  const Ref name = writer.text(column.name);
  const Ref children = writer.refs({});
  writer.begin();
  writer.ref(0, name);
  writer.number<std::uint8_t>(1, 1);  // may be null
  writer.number(2, static_cast<std::uint8_t>(type_id(column)));
  writer.ref(3, type);
  writer.ref(5, children);
  return writer.end();
}

Ref put_schema(FlatWriter& writer, const OutputTable& table) {
  std::vector<Ref> fields;
  for (const OutputColumn& column : table.columns)
    fields.push_back(put_field(writer, column));
  std::vector<Ref> pairs;
  for (const auto& [key, value] : table.key_values) {
    const Ref key_text = writer.text(key);
    const Ref value_text = writer.text(value);
    writer.begin();
    writer.ref(0, key_text);
    writer.ref(1, value_text);
    pairs.push_back(writer.end());
  }
  const Ref field_list = writer.refs(fields);
  const Ref pair_list = writer.refs(pairs);
  writer.begin();
  writer.number<std::int16_t>(0, 0);  // little-endian
  writer.ref(1, field_list);
  writer.ref(2, pair_list);
  return writer.end();
}

std::string message(FlatWriter& writer, std::uint8_t kind, Ref header, std::size_t body) {
  writer.begin();
  writer.number(0, kVersion);
  writer.number(1, kind);
  writer.ref(2, header);
  writer.number(3, static_cast<std::int64_t>(body));
  const std::string metadata = writer.finish(writer.end());
  std::string bytes;
  append_bytes(bytes, std::uint32_t{0xFFFFFFFF});
  append_bytes(bytes, static_cast<std::uint32_t>(metadata.size()));
  return bytes + metadata;
}

class BatchWriter {
 public:
  BatchWriter(const OutputTable& table, RowRange rows) : table_(table), rows_(rows) {}

  Status fill() {
    for (const OutputColumn& column : table_.columns)
      LACUNA_RETURN_IF_ERROR(put_column(column));
    return ok_status();
  }

  std::string metadata() const {
    FlatWriter writer;
    const Ref nodes = writer.structs(nodes_, nodes_.size() / 16);
    const Ref buffers = writer.structs(buffers_, buffers_.size() / 16);
    writer.begin();
    writer.number(0, static_cast<std::int64_t>(rows_.count));
    writer.ref(1, nodes);
    writer.ref(2, buffers);
    const Ref batch = writer.end();
    return message(writer, 3, batch, body_.size());
  }
  const std::string& body() const { return body_; }

 private:
  void put_buffer(std::string_view bytes) {
    append_bytes(buffers_, static_cast<std::int64_t>(body_.size()));
    append_bytes(buffers_, static_cast<std::int64_t>(bytes.size()));
    body_ += bytes;
    body_.append((kAlignment - body_.size() % kAlignment) % kAlignment, '\0');
  }

  Status put_column(const OutputColumn& column) {
    const ArrowNulls nulls = arrow_nulls(column, rows_);
    append_bytes(nodes_, static_cast<std::int64_t>(rows_.count));
    append_bytes(nodes_, nulls.count);
    put_buffer(nulls.bits);
    if (column.kind != OutputKind::kText) {
      put_buffer(arrow_values(column, rows_));
      return ok_status();
    }
    const ArrowLetters text = arrow_letters(column, rows_);
    if (text.is_large())
      return Error{ErrorCode::kCannotHold,
                   "column " + column.name + " holds more text than an Arrow batch",
                   ""};
    put_buffer(text.offset_bytes());
    put_buffer(text.letters);
    return ok_status();
  }

  const OutputTable& table_;
  RowRange rows_;
  std::string nodes_;
  std::string buffers_;
  std::string body_;
};

std::string footer(const OutputTable& table, std::string_view blocks, std::size_t count) {
  FlatWriter writer;
  const Ref schema = put_schema(writer, table);
  const Ref dictionaries = writer.structs({}, 0);
  const Ref batches = writer.structs(blocks, count);
  writer.begin();
  writer.number(0, kVersion);
  writer.ref(1, schema);
  writer.ref(2, dictionaries);
  writer.ref(3, batches);
  return writer.finish(writer.end());
}

}  // namespace

Result<std::string> write_arrow(const OutputTable& table) {
  std::string bytes(kMagic);
  bytes.append(2, '\0');
  {
    FlatWriter writer;
    const Ref schema = put_schema(writer, table);
    bytes += message(writer, 1, schema, 0);
  }
  std::string blocks;
  std::size_t count = 0;
  for (std::size_t first = 0; first < table.num_rows(); first += kRowsOfBatch) {
    BatchWriter batch(table, {first, std::min(kRowsOfBatch, table.num_rows() - first)});
    LACUNA_RETURN_IF_ERROR(batch.fill());
    const std::string metadata = batch.metadata();
    append_bytes(blocks, static_cast<std::int64_t>(bytes.size()));
    append_bytes(blocks, static_cast<std::int64_t>(metadata.size()));  // 32 bits and their padding
    append_bytes(blocks, static_cast<std::int64_t>(batch.body().size()));
    bytes += metadata;
    bytes += batch.body();
    ++count;
  }
  append_bytes(bytes, std::uint64_t{0x00000000FFFFFFFF});  // the mark of the end
  const std::string end = footer(table, blocks, count);
  bytes += end;
  append_bytes(bytes, static_cast<std::uint32_t>(end.size()));
  bytes += kMagic;
  return bytes;
}

}  // namespace lacuna::columns
