// SPDX-License-Identifier: Apache-2.0
#include "core/platform/memory_file.h"

#include <fcntl.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#else
#include <cstdlib>
#include <filesystem>
#endif

#include "core/platform/file.h"

namespace lacuna::platform {
namespace {

// A descriptor of a file that nobody finds by a name of its own.
int nameless_file() {
#ifdef __linux__
  return ::memfd_create("lacuna", MFD_CLOEXEC);
#else
  std::string name = (std::filesystem::temp_directory_path() / "lacunaXXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor >= 0) {
    ::unlink(name.c_str());
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  }
  return descriptor;
#endif
}

std::string path_of(int descriptor) {
#ifdef __linux__
  return "/proc/self/fd/" + std::to_string(descriptor);
#else
  return "/dev/fd/" + std::to_string(descriptor);
#endif
}

}  // namespace

Result<MemoryFile> MemoryFile::make(std::string_view bytes) {
  const int descriptor = nameless_file();
  MemoryFile file(descriptor, path_of(descriptor));
  while (descriptor >= 0 && !bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written <= 0)
      return Error{ErrorCode::kNoMemory, "the system gives no memory for a file", ""};
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (descriptor < 0 || ::lseek(descriptor, 0, SEEK_SET) != 0)
    return Error{ErrorCode::kNoMemory, "the system gives no memory for a file", ""};
  return file;
}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

Result<std::string> MemoryFile::bytes() const {
  std::string all;
  const off_t size = ::lseek(descriptor_, 0, SEEK_END);
  all.resize(static_cast<std::size_t>(size > 0 ? size : 0));
  std::size_t at = 0;
  while (at < all.size()) {
    const ssize_t got =
        ::pread(descriptor_, all.data() + at, all.size() - at, static_cast<off_t>(at));
    if (got <= 0)
      return Error{ErrorCode::kNoMemory, "a file in memory cannot be read", ""};
    at += static_cast<std::size_t>(got);
  }
  return all;
}

}  // namespace lacuna::platform
