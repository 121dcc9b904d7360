// SPDX-License-Identifier: Apache-2.0
#include "report/html_text.h"

#include <fmt/core.h>

namespace lacuna::inline report {

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

std::string script_json(std::string_view text) {
  constexpr unsigned char kFirstPrintable = 0x20;
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool line_end = text.substr(i, 3) == "\u2028" || text.substr(i, 3) == "\u2029";
    if (line_end) {
      out += text[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '<' || c == '>' || c == '&' ||
               static_cast<unsigned char>(c) < kFirstPrintable) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace lacuna::inline report
