// SPDX-License-Identifier: Apache-2.0
#include "data/publish/statement_text.h"

#include <algorithm>
#include <functional>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/nearest.h"
#include "data/files/position.h"

namespace lacuna::publish {
namespace {

constexpr std::size_t kValue = 0, kLower = 1, kUpper = 2, kBase = 3, kSteps = 4;

struct Form {
  std::string_view state;
  bool value, range, base;
};
constexpr std::array<Form, 5> kForms{{{"withheld", false, false, false},
                                      {"interval", false, true, false},
                                      {"rounded", true, false, true},
                                      {"altered", true, true, false},
                                      {"adjusted", true, false, false}}};

StatementTrouble whole_entry(std::string message) {
  return {StatementTrouble::kEntry, std::move(message)};
}

std::optional<StatementTrouble> trouble_with_names(const StatementText& text, const Form& form) {
  const std::array<bool, 5> wanted{form.value, form.range, form.range, form.base, false};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool given = text.numbers[i].has_value();
    const bool optional = i == kSteps && form.base;
    if (given == wanted[i] || optional)
      continue;
    const std::string name = "'" + std::string(kStatementNumbers[i]) + "'";
    const std::string state = "a cell that is " + std::string(form.state);
    if (given)
      return StatementTrouble{i, state + " has no " + name};
    return whole_entry("the name " + name + " is missing: " + state + " needs it");
  }
  return std::nullopt;
}

std::optional<StatementTrouble> trouble_with_words(const StatementText& text, const Form& form) {
  if (text.among && !form.range)
    return whole_entry("a cell that is " + std::string(form.state) + " has no 'among'");
  if (text.by && (form.state != "altered" || *text.by != kByKey))
    return whole_entry("'by' is cellkey, of a cell that is altered");
  return std::nullopt;
}

// The numbers that the truth is one of, from one end to the other.
std::variant<std::vector<Units>, StatementTrouble> numbers_among(const StatementText& text,
                                                                 Bounds range,
                                                                 int decimals) {
  std::vector<Units> numbers;
  for (std::size_t begin = 0; text.among && begin < text.among->size();) {
    const std::size_t end = std::min(text.among->find(' ', begin), text.among->size());
    const auto parsed = base::parse_units(text.among->substr(begin, end - begin), decimals);
    if (!parsed)
      return whole_entry("among: " + parsed.error().message);
    numbers.push_back(*parsed);
    begin = end + 1;
  }
  const bool rises =
      std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) == numbers.end();
  if (text.among && (numbers.empty() || !rises || numbers.front() != range.lower ||
                     numbers.back() != range.upper))
    return whole_entry("the numbers of 'among' must rise from the lower to the upper end");
  return numbers;
}

Statement made_of(const Form& form, const std::array<Units, 5>& number) {
  if (form.state == "withheld")
    return Withheld{};
  if (form.state == "interval")
    return IntervalEnds{{number[kLower], number[kUpper]}};
  if (form.state == "rounded")
    return Rounded{number[kValue], number[kBase], static_cast<std::int32_t>(number[kSteps])};
  if (form.state == "altered")
    return Altered{number[kValue], {number[kLower], number[kUpper]}};
  return Adjusted{number[kValue]};
}

std::optional<StatementTrouble> trouble_with_numbers(const Form& form,
                                                     const std::array<Units, 5>& number) {
  if (form.range && number[kLower] > number[kUpper])
    return whole_entry("the lower end is above the upper end");
  if (!form.base)
    return std::nullopt;
  if (number[kBase] <= 0)
    return StatementTrouble{kBase, "the base must be above zero"};
  if (number[kSteps] < 0 || number[kSteps] > Rounded::kMaxSteps)
    return StatementTrouble{kSteps, "expected a number of steps from 0 to 100"};
  const Wide reach = Wide{number[kBase]} * (number[kSteps] + 1);
  if (number[kValue] + reach > kMaxUnits || number[kValue] - reach < -kMaxUnits)
    return whole_entry("the value and the base are too large");
  return std::nullopt;
}

}  // namespace

std::variant<Statement, StatementTrouble> read_statement(const StatementText& text, int decimals) {
  const auto form = std::find_if(
      kForms.begin(), kForms.end(), [&](const Form& each) { return each.state == text.state; });
  if (form == kForms.end()) {
    std::array<std::string_view, kForms.size()> names;
    std::transform(
        kForms.begin(), kForms.end(), names.begin(), [](const Form& each) { return each.state; });
    return StatementTrouble{StatementTrouble::kState,
                            "unknown state " + base::strange_field_in_quotes(text.state) +
                                base::did_you_mean(text.state, names)};
  }
  if (auto trouble = trouble_with_names(text, *form))
    return *std::move(trouble);
  if (auto trouble = trouble_with_words(text, *form))
    return *std::move(trouble);
  std::array<Units, 5> number{};
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (!text.numbers[i])
      continue;
    auto parsed = base::parse_units(*text.numbers[i], i == kSteps ? 0 : decimals);
    if (!parsed)
      return StatementTrouble{i, parsed.error().message};
    number[i] = *parsed;
  }
  if (auto trouble = trouble_with_numbers(*form, number))
    return *std::move(trouble);
  auto among = numbers_among(text, {number[kLower], number[kUpper]}, decimals);
  if (const auto* trouble = std::get_if<StatementTrouble>(&among))
    return *trouble;
  Statement made = made_of(*form, number);
  if (auto* interval = std::get_if<IntervalEnds>(&made))
    interval->among = std::get<std::vector<Units>>(std::move(among));
  if (auto* altered = std::get_if<Altered>(&made)) {
    altered->among = std::get<std::vector<Units>>(std::move(among));
    altered->by_key = text.by.has_value();
  }
  return made;
}

StatementText statement_text(const CellEntry& entry, int decimals) {
  const auto number = [&](Units units) { return base::format_units(units, decimals); };
  StatementText text;
  text.state = to_string(entry.state());
  if (const auto value = entry.number())
    text.numbers[kValue] = number(*value);
  if (entry.state() == StatementKind::kInterval || entry.state() == StatementKind::kAltered) {
    text.numbers[kLower] = number(entry.bounds().lower);
    text.numbers[kUpper] = number(entry.bounds().upper);
  }
  if (const auto* rounded = std::get_if<Rounded>(&entry.says)) {
    text.numbers[kBase] = number(rounded->base);
    text.numbers[kSteps] = std::to_string(rounded->steps);
  }
  for (const Units each : entry.among()) {
    text.among = text.among ? *text.among + ' ' : std::string();
    *text.among += number(each);
  }
  const auto* altered = std::get_if<Altered>(&entry.says);
  if (altered != nullptr && altered->by_key)
    text.by = kByKey;
  return text;
}

void write_statement(base::JsonWriter& json, const StatementText& text) {
  json.member("state", text.state);
  for (std::size_t i = 0; i < text.numbers.size(); ++i) {
    if (text.numbers[i])
      json.key(kStatementNumbers[i]).raw(*text.numbers[i]);
  }
  if (text.among) {
    json.key(kAmong).list([&] {
      std::string_view rest = *text.among;
      for (std::size_t end = 0; !rest.empty(); rest.remove_prefix(std::min(end + 1, rest.size()))) {
        end = std::min(rest.find(' '), rest.size());
        json.raw(rest.substr(0, end));
      }
    });
  }
  if (text.by)
    json.member(kBy, *text.by);
}

Status read_statement_words(files::JsonNode among, files::JsonNode by, StatementText& text) {
  if (among.present()) {
    LACUNA_RETURN_IF_ERROR(among.expect(files::JsonKind::kArray));
    text.among = "";
    for (const files::JsonNode item : among.children()) {
      LACUNA_TRY(const std::string number, item.number_text());
      *text.among += (text.among->empty() ? "" : " ") + number;
    }
  }
  if (by.present()) {
    LACUNA_TRY(text.by, by.string());
  }
  return ok_status();
}

}  // namespace lacuna::publish
