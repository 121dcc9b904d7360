// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <limits>

#include "columns/arrow_schema.h"
#include "columns/flatbuffer_writer.h"
#include "columns/output_table.h"

namespace lacuna::inline columns {
namespace {

using Ref = FlatWriter::Ref;

constexpr std::int16_t kVersion = 4;  // of the metadata: V5
constexpr std::size_t kRowsOfBatch = std::size_t{1} << 20U;
constexpr std::size_t kAlignment = 64;
constexpr std::string_view kMagic = "ARROW1";

template <class Number>
void append(std::string& bytes, Number value) {
  char raw[sizeof(value)];
  std::memcpy(raw, &value, sizeof(value));
  bytes.append(raw, sizeof(value));
}

Ref put_type(FlatWriter& writer, const OutputColumn& column, ArrowTypeId& id) {
  writer.begin();
  id = ArrowTypeId::kUtf8;
  if (!column.is_text && column.decimals == 0) {
    id = ArrowTypeId::kInt;
    writer.number<std::int32_t>(0, 64);
    writer.number<std::uint8_t>(1, 1);
  } else if (!column.is_text) {
    id = ArrowTypeId::kDecimal;
    writer.number<std::int32_t>(0, column.precision());
    writer.number<std::int32_t>(1, column.decimals);
    writer.number<std::int32_t>(2, 128);
  }
  return writer.end();
}

Ref put_field(FlatWriter& writer, const OutputColumn& column) {
  ArrowTypeId id = ArrowTypeId::kNone;
  const Ref type = put_type(writer, column, id);
  const Ref name = writer.text(column.name);
  const Ref children = writer.refs({});
  writer.begin();
  writer.ref(0, name);
  writer.number<std::uint8_t>(1, 1);  // may be null
  writer.number(2, static_cast<std::uint8_t>(id));
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
  append(bytes, std::uint32_t{0xFFFFFFFF});
  append(bytes, static_cast<std::uint32_t>(metadata.size()));
  return bytes + metadata;
}

class BatchWriter {
 public:
  BatchWriter(const OutputTable& table, std::size_t first, std::size_t count)
      : table_(table), first_(first), count_(count) {}

  Status fill() {
    for (const OutputColumn& column : table_.columns) {
      put_validity(column);
      if (column.is_text)
        LACUNA_RETURN_IF_ERROR(put_texts(column));
      else
        put_numbers(column);
    }
    return ok_status();
  }

  std::string metadata() const {
    FlatWriter writer;
    const Ref nodes = writer.structs(nodes_, nodes_.size() / 16);
    const Ref buffers = writer.structs(buffers_, buffers_.size() / 16);
    writer.begin();
    writer.number(0, static_cast<std::int64_t>(count_));
    writer.ref(1, nodes);
    writer.ref(2, buffers);
    const Ref batch = writer.end();
    return message(writer, 3, batch, body_.size());
  }
  const std::string& body() const { return body_; }

 private:
  void put_buffer(std::string_view bytes) {
    append(buffers_, static_cast<std::int64_t>(body_.size()));
    append(buffers_, static_cast<std::int64_t>(bytes.size()));
    body_ += bytes;
    body_.append((kAlignment - body_.size() % kAlignment) % kAlignment, '\0');
  }

  void put_validity(const OutputColumn& column) {
    std::int64_t nulls = 0;
    std::string bits((count_ + 7) / 8, '\0');
    for (std::size_t i = 0; i < count_; ++i) {
      if (column.is_null(first_ + i))
        ++nulls;
      else
        bits[i / 8] = static_cast<char>(static_cast<unsigned char>(bits[i / 8]) | 1U << (i % 8));
    }
    append(nodes_, static_cast<std::int64_t>(count_));
    append(nodes_, nulls);
    put_buffer(nulls == 0 ? std::string_view{} : bits);
  }

  void put_numbers(const OutputColumn& column) {
    std::string values;
    for (std::size_t i = first_; i < first_ + count_; ++i) {
      const Units number = column.is_null(i) ? 0 : column.numbers[i];
      append(values, number);
      if (column.decimals > 0)
        append(values, number < 0 ? std::int64_t{-1} : std::int64_t{0});  // the upper half
    }
    put_buffer(values);
  }

  Status put_texts(const OutputColumn& column) {
    std::string offsets;
    std::string letters;
    append(offsets, std::int32_t{0});
    for (std::size_t i = first_; i < first_ + count_; ++i) {
      if (!column.is_null(i))
        letters += column.texts[i];
      if (letters.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        return Error{ErrorCode::kUnsupported,
                     "column " + column.name + " holds more text than an Arrow batch",
                     ""};
      append(offsets, static_cast<std::int32_t>(letters.size()));
    }
    put_buffer(offsets);
    put_buffer(letters);
    return ok_status();
  }

  const OutputTable& table_;
  std::size_t first_;
  std::size_t count_;
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
    BatchWriter batch(table, first, std::min(kRowsOfBatch, table.num_rows() - first));
    LACUNA_RETURN_IF_ERROR(batch.fill());
    const std::string metadata = batch.metadata();
    append(blocks, static_cast<std::int64_t>(bytes.size()));
    append(blocks, static_cast<std::int64_t>(metadata.size()));  // 32 bits and their padding
    append(blocks, static_cast<std::int64_t>(batch.body().size()));
    bytes += metadata;
    bytes += batch.body();
    ++count;
  }
  append(bytes, std::uint64_t{0x00000000FFFFFFFF});  // the mark of the end
  const std::string end = footer(table, blocks, count);
  bytes += end;
  append(bytes, static_cast<std::uint32_t>(end.size()));
  bytes += kMagic;
  return bytes;
}

}  // namespace lacuna::inline columns
