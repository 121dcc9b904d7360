// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/json.h"

#include <charconv>
#include <optional>

#include "base/confidential.h"

namespace lacuna::serve {
namespace {

constexpr int kDeepest = 32;

// Takes ":17" off the end of a place; nothing if there is none. By hand: a place may hold a name of
// any length that a stranger chose.
std::optional<int> number_at_end(std::string& place) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos)
    return std::nullopt;
  int number = 0;
  const char* end = place.data() + place.size();
  const auto [last, error] = std::from_chars(place.data() + colon + 1, end, number);
  if (error != std::errc() || last != end || number < 0)
    return std::nullopt;
  place.resize(colon);
  return number;
}

}  // namespace

Result<Json> parse_json(const std::string& text) {
  bool too_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  Json json = Json::parse(text, watch, false);
  if (too_deep)
    return Error{ErrorCode::kBadInput, "the JSON is nested too deeply", ""};
  if (json.is_discarded())
    return Error{ErrorCode::kBadInput, "this is no JSON", ""};
  return json;
}

Json error_json(const Error& error) {
  Json told{{"message", in_full(error.message)}, {"where", error.where}};
  std::string file = error.where;
  if (const auto last = number_at_end(file)) {
    const auto line = number_at_end(file);
    told["file"] = file;
    told["line"] = line ? *line : *last;
    if (line)
      told["column"] = *last;
  }
  return {{"error", told}};
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
