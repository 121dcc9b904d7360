// SPDX-License-Identifier: Apache-2.0
#include "data/files/position.h"

#include <algorithm>

namespace lacuna::files {
namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

Position position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  Position position;
  position.line += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t newline = before.rfind('\n');
  const std::string_view line = newline == before.npos ? before : before.substr(newline + 1);
  for (const char c : line)
    position.column += is_continuation(c) ? 0U : 1U;
  return position;
}

std::string location(std::string_view filename, Position position) {
  return std::string(filename) + ":" + std::to_string(position.line) + ":" +
         std::to_string(position.column);
}

Error error_at(std::string_view filename,
               std::string_view text,
               std::size_t offset,
               std::string message,
               ErrorCode code) {
  return {code, std::move(message), location(filename, position_of(text, offset))};
}

}  // namespace lacuna::files
