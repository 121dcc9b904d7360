// SPDX-License-Identifier: Apache-2.0
// A file that has a path and lies in memory alone: a library or program that opens files by their
// names gets bytes through it, and gives bytes, without anything confidential on a disk. Windows
// and macOS have no such thing: there it is a temporary file of the user alone, which ends with it.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "lacuna/result.h"

namespace lacuna::platform {

class MemoryFile {
 public:
  static Result<MemoryFile> make(std::string_view bytes);  // its reader begins at the first
  MemoryFile(MemoryFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}
  MemoryFile& operator=(MemoryFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(path_, other.path_);
    return *this;
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  Result<std::string> bytes() const;

 private:
  MemoryFile(int descriptor, std::string path)
      : descriptor_(descriptor), path_(std::move(path)) {}
  int descriptor_ = -1;
  std::string path_;
};

}  // namespace lacuna::platform
