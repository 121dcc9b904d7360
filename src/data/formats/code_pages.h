// SPDX-License-Identifier: Apache-2.0
// Texts in the code pages that statistical files name (CODEPAGE of PX), turned into UTF-8: the
// parts of ISO 8859, those of Windows, and those of DOS that Europe uses.
#pragma once

#include <string>
#include <string_view>

#include "lacuna/result.h"

namespace lacuna::formats {

// Whether a name such as "iso-8859-15", "ISO8859-1", "cp1250" or "ANSI" is one of ours.
bool is_code_page(std::string_view name);
bool is_utf8_name(std::string_view name);

// ISO 8859-1 is read as Windows-1252, which has it as a part and is what is meant. Errors: a name
// that is not known; a byte that the page does not have, with its place.
Result<std::string> from_code_page(std::string_view bytes,
                                   std::string_view name,
                                   const std::string& filename);

}  // namespace lacuna::formats
