// SPDX-License-Identifier: Apache-2.0
#include "base/confidential.h"

namespace lacuna::inline base {
namespace {

constexpr std::string_view kOpen = "\xE2\x81\xA1";   // U+2061
constexpr std::string_view kClose = "\xE2\x81\xA3";  // U+2063

// The message with `say` in place of what is marked. A mark without its end reaches to the end of
// the message: rather too little is shown than too much.
template <class Say>
std::string rendered(std::string_view message, const Say& say) {
  std::string out;
  while (true) {
    const std::size_t open = message.find(kOpen);
    out += message.substr(0, open);
    if (open == std::string_view::npos)
      return out;
    message.remove_prefix(open + kOpen.size());
    const std::size_t close = message.find(kClose);
    out += say(message.substr(0, close));
    if (close == std::string_view::npos)
      return out;
    message.remove_prefix(close + kClose.size());
  }
}

}  // namespace

std::string confidential(std::string_view text) {
  return std::string(kOpen) + in_full(text) + std::string(kClose);
}

std::string in_full(std::string_view message) {
  return rendered(message, [](std::string_view text) { return std::string(text); });
}

std::string without_confidential(std::string_view message) {
  return rendered(message, [](std::string_view) { return std::string("(not shown)"); });
}

}  // namespace lacuna::inline base
