// SPDX-License-Identifier: Apache-2.0
#include "core/base/quotes.h"

#include <algorithm>

namespace lacuna::base {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 40;
  const auto is_continuation = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
  };
  std::size_t length = std::min(text.size(), kShown);
  while (length > 0 && length < text.size() && is_continuation(text[length]))
    --length;
  std::string shown(text.substr(0, length));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F)
      c = '?';
  }
  if (length < text.size())
    shown += "...";
  return "'" + shown + "'";
}

}  // namespace lacuna::base
