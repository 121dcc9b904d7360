// SPDX-License-Identifier: Apache-2.0
#include "core/platform/shared_library.h"

#include <dlfcn.h>

namespace lacuna::platform {

std::string library_name(const std::string& name) {
#ifdef __APPLE__
  return "lib" + name + ".dylib";
#else
  return "lib" + name + ".so";
#endif
}

SharedLibrary::SharedLibrary(const std::string& name)
    : handle_(::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) {
    const char* text = ::dlerror();
    reason_ = text != nullptr ? text : "unknown reason";
  }
}

void* SharedLibrary::symbol(const char* name) const {
  return ::dlsym(handle_, name);
}

}  // namespace lacuna::platform
