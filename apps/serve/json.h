// SPDX-License-Identifier: Apache-2.0
// JSON of the interface: small objects that are read and written whole. Tables go as texts that
// app/report/page_data.h writes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lacuna/result.h"

namespace lacuna::serve {

using Json = nlohmann::ordered_json;

// Errors: no JSON, or nested deeper than anyone would write.
Result<Json> parse_json(const std::string& text);

// {"error":{"message":..,"where":..,"file":..,"line":..,"column":..}}; places that name a file
// "sales.csv:17:3" are taken apart.
Json error_json(const Error& error);

// A text member, or nothing.
std::string text_member(const Json& object, const std::string& name);

std::string dump(const Json& json);  // whatever the bytes are

}  // namespace lacuna::serve
