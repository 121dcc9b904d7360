// SPDX-License-Identifier: Apache-2.0
#include "io/statement_text.h"

#include <algorithm>

#include "base/decimal.h"
#include "base/nearest.h"
#include "io/position.h"

namespace lacuna::inline io {
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
    return StatementTrouble{
        StatementTrouble::kState,
        "unknown state " + in_quotes(text.state) + did_you_mean(text.state, names)};
  }
  if (auto trouble = trouble_with_names(text, *form))
    return *std::move(trouble);
  std::array<Units, 5> number{};
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (!text.numbers[i])
      continue;
    auto parsed = parse_units(*text.numbers[i], i == kSteps ? 0 : decimals);
    if (!parsed)
      return StatementTrouble{i, parsed.error().message};
    number[i] = *parsed;
  }
  if (auto trouble = trouble_with_numbers(*form, number))
    return *std::move(trouble);
  return made_of(*form, number);
}

StatementText statement_text(const CellEntry& entry, int decimals) {
  const auto number = [&](Units units) { return format_units(units, decimals); };
  StatementText text;
  text.state = to_string(entry.state());
  if (const auto value = entry.number())
    text.numbers[kValue] = number(*value);
  if (entry.state() == CellState::kInterval || entry.state() == CellState::kAltered) {
    text.numbers[kLower] = number(entry.bounds().lower);
    text.numbers[kUpper] = number(entry.bounds().upper);
  }
  if (const auto* rounded = std::get_if<Rounded>(&entry.says)) {
    text.numbers[kBase] = number(rounded->base);
    text.numbers[kSteps] = std::to_string(rounded->steps);
  }
  return text;
}

}  // namespace lacuna::inline io
