// SPDX-License-Identifier: Apache-2.0
#include "data/files/error_json.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/confidential.h"

namespace lacuna::files {
namespace {

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

std::string error_json(const Error& error) {
  const ErrorInfo& info = info_of(error.code);
  nlohmann::ordered_json told{{"code", info.name},
                              {"kind", enum_names(info.kind)[static_cast<std::size_t>(info.kind)]},
                              {"message", base::in_full(error.message)},
                              {"where", base::in_full(error.where)},
                              {"path", error.path}};
  std::string file = base::in_full(error.where);
  if (const auto last = number_at_end(file)) {
    const auto line = number_at_end(file);
    told["file"] = file;
    told["line"] = line ? *line : *last;
    if (line)
      told["column"] = *last;
  }
  const nlohmann::ordered_json all{{"error", std::move(told)}};
  return all.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace lacuna::files
