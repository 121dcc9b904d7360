// SPDX-License-Identifier: Apache-2.0
// What a job says of how a table lies in its file: [input] with sheet, skip, rows, wide, only and
// means. What it leaves open is found (shape.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/formats/grid.h"
#include "data/infer/status_word.h"
#include "lacuna/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::infer {

struct ShapeChoice {
  std::vector<std::string> sheets;
  std::int32_t skip = -1;
  std::string rows;  // "16-22"
  std::vector<std::string> wide;
  SpecLists only;
  SpecWords means;
  // Columns that hold codes and not the cells of a wide table, whatever is in them.
  std::vector<std::string> codes;
  bool as_it_is = false;  // records: flags and signs stay where they are
  bool released = false;  // a published table: a sign of a withheld number is a blank
  // A published table of which nobody has the truth: signs and ranges ("<5") in the place of
  // numbers are kept, as flags of blanks.
  bool alone = false;
  std::string value;  // its column of numbers, if the user names it

  bool any() const {
    return !sheets.empty() || skip >= 0 || !rows.empty() || !wide.empty() || !only.empty() ||
           !means.empty();
  }
};
ShapeChoice shape_choice_of(const JobSpec& job);

// What a text in the place of a number stands for, by the job's own words, by those of the file, or
// because all agencies that use it mean the same. Nothing if it is no sign, or several things.
std::optional<formats::SignMeaning> meaning_of_sign(std::string_view text,
                                                    const ShapeChoice& choice,
                                                    const std::vector<formats::GridSign>& declared);
// Of these words those that say what the status of a cell is, for columns of statuses and flags.
StatusWords status_words_in(const SpecWords& means);
// The same of the flags of a published table, whose numbers they hide.
StatusWords flag_words_in(const SpecWords& means);

// Errors: neither withheld, absent, zero, not applicable nor a word for a status.
Status check_meaning(const std::string& meaning);

struct RowRange {  // of the file, from 0
  std::size_t first = 0, last = 0;
};
// "16-22", counted from 1 as an editor does; nothing if the text is empty.
Result<std::optional<RowRange>> row_range_of(const std::string& rows);

}  // namespace lacuna::infer
