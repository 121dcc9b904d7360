// SPDX-License-Identifier: Apache-2.0
// Windows has no file that lies in memory and has a path. This one is in the user's own folder of
// temporary files, is marked as temporary, which keeps it in memory while there is room, and is
// deleted at the end.
#include "core/platform/memory_file.h"

#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>

#include <filesystem>

#include "core/platform/file.h"
#include "core/platform/system.h"
#include "core/platform/windows/wide.h"

namespace lacuna::platform {

Result<MemoryFile> MemoryFile::make(std::string_view bytes) {
  const Error none{ErrorCode::kNoMemory, "the system gives no memory for a file", ""};
  unsigned char drawn[16];
  if (!random_bytes(drawn, sizeof drawn))
    return none;
  std::string name = "lacuna-";
  for (const unsigned char byte : drawn)
    name += static_cast<char>('a' + byte % 26);
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  int descriptor = -1;
  constexpr int kNew = _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT | _O_SHORT_LIVED;
  ::_wsopen_s(
      &descriptor, wide_path(path).c_str(), kNew, _SH_DENYNO, _S_IREAD | _S_IWRITE);
  MemoryFile file(descriptor, path);
  while (descriptor >= 0 && !bytes.empty()) {
    constexpr std::size_t kMost = std::size_t{1} << 30U;
    const std::size_t some = bytes.size() < kMost ? bytes.size() : kMost;
    const int written = ::_write(descriptor, bytes.data(), static_cast<unsigned>(some));
    if (written <= 0)
      return none;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (descriptor < 0 || ::_lseeki64(descriptor, 0, SEEK_SET) != 0)
    return none;
  return file;
}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0) {
    ::_close(descriptor_);
    remove_file(path_);
  }
}

// By its name: who was given the path may have put another file in its place.
Result<std::string> MemoryFile::bytes() const {
  const Error trouble{ErrorCode::kNoMemory, "a file in memory cannot be read", ""};
  const OpenFile file = open_to_read(path_);
  const auto info = file.is_open() ? file.info() : std::nullopt;
  if (!info)
    return trouble;
  std::string all(static_cast<std::size_t>(info->size), '\0');
  for (std::size_t at = 0; at < all.size();) {
    const std::ptrdiff_t got = file.read(all.data() + at, all.size() - at);
    if (got <= 0)
      return trouble;
    at += static_cast<std::size_t>(got);
  }
  return all;
}

}  // namespace lacuna::platform
