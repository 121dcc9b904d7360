// SPDX-License-Identifier: Apache-2.0
// What offices write in place of a withheld number, and what their flags mean. Flags of different
// houses use the same letters for different things, so a column of flags is read as a whole: the
// first known set that has all of its words.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/files/csv.h"
#include "data/infer/status_word.h"
#include "lacuna/result.h"

namespace lacuna::infer {

std::string_view trimmed_field(std::string_view text);  // without blanks, also no-break ones

// x, :, .., c, *, n.a., (D), ... or nothing at all; a dash counts as one unless it means zero.
bool is_withheld_mark(std::string_view field);
bool is_dash(std::string_view field);

// Whether a column of this name holds flags of confidentiality.
bool is_flag_name(std::string_view name);

class FlagWords {
 public:
  // The set that has all these words. Errors: none does; the message lists the sets.
  // `own` are words of the user, which go first.
  static Result<FlagWords> of(std::string_view column,
                              const std::set<std::string>& words,
                              const StatusWords& own = {});
  bool says_withheld(std::string_view flag) const;

 private:
  std::set<std::string> withheld_;
  StatusWords own_;
  bool all_but_free_ = false;  // of CONF_STATUS: whatever is not free
  bool exact_case_ = false;
};

// Columns of flags with what their words mean: all that have a name of flags, but for those that
// hold something else (is_taken). Errors: FlagWords::of, with the name of the column.
using FlagColumns = std::vector<std::pair<std::size_t, FlagWords>>;
Result<FlagColumns> find_flags(const files::CsvFile& file,
                               const std::function<bool(std::size_t column)>& is_taken,
                               const StatusWords& own = {});

}  // namespace lacuna::infer
