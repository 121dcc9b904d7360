// SPDX-License-Identifier: Apache-2.0
// Numbers in bytes, the least significant byte first, and text of 16 bits.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace lacuna::formats {

// Nothing (0) beyond the end.
inline std::uint64_t number_at(std::string_view bytes, std::uint64_t at, unsigned size) {
  if (at > bytes.size() || size > bytes.size() - at)
    return 0;
  std::uint64_t value = 0;
  for (unsigned i = size; i-- > 0;)
    value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}
inline std::uint16_t u16_at(std::string_view bytes, std::uint64_t at) {
  return static_cast<std::uint16_t>(number_at(bytes, at, 2));
}
inline std::uint32_t u32_at(std::string_view bytes, std::uint64_t at) {
  return static_cast<std::uint32_t>(number_at(bytes, at, 4));
}
inline double double_at(std::string_view bytes, std::uint64_t at) {
  return std::bit_cast<double>(number_at(bytes, at, 8));
}

inline void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80U) {
    put(code);
  } else if (code < 0x800U) {
    put(0xC0U | code >> 6U);
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000U) {
    put(0xE0U | code >> 12U);
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | code >> 18U);
    put(0x80U | (code >> 12U & 0x3FU));
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

// UTF-16 to UTF-8, unit by unit; half a pair becomes U+FFFD.
class Utf16Text {
 public:
  void add(std::uint32_t unit) {
    constexpr std::uint32_t kHigh = 0xD800, kLow = 0xDC00, kEnd = 0xE000, kBad = 0xFFFD;
    if (high_ != 0 && unit >= kLow && unit < kEnd) {
      append_utf8(text_, 0x10000U + ((high_ - kHigh) << 10U) + (unit - kLow));
      high_ = 0;
      return;
    }
    close();
    if (unit >= kHigh && unit < kLow)
      high_ = unit;
    else
      append_utf8(text_, unit >= kLow && unit < kEnd ? kBad : unit);
  }
  std::string take() {
    close();
    return std::move(text_);
  }

 private:
  void close() {
    if (high_ != 0)
      append_utf8(text_, 0xFFFDU);
    high_ = 0;
  }
  std::string text_;
  std::uint32_t high_ = 0;
};

}  // namespace lacuna::formats
