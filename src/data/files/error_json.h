// SPDX-License-Identifier: Apache-2.0
// An error as programs read it: {"error": {"code", "kind", "message", "where", "path"}}, and file,
// line and column where the place has them. For the office: the sentence is in full.
#pragma once

#include <string>

#include "lacuna/error.h"

namespace lacuna::files {

std::string error_json(const Error& error);

}  // namespace lacuna::files
