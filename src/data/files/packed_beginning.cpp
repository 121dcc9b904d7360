// SPDX-License-Identifier: Apache-2.0
#include "data/files/packed_beginning.h"

#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace lacuna::files {
namespace {

using namespace std::string_view_literals;
constexpr std::string_view kGzip = "\x1F\x8B"sv, kXz =
                                                     "\xFD"
                                                     "7zXZ\0"sv;

std::string gzip_beginning(std::string_view bytes, std::size_t most) {
  constexpr int kGzipOnly = 15 + 16;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK)
    return "";
  std::string text(most, '\0');
  const std::size_t given = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT: zlib
  stream.avail_in = static_cast<uInt>(given);
  stream.next_out = reinterpret_cast<Bytef*>(text.data());  // NOLINT: zlib's type
  stream.avail_out = static_cast<uInt>(most);
  inflate(&stream, Z_SYNC_FLUSH);
  text.resize(most - stream.avail_out);
  inflateEnd(&stream);
  return text;
}

std::string xz_beginning(std::string_view bytes, std::size_t most) {
  constexpr std::uint64_t kMemory = std::uint64_t{256} << 20U;
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, kMemory, 0) != LZMA_OK)
    return "";
  std::string text(most, '\0');
  stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());  // NOLINT: liblzma's type
  stream.avail_in = bytes.size();
  stream.next_out = reinterpret_cast<std::uint8_t*>(text.data());  // NOLINT: liblzma's type
  stream.avail_out = most;
  const lzma_ret outcome = lzma_code(&stream, LZMA_RUN);
  static_cast<void>(outcome);  // of what is damaged all that there is
  text.resize(most - stream.avail_out);
  lzma_end(&stream);
  return text;
}

}  // namespace

bool is_packed(std::string_view bytes) {
  return bytes.starts_with(kGzip) || bytes.starts_with(kXz);
}

std::string packed_beginning(std::string_view bytes, std::size_t most) {
  if (bytes.starts_with(kGzip))
    return gzip_beginning(bytes, most);
  return bytes.starts_with(kXz) ? xz_beginning(bytes, most) : "";
}

}  // namespace lacuna::files
