// SPDX-License-Identifier: Apache-2.0
// A file read piece by piece, unpacked on the way if its first bytes say gzip (RFC 1952) or xz. For
// files that need not fit memory; whole files are read by file.h.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "lacuna/result.h"

namespace lacuna::files {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Up to `size` bytes; fewer only at the end, where it returns 0.
  virtual Result<std::size_t> read(char* target, std::size_t size) = 0;
  virtual Status rewind() = 0;
  virtual double fraction() const = 0;  // of the file that has been read, in [0, 1]
};

Result<std::unique_ptr<ByteStream>> open_byte_stream(const std::string& path);
std::unique_ptr<ByteStream> text_byte_stream(std::string text);

}  // namespace lacuna::files
