// SPDX-License-Identifier: Apache-2.0
#include "core/platform/shared_library.h"

#include <system_error>

#include "core/platform/windows/wide.h"

namespace lacuna::platform {

std::string library_name(const std::string& name) {
  return name + ".dll";
}

SharedLibrary::SharedLibrary(const std::string& name)
    : handle_(static_cast<void*>(::LoadLibraryW(wide(name).c_str()))) {
  if (handle_ == nullptr)
    reason_ = name + ": " +
              std::system_category().message(static_cast<int>(::GetLastError()));
}

void* SharedLibrary::symbol(const char* name) const {
  return reinterpret_cast<void*>(  // NOLINT: as the system has it
      ::GetProcAddress(static_cast<HMODULE>(handle_), name));
}

}  // namespace lacuna::platform
