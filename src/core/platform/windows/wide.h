// SPDX-License-Identifier: Apache-2.0
// Between UTF-8 and what Windows' own functions take, and Windows' errors as errno has them.
#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
// clang-format off: the others need the first
#include <windows.h>
#include <bcrypt.h>
#include <shellapi.h>
// clang-format on

#include <string>
#include <string_view>

namespace lacuna::platform {

std::wstring wide(std::string_view text);
std::string narrow(std::wstring_view text);
// The name of a file: one that is long is written so that Windows takes it.
std::wstring wide_path(const std::string& path);
void set_errno(DWORD error);

class Handle {  // closes itself
 public:
  explicit Handle(HANDLE handle) : handle_(handle) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (is_open())
      ::CloseHandle(handle_);
  }
  bool is_open() const { return handle_ != INVALID_HANDLE_VALUE && handle_ != nullptr; }
  HANDLE get() const { return handle_; }
  HANDLE release() {
    HANDLE handle = handle_;
    handle_ = INVALID_HANDLE_VALUE;
    return handle;
  }

 private:
  HANDLE handle_;
};

}  // namespace lacuna::platform
