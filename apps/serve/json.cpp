// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/json.h"

#include "data/files/error_json.h"

namespace lacuna::serve {
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

Json error_json(const Error& error) {
  return Json::parse(lacuna::files::error_json(error));
}

std::string text_member(const Json& object, const std::string& name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null())
    return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lacuna::serve
