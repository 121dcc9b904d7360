// SPDX-License-Identifier: Apache-2.0
#include "data/infer/column_roles.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "core/base/confidential.h"
#include "core/base/nearest.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/files/position.h"
#include "data/infer/csv_guess.h"
#include "data/infer/status_column.h"

namespace lacuna::infer {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 16> kFrequencyNames{"n",
                                                           "nobs",
                                                           "nbobs",
                                                           "freq",
                                                           "frequency",
                                                           "count",
                                                           "counts",
                                                           "firms",
                                                           "units",
                                                           "nb",
                                                           "nbent",
                                                           "nfirms",
                                                           "contributors",
                                                           "freqvar",
                                                           "frequencies",
                                                           "respondents"};
constexpr std::array<std::string_view, 4> kWeightNames{"cost", "costvar", "weight", "costs"};
constexpr std::array<std::string_view, 3> kLowerNames{"lb", "lowerbound", "lower"};
constexpr std::array<std::string_view, 3> kUpperNames{"ub", "upperbound", "upper"};
constexpr std::array<std::string_view, 4> kLowerLevelNames{
    "lpl", "lowerpl", "lowerlevel", "lowerprotlevel"};
constexpr std::array<std::string_view, 4> kUpperLevelNames{
    "upl", "upperpl", "upperlevel", "upperprotlevel"};
constexpr std::array<std::string_view, 3> kSlidingNames{"spl", "slidingpl", "slidinglevel"};
constexpr std::array<std::string_view, 5> kLargestNames{
    "max", "top", "maxscore", "largest", "maxi"};

bool is_one_of(const std::string& word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// MAX, TOP1, max_2: 1, 1, 2; 0 if the name is none of a contribution.
std::size_t rank_in_name(const std::string& bare) {
  const std::size_t digits = bare.find_first_of("0123456789");
  if (!is_one_of(bare.substr(0, digits), kLargestNames))
    return 0;
  if (digits == std::string::npos)
    return 1;
  return bare.find_first_not_of("0123456789", digits) == std::string::npos &&
                 bare.size() - digits <= 2
             ? std::stoul(bare.substr(digits))
             : 0;
}

class RoleFinder {
 public:
  RoleFinder(const files::CsvFile& file, const std::vector<bool>& numeric, const KnownRoles& known)
      : file_(file), numeric_(numeric), known_(known), taken_(file.num_columns(), false) {
    for (std::size_t c = 0; c < file.num_columns(); ++c)
      names_.push_back(bare_name(file.header(c)));
  }

  Result<ColumnRoles> find() {
    LACUNA_RETURN_IF_ERROR(take_named());
    take_declared();
    LACUNA_RETURN_IF_ERROR(find_status());
    take_by_name(kWeightNames, roles_.weight);
    take_by_name(kLowerNames, roles_.lower);
    take_by_name(kUpperNames, roles_.upper);
    take_by_name(kLowerLevelNames, roles_.lower_level);
    take_by_name(kUpperLevelNames, roles_.upper_level);
    take_by_name(kSlidingNames, roles_.sliding_level);
    find_largest();
    LACUNA_RETURN_IF_ERROR(find_dimensions());
    find_frequency();
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (c == value_)
        roles_.values.push_back(c);
      else if (numeric_[c] && !taken_[c])
        (value_ == kNoColumn ? roles_.values : roles_.unused).push_back(c);
    }
    return std::move(roles_);
  }

 private:
  Error error(std::string message) const {
    return {ErrorCode::kMissingColumn, std::move(message), file_.where_header()};
  }

  void take(std::size_t column) { taken_[column] = true; }

  void take_by_name(Words words, std::size_t& role) {
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (taken_[c] || !numeric_[c] || !is_one_of(names_[c], words))
        continue;
      role = c;
      take(c);
      return;
    }
  }

  // ---- what is known

  Result<std::size_t> named(const std::string& name) const {
    const std::size_t column = file_.find_column(name);
    if (column < file_.num_columns())
      return column;
    std::vector<std::string_view> names;
    for (std::size_t c = 0; c < file_.num_columns(); ++c)
      names.push_back(file_.header(c));
    return error("there is no column " + base::in_quotes(name) + base::did_you_mean(name, names));
  }

  Status take_named() {
    if (!known_.status.empty()) {
      LACUNA_TRY(roles_.status, named(known_.status));
      take(roles_.status);
    }
    for (const std::string& name : known_.dimensions) {
      LACUNA_TRY(const std::size_t column, named(name));
      roles_.dimensions.push_back(column);
      take(column);
    }
    if (known_.value.empty())
      return ok_status();
    LACUNA_TRY(const std::size_t value, named(known_.value));
    if (!numeric_[value])
      return error("the column " + base::in_quotes(known_.value) + " does not hold numbers alone");
    keep_value(value);
    return ok_status();
  }

  // The value, once it is known; other numbers may be codes.
  void keep_value(std::size_t column) {
    value_ = column;
    take(column);
  }

  // As far as the user has not said otherwise.
  void take_declared() {
    using formats::ColumnRole;
    for (std::size_t c = 0; c < known_.declared.size() && c < file_.num_columns(); ++c) {
      if (taken_[c])
        continue;
      switch (known_.declared[c]) {
        case ColumnRole::kOpen:
          break;
        case ColumnRole::kValue:
          if (value_ == kNoColumn && numeric_[c])
            keep_value(c);
          break;
        case ColumnRole::kConfidentiality:
          if (known_.status.empty() && roles_.status == kNoColumn && words_in(file_, c).size() > 1)
            roles_.status = c;
          else
            roles_.unused.push_back(c);
          take(c);
          break;
        case ColumnRole::kDimension:
        case ColumnRole::kTime:
        case ColumnRole::kMeasure:
          if (file_.num_rows() > 1 && num_distinct(c) == 1)
            roles_.unused.push_back(c);
          else
            roles_.dimensions.push_back(c);
          take(c);
          break;
        case ColumnRole::kObservationStatus:
          leave_out(c);
          if (words_in(file_, c).size() > 1 &&
              status_fit(names_[c], words_in(file_, c), false) != StatusFit::kNone)
            roles_.doubtful.push_back(c);
          break;
        case ColumnRole::kLabel:
        case ColumnRole::kNote:
          leave_out(c);
          break;
      }
    }
  }

  // ---- the status

  bool is_flagged(std::size_t row, std::size_t column) const {
    const auto status = status_of_word(base::trimmed(file_.field(row, column)),
                                       status_words_of(file_.header(column)));
    return status == CellStatus::kPrimary || status == CellStatus::kSecondary;
  }

  // Several flags, of which one says what any of the others says: that is the one that counts.
  std::size_t sum_of_flags(const std::vector<std::size_t>& flags) const {
    const auto says_all = [&](std::size_t flag) {
      for (std::size_t r = 0; r < file_.num_rows(); ++r) {
        const bool any = std::any_of(flags.begin(), flags.end(), [&](std::size_t other) {
          return other != flag && is_flagged(r, other);
        });
        if (any != is_flagged(r, flag))
          return false;
      }
      return true;
    };
    const auto found = std::find_if(flags.begin(), flags.end(), says_all);
    return found == flags.end() ? kNoColumn : *found;
  }

  // A code such as "A" is a status word, too: a column that tells rows apart is none.
  bool tells_rows_apart(std::size_t column) const {
    std::vector<std::size_t> others;
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (c != column && (!numeric_[c] || may_be_code(c)))
        others.push_back(c);
    }
    return !is_status_name(names_[column]) && (others.empty() || !is_key(others));
  }

  Status find_status() {
    if (roles_.status != kNoColumn)
      return ok_status();
    std::vector<std::size_t> flags;
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (taken_[c])
        continue;
      const StatusFit fit = status_fit(names_[c], words_in(file_, c), numeric_[c]);
      if (fit == StatusFit::kNone || tells_rows_apart(c))
        continue;
      if (fit == StatusFit::kStatus) {
        flags.push_back(c);
      } else {
        leave_out(c);
        roles_.doubtful.push_back(c);
      }
    }
    if (flags.empty())
      return ok_status();
    roles_.status = flags.size() == 1 ? flags.front() : sum_of_flags(flags);
    if (roles_.status == kNoColumn) {
      std::vector<std::size_t> named;
      std::copy_if(flags.begin(), flags.end(), std::back_inserter(named), [&](std::size_t c) {
        return names_[c] == "status" || names_[c] == "issecretprim";
      });
      if (named.size() != 1)
        return error("the status is not certain, it could be any of the columns " +
                     named_columns(file_, flags) +
                     ": name one, " +
                     base::named_option("status", "COLUMN"));
      roles_.status = named.front();
    }
    for (const std::size_t flag : flags) {
      take(flag);
      if (flag != roles_.status)
        roles_.unused.push_back(flag);
    }
    return ok_status();
  }

  // ---- contributions and frequency

  void find_largest() {
    std::vector<std::pair<std::size_t, std::size_t>> ranked;
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      const std::size_t rank = numeric_[c] && !taken_[c] ? rank_in_name(names_[c]) : 0;
      if (rank > 0)
        ranked.emplace_back(rank, c);
    }
    std::sort(ranked.begin(), ranked.end());
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      if (ranked[i].first != i + 1)
        return;  // MAX3 without MAX2: something else
    }
    for (const auto& [rank, column] : ranked) {
      roles_.largest.push_back(column);
      take(column);
    }
  }

  void find_frequency() {
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (taken_[c] || !numeric_[c] || !is_one_of(names_[c], kFrequencyNames) || !is_integer(c))
        continue;
      roles_.frequency = c;
      take(c);
      return;
    }
  }

  bool is_integer(std::size_t column) const {
    for (std::size_t r = 0; r < file_.num_rows(); ++r) {
      const std::string_view text = base::trimmed(file_.field(r, column));
      const bool digits = text.find_first_not_of("0123456789") == std::string_view::npos;
      if (!digits && !is_missing_text(text))
        return false;
    }
    return true;
  }

  // ---- codes

  bool is_key(const std::vector<std::size_t>& columns) const {
    std::unordered_set<std::string> seen;
    for (std::size_t r = 0; r < file_.num_rows(); ++r) {
      std::string key;
      for (const std::size_t c : columns)
        key += std::string(file_.field(r, c)) + '\x1F';
      if (!seen.insert(std::move(key)).second)
        return false;
    }
    return true;
  }

  std::size_t num_distinct(std::size_t column) const {
    std::unordered_set<std::string_view> seen;
    for (std::size_t r = 0; r < file_.num_rows(); ++r)
      seen.insert(file_.field(r, column));
    return seen.size();
  }

  // A number that may be a code: whole, and each stands in several rows.
  bool may_be_code(std::size_t column) const {
    const std::size_t distinct = num_distinct(column);
    return is_integer(column) && distinct > 1 && distinct * 2 <= file_.num_rows() &&
           !is_one_of(names_[column], kFrequencyNames);
  }

  // A label says the same as the code before it.
  bool is_label_of(std::size_t label, std::size_t code) const {
    std::unordered_map<std::string_view, std::string_view> to, back;
    for (std::size_t r = 0; r < file_.num_rows(); ++r) {
      const std::string_view a = file_.field(r, code);
      const std::string_view b = file_.field(r, label);
      if (to.try_emplace(a, b).first->second != b || back.try_emplace(b, a).first->second != a)
        return false;
    }
    return true;
  }

  void leave_out(std::size_t column) {
    take(column);
    roles_.unused.push_back(column);
  }

  Status find_dimensions() {
    auto& dimensions = roles_.dimensions;
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (taken_[c] || numeric_[c])
        continue;
      const bool label = std::any_of(
          dimensions.begin(), dimensions.end(), [&](std::size_t d) { return is_label_of(c, d); });
      if (num_distinct(c) == 1 || label) {
        leave_out(c);
        continue;
      }
      dimensions.push_back(c);
      take(c);
    }
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (!taken_[c] && file_.num_rows() > 1 && num_distinct(c) == 1)
        leave_out(c);  // a year, a unit
    }
    // Codes may be numbers, such as size classes: whole ones that are needed to tell rows apart.
    for (std::size_t c = 0; c < file_.num_columns() && !is_key(dimensions); ++c) {
      if (taken_[c] || !may_be_code(c))
        continue;
      dimensions.push_back(c);
      take(c);
    }
    std::sort(dimensions.begin(), dimensions.end());
    if (dimensions.empty())
      return error(
          "no column holds codes: a table has one row per cell, with a column of codes "
          "per dimension");
    return is_key(dimensions) ? ok_status() : Status(repeated_rows());
  }

  // The first two rows with the same codes. Few of them are an oversight, many are records.
  Error repeated_rows() const {
    std::unordered_map<std::string, std::size_t> seen;
    std::string first;
    std::size_t repeated = 0;
    std::size_t at = 0;
    for (std::size_t r = 0; r < file_.num_rows(); ++r) {
      std::string key;
      for (const std::size_t c : roles_.dimensions)
        key += std::string(file_.field(r, c)) + '\x1F';
      const auto [found, is_new] = seen.try_emplace(std::move(key), r);
      if (is_new)
        continue;
      if (++repeated > 1)
        continue;
      at = r;
      first = file_.where(found->second, roles_.dimensions.front());
    }
    const bool few = repeated * 4 < file_.num_rows();
    return {
        few ? ErrorCode::kRepeatedCell : ErrorCode::kMissingColumn,
        "the columns of codes, " + named_columns(file_, roles_.dimensions) +
            ", do not tell the rows apart: this row has the codes of " + first +
            (repeated > 1 ? ", and " + std::to_string(repeated - 1) + " more are repeated" : "") +
            (few ? ": delete one of them, or name the column that differs as a dimension"
                 : ": if these are records, write a job over records ([input] with records)"),
        file_.where(at, roles_.dimensions.front())};
  }

  const files::CsvFile& file_;
  const std::vector<bool>& numeric_;
  const KnownRoles& known_;
  std::size_t value_ = kNoColumn;
  std::vector<bool> taken_;
  std::vector<std::string> names_;
  ColumnRoles roles_;
};

}  // namespace

WordCounts words_in(const files::CsvFile& file, std::size_t column) {
  constexpr std::size_t kMost = 40;  // what has more holds no statuses
  WordCounts words;
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    ++words[std::string(base::trimmed(file.field(r, column)))];
    if (words.size() > kMost)
      break;
  }
  return words;
}

std::string named_columns(const files::CsvFile& file, const std::vector<std::size_t>& columns) {
  std::string text;
  for (const std::size_t column : columns)
    text += (text.empty() ? "" : ", ") + base::strange_field_in_quotes(file.header(column));
  return text;
}

bool is_frequency_name(std::string_view name) {
  return is_one_of(bare_name(name), kFrequencyNames);
}

Result<ColumnRoles> find_roles(const files::CsvFile& file,
                               const std::vector<bool>& numeric,
                               const KnownRoles& known) {
  return RoleFinder(file, numeric, known).find();
}

}  // namespace lacuna::infer
