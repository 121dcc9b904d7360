// SPDX-License-Identifier: Apache-2.0
#include "words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/spelling.h"

namespace lacuna::r {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Sections and keys that have another name as an argument, or none.
constexpr std::array<Pair, 7> kSections{{{"[[dimension]]", "dimVar"},
                                         {"[[rule]]", "rules"},
                                         {"[[attacker]]", "attackers"},
                                         {"[[table]]", "tables"},
                                         {"[columns]", "the call"},
                                         {"[input]", "the call"},
                                         {"[weights]", "costs"}}};
constexpr std::array<Pair, 9> kKeys{{{"value", "numVar"},
                                     {"frequency", "freqVar"},
                                     {"respondent", "contributorVar"},
                                     {"holding", "holdingVar"},
                                     {"request", "requestVar"},
                                     {"waiver", "waiverVar"},
                                     {"dimensions", "dimVar"},
                                     {"records", "data"},
                                     {"table", "data"}}};

template <std::size_t Size>
std::string name_here(const std::array<Pair, Size>& names, std::string_view name) {
  const auto at =
      std::find_if(names.begin(), names.end(), [&](const Pair& each) { return each.first == name; });
  return std::string(at == names.end() ? name : at->second);
}

std::string section_name(std::string_view section) {
  const std::string name = name_here(kSections, section);
  return name.starts_with('[') ? name.substr(1, name.size() - 2) : name;
}

// true is TRUE, ["a", "b"] is c("a", "b").
std::string value_here(const std::string& value) {
  if (value == "true" || value == "false")
    return value == "true" ? "TRUE" : "FALSE";
  if (value.starts_with('[') && value.ends_with(']'))
    return "c(" + value.substr(1, value.size() - 2) + ")";
  return value;
}

std::string argument(const std::string& name, const std::string& value) {
  return value.empty() ? name : name + " = " + value_here(value);
}

std::string key_here(const NamedSetting& named) {
  const std::string &section = named.section, &name = named.name;
  if (section.ends_with("[[dimension]]"))
    return name == "missing" ? "hier_missing() of its hierarchy"
                             : argument(name == "total" ? "totcode" : name, named.value);
  if (section == "[attackers]")
    return name == "respondents" && named.value == "false"
               ? "attackers = outsider()"
               : "attackers = respondents(" + argument(name, named.value) + ")";
  if (section.empty() || section == "[input]" || section == "[columns]")
    return argument(name_here(kKeys, name), named.value);
  return argument(name, named.value) + " in " + section_name(section);
}

std::string option_here(const NamedSetting& named) {
  std::string name = named.name;
  std::replace(name.begin(), name.end(), '-', '_');
  const bool is_text = named.value.find_first_not_of("0123456789.") != std::string::npos;
  return argument(name, is_text ? '"' + named.value + '"' : named.value);
}

std::string word_here(const NamedSetting& named) {
  switch (named.kind) {
    case NamedSetting::Kind::kKey:
      return key_here(named);
    case NamedSetting::Kind::kSection:
      return section_name(named.section);
    case NamedSetting::Kind::kOption:
      return option_here(named);
    case NamedSetting::Kind::kWords:
      return "";
  }
  return "";
}

}  // namespace

std::string with_options(std::string_view message) {
  return spelled(message, [](const NamedSetting& named) {
    return named.kind == NamedSetting::Kind::kOption ? option_here(named) : named.text;
  });
}

std::string with_arguments(std::string_view message) {
  return spelled(message, word_here);
}

Error with_arguments(Error error) {
  error.message = with_arguments(error.message);
  error.where = with_arguments(error.where);
  return error;
}

}  // namespace lacuna::r
