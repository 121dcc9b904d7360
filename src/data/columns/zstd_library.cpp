// SPDX-License-Identifier: Apache-2.0
#include "data/columns/zstd_library.h"

#include "core/platform/shared_library.h"

namespace lacuna::columns {
namespace {

using Decompress = std::size_t(void*, std::size_t, const void*, std::size_t);

Decompress* find_decompress() {
  static const platform::SharedLibrary library("libzstd.so.1");
  Decompress* function = nullptr;
  return library.is_open() && library.find("ZSTD_decompress", function) ? function : nullptr;
}

}  // namespace

Result<std::string> unpack_zstd(std::string_view frame, std::size_t size) {
  static Decompress* const decompress = find_decompress();
  if (decompress == nullptr) {
    return Error{ErrorCode::kNoEngine,
                 "the columns are compressed with Zstandard, and libzstd.so.1 is missing: install "
                 "libzstd1, or write the file uncompressed or with LZ4",
                 ""};
  }
  std::string text(size, '\0');
  if (decompress(text.data(), text.size(), frame.data(), frame.size()) != size)
    return Error{ErrorCode::kDamaged, "the compressed data of a column are damaged", ""};
  return text;
}

}  // namespace lacuna::columns
