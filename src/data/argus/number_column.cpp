// SPDX-License-Identifier: Apache-2.0
#include "data/argus/number_column.h"

#include <algorithm>

#include "core/base/confidential.h"
#include "core/base/text.h"
#include "data/files/position.h"
#include "data/tabulate/number.h"

namespace lacuna::argus {

NumberReader::NumberReader(const Variable& variable) {
  column_.variable = variable.name;
  for (const std::string& code : variable.missing) {
    if (!base::trimmed(code).empty())
      missing_.emplace_back(base::trimmed(code));
  }
}

bool NumberReader::is_missing(std::string_view text) const {
  return std::any_of(
      missing_.begin(), missing_.end(), [&](const std::string& code) { return code == text; });
}

// A missing code that is a number counts as this number, as in tau-ARGUS: whoever describes every
// number by the largest of its length (9, 99) has such numbers, too.
Status NumberReader::add(std::string_view text) {
  text = base::trimmed(text);
  const bool missing = is_missing(text);
  if (text.empty() || (missing && text.find_first_of("0123456789") == std::string_view::npos)) {
    ++(text.empty() ? empty_ : unknown_);
    column_.values.push_back(0);
    return ok_status();
  }
  counted_ += missing ? 1U : 0U;
  const bool comma =
      text.find('.') == std::string_view::npos && text.find(',') != std::string_view::npos;
  commas_ += comma ? 1U : 0U;
  return add_exactly(text, comma ? ',' : '.');
}

Status NumberReader::add_exactly(std::string_view text, char mark) {
  tabulation::NumberFormat format{column_.decimals, mark, false};
  Units number = 0;
  tabulation::NumberOutcome outcome = tabulation::parse_number(text, format, number);
  if (outcome == tabulation::NumberOutcome::kMoreDecimals) {
    format.decimals = tabulation::number_decimals(text, format);
    LACUNA_RETURN_IF_ERROR(at_least(format.decimals));
    outcome = tabulation::parse_number(text, format, number);
  }
  if (outcome != tabulation::NumberOutcome::kDone) {
    return Error{ErrorCode::kBadNumber,
                 column_.variable + " is a number, and " +
                     base::confidential(base::in_quotes(text)) + " does not fit 18 digits",
                 ""};
  }
  column_.values.push_back(number);
  return ok_status();
}

bool NumberReader::last_is_share() const {
  Wide one = 1;
  for (int i = 0; i < column_.decimals; ++i)
    one *= 10;
  return column_.values.back() >= 0 && column_.values.back() < one;
}

// All numbers so far are multiples of a smaller unit, too.
Status NumberReader::at_least(int decimals) {
  for (; column_.decimals < decimals; ++column_.decimals) {
    for (Units& value : column_.values) {
      if (value > kMaxUnits / 10 || value < -(kMaxUnits / 10)) {
        return Error{ErrorCode::kNumberTooLarge,
                     "the numbers of " + column_.variable +
                         " do not fit 18 digits together: some are large, some have " +
                         std::to_string(decimals) + " decimals",
                     ""};
      }
      value *= 10;
    }
  }
  return ok_status();
}

void NumberReader::append_notes(std::vector<std::string>& notes) const {
  const auto note = [&](std::size_t count, std::string_view what) {
    if (count > 0)
      notes.push_back(column_.variable + ": " + std::to_string(count) + std::string(what));
  };
  note(empty_, " records have no number, which counts as 0");
  note(unknown_, " records have the code for 'not known', which counts as 0");
  note(counted_, " records have the number that is its missing code, which counts as this number");
  note(commas_, " numbers have a comma for the decimal point");
}

}  // namespace lacuna::argus
