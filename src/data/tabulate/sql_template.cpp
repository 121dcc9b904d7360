// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/sql_template.h"

#include <algorithm>

#include "core/base/check.h"

namespace lacuna::tabulation {
namespace {

const std::string* text_for(std::string_view name, const SqlHoles& holes) {
  const auto at = std::find_if(
      holes.begin(), holes.end(), [&](const auto& hole) { return hole.first == name; });
  return at == holes.end() ? nullptr : &at->second;
}

}  // namespace

std::string filled(std::string_view text, const SqlHoles& holes, const SqlHoles& more) {
  std::string result;
  while (true) {
    const std::size_t open = text.find('{');
    result += text.substr(0, open);
    if (open == std::string_view::npos)
      return result;
    const std::size_t close = text.find('}', open);
    LACUNA_CHECK(close != std::string_view::npos);
    const std::string_view name = text.substr(open + 1, close - open - 1);
    const std::string* found = text_for(name, holes);
    if (found == nullptr)
      found = text_for(name, more);
    LACUNA_CHECK(found != nullptr);
    result += *found;
    text.remove_prefix(close + 1);
  }
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty())
      text += between;
    text += part;
  }
  return text;
}

}  // namespace lacuna::tabulation
