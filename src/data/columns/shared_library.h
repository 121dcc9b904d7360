// SPDX-License-Identifier: Apache-2.0
// A shared library looked for when it is needed, so that the program runs without it.
#pragma once

#include <dlfcn.h>

#include <string>

namespace lacuna::columns {

class SharedLibrary {
 public:
  // Never closed: what it has started (threads, memory) may outlive any one user.
  explicit SharedLibrary(const std::string& name)
      : handle_(::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) {
      const char* text = ::dlerror();
      reason_ = text != nullptr ? text : "unknown reason";
    }
  }
  bool is_open() const { return handle_ != nullptr; }
  const std::string& reason() const { return reason_; }  // why it is not

  // Sets the pointer to the function of this name; false if the library has none.
  template <class Function>
  bool find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(::dlsym(handle_, name));  // NOLINT: as POSIX has it
    return function != nullptr;
  }

 private:
  void* handle_ = nullptr;
  std::string reason_;
};

}  // namespace lacuna::columns
