// SPDX-License-Identifier: Apache-2.0
#include "apps/mcp/lines.h"

namespace lacuna::mcp {

std::optional<Line> next_line(std::istream& in, std::size_t most) {
  using Traits = std::istream::traits_type;
  Line line;
  std::streambuf& bytes = *in.rdbuf();
  Traits::int_type byte = bytes.sbumpc();
  if (Traits::eq_int_type(byte, Traits::eof()))
    return std::nullopt;
  for (; !Traits::eq_int_type(byte, Traits::eof()); byte = bytes.sbumpc()) {
    const char read = Traits::to_char_type(byte);
    if (read == '\n')
      break;
    if (line.too_long)
      continue;
    line.text += read;
    if (line.text.size() > most) {
      line.too_long = true;
      std::string().swap(line.text);
    }
  }
  if (line.text.ends_with('\r'))
    line.text.pop_back();
  return line;
}

}  // namespace lacuna::mcp
