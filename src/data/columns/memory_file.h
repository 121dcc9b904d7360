// SPDX-License-Identifier: Apache-2.0
// A file that has a path and lies in memory alone: a library that opens files by their names gets
// bytes through it, and gives bytes, without anything confidential on a disk.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "lacuna/result.h"

namespace lacuna::columns {

class MemoryFile {
 public:
  static Result<MemoryFile> make(std::string_view bytes) {
    MemoryFile file(::memfd_create("lacuna", MFD_CLOEXEC));
    while (file.descriptor_ >= 0 && !bytes.empty()) {
      const ssize_t written = ::write(file.descriptor_, bytes.data(), bytes.size());
      if (written <= 0)
        return Error{ErrorCode::kNoMemory, "the system gives no memory for a file", ""};
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    if (file.descriptor_ < 0)
      return Error{ErrorCode::kNoMemory, "the system gives no memory for a file", ""};
    return file;
  }
  MemoryFile(MemoryFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  MemoryFile& operator=(MemoryFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  Result<std::string> bytes() const {
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

 private:
  explicit MemoryFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace lacuna::columns
