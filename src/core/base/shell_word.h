// SPDX-License-Identifier: Apache-2.0
// A word as a shell of POSIX reads it: plain, or between single quotes, within which only the quote
// itself is special.
#pragma once

#include <string>

namespace lacuna::base {

inline std::string shell_word(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+%@";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos)
    return word;
  std::string out = "'";
  for (const char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace lacuna::base
