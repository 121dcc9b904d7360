// SPDX-License-Identifier: Apache-2.0
#include "core/base/spelling.h"

#include <algorithm>

namespace lacuna::base {
namespace {

constexpr std::string_view kBegins = "\xE2\x81\xA2";  // U+2062
constexpr std::string_view kEnds = "\xE2\x81\xA4";    // U+2064
constexpr std::string_view kIs = " = ", kIn = " in ";

std::string as_named(const std::string& text) {
  return std::string(kBegins) + text + std::string(kEnds);
}

void read_option(std::string_view text, NamedSetting& named) {
  text.remove_prefix(std::min(text.find_first_not_of('-'), text.size()));
  const std::size_t blank = text.find(' ');
  named.name = text.substr(0, blank);
  named.value = blank == text.npos ? "" : text.substr(blank + 1);
}

void read_key(std::string_view text, NamedSetting& named) {
  if (text.ends_with(']')) {  // a value that ends so is a list, and no section
    const std::size_t in = text.rfind(kIn);
    const std::size_t section = text.find('[', in);  // behind "its"
    if (in != text.npos && section != text.npos && text.find('"', in) == text.npos) {
      named.section = text.substr(section);
      text = text.substr(0, in);
    }
  }
  const std::size_t is = text.find(kIs);
  named.name = text.substr(0, is);
  named.value = is == text.npos ? "" : text.substr(is + kIs.size());
}

// What the functions below have marked.
NamedSetting setting_in(std::string_view text) {
  using Kind = NamedSetting::Kind;
  NamedSetting named;
  named.text = text;
  named.kind = text.starts_with(' ')   ? Kind::kWords
               : text.starts_with('[') ? Kind::kSection
               : text.starts_with('-') ? Kind::kOption
                                       : Kind::kKey;
  if (named.kind == Kind::kSection)
    named.section = text;
  if (named.kind == Kind::kOption)
    read_option(text, named);
  if (named.kind == Kind::kKey)
    read_key(text, named);
  return named;
}

template <class Say>
std::string with_each(std::string_view message, const Say& say) {
  std::string out;
  while (true) {
    const std::size_t open = message.find(kBegins);
    const std::size_t close = open == message.npos ? open : message.find(kEnds, open);
    out += message.substr(0, open);
    if (open == message.npos)
      return out;
    if (close == message.npos)  // no mark of ours
      return out + std::string(message.substr(open));
    const std::size_t start = open + kBegins.size();
    out += say(message.substr(start, close - start));
    message.remove_prefix(close + kEnds.size());
  }
}

}  // namespace

std::string named_setting(std::string_view key, std::string_view value) {
  return as_named(std::string(key) + std::string(kIs) + std::string(value));
}

std::string named_setting(std::string_view section, std::string_view key, std::string_view value) {
  return as_named(std::string(key) + std::string(kIs) + std::string(value) + std::string(kIn) +
                  std::string(section));
}

std::string named_key(std::string_view section, std::string_view key) {
  return as_named(std::string(key) + std::string(kIn) + std::string(section));
}

std::string named_section(std::string_view name) {
  return as_named(std::string(name));
}

std::string named_option(std::string_view name, std::string_view value) {
  return as_named("--" + std::string(name) + (value.empty() ? "" : " ") + std::string(value));
}

std::string named_letter(char letter, std::string_view value) {
  return as_named(std::string("-") + letter + " " + std::string(value));
}

std::string words_of_files(std::string_view words) {
  return as_named(std::string(words));
}

std::string place_in_call(std::string_view where) {
  if (!where.starts_with('-'))
    return std::string(where);
  NamedSetting named;
  read_option(where, named);
  if ((named.name == "o" || named.name == "public") && !named.value.empty())
    return named.value;
  std::replace(named.name.begin(), named.name.end(), '-', '_');
  return named.name + (named.value.empty() ? "" : " ") + named.value;
}

std::string spelled(std::string_view message, const Spelling& spelling) {
  return with_each(message, [&](std::string_view text) { return spelling(setting_in(text)); });
}

std::string as_in_files(std::string_view message) {
  return with_each(message, [](std::string_view text) { return std::string(text); });
}

}  // namespace lacuna::base
