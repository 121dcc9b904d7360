// SPDX-License-Identifier: Apache-2.0
// gzip and xz are unpacked by two readers, of whole files and of streams. They must agree.
#include <fstream>

#include "data/files/byte_stream.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"
#include "fuzz/target_list.h"
#include "fuzz/targets.h"

namespace lacuna::fuzz {
namespace {

constexpr std::size_t kMostUnpacked = std::size_t{1} << 20U;

// What the stream of a file holds, up to a byte beyond the limit.
Result<std::string> read_stream(const std::string& path) {
  LACUNA_TRY(const auto stream, files::open_byte_stream(path));
  std::string text(kMostUnpacked + 1, '\0');
  std::size_t used = 0;
  while (used < text.size()) {  // in odd pieces, so that they end anywhere
    constexpr std::size_t kPiece = 1013;
    const std::size_t room = std::min(kPiece, text.size() - used);
    LACUNA_TRY(const std::size_t got, stream->read(text.data() + used, room));
    used += got;
    if (got < room)
      break;
  }
  text.resize(used);
  return text;
}

}  // namespace

bool run_packed(std::string_view bytes) {
  static const files::TemporaryFolder folder("fuzz_packed");
  const auto whole = files::unpack(std::string(bytes), "f", kMostUnpacked);
  const std::string path = folder.file("f");
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const auto streamed = read_stream(path);
  if (whole) {
    require(whole->size() <= kMostUnpacked || *whole == bytes, "the limit of unpacking holds");
    require(bytes.empty() || (streamed.has_value() && *streamed == *whole),
            "a stream reads what the whole file reads");
  } else {
    require(!streamed || streamed->size() > kMostUnpacked, "a stream refuses what is damaged");
  }
  return whole.has_value();
}

Seeds seeds_packed() {
  return {files::pack_gzip(std::string(3000, 'x') + "end").value(),
          files::pack_gzip("one").value() + files::pack_gzip("two").value()};
}

}  // namespace lacuna::fuzz
