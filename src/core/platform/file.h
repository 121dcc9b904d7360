// SPDX-License-Identifier: Apache-2.0
// Files and folders as the system has them, below what readers and writers of formats use. Names
// are UTF-8 on every system. What fails leaves its number in errno, which reason() puts into words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lacuna::platform {

std::string reason(int number);

struct FileInfo {
  enum class Kind { kRegular, kFolder, kLink, kOther };  // other: a device, a pipe
  Kind kind = Kind::kOther;
  std::uint64_t size = 0;
  std::uint64_t volume = 0, index = 0;  // an index of 0: the system names none
};
// Whether both are one and the same. What the system does not name is like nothing else.
bool is_one(const FileInfo& a, const FileInfo& b);

class OpenFile {  // closes itself
 public:
  OpenFile() = default;
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile();

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  std::optional<FileInfo> info() const;
  std::ptrdiff_t read(char* target, std::size_t size) const;  // 0: the end; -1: errno
  bool write(std::string_view bytes) const;                   // all of them
  bool rewind() const;
  bool sync() const;  // onto the disk
  bool close();       // false: the system has not accepted everything written

 private:
  int descriptor_ = -1;
};

// What is not open says why by errno. A folder can be opened to read: its info says what it is.
OpenFile open_to_read(const std::string& path);
OpenFile open_to_write(const std::string& path);  // what is there: a device, a pipe
// A file that nobody has yet, not even as a link; `for_owner`: nobody else may look into it.
OpenFile create_file(const std::string& path, bool for_owner = false);
std::optional<FileInfo> info_of(const std::string& path);  // of what a link leads to
bool replace_file(const std::string& from, const std::string& to);
void remove_file(const std::string& path);
void sync_folder(const std::string& folder);  // a system that cannot do this is no failure
// A new folder that only its owner may enter, in that of temporary files; empty: errno.
std::string create_own_folder(const std::string& begin_of_name);

enum class Stream { kInput, kOutput, kErrors };
std::optional<FileInfo> info_of(Stream stream);
bool write_to(Stream stream, std::string_view bytes);
bool is_terminal(Stream stream);

// A folder held open: what is asked of it by name concerns this folder, whatever stands by now
// where its path led. No link is followed below it.
class OpenFolder {
 public:
  static OpenFolder open(const std::string& path);
  OpenFolder below(const std::string& name) const;
  bool is_open() const { return held_ != nullptr; }
  std::optional<FileInfo> entry(const std::string& name) const;  // of a link itself
  OpenFile create(const std::string& name) const;                // as create_file
  bool replace(const std::string& from, const std::string& to) const;
  void remove(const std::string& name) const;
  void sync() const;

 private:
  struct Held;
  std::shared_ptr<const Held> held_;
};

// Held by one process at a time, for as long as it lives; who comes later waits. A folder that
// cannot be locked is not.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  std::intptr_t held_ = -1;
};

}  // namespace lacuna::platform
