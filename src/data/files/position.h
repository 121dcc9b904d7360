// SPDX-License-Identifier: Apache-2.0
// Where in a text file an error stands: "sales.csv:17:3".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/quotes.h"
#include "core/base/utf8.h"
#include "lacuna/result.h"

namespace lacuna::files {

struct Position {
  std::size_t line = 1;    // from 1
  std::size_t column = 1;  // from 1, in characters (UTF-8 code points), not bytes
};

Position position_of(std::string_view text, std::size_t offset);
std::string location(std::string_view filename, Position position);

// An error at a byte offset of the text.
Error error_at(std::string_view filename,
               std::string_view text,
               std::size_t offset,
               std::string message,
               ErrorCode code = ErrorCode::kBadField);

}  // namespace lacuna::files
