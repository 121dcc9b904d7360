// SPDX-License-Identifier: Apache-2.0
// What a file is that was given in the place of another: a format of other programs, told by its
// first bytes, or one of our own JSON files.
#pragma once

#include <string>
#include <string_view>

#include "data/files/json_tree.h"
#include "lacuna/result.h"

namespace lacuna::files {

// The error; where the bytes are a format that other programs write and nobody reads here, one
// that names it and says what to do.
Error or_wrong_format(Error error, std::string_view bytes, std::string_view filename);

// "a result of lacuna protect", "a certificate", "a public file", "a table"; empty if it is none.
std::string own_json(JsonNode root);

}  // namespace lacuna::files
