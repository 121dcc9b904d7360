// SPDX-License-Identifier: Apache-2.0
// Words of files: in capital or small letters, with blanks around them.
#pragma once

#include <string>
#include <string_view>

namespace lacuna::base {

inline std::string lower_case(std::string_view text) {  // of ASCII letters, whatever the locale
  std::string result(text);
  for (char& c : result)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

// Without blanks and tabulators at both ends, nor the carriage return of other systems. It points
// into the text also if nothing is left.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos)
    return text.substr(text.size());
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace lacuna::base
