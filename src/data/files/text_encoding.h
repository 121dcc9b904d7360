// SPDX-License-Identifier: Apache-2.0
// Files in other encodings than UTF-8, turned into UTF-8: what spreadsheets and older systems of
// offices write. Windows-1252 holds all of Latin-1 that is text; UTF-16 is known by its mark.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "lacuna/result.h"

namespace lacuna::files {

enum class Encoding : std::uint8_t { kUtf8, kLatin1, kWindows1252, kUtf16 };
std::span<const std::string_view> encoding_names();  // by Encoding

// UTF-8 if the bytes are that, UTF-16 by its byte order mark, else Windows-1252.
Encoding likely_encoding(std::string_view bytes);

// Without a byte order mark. Errors: a byte that the encoding does not have, with its place.
Result<std::string> to_utf8(std::string bytes, Encoding encoding, const std::string& filename);

}  // namespace lacuna::files
