// SPDX-License-Identifier: Apache-2.0
// JSON of the protocol: small objects that are read and written whole.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lacuna/result.h"

namespace lacuna::mcp {

using Json = nlohmann::ordered_json;

// Errors: no JSON, or nested deeper than anyone would write.
Result<Json> parse_json(const std::string& text);

// One line, whatever the bytes are.
std::string dump(const Json& json);

// The same value without what is marked as confidential in its texts.
Json shown(Json value);

}  // namespace lacuna::mcp
