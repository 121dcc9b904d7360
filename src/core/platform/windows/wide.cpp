// SPDX-License-Identifier: Apache-2.0
#include "core/platform/windows/wide.h"

#include <cerrno>

namespace lacuna::platform {

std::wstring wide(std::string_view text) {
  const int size = static_cast<int>(text.size());
  const int length = ::MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0);
  std::wstring made(static_cast<std::size_t>(length > 0 ? length : 0), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, text.data(), size, made.data(), length);
  return made;
}

std::string narrow(std::wstring_view text) {
  const int size = static_cast<int>(text.size());
  const int length =
      ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
  std::string made(static_cast<std::size_t>(length > 0 ? length : 0), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, made.data(), length, nullptr, nullptr);
  return made;
}

std::wstring wide_path(const std::string& path) {
  constexpr std::size_t kShort = 240;  // of MAX_PATH, with room for a name of ours behind it
  std::wstring name = wide(path);
  if (name.size() < kShort || name.starts_with(LR"(\\?\)"))
    return name;
  std::wstring whole(32768, L'\0');
  const DWORD length =
      ::GetFullPathNameW(name.c_str(), static_cast<DWORD>(whole.size()), whole.data(), nullptr);
  if (length == 0 || length >= whole.size())
    return name;
  whole.resize(length);
  return whole.starts_with(LR"(\\)") ? LR"(\\?\UNC\)" + whole.substr(2) : LR"(\\?\)" + whole;
}

void set_errno(DWORD error) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
      errno = ENOENT;
      break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT:
      errno = EACCES;
      break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      errno = EEXIST;
      break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      errno = ENOSPC;
      break;
    case ERROR_TOO_MANY_OPEN_FILES:
      errno = EMFILE;
      break;
    case ERROR_DIRECTORY:
      errno = ENOTDIR;
      break;
    default:
      errno = EIO;
  }
}

}  // namespace lacuna::platform
