// SPDX-License-Identifier: Apache-2.0
#include "data/ptable_files/ptable_lines.h"

#include <algorithm>
#include <utility>

#include "core/base/decimal.h"
#include "core/base/moved_error.h"
#include "core/base/nearest.h"
#include "core/base/text.h"
#include "data/files/position.h"
#include "lacuna/units.h"

namespace lacuna::ptable_files {
namespace {

constexpr int kMostTargetDigits = 9;
constexpr int kMostShareDigits = 18;
// Sums of rounded probabilities may end above 1 by a few of the last digits.
constexpr std::int64_t kRoundedUp = 1'000'000;  // by no more than one part of so many

std::int64_t power_of_ten(int exponent) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent; ++i)
    power *= 10;
  return power;
}

class LinesReader {
 public:
  explicit LinesReader(const PtableLines& lines) : lines_(lines) {}

  Result<Ptable> read() {
    const std::size_t count = lines_.of(PtableColumn::kCount).size();
    LACUNA_TRY(parts_.decimals, most_digits(PtableColumn::kTarget, kMostTargetDigits));
    LACUNA_TRY(share_digits_, most_digits(PtableColumn::kUpper, kMostShareDigits));
    parts_.denominator = static_cast<std::uint64_t>(power_of_ten(share_digits_));
    parts_.cycle.length = 0;
    parts_.has_types = lines_.has(PtableColumn::kType);
    for (line_ = 0; line_ < count; ++line_)
      LACUNA_RETURN_IF_ERROR(read_line());
    if (parts_.rows.empty())
      return error(PtableColumn::kCount, "the perturbation table has no lines");
    LACUNA_TRY(Ptable table, Ptable::make(std::move(parts_)));
    return table;
  }

 private:
  Error error(PtableColumn column, std::string message) const {
    return {ErrorCode::kBadPtable, std::move(message), lines_.where(line_, column)};
  }
  std::string_view text(PtableColumn column) const { return lines_.of(column)[line_]; }

  Result<int> most_digits(PtableColumn column, int limit) {
    int most = 0;
    for (line_ = 0; line_ < lines_.of(column).size(); ++line_) {
      const Result<int> digits = base::decimals_needed(text(column));
      if (!digits)
        return not_a_number(column);
      if (*digits > limit)
        return error(column,
                     base::in_quotes(text(column)) + " has more than " + std::to_string(limit) +
                         " digits after the point; round it");
      most = std::max(most, *digits);
    }
    line_ = 0;
    return most;
  }

  Error not_a_number(PtableColumn column) const {
    const bool comma = text(column).find(',') != std::string_view::npos;
    return error(column,
                 base::in_quotes(text(column)) + " is not a number" +
                     (comma ? "; write a point instead of the comma" : ""));
  }

  Result<std::int64_t> number(PtableColumn column, int decimals) const {
    const Result<Units> units = base::parse_units(text(column), decimals);
    if (!units)
      return base::moved_to(units.error(), lines_.where(line_, column));
    return *units;
  }

  Status read_line() {
    LACUNA_TRY(const std::int64_t count, read_count());
    LACUNA_TRY(const PtableType type, read_type());
    LACUNA_RETURN_IF_ERROR(open_row(type, count));
    std::vector<PtableEntry>& entries = parts_.rows.back().entries;
    PtableEntry entry;
    LACUNA_TRY(entry.target, read_target());
    entry.noise = entry.target - count * power_of_ten(parts_.decimals);
    LACUNA_RETURN_IF_ERROR(compare_noise(entry));
    const std::uint64_t before = entries.empty() ? 0 : entries.back().upper;
    LACUNA_TRY(entry.upper, read_upper(before));
    LACUNA_RETURN_IF_ERROR(compare_lower(before));
    LACUNA_TRY(entry.probability, read_probability(entry.upper - before));
    entries.push_back(entry);
    return ok_status();
  }

  Result<std::int64_t> read_count() const {
    constexpr std::int64_t kLargestCount = 1'000'000'000;
    const Result<int> digits = base::decimals_needed(text(PtableColumn::kCount));
    if (!digits)
      return not_a_number(PtableColumn::kCount);
    if (*digits > 0)
      return error(PtableColumn::kCount, "i must be a whole number");
    LACUNA_TRY(const std::int64_t count, number(PtableColumn::kCount, 0));
    if (count < 0 || count > kLargestCount)
      return error(PtableColumn::kCount,
                   "i must be from 0 to 1,000,000,000, not " + std::to_string(count));
    return count;
  }

  Result<PtableType> read_type() const {
    if (!lines_.has(PtableColumn::kType))
      return PtableType::kAll;
    const std::string word = base::lower_case(text(PtableColumn::kType));
    const std::span<const std::string_view> names = enum_names(PtableType::kAll);
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end())
      return error(PtableColumn::kType,
                   "the type must be all, even, odd or small_cells, not " +
                       base::in_quotes(text(PtableColumn::kType)) +
                       base::did_you_mean(word, names));
    return static_cast<PtableType>(found - names.begin());
  }

  // The row that the line belongs to: the one before, or a new one.
  Status open_row(PtableType type, std::int64_t count) {
    std::vector<PtableRow>& rows = parts_.rows;
    if (!rows.empty() && rows.back().type == type && rows.back().count == count)
      return ok_status();
    if (!rows.empty() && rows.back().type == type && count < rows.back().count)
      return error(PtableColumn::kCount,
                   "i falls from " + std::to_string(rows.back().count) + " to " +
                       std::to_string(count) + "; sort the lines by i" +
                       (parts_.has_types ? " within each type" : ""));
    const std::int64_t wanted = rows.empty() ? 0 : rows.back().count + 1;
    if (!parts_.has_types && count != wanted)
      return error(PtableColumn::kCount,
                   "the row of i = " + std::to_string(wanted) +
                       " is missing; programs take the rows by their position as 0, 1, 2, ... "
                       "(tables for magnitudes have a column type)");
    const bool again = std::any_of(rows.begin(), rows.end(), [&](const PtableRow& row) {
      return row.type == type && row.count == count;
    });
    if (parts_.has_types && again)
      return error(PtableColumn::kCount,
                   "the lines of i = " + std::to_string(count) + " are not together");
    rows.push_back({type, count, {}});
    return ok_status();
  }

  Result<std::int64_t> read_target() const {
    LACUNA_TRY(const std::int64_t target, number(PtableColumn::kTarget, parts_.decimals));
    if (target < 0)
      return error(PtableColumn::kTarget,
                   "j is below 0; it is what may be published for i, and never negative");
    if (target > power_of_ten(kMostShareDigits))
      return error(PtableColumn::kTarget, "j is too large");
    return target;
  }

  Status compare_noise(const PtableEntry& entry) const {
    if (!lines_.has(PtableColumn::kNoise))
      return ok_status();
    const Result<Units> stated = base::parse_units(text(PtableColumn::kNoise), parts_.decimals);
    if (!stated && !base::decimals_needed(text(PtableColumn::kNoise)))
      return not_a_number(PtableColumn::kNoise);
    if (stated && *stated == entry.noise)
      return ok_status();
    return error(PtableColumn::kNoise,
                 "v must be j - i = " + base::format_units(entry.noise, parts_.decimals) +
                     ", not " + base::in_quotes(text(PtableColumn::kNoise)) +
                     "; some programs use the one, some the other");
  }

  Result<std::uint64_t> read_upper(std::uint64_t before) const {
    LACUNA_TRY(std::int64_t upper, number(PtableColumn::kUpper, share_digits_));
    const auto one = static_cast<std::int64_t>(parts_.denominator);
    if (upper > one && upper - one <= one / kRoundedUp)
      upper = one;
    if (upper < 0 || upper > one)
      return error(PtableColumn::kUpper, "p_ub must be from 0 to 1");
    if (upper < static_cast<std::int64_t>(before))
      return error(PtableColumn::kUpper,
                   "p_ub is less than on the line before; within a row it is the sum of p so far");
    return static_cast<std::uint64_t>(upper);
  }

  Status compare_lower(std::uint64_t before) const {
    if (!lines_.has(PtableColumn::kLower))
      return ok_status();
    const Result<double> lower = base::parse_double(text(PtableColumn::kLower));
    if (!lower)
      return not_a_number(PtableColumn::kLower);
    const double wanted = static_cast<double>(before) / static_cast<double>(parts_.denominator);
    if (std::abs(*lower - wanted) * static_cast<double>(kRoundedUp) <= 1)
      return ok_status();
    return error(PtableColumn::kLower,
                 "p_lb must be the p_ub of the line before (0 on the first of a row)");
  }

  Result<double> read_probability(std::uint64_t length) const {
    if (!lines_.has(PtableColumn::kProbability))
      return static_cast<double>(length) / static_cast<double>(parts_.denominator);
    const Result<double> stated = base::parse_double(text(PtableColumn::kProbability));
    if (!stated)
      return not_a_number(PtableColumn::kProbability);
    if (*stated < 0 || *stated > 1)
      return error(PtableColumn::kProbability, "p must be from 0 to 1");
    return *stated;
  }

  const PtableLines& lines_;
  PtableParts parts_;
  int share_digits_ = 0;
  std::size_t line_ = 0;
};

}  // namespace

std::size_t ptable_column_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, PtableColumn>, 11> kNames{{
      {"i", PtableColumn::kCount},
      {"j", PtableColumn::kTarget},
      {"p", PtableColumn::kProbability},
      {"v", PtableColumn::kNoise},
      {"p_lb", PtableColumn::kLower},
      {"p_int_lb", PtableColumn::kLower},
      {"lb", PtableColumn::kLower},
      {"p_ub", PtableColumn::kUpper},
      {"p_int_ub", PtableColumn::kUpper},
      {"ub", PtableColumn::kUpper},
      {"type", PtableColumn::kType},
  }};
  for (const auto& [known, column] : kNames) {
    if (known == name)
      return static_cast<std::size_t>(column);
  }
  return kPtableColumns;
}

Result<Ptable> ptable_from_lines(const PtableLines& lines) {
  return LinesReader(lines).read();
}

}  // namespace lacuna::ptable_files
