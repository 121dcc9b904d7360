// SPDX-License-Identifier: Apache-2.0
#include "data/files/text_encoding.h"

#include <array>

#include "data/files/position.h"
#include "data/files/wrong_format.h"

namespace lacuna::files {
namespace {

constexpr std::array<std::string_view, 4> kNames{"utf-8", "latin-1", "windows-1252", "utf-16"};
constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kUtf16Little = "\xFF\xFE";
constexpr std::string_view kUtf16Big = "\xFE\xFF";

// The characters 0x80 to 0x9F of Windows-1252; 0: there is none.
constexpr std::array<char32_t, 32> kWindows{
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

void append(std::string& out, char32_t character) {
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80U | ((character >> shift) & 0x3FU));
  };
  if (character < 0x80U) {
    out += static_cast<char>(character);
  } else if (character < 0x800U) {
    out += static_cast<char>(0xC0U | (character >> 6U));
    tail(0);
  } else if (character < 0x10000U) {
    out += static_cast<char>(0xE0U | (character >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | (character >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

Result<std::string> from_bytes(std::string_view bytes, bool windows, const std::string& filename) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 8);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    char32_t character = byte;
    if (windows && byte >= 0x80U && byte < 0xA0U) {
      character = kWindows[byte - 0x80U];
      if (character == 0)
        return or_wrong_format(
            error_at(filename,
                     bytes,
                     at,
                     "windows-1252 has no such character: name the encoding of the file "
                     "(encoding = \"utf-8\", \"latin-1\"), or convert it to UTF-8"),
            bytes,
            filename);
    }
    append(out, character);
  }
  return out;
}

Result<std::string> from_utf16(std::string_view bytes, const std::string& filename) {
  const bool big = bytes.starts_with(kUtf16Big);
  const std::size_t start = big || bytes.starts_with(kUtf16Little) ? 2 : 0;
  const Error broken{
      ErrorCode::kDamaged, "the UTF-16 text is damaged: convert the file to UTF-8", filename};
  if (bytes.size() % 2 != 0)
    return broken;
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<char32_t>(big ? first * 256U + second : second * 256U + first);
  };
  std::string out;
  for (std::size_t at = start; at < bytes.size(); at += 2) {
    char32_t character = unit(at);
    if (character >= 0xD800U && character < 0xE000U) {
      const bool paired = character < 0xDC00U && at + 3 < bytes.size() && unit(at + 2) >= 0xDC00U &&
                          unit(at + 2) < 0xE000U;
      if (!paired)
        return broken;
      character = 0x10000U + ((character - 0xD800U) << 10U) + (unit(at + 2) - 0xDC00U);
      at += 2;
    }
    append(out, character);
  }
  return out;
}

}  // namespace

std::span<const std::string_view> encoding_names() {
  return kNames;
}

Encoding likely_encoding(std::string_view bytes) {
  if (bytes.starts_with(kUtf16Little) || bytes.starts_with(kUtf16Big))
    return Encoding::kUtf16;
  return base::find_bad_utf8(bytes) == std::string_view::npos ? Encoding::kUtf8
                                                              : Encoding::kWindows1252;
}

Result<std::string> to_utf8(std::string bytes, Encoding encoding, const std::string& filename) {
  switch (encoding) {
    case Encoding::kUtf8:
      if (bytes.starts_with(kUtf8Mark))
        bytes.erase(0, kUtf8Mark.size());
      return bytes;  // the reader checks it, with its own message
    case Encoding::kUtf16:
      return from_utf16(bytes, filename);
    case Encoding::kLatin1:
    case Encoding::kWindows1252:
      return from_bytes(bytes, encoding == Encoding::kWindows1252, filename);
  }
  return bytes;
}

}  // namespace lacuna::files
