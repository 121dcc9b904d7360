// SPDX-License-Identifier: Apache-2.0
// Numbers of table files: bounds that may be infinite, levels that may have too many digits, and
// the number of decimals that a table needs.
#pragma once

#include <string>
#include <string_view>

#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::files {

// "inf", "-infinity", "unbounded", or a number of at least 1e20 in absolute value.
bool is_infinite_text(std::string_view text);

// A number in units, or unbounded if the text is infinite; infinity on the wrong side is an error.
Result<Units> parse_bound(std::string_view text, int decimals, bool is_lower);

// A number that is at least the one in the text and as close to it as the decimals allow: levels
// may only become stricter.
Result<Units> parse_level_upward(std::string_view text, int decimals);

bool is_zero_number(std::string_view text);  // "0", "-0.00", "0e5"

// The decimals of a table: the most that any value, bound or level needs. If the levels alone
// would push some number of the table beyond 63 bits, they get as many decimals as keep every
// number exact in a double (at least those of the values) and are rounded up.
class DecimalsChooser {
 public:
  Status add_number(std::string_view text);  // a value, bound or right-hand side
  Status add_level(std::string_view text);
  int decimals() const;
  bool rounds_levels() const { return decimals() < level_decimals_; }

 private:
  void note_size(std::string_view text);
  int number_decimals_ = 0;
  int level_decimals_ = 0;
  double largest_ = 0;  // absolute value
};

std::string rounded_levels_note(const std::string& filename, int decimals);

// An outsider cannot be kept from learning what the bounds of the cell say already.
Status check_levels_fit(const Cell& cell, const Requirement& need, int decimals);

}  // namespace lacuna::files
