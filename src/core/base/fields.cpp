// SPDX-License-Identifier: Apache-2.0
#include "lacuna/fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/nearest.h"

namespace lacuna {
namespace {

std::string flag_of(const FieldInfo& info) {
  return "--" + std::string(info.name);
}

Error wrong(const FieldInfo& info, const std::string& wanted, const std::string& text) {
  return {ErrorCode::kOptionValue, wanted + ", not '" + text + "'", flag_of(info)};
}

std::string range_text(const FieldInfo& info) {
  const bool below = std::isfinite(info.least), above = std::isfinite(info.most);
  const std::string least = below ? base::format_double(info.least) : "";
  const std::string from = info.above_least ? "above " + least : "from " + least;
  if (below && above)
    return from + " to " + base::format_double(info.most);
  if (below)
    return info.above_least ? from : "at least " + least;
  return above ? "at most " + base::format_double(info.most) : "";
}

bool in_range(const FieldInfo& info, double value) {
  return value <= info.most && (info.above_least ? value > info.least : value >= info.least);
}

template <class Whole>
Status parse_integer(const FieldInfo& info, const std::string& text, Whole& field) {
  Whole value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, trouble] = std::from_chars(text.data(), end, value);
  if (trouble == std::errc::result_out_of_range)
    return wrong(info, "the number is too large", text);
  if (trouble != std::errc() || stop != end || text.empty())
    return wrong(info, "must be a whole number", text);
  LACUNA_RETURN_IF_ERROR(check_range(info, static_cast<double>(value)));
  field = value;
  return ok_status();
}

}  // namespace

Status check_one_text(const FieldInfo& info, std::size_t count) {
  if (count == 1)
    return ok_status();
  return Error{ErrorCode::kOptionValue,
               count == 0 ? "has no value" : "takes one value; put several values into one text",
               flag_of(info)};
}

Status check_range(const FieldInfo& info, double value) {
  if (in_range(info, value))
    return ok_status();
  return Error{ErrorCode::kOptionValue,
               "must be " + range_text(info) + ", not " + base::format_double(value),
               flag_of(info)};
}

Status parse_field(const FieldInfo& info, const std::string& text, bool& field) {
  if (text != "true" && text != "false")
    return wrong(info, "must be true or false", text);
  field = text == "true";
  return ok_status();
}

Status parse_field(const FieldInfo& info, const std::string& text, std::int32_t& field) {
  return parse_integer(info, text, field);
}

Status parse_field(const FieldInfo& info, const std::string& text, std::int64_t& field) {
  return parse_integer(info, text, field);
}

Status parse_field(const FieldInfo& info, const std::string& text, std::uint64_t& field) {
  return parse_integer(info, text, field);
}

Status parse_field(const FieldInfo& info, const std::string& text, double& field) {
  const auto value = base::parse_double(text);
  if (!value)
    return wrong(info, "must be a number", text);
  LACUNA_RETURN_IF_ERROR(check_range(info, *value));
  field = *value;
  return ok_status();
}

// What was written in place of a number may be one of the data.
Status parse_field(const FieldInfo& info, const std::string& text, Decimal& field) {
  const auto number = Decimal::parse(text);
  if (!number) {
    const bool too_long = number.error().code == ErrorCode::kNumberTooLarge;
    return Error{ErrorCode::kOptionValue,
                 std::string("must be a number") + (too_long ? " of at most 18 digits" : "") +
                     ", not " + base::strange_field_in_quotes(text),
                 flag_of(info)};
  }
  field = *number;
  return ok_status();
}

Status parse_field(const FieldInfo& info, const std::string& text, std::vector<double>& field) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number = base::parse_double(std::string_view(text).substr(begin, end - begin));
    if (!number)
      return wrong(info, "must be numbers separated by commas, such as 1,0.5,0.3", text);
    numbers.push_back(*number);
    begin = end + 1;
  }
  field = std::move(numbers);
  return ok_status();
}

Status parse_field(const FieldInfo&, const std::string& text, std::string& field) {
  field = text;
  return ok_status();
}

Result<std::size_t> parse_word(const FieldInfo& info,
                               const std::string& text,
                               std::span<const std::string_view> words) {
  std::string known;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == text)
      return i;
    known += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + std::string(words[i]);
  }
  return Error{ErrorCode::kOptionValue,
               "must be " + known + ", not '" + text + "'" + base::did_you_mean(text, words),
               flag_of(info)};
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');)
    parts.push_back(part);
  return parts;
}

std::string field_text(bool field) {
  return field ? "true" : "false";
}

std::string field_text(std::int64_t field) {
  return std::to_string(field);
}

std::string field_text(std::uint64_t field) {
  return std::to_string(field);
}

std::string field_text(double field) {
  return base::format_double(field);
}

std::string field_text(const Decimal& field) {
  return field.text();
}

std::string field_text(const std::vector<double>& field) {
  std::string text;
  for (const double number : field)
    text += (text.empty() ? "" : ",") + base::format_double(number);
  return text;
}

OptionInfo option_info(const FieldInfo& info, std::string type, std::string default_text) {
  OptionInfo option;
  option.name = info.name;
  option.alias = info.alias;
  option.help = info.help;
  option.unit = info.unit;
  option.absent = info.absent;
  option.shown_as = info.shown_as;
  option.type = std::move(type);
  option.default_text = info.absent.empty() ? std::move(default_text) : "";
  option.range = range_text(info);
  option.least = info.least;
  option.most = info.most;
  option.letter = info.letter;
  option.place = info.place;
  option.in_jobs = info.in_jobs;
  std::istringstream methods{std::string(info.methods)};
  for (std::string method; methods >> method;)
    option.methods.push_back(method);
  return option;
}

Error unknown_option(std::string_view name, std::span<const OptionInfo> known) {
  std::vector<std::string_view> names;
  for (const OptionInfo& option : known)
    names.push_back(option.name);
  return {ErrorCode::kUnknownOption,
          "there is no such option" + base::did_you_mean(name, names),
          "--" + std::string(name)};
}

bool fields_detail::is_listed(const std::vector<OptionInfo>& options, std::string_view name) {
  return std::any_of(options.begin(), options.end(), [&](const OptionInfo& option) {
    return option.name == name;
  });
}

void fields_detail::bind(std::vector<BoundOption>& bound, BoundOption option) {
  const auto same = std::find_if(bound.begin(), bound.end(), [&](const BoundOption& other) {
    return other.info.name == option.info.name;
  });
  if (same == bound.end()) {
    bound.push_back(std::move(option));
    return;
  }
  same->set = [first = std::move(same->set),
               also = std::move(option.set)](std::span<const std::string> texts) -> Status {
    LACUNA_RETURN_IF_ERROR(first(texts));
    return also(texts);
  };
}

}  // namespace lacuna
