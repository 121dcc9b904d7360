// SPDX-License-Identifier: Apache-2.0
// Windows names a file by volume and index; pipes and consoles have no such name. A link (a reparse
// point) is never followed where the header says so: what is opened is the link itself.
#include "core/platform/file.h"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "core/platform/system.h"
#include "core/platform/windows/wide.h"

namespace lacuna::platform {
namespace {

constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

std::optional<FileInfo> info_of_handle(HANDLE handle) {
  using Kind = FileInfo::Kind;
  if (handle == INVALID_HANDLE_VALUE || handle == nullptr)
    return std::nullopt;
  FileInfo info;
  BY_HANDLE_FILE_INFORMATION found{};
  if (::GetFileType(handle) != FILE_TYPE_DISK ||
      ::GetFileInformationByHandle(handle, &found) == 0)
    return info;
  info.kind = (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 ? Kind::kLink
              : (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0   ? Kind::kFolder
                                                                           : Kind::kRegular;
  info.size = (static_cast<std::uint64_t>(found.nFileSizeHigh) << 32U) | found.nFileSizeLow;
  info.volume = found.dwVolumeSerialNumber;
  info.index = (static_cast<std::uint64_t>(found.nFileIndexHigh) << 32U) | found.nFileIndexLow;
  return info;
}

HANDLE open_handle(const std::wstring& path, DWORD access, DWORD share, DWORD how, DWORD flags) {
  HANDLE handle = ::CreateFileW(path.c_str(), access, share, nullptr, how, flags, nullptr);
  if (handle == INVALID_HANDLE_VALUE)
    set_errno(::GetLastError());
  return handle;
}

OpenFile descriptor_of(HANDLE handle, int flags) {
  if (handle == INVALID_HANDLE_VALUE)
    return {};
  return OpenFile(::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle),  // NOLINT
                                    flags | _O_BINARY | _O_NOINHERIT));
}

// FILE_FLAG_OPEN_REPARSE_POINT: a link that leads nowhere is a name that is taken.
OpenFile create(const std::wstring& path) {
  return descriptor_of(open_handle(path,
                                   GENERIC_WRITE,
                                   FILE_SHARE_READ | FILE_SHARE_DELETE,
                                   CREATE_NEW,
                                   FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT),
                       _O_WRONLY);
}

// A program that looks at every new file (against viruses, for a search) holds it for a moment.
bool replace(const std::wstring& from, const std::wstring& to) {
  constexpr int kAttempts = 20;
  constexpr DWORD kMilliseconds = 25;
  for (int i = 0;; ++i) {
    if (::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
      return true;
    const DWORD error = ::GetLastError();
    const bool is_held = error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED;
    if (!is_held || i == kAttempts) {
      set_errno(error);
      return false;
    }
    ::Sleep(kMilliseconds);
  }
}

bool write_all(int descriptor, std::string_view bytes) {
  constexpr std::size_t kMost = std::size_t{1} << 20U;  // of one call
  while (!bytes.empty()) {
    const int done = ::_write(
        descriptor, bytes.data(), static_cast<unsigned>(std::min(bytes.size(), kMost)));
    if (done <= 0)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

int number_of(Stream stream) {
  return stream == Stream::kInput ? 0 : stream == Stream::kOutput ? 1 : 2;
}

HANDLE handle_of(int descriptor) {
  return reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor));  // NOLINT: as the system has it
}

std::wstring inside(const std::wstring& folder, const std::string& name) {
  return folder + L"\\" + wide(name);
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
    ::_close(descriptor_);
}

std::optional<FileInfo> OpenFile::info() const {
  return info_of_handle(handle_of(descriptor_));
}

std::ptrdiff_t OpenFile::read(char* target, std::size_t size) const {
  constexpr std::size_t kMost = std::size_t{1} << 30U;
  return ::_read(descriptor_, target, static_cast<unsigned>(std::min(size, kMost)));
}

bool OpenFile::write(std::string_view bytes) const {
  return write_all(descriptor_, bytes);
}

bool OpenFile::rewind() const {
  return ::_lseeki64(descriptor_, 0, SEEK_SET) >= 0;
}

bool OpenFile::sync() const {
  return ::_commit(descriptor_) == 0;
}

bool OpenFile::close() {
  return ::_close(std::exchange(descriptor_, -1)) == 0;
}

OpenFile open_to_read(const std::string& path) {
  return descriptor_of(
      open_handle(
          wide_path(path), GENERIC_READ, kShared, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS),
      _O_RDONLY);
}

OpenFile open_to_write(const std::string& path) {
  return descriptor_of(open_handle(wide_path(path), GENERIC_WRITE, kShared, OPEN_EXISTING, 0),
                       _O_WRONLY);
}

// Folders of a user are closed to others here: a file needs no rights of its own.
OpenFile create_file(const std::string& path, bool) {
  return create(wide_path(path));
}

std::optional<FileInfo> info_of(const std::string& path) {
  const Handle handle(
      open_handle(wide_path(path), 0, kShared, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS));
  return info_of_handle(handle.get());
}

bool replace_file(const std::string& from, const std::string& to) {
  return replace(wide_path(from), wide_path(to));
}

void remove_file(const std::string& path) {
  ::DeleteFileW(wide_path(path).c_str());
}

void sync_folder(const std::string&) {}  // MOVEFILE_WRITE_THROUGH has done it

std::string create_own_folder(const std::string& begin_of_name) {
  constexpr int kAttempts = 100;
  for (int i = 0; i < kAttempts; ++i) {
    unsigned char drawn[6];
    if (!random_bytes(drawn, sizeof drawn))
      return "";
    std::string name = begin_of_name;
    for (const unsigned char byte : drawn)
      name += static_cast<char>('a' + byte % 26);
    const std::string path = (std::filesystem::temp_directory_path() / name).string();
    if (::CreateDirectoryW(wide_path(path).c_str(), nullptr) != 0)
      return path;
    set_errno(::GetLastError());
    if (errno != EEXIST)
      return "";
  }
  return "";
}

std::optional<FileInfo> info_of(Stream stream) {
  return info_of_handle(handle_of(number_of(stream)));
}

bool write_to(Stream stream, std::string_view bytes) {
  return write_all(number_of(stream), bytes);
}

bool is_terminal(Stream stream) {
  return ::_isatty(number_of(stream)) != 0;
}

// Whoever holds a folder without sharing its deletion keeps it, and all on the way to it, in place.
struct OpenFolder::Held {
  Held(HANDLE opened, std::wstring where, std::shared_ptr<const Held> holder)
      : handle(opened), path(std::move(where)), above(std::move(holder)) {}
  Handle handle;
  std::wstring path;
  std::shared_ptr<const Held> above;
};

namespace {

HANDLE open_folder(const std::wstring& path, DWORD more) {
  HANDLE handle = open_handle(path,
                              FILE_LIST_DIRECTORY,
                              FILE_SHARE_READ | FILE_SHARE_WRITE,
                              OPEN_EXISTING,
                              FILE_FLAG_BACKUP_SEMANTICS | more);
  const auto info = info_of_handle(handle);
  if (info && info->kind == FileInfo::Kind::kFolder)
    return handle;
  if (handle != INVALID_HANDLE_VALUE) {
    ::CloseHandle(handle);
    errno = ENOTDIR;
  }
  return INVALID_HANDLE_VALUE;
}

}  // namespace

OpenFolder OpenFolder::open(const std::string& path) {
  OpenFolder folder;
  const std::wstring name = wide_path(path.empty() ? "." : path);
  if (HANDLE handle = open_folder(name, 0); handle != INVALID_HANDLE_VALUE)
    folder.held_ = std::make_shared<const Held>(handle, name, nullptr);
  return folder;
}

OpenFolder OpenFolder::below(const std::string& name) const {
  OpenFolder folder;
  const std::wstring path = inside(held_->path, name);
  if (HANDLE handle = open_folder(path, FILE_FLAG_OPEN_REPARSE_POINT);
      handle != INVALID_HANDLE_VALUE)
    folder.held_ = std::make_shared<const Held>(handle, path, held_);
  return folder;
}

std::optional<FileInfo> OpenFolder::entry(const std::string& name) const {
  const Handle handle(open_handle(inside(held_->path, name),
                                  0,
                                  kShared,
                                  OPEN_EXISTING,
                                  FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT));
  return info_of_handle(handle.get());
}

OpenFile OpenFolder::create(const std::string& name) const {
  return platform::create(inside(held_->path, name));
}

bool OpenFolder::replace(const std::string& from, const std::string& to) const {
  return platform::replace(inside(held_->path, from), inside(held_->path, to));
}

void OpenFolder::remove(const std::string& name) const {
  ::DeleteFileW(inside(held_->path, name).c_str());
}

void OpenFolder::sync() const {}

// A folder cannot be locked here, but a file in it that nobody shares is as good, also on disks of
// other machines. It is gone with its lock.
FolderLock::FolderLock(const std::string& folder) {
  constexpr DWORD kMilliseconds = 20;
  const std::wstring path =
      wide_path((folder.empty() ? std::string(".") : folder) + "\\.lacuna-lock");
  for (;;) {
    HANDLE handle = open_handle(path,
                                GENERIC_WRITE | DELETE,
                                0,
                                OPEN_ALWAYS,
                                FILE_ATTRIBUTE_HIDDEN | FILE_FLAG_DELETE_ON_CLOSE);
    if (handle != INVALID_HANDLE_VALUE) {
      held_ = reinterpret_cast<std::intptr_t>(handle);  // NOLINT
      return;
    }
    if (::GetLastError() != ERROR_SHARING_VIOLATION)
      return;
    ::Sleep(kMilliseconds);
  }
}

FolderLock::~FolderLock() {
  if (held_ != -1)
    ::CloseHandle(reinterpret_cast<HANDLE>(held_));  // NOLINT
}

}  // namespace lacuna::platform
