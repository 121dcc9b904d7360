// SPDX-License-Identifier: Apache-2.0
// Messages as they come: one per line, of any length that somebody may send.
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>

namespace lacuna::mcp {

struct Line {
  std::string text;       // without its end; empty if it was too long
  bool too_long = false;  // it has been passed over
};

// Nothing at the end of the stream.
std::optional<Line> next_line(std::istream& in, std::size_t most);

}  // namespace lacuna::mcp
