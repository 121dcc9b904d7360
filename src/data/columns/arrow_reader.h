// SPDX-License-Identifier: Apache-2.0
// Arrow IPC: files (.arrow, Feather V2), whose footer says where everything is, and streams, which
// are read from the front and must end with their mark, so that nothing was cut off.
//
// An own reader of the part that tables need, rather than a library: there is no package of
// libarrow or nanoarrow to build against, and nanoarrow's source archive draws in a build system of
// its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "data/columns/column_source.h"
#include "lacuna/result.h"

namespace lacuna::columns {

class ByteInput {  // the bytes of the file
 public:
  virtual ~ByteInput() = default;
  virtual std::uint64_t size() const = 0;
  // Exactly these bytes, which the file has.
  virtual Status read(std::uint64_t offset, char* target, std::size_t size) = 0;
};

Result<std::unique_ptr<ColumnSource>> open_arrow(std::unique_ptr<ByteInput> input);

}  // namespace lacuna::columns
