// SPDX-License-Identifier: Apache-2.0
#include "core/platform/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace lacuna::platform {
namespace {

constexpr int kNewFile = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
constexpr mode_t kForAll = 0666, kForOwner = 0600;  // less what the user's mask takes away

FileInfo info_from(const struct stat& info) {
  using Kind = FileInfo::Kind;
  const Kind kind = S_ISREG(info.st_mode)   ? Kind::kRegular
                    : S_ISDIR(info.st_mode) ? Kind::kFolder
                    : S_ISLNK(info.st_mode) ? Kind::kLink
                                            : Kind::kOther;
  return {kind,
          static_cast<std::uint64_t>(info.st_size > 0 ? info.st_size : 0),
          static_cast<std::uint64_t>(info.st_dev),
          static_cast<std::uint64_t>(info.st_ino)};
}

std::optional<FileInfo> info_of_descriptor(int descriptor) {
  struct stat info {};
  if (::fstat(descriptor, &info) != 0)
    return std::nullopt;
  return info_from(info);
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

int number_of(Stream stream) {
  return stream == Stream::kInput    ? STDIN_FILENO
         : stream == Stream::kOutput ? STDOUT_FILENO
                                     : STDERR_FILENO;
}

}  // namespace

std::string reason(int number) {
  return std::generic_category().message(number);
}

bool is_one(const FileInfo& a, const FileInfo& b) {
  return a.index != 0 && a.volume == b.volume && a.index == b.index;
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

std::optional<FileInfo> OpenFile::info() const {
  return info_of_descriptor(descriptor_);
}

std::ptrdiff_t OpenFile::read(char* target, std::size_t size) const {
  for (;;) {
    const ssize_t got = ::read(descriptor_, target, size);
    if (got >= 0 || errno != EINTR)
      return got;
  }
}

bool OpenFile::write(std::string_view bytes) const {
  return write_all(descriptor_, bytes);
}

bool OpenFile::rewind() const {
  return ::lseek(descriptor_, 0, SEEK_SET) >= 0;
}

bool OpenFile::sync() const {
  return ::fsync(descriptor_) == 0;
}

bool OpenFile::close() {
  return ::close(std::exchange(descriptor_, -1)) == 0;
}

OpenFile open_to_read(const std::string& path) {
  return OpenFile(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

OpenFile open_to_write(const std::string& path) {
  return OpenFile(::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
}

OpenFile create_file(const std::string& path, bool for_owner) {
  return OpenFile(::open(path.c_str(), kNewFile, for_owner ? kForOwner : kForAll));
}

std::optional<FileInfo> info_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0)
    return std::nullopt;
  return info_from(info);
}

bool replace_file(const std::string& from, const std::string& to) {
  return ::rename(from.c_str(), to.c_str()) == 0;
}

void remove_file(const std::string& path) {
  ::unlink(path.c_str());
}

void sync_folder(const std::string& folder) {
  const OpenFile handle(::open(folder.empty() ? "." : folder.c_str(), kFolder));
  if (handle.is_open())
    static_cast<void>(::fsync(handle.descriptor()));
}

std::string create_own_folder(const std::string& begin_of_name) {
  std::string name = (std::filesystem::temp_directory_path() / (begin_of_name + "XXXXXX")).string();
  return mkdtemp(name.data()) != nullptr ? name : "";
}

std::optional<FileInfo> info_of(Stream stream) {
  return info_of_descriptor(number_of(stream));
}

bool write_to(Stream stream, std::string_view bytes) {
  return write_all(number_of(stream), bytes);
}

bool is_terminal(Stream stream) {
  return ::isatty(number_of(stream)) == 1;
}

struct OpenFolder::Held {
  explicit Held(int opened) : descriptor(opened) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { ::close(descriptor); }
  int descriptor;
};

OpenFolder OpenFolder::open(const std::string& path) {
  OpenFolder folder;
  if (const int opened = ::open(path.c_str(), kFolder); opened >= 0)
    folder.held_ = std::make_shared<const Held>(opened);
  return folder;
}

OpenFolder OpenFolder::below(const std::string& name) const {
  OpenFolder folder;
  const int opened = ::openat(held_->descriptor, name.c_str(), kFolder | O_NOFOLLOW);
  if (opened >= 0)
    folder.held_ = std::make_shared<const Held>(opened);
  return folder;
}

std::optional<FileInfo> OpenFolder::entry(const std::string& name) const {
  struct stat info {};
  if (::fstatat(held_->descriptor, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
    return std::nullopt;
  return info_from(info);
}

OpenFile OpenFolder::create(const std::string& name) const {
  return OpenFile(::openat(held_->descriptor, name.c_str(), kNewFile, kForAll));
}

bool OpenFolder::replace(const std::string& from, const std::string& to) const {
  return ::renameat(held_->descriptor, from.c_str(), held_->descriptor, to.c_str()) == 0;
}

void OpenFolder::remove(const std::string& name) const {
  ::unlinkat(held_->descriptor, name.c_str(), 0);
}

void OpenFolder::sync() const {
  static_cast<void>(::fsync(held_->descriptor));
}

FolderLock::FolderLock(const std::string& folder)
    : held_(::open(folder.empty() ? "." : folder.c_str(), kFolder)) {
  if (held_ >= 0)
    static_cast<void>(::flock(static_cast<int>(held_), LOCK_EX));
}

FolderLock::~FolderLock() {
  if (held_ >= 0)
    ::close(static_cast<int>(held_));
}

}  // namespace lacuna::platform
