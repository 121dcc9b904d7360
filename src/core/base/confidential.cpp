// SPDX-License-Identifier: Apache-2.0
#include "core/base/confidential.h"

#include <algorithm>

#include "core/base/quotes.h"
#include "core/base/spelling.h"

namespace lacuna::base {
namespace {

constexpr std::string_view kOpen = "\xE2\x81\xA1";   // U+2061
constexpr std::string_view kClose = "\xE2\x81\xA3";  // U+2063

// Nearly every text has no mark, and all texts that go to Python and R come through here.
template <class Say>
std::string rendered(std::string_view message, const Say& say) {
  if (message.find(kOpen) == std::string_view::npos)
    return std::string(message);
  std::string out;
  for (const MessagePart& part : parts_of(message))
    out += say(part);
  return out;
}

bool may_be_number(std::string_view text) {
  constexpr std::ptrdiff_t kFewDigits = 3;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) {  // of any alphabet
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80U;
  };
  const auto digits = std::count_if(text.begin(), text.end(), is_digit);
  return digits > kFewDigits || (digits > 0 && std::none_of(text.begin(), text.end(), is_letter));
}

}  // namespace

// A mark without its end reaches to the end of the message: rather too little is shown than too
// much.
std::vector<MessagePart> parts_of(std::string_view message) {
  std::vector<MessagePart> parts;
  const auto add = [&](std::string_view text, bool marked) {
    if (!text.empty())
      parts.push_back({std::string(text), marked});
  };
  while (true) {
    const std::size_t open = message.find(kOpen);
    add(message.substr(0, open), false);
    if (open == std::string_view::npos)
      return parts;
    message.remove_prefix(open + kOpen.size());
    const std::size_t close = message.find(kClose);
    add(message.substr(0, close), true);
    if (close == std::string_view::npos)
      return parts;
    message.remove_prefix(close + kClose.size());
  }
}

std::string confidential(std::string_view text) {
  return std::string(kOpen) + in_full(text) + std::string(kClose);
}

std::string in_full(std::string_view message) {
  return as_in_files(rendered(message, [](const MessagePart& part) { return part.text; }));
}

std::string strange_field(std::string_view text) {
  return may_be_number(text) ? confidential(text) : std::string(text);
}

std::string strange_field_in_quotes(std::string_view text) {
  return may_be_number(text) ? confidential(in_quotes(text)) : in_quotes(text);
}

std::string without_confidential(std::string_view message) {
  return as_in_files(rendered(message, [](const MessagePart& part) {
    return part.confidential ? std::string("(not shown)") : part.text;
  }));
}

}  // namespace lacuna::base
