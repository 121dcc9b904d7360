// SPDX-License-Identifier: Apache-2.0
// Letters of words that files spell in capital or small ones.
#pragma once

#include <string>
#include <string_view>

namespace lacuna::inline base {

inline std::string lower_case(std::string_view text) {  // of ASCII letters, whatever the locale
  std::string result(text);
  for (char& c : result)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

}  // namespace lacuna::inline base
