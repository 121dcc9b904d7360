// SPDX-License-Identifier: Apache-2.0
// Options as data. A struct of options states each of them once, in its fields() list: name, range,
// unit and help beside the member, whose type and default count as well. Command line, job files,
// --help, the reference page (docs/options.md) and language bindings are made from these lists.
//
//   struct Example {
//     double gap = 0;
//     template <class Self, class Visit>
//     static void fields(Self& self, Visit&& visit) {
//       visit(FieldInfo{.name = "gap", .help = "stop at this gap", .least = 0, .most = 1},
//       self.gap);
//     }
//   };
//
// A name may stand for several members, as an option does that several methods have: it is listed
// once, by the first, and sets them all.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lacuna/decimal.h"
#include "lacuna/export.h"
#include "lacuna/result.h"

namespace LACUNA_API lacuna {

enum class FieldPlace : std::uint8_t {
  kOption,         // --name
  kNeeded,         // --name, without which nothing can be done
  kArgument,       // by its position, needed
  kNamedArgument,  // by its position or as --name, needed
};

struct FieldInfo {
  std::string_view name;
  std::string_view help;
  std::string_view unit{};                                  // "seconds", "percent of the value"
  double least = -std::numeric_limits<double>::infinity();  // of numbers
  double most = std::numeric_limits<double>::infinity();
  bool above_least = false;  // the least itself is not allowed
  // What the default means, where it is no value that anyone would write.
  std::string_view absent{};
  std::string_view
      methods{};             // that look at it, separated by blanks; empty: not a matter of methods
  std::string_view alias{};  // an older name of the option
  std::string_view shown_as{};  // instead of the type in usage lines: FILE
  char letter = '\0';           // -o besides --output
  FieldPlace place = FieldPlace::kOption;
  bool in_jobs = true;  // [options] of a job file may set it
};

// An option with its type and default as text.
struct OptionInfo {
  std::string name, alias, help, unit, absent, shown_as;
  std::string type;                  // flag, text, whole number, number, exact number, one of, list
  std::string default_text;          // empty: none
  std::vector<std::string> choices;  // of "one of"
  std::vector<std::string> methods;
  std::string range;  // "from 0 to 1", "above 0"; empty: any
  double least = 0, most = 0;
  char letter = '\0';
  FieldPlace place = FieldPlace::kOption;
  bool in_jobs = true;
  bool is_flag() const { return type == "flag"; }
  bool is_list() const { return type == "list"; }
};

// An option of a struct that is at hand. The struct must outlive it.
struct BoundOption {
  OptionInfo info;
  // From text as a user writes it; lists take any number of texts, all else exactly one. Errors
  // name the option ("--gap") and what it wants; the member is then as it was.
  std::function<Status(std::span<const std::string>)> set;
};

// One member from text. Enumerations have enum_names(E), which lists the words of the enumerators
// 0, 1, ... in their order; other types may have parse_field() and field_text() of their own beside
// them. A std::optional is absent if the text is empty.
Status parse_field(const FieldInfo& info, const std::string& text, bool& field);
Status parse_field(const FieldInfo& info, const std::string& text, std::int32_t& field);
Status parse_field(const FieldInfo& info, const std::string& text, std::int64_t& field);
Status parse_field(const FieldInfo& info, const std::string& text, std::uint64_t& field);
Status parse_field(const FieldInfo& info, const std::string& text, double& field);
Status parse_field(const FieldInfo& info, const std::string& text, Decimal& field);
Status parse_field(const FieldInfo& info, const std::string& text, std::vector<double>& field);
Status parse_field(const FieldInfo& info, const std::string& text, std::string& field);
Result<std::size_t> parse_word(const FieldInfo& info,
                               const std::string& text,
                               std::span<const std::string_view> words);
// Whether there is one text, as of all that is no list: of several the last would win in silence.
Status check_one_text(const FieldInfo& info, std::size_t count);
// Whether a number lies in the range of the field; no text is at hand.
Status check_range(const FieldInfo& info, double value);

std::vector<std::string> split_list(const std::string& text);  // at commas
std::string field_text(bool field);
std::string field_text(std::int64_t field);
std::string field_text(std::uint64_t field);
std::string field_text(double field);
std::string field_text(const Decimal& field);
std::string field_text(const std::vector<double>& field);  // "1,0.5,0.3"

OptionInfo option_info(const FieldInfo& info, std::string type, std::string default_text);
// "--gpa: there is no such option; did you mean 'gap'?"
Error unknown_option(std::string_view name, std::span<const OptionInfo> known);

namespace fields_detail {

template <class Field>
struct IsVector : std::false_type {};
template <class Item>
struct IsVector<std::vector<Item>> : std::true_type {};

template <class Field>
struct IsOptional : std::false_type {};
template <class Value>
struct IsOptional<std::optional<Value>> : std::true_type {};

// A class with a text of its own: a pair of numbers, a list of such pairs.
template <class Field>
concept HasText = std::is_class_v<Field> &&
    requires(const FieldInfo& info, const std::string& text, Field& field) {
  { parse_field(info, text, field) } -> std::same_as<Status>;
  { field_text(std::as_const(field)) } -> std::same_as<std::string>;
};

template <class Field>
std::string type_of() {
  if constexpr (IsOptional<Field>::value)
    return type_of<typename Field::value_type>();
  else if constexpr (std::is_same_v<Field, bool>)
    return "flag";
  else if constexpr (std::is_enum_v<Field>)
    return "one of";
  else if constexpr (std::is_integral_v<Field>)
    return "whole number";
  else if constexpr (std::is_floating_point_v<Field>)
    return "number";
  else if constexpr (std::is_same_v<Field, Decimal>)
    return "exact number";
  else if constexpr (IsVector<Field>::value && !HasText<Field>)
    return "list";
  else
    return "text";
}

template <class Field>
std::string text_of(const Field& field) {
  if constexpr (IsOptional<Field>::value) {
    return field ? text_of(*field) : "";
  } else if constexpr (std::is_enum_v<Field>) {
    return std::string(enum_names(field)[static_cast<std::size_t>(field)]);
  } else if constexpr (HasText<Field>) {
    return field_text(field);
  } else if constexpr (IsVector<Field>::value) {
    std::string text;
    for (const auto& item : field)
      text += (text.empty() ? "" : ",") + text_of(item);
    return text;
  } else if constexpr (std::is_same_v<Field, std::string>) {
    return field;
  } else if constexpr (std::is_same_v<Field, bool> || std::is_floating_point_v<Field> ||
                       std::is_same_v<Field, std::uint64_t>) {
    return field_text(field);
  } else {
    return field_text(static_cast<std::int64_t>(field));
  }
}

// Numbers and words of a list may stand together, separated by commas; texts (names of files) may
// not.
template <class Item>
std::vector<std::string> parts_of(const std::string& text) {
  if constexpr (std::is_arithmetic_v<Item> || std::is_enum_v<Item>)
    return split_list(text);
  else
    return {text};
}

template <class Field>
Status set_from(const FieldInfo& info, std::span<const std::string> texts, Field& field) {
  if constexpr (!IsVector<Field>::value || HasText<Field>)
    LACUNA_RETURN_IF_ERROR(check_one_text(info, texts.size()));
  if constexpr (IsOptional<Field>::value) {
    if (texts.front().empty()) {
      field.reset();
      return ok_status();
    }
    typename Field::value_type value{};
    LACUNA_RETURN_IF_ERROR(set_from(info, texts, value));
    field = std::move(value);
    return ok_status();
  } else if constexpr (IsVector<Field>::value && !HasText<Field>) {
    Field items;
    for (const std::string& text : texts) {
      for (const std::string& part : parts_of<typename Field::value_type>(text))
        LACUNA_RETURN_IF_ERROR(set_from(info, std::span(&part, 1), items.emplace_back()));
    }
    field = std::move(items);
    return ok_status();
  } else if constexpr (std::is_enum_v<Field>) {
    LACUNA_TRY(const std::size_t index, parse_word(info, texts.front(), enum_names(field)));
    field = static_cast<Field>(index);
    return ok_status();
  } else {
    return parse_field(info, texts.front(), field);
  }
}

template <class Field>
std::vector<std::string> choices_of() {
  if constexpr (IsOptional<Field>::value) {
    return choices_of<typename Field::value_type>();
  } else if constexpr (std::is_enum_v<Field>) {
    const std::span<const std::string_view> words = enum_names(Field{});
    return {words.begin(), words.end()};
  } else {
    return {};
  }
}

template <class Field>
OptionInfo describe(const FieldInfo& info, const Field& field) {
  OptionInfo option = option_info(info, type_of<Field>(), text_of(field));
  option.choices = choices_of<Field>();
  return option;
}

// What a range is asked of.
template <class Field>
std::optional<double> number_of(const Field& field) {
  if constexpr (IsOptional<Field>::value) {
    return field ? number_of(*field) : std::nullopt;
  } else if constexpr (std::is_arithmetic_v<Field>) {
    return static_cast<double>(field);
  } else {
    return std::nullopt;
  }
}

bool is_listed(const std::vector<OptionInfo>& options, std::string_view name);
// Appends the option, or lets the one of the same name set both.
void bind(std::vector<BoundOption>& bound, BoundOption option);

}  // namespace fields_detail

// All options of a struct, in the order of its list, each name once. Defaults are those of a new
// one.
template <class Options>
std::vector<OptionInfo> describe_options() {
  std::vector<OptionInfo> options;
  const Options defaults{};
  Options::fields(defaults, [&](const FieldInfo& info, const auto& field) {
    if (!fields_detail::is_listed(options, info.name))
      options.push_back(fields_detail::describe(info, field));
  });
  return options;
}

template <class Options>
std::vector<BoundOption> bind_options(Options& options) {
  std::vector<BoundOption> bound;
  Options::fields(options, [&](const FieldInfo& info, auto& field) {
    fields_detail::bind(
        bound,
        {fields_detail::describe(info, field), [info, &field](std::span<const std::string> texts) {
           return fields_detail::set_from(info, texts, field);
         }});
  });
  return bound;
}

// One option by its name. Errors: no such name (the nearest is suggested), a text it cannot be.
template <class Options>
Status set_option(Options& options, std::string_view name, const std::string& text) {
  for (const BoundOption& option : bind_options(options)) {
    if (option.info.name == name)
      return option.set({&text, 1});
  }
  return unknown_option(name, describe_options<Options>());
}

// Whether every number lies in its range: for structs that were filled by hand. The default is
// always allowed.
template <class Options>
Status check_ranges(const Options& options) {
  Status status = ok_status();
  std::vector<std::optional<double>> defaults;
  const Options untouched{};
  Options::fields(untouched, [&](const FieldInfo&, const auto& field) {
    defaults.push_back(fields_detail::number_of(field));
  });
  std::size_t at = 0;
  Options::fields(options, [&](const FieldInfo& info, const auto& field) {
    const std::optional<double> number = fields_detail::number_of(field);
    if (status && number && !(number == defaults[at]))  // so that NaN is looked at
      status = check_range(info, *number);
    ++at;
  });
  return status;
}

}  // namespace lacuna
