// SPDX-License-Identifier: Apache-2.0
#include "apps/mcp/json.h"

#include "core/base/confidential.h"

namespace lacuna::mcp {
namespace {

constexpr int kDeepest = 32;

}  // namespace

Result<Json> parse_json(const std::string& text) {
  bool too_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  Json json = Json::parse(text, watch, false);
  if (too_deep)
    return Error{ErrorCode::kJobSyntax, "the JSON is nested too deeply", ""};
  if (json.is_discarded())
    return Error{ErrorCode::kJobSyntax, "this is not JSON", ""};
  return json;
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json shown(Json value) {
  if (value.is_string())
    return base::without_confidential(value.get<std::string>());
  if (value.is_structured()) {
    for (auto& item : value)
      item = shown(std::move(item));
  }
  return value;
}

}  // namespace lacuna::mcp
