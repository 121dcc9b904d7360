// SPDX-License-Identifier: Apache-2.0
// What the schema of an Arrow file says of its columns, and where the buffers of each column are
// among those of a batch. The numbers are those of Arrow's Schema.fbs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/columns/flatbuffer.h"
#include "data/columns/plain_values.h"
#include "lacuna/result.h"

namespace lacuna::columns {

enum class ArrowTypeId : std::uint8_t {
  kNone = 0,
  kNull = 1,
  kInt = 2,
  kFloatingPoint = 3,
  kBinary = 4,
  kUtf8 = 5,
  kBool = 6,
  kDecimal = 7,
  kDate = 8,
  kTime = 9,
  kTimestamp = 10,
  kInterval = 11,
  kList = 12,
  kStruct = 13,
  kUnion = 14,
  kFixedSizeBinary = 15,
  kFixedSizeList = 16,
  kMap = 17,
  kDuration = 18,
  kLargeBinary = 19,
  kLargeUtf8 = 20,
  kLargeList = 21,
  kRunEndEncoded = 22,
  kBinaryView = 23,
  kUtf8View = 24,
  kListView = 25,
  kLargeListView = 26,
};

struct ArrowInt {
  std::size_t width = 4;  // bytes
  bool is_signed = true;
};

struct ArrowType {
  ArrowTypeId id = ArrowTypeId::kNone;
  ArrowInt integer;       // of kInt
  std::size_t width = 0;  // bytes, of kFloatingPoint, kDecimal and kDate
  int scale = 0;          // of kDecimal
  bool is_dense = false;  // of kUnion

  bool is_text() const {
    return id == ArrowTypeId::kUtf8 || id == ArrowTypeId::kLargeUtf8 ||
           id == ArrowTypeId::kUtf8View;
  }
  // How numbers, truth values and dates lie in memory; nothing for other types.
  std::optional<PlainColumn> plain() const;
};

struct ArrowDictionary {
  std::int64_t id = 0;
  ArrowInt index;
};

struct ArrowField {
  std::string name;
  ArrowType type;  // of the values, if there is a dictionary
  std::optional<ArrowDictionary> dictionary;
  std::vector<ArrowField> children;

  std::string unreadable() const;  // as in ColumnInfo
};

// Of a column in a batch: itself and its children.
struct ArrowLayout {
  std::size_t nodes = 0;
  std::size_t buffers = 0;
  std::size_t variadic = 0;  // columns of views, each with a number of buffers of its own on top
};
ArrowLayout layout_of(const ArrowField& field);

Result<std::vector<ArrowField>> read_arrow_schema(const FlatTable& schema, const FlatBytes& bytes);

}  // namespace lacuna::columns
