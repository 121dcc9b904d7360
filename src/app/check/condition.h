// SPDX-License-Identifier: Apache-2.0
// Which records a number is about: conditions on variables that hold together, "region is North,
// age >= 18". A code of a table is a condition, and so is each part of a filter. One set of
// conditions describes a part of another if each condition of the other follows from one of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/integer.h"
#include "lacuna/result.h"

namespace lacuna::checking {

struct NumberRange {
  std::optional<Fraction> low, high;  // nothing: no end
  bool low_within = true, high_within = true;
};

struct Condition {
  std::string variable;  // as it is compared
  std::string text;      // as it is shown: "region=North", "age>=18"
  std::string code;      // the text that the variable equals, or does not
  bool is_not = false;
  std::optional<NumberRange> range;  // the numbers that the variable can have
  bool from_code = false;            // the range was read from a code, and nobody stated it
  bool stated = false;               // it is part of a filter
};

// How names and codes are compared: without capitals and blanks around them; "2.0" is "2".
std::string compared(std::string_view text);

// A code of a table: "18-29", "65+", "<18" and "(30, 45]" are ranges of numbers.
Condition condition_of_code(const std::string& variable,
                            const std::string& shown,
                            const std::string& code);

// "age >= 18 and sex = F"; "all" or nothing: no condition. A part that is no comparison, such as
// "linked to the register", is a condition of its own. Errors: a comparison with nothing behind it.
Result<std::vector<Condition>> conditions_of(const std::string& text, const std::string& where);

bool same(const Condition& one, const Condition& other);
// Whether all records of the one fulfil the other.
bool follows(const Condition& one, const Condition& other);
// Whether no record can fulfil both.
bool excludes(const Condition& one, const Condition& other);
// Whether a value of the variable fulfils it; nothing: the value is no number, and it asks for one.
std::optional<bool> holds_for(const Condition& condition, std::string_view value);

}  // namespace lacuna::checking
