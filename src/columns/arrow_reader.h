// SPDX-License-Identifier: Apache-2.0
// Arrow IPC: files (.arrow, Feather V2) and streams, read from the front. A file holds a stream
// between its magic bytes, so both are read alike and its footer is only looked for at the end, to
// see that nothing was cut off.
//
// An own reader of the part that tables need, rather than a library: there is no package of
// libarrow or nanoarrow to build against, nanoarrow's source archive draws in a build system of its
// own, and neither reads the LZ4 that Feather files are compressed with by default without more
// libraries.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "columns/column_source.h"
#include "lacuna/result.h"

namespace lacuna::inline columns {

class ByteInput {  // the bytes of the file
 public:
  virtual ~ByteInput() = default;
  // Up to `size` bytes; fewer only at the end.
  virtual Result<std::size_t> read(char* target, std::size_t size) = 0;
  virtual Status rewind() = 0;
  virtual double fraction() const = 0;
};

Result<std::unique_ptr<ColumnSource>> open_arrow(std::unique_ptr<ByteInput> input);

}  // namespace lacuna::inline columns
