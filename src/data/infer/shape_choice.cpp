// SPDX-License-Identifier: Apache-2.0
#include "data/infer/shape_choice.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/formats/agency_signs.h"
#include "data/infer/csv_guess.h"

namespace lacuna::infer {
namespace {

using formats::SignMeaning;

std::optional<SignMeaning> meaning_of_word(std::string_view word) {
  const std::string bare = base::lower_case(word);
  if (bare == "withheld" || bare == "suppressed" || bare == "confidential")
    return SignMeaning::kWithheld;
  if (bare == "absent" || bare == "missing")
    return SignMeaning::kAbsent;
  if (bare == "not applicable")
    return SignMeaning::kNotApplicable;
  if (bare == "zero")
    return SignMeaning::kZero;
  return std::nullopt;
}

std::optional<std::size_t> line_number(std::string_view text) {
  std::size_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || number == 0)
    return std::nullopt;
  return number;
}

}  // namespace

ShapeChoice shape_choice_of(const JobSpec& job) {
  ShapeChoice choice;
  choice.sheets = job.input.sheet;
  choice.skip = job.input.skip;
  choice.rows = job.input.rows;
  choice.wide = job.input.wide;
  choice.only = job.input.only;
  choice.means = job.input.means;
  for (const JobSpec::Dimension& dimension : job.dimensions)
    choice.codes.push_back(dimension.column.empty() ? dimension.name : dimension.column);
  for (const auto& [column, codes] : job.input.only)
    choice.codes.push_back(column);
  if (!job.columns)
    return choice;
  const JobSpec::Columns& columns = *job.columns;
  choice.value = columns.value.empty() ? columns.frequency : columns.value;  // a table of counts
  for (const std::string* column :
       {&columns.status, &columns.weight, &columns.frequency, &columns.lower, &columns.upper}) {
    if (!column->empty() && *column != choice.value)
      choice.codes.push_back(*column);
  }
  return choice;
}

std::optional<SignMeaning> meaning_of_sign(std::string_view text,
                                           const ShapeChoice& choice,
                                           const std::vector<formats::GridSign>& declared) {
  const std::string_view sign = base::trimmed(text);
  for (const auto& [word, meaning] : choice.means) {
    if (word == sign)
      return meaning_of_word(meaning);
  }
  for (const formats::GridSign& each : declared) {
    if (each.text == sign)
      return each.meaning;
  }
  if (sign.empty() || is_missing_text(sign))
    return sign.empty() ? std::nullopt : std::optional(SignMeaning::kAbsent);
  const std::vector<formats::AgencySign> all = formats::meanings_of(sign);
  const bool same = !all.empty() && std::all_of(all.begin(), all.end(), [&](const auto& each) {
    return each.meaning == all.front().meaning;
  });
  return same ? std::optional(all.front().meaning) : std::nullopt;
}

StatusWords status_words_in(const SpecWords& means) {
  StatusWords words;
  for (const auto& [word, meaning] : means) {
    if (const auto status = status_of_word(meaning))
      words[base::lower_case(word)] = *status;  // "withheld" is one, too
    else if (meaning_of_word(meaning))
      words[base::lower_case(word)] = CellStatus::kFree;  // of the number, not of the cell
  }
  return words;
}

StatusWords flag_words_in(const SpecWords& means) {
  StatusWords words = status_words_in(means);
  for (const auto& [word, meaning] : means) {
    if (meaning_of_word(meaning) == SignMeaning::kWithheld)
      words[base::lower_case(word)] = CellStatus::kSecondary;
  }
  return words;
}

Status check_meaning(const std::string& meaning) {
  if (meaning_of_word(meaning) || (!meaning.empty() && status_of_word(meaning)))
    return ok_status();
  return Error{ErrorCode::kOptionValue,
               base::in_quotes(meaning) +
                   " is no meaning of a sign: one of withheld, absent, not applicable, zero, free, "
                   "unsafe, published",
               ""};
}

Result<std::optional<RowRange>> row_range_of(const std::string& rows) {
  if (rows.empty())
    return std::optional<RowRange>();
  const std::size_t dash = rows.find('-');
  const auto first = line_number(std::string_view(rows).substr(0, dash));
  const auto last =
      dash == std::string::npos ? first : line_number(std::string_view(rows).substr(dash + 1));
  if (!first || !last || *last < *first)
    return Error{ErrorCode::kJobValue,
                 base::named_key("[input]", "rows") +
                     " must be two numbers of rows, \"16-22\", not " + base::in_quotes(rows),
                 ""};
  return std::optional<RowRange>({*first - 1, *last - 1});
}

}  // namespace lacuna::infer
