// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "lacuna/export.h"

namespace LACUNA_API lacuna {

std::string_view version();  // "1.2.3"
std::string_view commit();   // abbreviated hash at the time of the build, or "unknown"

}  // namespace lacuna
