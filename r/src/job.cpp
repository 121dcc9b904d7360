// SPDX-License-Identifier: Apache-2.0
#include "job.h"

#include <array>
#include <utility>

#include "base/spelling.h"
#include "entries.h"
#include "io/spec_text.h"
#include "values.h"

namespace lacuna::r {
namespace {

bool says(SEXP value, const char* attribute) {
  const SEXP flag = Rf_getAttrib(value, Rf_install(attribute));
  return TYPEOF(flag) == LGLSXP && LOGICAL(flag)[0] == TRUE;
}

std::string argument_of(SEXP value, const std::string& around) {
  const SEXP argument = Rf_getAttrib(value, Rf_install("argument"));
  return TYPEOF(argument) == STRSXP ? text_of(argument) : around;
}

// A text, a number or a truth value of a vector.
SpecValue item_of(SEXP vector, R_xlen_t index, const std::string& argument) {
  SpecValue item = TYPEOF(vector) == LGLSXP
                       ? truth_value(LOGICAL(vector)[index] == TRUE)
                       : text_value(cpp11::safe[Rf_translateCharUTF8](STRING_ELT(vector, index)));
  if (says(vector, "is_number"))
    item.kind = SpecValue::Kind::kNumber;
  item.where = argument;
  return item;
}

SpecValue vector_of(SEXP vector, const std::string& argument) {
  if (!says(vector, "is_list"))
    return item_of(vector, 0, argument);
  SpecValue list = list_value();
  for (R_xlen_t i = 0; i < Rf_xlength(vector); ++i)
    list.items.push_back(item_of(vector, i, argument));
  return list;
}

SpecValue list_of(SEXP list, const std::string& argument) {
  const SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  const std::vector<std::string> keys = texts_of(names);
  SpecValue made = TYPEOF(names) == STRSXP ? table_value() : list_value();
  for (R_xlen_t i = 0; i < Rf_xlength(list); ++i) {
    SpecValue value = spec_value_of(VECTOR_ELT(list, i), argument);
    if (made.is(SpecValue::Kind::kTable)) {
      std::string where = value.where;
      made.members.push_back({keys[static_cast<std::size_t>(i)], std::move(value), std::move(where)});
    } else {
      made.items.push_back(std::move(value));
    }
  }
  return made;
}

// ---- words

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array<Pair, 6> kSections{{{"[[dimension]]", "dimVar"},
                                         {"[[rule]]", "rules"},
                                         {"[[attacker]]", "attackers"},
                                         {"[[table]]", "tables"},
                                         {"[columns]", "the call"},
                                         {"[input]", "the call"}}};
constexpr std::array<Pair, 9> kKeys{{{"value", "numVar"},
                                     {"frequency", "freqVar"},
                                     {"respondent", "contributorVar"},
                                     {"holding", "holdingVar"},
                                     {"weight", "sWeightVar"},
                                     {"request", "requestVar"},
                                     {"waiver", "waiverVar"},
                                     {"records", "data"},
                                     {"table", "data"}}};

template <std::size_t Size>
std::string other_name(const std::array<Pair, Size>& names, std::string_view name) {
  for (const Pair& each : names) {
    if (each.first == name)
      return std::string(each.second);
  }
  return std::string(name);
}

std::string section_name(std::string_view section) {
  const std::string name = other_name(kSections, section);
  return name.starts_with('[') ? name.substr(1, name.size() - 2) : name;
}

std::string argument(const std::string& name, std::string value) {
  if (value == "true" || value == "false")
    value = value == "true" ? "TRUE" : "FALSE";
  if (value.starts_with("[\"") && value.ends_with("\"]") && value.find(',') == value.npos)
    value = value.substr(1, value.size() - 2);  // one text is as good as a list of it
  return value.empty() ? name : name + " = " + value;
}

std::string key_name(const NamedSetting& named) {
  const std::string& section = named.section;
  if (section.empty() || section == "[input]" || section == "[columns]")
    return argument(other_name(kKeys, named.name), named.value);
  if (section == "[[dimension]]" && named.name == "missing")
    return "hier_missing() does";
  if (section == "[[dimension]]")
    return argument(named.name, named.value) + " of its hierarchy";
  return argument(named.name, named.value) + " in " + section_name(section);
}

std::string option_name(const NamedSetting& named) {
  std::string name = named.name;
  for (char& sign : name)
    sign = sign == '-' ? '_' : sign;
  const bool is_text = !named.value.empty() && !is_plain_number(named.value);
  return argument(name, is_text ? '"' + named.value + '"' : named.value);
}

std::string word_beside_files(const NamedSetting& named) {
  return named.kind == NamedSetting::Kind::kOption ? option_name(named) : named.text;
}

std::string word_of(const NamedSetting& named) {
  switch (named.kind) {
    case NamedSetting::Kind::kKey:
      return key_name(named);
    case NamedSetting::Kind::kSection:
      return section_name(named.section);
    case NamedSetting::Kind::kOption:
      return option_name(named);
    case NamedSetting::Kind::kWords:
      return "";
  }
  return "";
}

}  // namespace

std::string with_arguments(std::string_view message) {
  return spelled(message, word_beside_files);
}

Error as_arguments(Error error) {
  error.message = spelled(error.message, word_of);
  return error;
}

SpecValue spec_value_of(SEXP value, const std::string& around) {
  const std::string argument = argument_of(value, around);
  SpecValue made =
      TYPEOF(value) == VECSXP ? list_of(value, argument) : vector_of(value, argument);
  made.where = argument;
  return made;
}

ReadSpec job_of(SEXP value, const std::string& name) {
  auto read = read_spec(spec_value_of(value, ""), name);
  return value_or_refuse(read ? std::move(read) : as_arguments(read.error()));
}

SEXP job_text_entry(SEXP value) {
  return entry([&]() -> SEXP { return sexp_of(spec_toml(job_of(value, "").job)); });
}

}  // namespace lacuna::r
