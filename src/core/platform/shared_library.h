// SPDX-License-Identifier: Apache-2.0
// A shared library looked for when it is needed, so that the program runs without it.
#pragma once

#include <string>

namespace lacuna::platform {

// What a library of this name is called here: libname.so, name.dll, libname.dylib.
std::string library_name(const std::string& name);

class SharedLibrary {
 public:
  // Never closed: what it has started (threads, memory) may outlive any one user.
  explicit SharedLibrary(const std::string& name);
  bool is_open() const { return handle_ != nullptr; }
  const std::string& reason() const { return reason_; }  // why it is not

  // Sets the pointer to the function of this name; false if the library has none.
  template <class Function>
  bool find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(symbol(name));  // NOLINT: as POSIX has it
    return function != nullptr;
  }

 private:
  void* symbol(const char* name) const;
  void* handle_ = nullptr;
  std::string reason_;
};

}  // namespace lacuna::platform
