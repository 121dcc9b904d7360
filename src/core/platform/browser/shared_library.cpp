// SPDX-License-Identifier: Apache-2.0
// A browser loads no libraries of the machine.
#include "core/platform/shared_library.h"

namespace lacuna::platform {

std::string library_name(const std::string& name) {
  return name;
}

SharedLibrary::SharedLibrary(const std::string&)
    : reason_("a browser loads no libraries of the machine") {}

void* SharedLibrary::symbol(const char*) const {
  return nullptr;
}

}  // namespace lacuna::platform
