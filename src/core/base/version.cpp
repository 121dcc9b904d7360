// SPDX-License-Identifier: Apache-2.0
#include "lacuna/version.h"

namespace lacuna {

std::string_view version() {
  return LACUNA_VERSION;  // set by CMake from the project's version
}

}  // namespace lacuna
