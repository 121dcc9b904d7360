// SPDX-License-Identifier: Apache-2.0
#include "core/base/call_words.h"

#include <algorithm>

namespace lacuna::base {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

std::string name_here(std::span<const Pair> names, std::string_view name) {
  const auto at = std::find_if(
      names.begin(), names.end(), [&](const Pair& each) { return each.first == name; });
  return std::string(at == names.end() ? name : at->second);
}

}  // namespace

std::string CallWords::word(const NamedSetting& named) const {
  switch (named.kind) {
    case NamedSetting::Kind::kKey:
      return key(named);
    case NamedSetting::Kind::kSection:
      return section(named.section);
    case NamedSetting::Kind::kOption:
      return option(named);
    case NamedSetting::Kind::kWords:
      return "";
  }
  return "";
}

std::string CallWords::word_beside_files(const NamedSetting& named) const {
  return named.kind == NamedSetting::Kind::kOption ? option(named) : named.text;
}

std::string CallWords::argument(const std::string& name, const std::string& text) const {
  return text.empty() ? name : name + std::string(is_) + value(text);
}

std::string CallWords::section(std::string_view name) const {
  const std::string here = name_here(sections_, name);
  return here.starts_with('[') ? here.substr(1, here.size() - 2) : here;
}

std::string CallWords::key(const NamedSetting& named) const {
  if (named.section.ends_with("[[dimension]]"))
    return dimension_key(named);
  if (named.section == "[attackers]") {
    const bool outsider_alone = named.name == "respondents" && named.value == "false";
    return "attackers" + std::string(is_) +
           (outsider_alone ? "outsider()"
                           : "respondents(" + argument(named.name, named.value) + ")");
  }
  if (named.section.empty() || named.section == "[input]" || named.section == "[columns]")
    return argument(name_here(keys_, named.name), named.value);
  return argument(named.name, named.value) + " in " + section(named.section);
}

std::string CallWords::option(const NamedSetting& named) const {
  std::string name = named.name;
  std::replace(name.begin(), name.end(), '-', '_');
  const bool is_text = named.value.find_first_not_of("0123456789.") != std::string::npos;
  return argument(name, is_text ? '"' + named.value + '"' : named.value);
}

}  // namespace lacuna::base
