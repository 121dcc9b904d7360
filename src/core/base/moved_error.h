// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lacuna/error.h"

namespace lacuna::base {

// An error found without knowledge of the file, moved to its place there. What the error said of
// its place ("NACE=A|REG=1") goes to the end of the sentence.
Error moved_to(Error error, std::string where);

}  // namespace lacuna::base
