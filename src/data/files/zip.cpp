// SPDX-License-Identifier: Apache-2.0
#include "data/files/zip.h"

#include <zlib.h>

#include <limits>

namespace lacuna::files {
namespace {

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
constexpr std::uint16_t kVersion = 20, kUtf8Names = 0x0800, kDeflated = 8;
constexpr std::uint16_t kFirstDay = 0x0021;  // 1980-01-01, where the format's calendar begins

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    out += static_cast<char>(value >> (8 * i) & 0xFFU);
}

Result<std::string> deflated(std::string_view content) {
  constexpr int kRaw = -15, kMemoryLevel = 8;
  z_stream stream{};
  if (deflateInit2(
          &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRaw, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    return Error{ErrorCode::kFileUnwritable, "the ZIP encoder cannot start", ""};
  std::string out(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));  // NOLINT: zlib
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());  // NOLINT: zlib's type
  stream.avail_out = static_cast<uInt>(out.size());
  const int code = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (code != Z_STREAM_END)
    return Error{ErrorCode::kFileUnwritable, "the ZIP encoder failed", ""};
  return out;
}

}  // namespace

Status ZipArchive::add(std::string_view name, std::string_view content) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max() / 2;
  if (content.size() > kMost || bytes_.size() + content.size() > kMost)
    return Error{ErrorCode::kCannotHold, "the file would be too large for this format", ""};
  LACUNA_TRY(const std::string packed, deflated(content));
  const auto sum = crc32(0,
                         reinterpret_cast<const Bytef*>(content.data()),  // NOLINT: zlib's type
                         static_cast<uInt>(content.size()));
  std::string common;  // what both headers say
  put(common, kVersion, 2);
  put(common, kUtf8Names, 2);
  put(common, kDeflated, 2);
  put(common, 0, 2);
  put(common, kFirstDay, 2);
  put(common, sum, 4);
  put(common, packed.size(), 4);
  put(common, content.size(), 4);
  put(common, name.size(), 2);
  put(common, 0, 2);  // nothing extra
  put(directory_, kCentral, 4);
  put(directory_, kVersion, 2);
  directory_ += common;
  directory_.append(2 + 2 + 2 + 4, '\0');  // comment, disk, attributes
  put(directory_, bytes_.size(), 4);
  directory_ += name;
  put(bytes_, kLocal, 4);
  bytes_ += common;
  bytes_ += name;
  bytes_ += packed;
  ++members_;
  return ok_status();
}

std::string ZipArchive::finish() const {
  std::string out = bytes_ + directory_;
  put(out, kEnd, 4);
  put(out, 0, 2 + 2);
  put(out, members_, 2);
  put(out, members_, 2);
  put(out, directory_.size(), 4);
  put(out, bytes_.size(), 4);
  put(out, 0, 2);
  return out;
}

}  // namespace lacuna::files
