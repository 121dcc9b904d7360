// SPDX-License-Identifier: Apache-2.0
#include "core/base/utf8.h"

namespace lacuna::base {
namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// Length of the UTF-8 sequence at the offset, 0 if there is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned first = byte(0);
  if (first < 0x80U)
    return 1;
  const std::size_t length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
  if (first < 0xC2U || first > 0xF4U || at + length > text.size())
    return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[at + i]))
      return 0;
  }
  const unsigned second = byte(1);
  const bool overlong = (first == 0xE0U && second < 0xA0U) || (first == 0xF0U && second < 0x90U);
  const bool surrogate = first == 0xEDU && second >= 0xA0U;
  const bool beyond = first == 0xF4U && second >= 0x90U;
  return overlong || surrogate || beyond ? 0 : length;
}

}  // namespace

std::size_t find_bad_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0)
      return at;
    at += length;
  }
  return std::string_view::npos;
}

}  // namespace lacuna::base
