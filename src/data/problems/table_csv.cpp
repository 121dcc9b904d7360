// SPDX-License-Identifier: Apache-2.0
#include "data/problems/table_csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/moved_error.h"
#include "core/base/nearest.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/files/code_keys.h"
#include "data/files/position.h"
#include "data/infer/csv_guess.h"
#include "data/problems/problem_json.h"
#include "data/tabulate/key_text.h"
#include "data/tabulate/number.h"
#include "lacuna/keys.h"

namespace lacuna::problems {
namespace {

enum Column : std::size_t {
  kValue,
  kFrequency,
  kWeight,
  kStatus,
  kLower,
  kUpper,
  kLowerLevel,
  kUpperLevel,
  kSlidingLevel,
  kKey,
  kNumColumns,
};

std::array<const std::string*, kNumColumns> names_of(const TableColumns& columns) {
  return {&columns.value,
          &columns.frequency,
          &columns.weight,
          &columns.status,
          &columns.lower,
          &columns.upper,
          &columns.lower_level,
          &columns.upper_level,
          &columns.sliding_level,
          &columns.key};
}

constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

struct BoundFile {  // where the columns of one file are
  const files::CsvFile* file = nullptr;
  std::array<std::size_t, kNumColumns> columns{};
  std::vector<std::size_t> dimensions;
  std::vector<std::size_t> largest;

  std::string_view text(std::size_t row, Column column) const {
    return columns[column] == kAbsent ? std::string_view{} : text_at(row, columns[column]);
  }
  std::string_view text_at(std::size_t row, std::size_t column) const {
    const std::string_view text = base::trimmed(file->field(row, column));
    return infer::is_missing_text(text) ? std::string_view{} : text;
  }
  std::string where(std::size_t row, Column column) const {
    return file->where(row, columns[column] == kAbsent ? 0 : columns[column]);
  }
};

struct RowRef {
  std::size_t file = 0;
  std::size_t row = kAbsent;  // absent: a total that was added
};

enum class Rounding : std::uint8_t { kUp, kDown };

// |value| * percent / 100 in whole units.
Result<Units> percent_of(Units value, const std::string& percent, Rounding rounding) {
  LACUNA_TRY(const int places, base::decimals_needed(percent));
  LACUNA_TRY(const Units share, base::parse_units(percent, places));
  Wide divisor = 100;
  for (int i = 0; i < places; ++i)
    divisor *= 10;
  const Wide size = value < 0 ? -Wide{value} : Wide{value};
  const Wide amount = (size * share + (rounding == Rounding::kUp ? divisor - 1 : 0)) / divisor;
  if (amount > kMaxUnits)
    return Error{ErrorCode::kNumberTooLarge, percent + " percent of the value is too large", ""};
  return static_cast<Units>(amount);
}

class TableCsvReader {
 public:
  TableCsvReader(const std::vector<files::CsvFile>& files,
                 const std::vector<Dimension>& dimensions,
                 const std::vector<LinkedTable>& tables,
                 const TableCsvOptions& options,
                 files::DecimalsChooser numbers)
      : files_(files),
        dimensions_(dimensions),
        tables_(tables),
        options_(options),
        status_words_(options.status_words),
        numbers_(numbers) {
    status_words_.merge(infer::status_words_of(options.columns.status));  // the job's own go first
  }

  Result<CsvCells> read() {
    LACUNA_TRY(strides_, files::code_strides(dimensions_));
    for (const files::CsvFile& file : files_)
      LACUNA_RETURN_IF_ERROR(bind(file));
    LACUNA_RETURN_IF_ERROR(read_rows());
    LACUNA_RETURN_IF_ERROR(choose_decimals());
    LACUNA_RETURN_IF_ERROR(read_values());
    LACUNA_RETURN_IF_ERROR(complete_totals());
    LACUNA_RETURN_IF_ERROR(read_largest());
    for (std::size_t c = 0; c < rows_.size(); ++c)
      LACUNA_RETURN_IF_ERROR(complete_cell(c));
    LACUNA_RETURN_IF_ERROR(read_keys());
    LACUNA_RETURN_IF_ERROR(check_repeats());
    if (!options_.columns.status.empty())
      out_.status_reading =
          infer::status_reading(options_.columns.status, words_of_status(), status_words_);
    return std::move(out_);
  }

 private:
  // ---- columns

  Result<std::size_t> column(const files::CsvFile& file, const std::string& name) const {
    const std::size_t found = file.find_column(name);
    if (found < file.num_columns())
      return found;
    std::vector<std::string_view> names;
    std::string all;
    for (std::size_t i = 0; i < file.num_columns(); ++i) {
      names.push_back(file.header(i));
      all += (i > 0 ? ", " : "") + base::strange_field_in_quotes(file.header(i));
    }
    const std::string near = base::did_you_mean(name, names);
    return Error{
        ErrorCode::kMissingColumn,
        "there is no column " + base::in_quotes(name) +
            (near.empty()
                 ? ", only " + all + (names.size() == 1 ? ": is the separator another one?" : "")
                 : near),
        file.where_header()};
  }

  Status bind(const files::CsvFile& file) {
    for (std::size_t i = 0; i < file.num_columns(); ++i) {
      if (file.find_column(file.header(i)) != i) {
        return Error{ErrorCode::kRepeatedColumn,
                     "the header has two columns " + base::in_quotes(file.header(i)),
                     file.where_header()};
      }
    }
    BoundFile bound;
    bound.file = &file;
    bound.columns.fill(kAbsent);
    const auto names = names_of(options_.columns);
    for (std::size_t c = 0; c < kNumColumns; ++c) {
      if (names[c]->empty())
        continue;
      LACUNA_TRY(bound.columns[c], column(file, *names[c]));
    }
    for (const std::string& name : options_.columns.largest) {
      LACUNA_TRY(const std::size_t at, column(file, name));
      bound.largest.push_back(at);
    }
    for (const std::string& name : options_.dimension_columns) {
      const bool may_be_absent = files_.size() > 1;
      if (may_be_absent && file.find_column(name) == file.num_columns()) {
        bound.dimensions.push_back(kAbsent);
        continue;
      }
      LACUNA_TRY(const std::size_t at, column(file, name));
      bound.dimensions.push_back(at);
    }
    bound_.push_back(std::move(bound));
    return ok_status();
  }

  // ---- rows

  bool in_some_table(std::span<const std::int32_t> codes) const {
    return std::any_of(tables_.begin(), tables_.end(), [&](const LinkedTable& table) {
      for (std::size_t d = 0; d < codes.size(); ++d) {
        const auto& used = table.dimensions;
        const bool crossed =
            std::find(used.begin(), used.end(), static_cast<std::int32_t>(d)) != used.end();
        if (!crossed && codes[d] != dimensions_[d].total())
          return false;
      }
      return true;
    });
  }

  Status read_rows() {
    for (std::size_t f = 0; f < bound_.size(); ++f) {
      const std::size_t rows = bound_[f].file->num_rows();
      if (rows == 0)
        return bound_[f].file->error(0, 0, "the file has a header but no rows", ErrorCode::kNoRows);
      for (std::size_t r = 0; r < rows; ++r)
        LACUNA_RETURN_IF_ERROR(read_row(f, r));
    }
    return ok_status();
  }

  Status read_row(std::size_t f, std::size_t r) {
    const BoundFile& bound = bound_[f];
    if (options_.empty_value == EmptyValue::kDrop && options_.totals == TotalsRule::kGiven &&
        bound.text(r, kValue).empty())
      return ok_status();
    std::vector<std::int32_t> codes;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      const std::size_t at = bound.dimensions[d];
      const std::string_view text = at == kAbsent ? std::string_view{} : bound.file->field(r, at);
      const std::int32_t code = text.empty() ? dimensions_[d].total() : dimensions_[d].find(text);
      if (code < 0) {
        const std::vector<std::string_view> known(dimensions_[d].codes().begin(),
                                                  dimensions_[d].codes().end());
        return bound.file->error(r,
                                 at,
                                 "dimension " + dimensions_[d].name() + " has no code " +
                                     base::strange_field_in_quotes(text) +
                                     base::did_you_mean(text, known));
      }
      codes.push_back(code);
    }
    const auto [at, is_new] = index_.try_emplace(files::code_key(strides_, codes), rows_.size());
    if (!is_new) {
      const RowRef first = rows_[at->second];
      if (first.file == f)
        return bound.file->error(
            r,
            0,
            "the cell is given twice, first at " + bound.file->where(first.row, 0),
            ErrorCode::kRepeatedCell);
      repeats_.push_back({at->second, {f, r}});
      return ok_status();
    }
    if (!in_some_table(codes))
      return bound.file->error(r, 0, "the cell belongs to none of the tables");
    rows_.push_back({f, r});
    out_.codes.insert(out_.codes.end(), codes.begin(), codes.end());
    return ok_status();
  }

  // ---- numbers

  Status choose_decimals() {
    for (const BoundFile& bound : bound_) {
      for (std::size_t r = 0; r < bound.file->num_rows(); ++r)
        LACUNA_RETURN_IF_ERROR(note_numbers(bound, r));
    }
    out_.decimals = options_.decimals >= 0 ? options_.decimals : numbers_.decimals();
    out_.levels_rounded = options_.decimals < 0 && numbers_.rounds_levels();
    return ok_status();
  }

  Status note_numbers(const BoundFile& bound, std::size_t row) {
    const auto status = infer::status_of_word(bound.text(row, kStatus), status_words_);
    const bool primary = status == CellStatus::kPrimary;
    for (const Column c : {kValue, kLower, kUpper, kLowerLevel, kUpperLevel, kSlidingLevel}) {
      const std::string_view text = bound.text(row, c);
      if (text.empty() || ((c == kLower || c == kUpper) && files::is_infinite_text(text)))
        continue;
      const bool level = c >= kLowerLevel;
      if ((level && !primary) || (c == kValue && options_.round))
        continue;
      auto seen = level ? numbers_.add_level(text) : numbers_.add_number(text);
      if (!seen)
        return base::moved_to(seen.error(), bound.where(row, c));
    }
    return ok_status();
  }

  Status read_values() {
    out_.cells.resize(rows_.size());
    for (std::size_t c = 0; c < rows_.size(); ++c) {
      const BoundFile& bound = bound_[rows_[c].file];
      const std::string_view text = bound.text(rows_[c].row, kValue);
      if (text.empty() && options_.totals != TotalsRule::kGiven &&
          !is_inner_cell({dimensions_, tables_}, codes_of(c))) {
        to_fill_.push_back(c);
        continue;
      }
      if (text.empty() && options_.empty_value != EmptyValue::kError)
        continue;  // zero
      if (text.empty())
        return Error{ErrorCode::kEmptyField,
                     "the value is empty: say " +
                         base::named_setting("[input]", "empty_value", "\"zero\" or \"drop\"") +
                         ", or " + base::named_setting("totals", "\"computed\"") +
                         " if it is a total",
                     bound.where(rows_[c].row, kValue)};
      LACUNA_TRY(out_.cells[c].value, amount(bound, rows_[c].row, bound.columns[kValue]));
      has_negative_ = has_negative_ || out_.cells[c].value < 0;
    }
    return ok_status();
  }

  // A value or a contribution, rounded if the job says so.
  Result<Units> amount(const BoundFile& bound, std::size_t row, std::size_t column) const {
    const std::string_view text = bound.text_at(row, column);
    const tabulation::NumberFormat format{out_.decimals, '.', options_.round};
    Units units = 0;
    const tabulation::NumberOutcome outcome = tabulation::parse_number(text, format, units);
    if (outcome == tabulation::NumberOutcome::kDone)
      return units;
    Error error =
        base::moved_to(tabulation::number_error(text, format), bound.file->where(row, column));
    if (const auto style = base::decimals_needed(text) ? std::nullopt : files::style_of(text))
      error.message +=
          ": say" + infer::style_text(*style).substr(5) + base::words_of_files(" in [input]");
    return error;
  }

  Status read_largest() {
    out_.largest.resize(out_.cells.size());
    for (std::size_t c = 0; c < rows_.size(); ++c) {
      if (rows_[c].row == kAbsent)
        continue;
      const BoundFile& bound = bound_[rows_[c].file];
      for (const std::size_t column : bound.largest) {
        const std::string_view text = bound.text_at(rows_[c].row, column);
        if (text.empty())
          break;
        LACUNA_TRY(const Units contribution, amount(bound, rows_[c].row, column));
        if (!out_.largest[c].empty() && std::abs(contribution) > std::abs(out_.largest[c].back()))
          return Error{ErrorCode::kContradiction,
                       "the contribution is larger than the one before it: name the columns of "
                       "`largest` from the largest on",
                       bound.file->where(rows_[c].row, column)};
        out_.largest[c].push_back(contribution);
      }
    }
    return ok_status();
  }

  Status read_keys() {
    if (options_.columns.key.empty())
      return ok_status();
    for (const RowRef ref : rows_) {
      if (ref.row == kAbsent)
        return Error{ErrorCode::kFactsMissing,
                     "a total that is computed has no key: give the rows of all totals with their "
                     "keys, or tabulate the records",
                     files_.front().where_header()};
      const BoundFile& bound = bound_[ref.file];
      const std::string_view text = bound.text(ref.row, kKey);
      const auto key = text.empty()
                           ? Result<std::uint64_t>(
                                 Error{ErrorCode::kEmptyField, "the key of the cell is empty", ""})
                           : tabulation::parse_key(text, options_.keys, '.');
      if (!key)
        return base::moved_to(key.error(), bound.where(ref.row, kKey));
      out_.keys.push_back(*key);
    }
    return ok_status();
  }

  // ---- totals

  std::span<const std::int32_t> codes_of(std::size_t cell) const {
    return out_.codes_of(cell, dimensions_.size());
  }

  Status complete_totals() {
    SummedCells cells{out_.codes, {}, {}, to_fill_};
    for (std::size_t c = 0; c < rows_.size(); ++c) {
      cells.values.push_back(out_.cells[c].value);
      LACUNA_TRY(const std::int64_t frequency, frequency_of(rows_[c]));
      cells.frequencies.push_back(frequency);
    }
    const TotalsPlaces places{[this](std::size_t cell) {
                                return bound_[rows_[cell].file].where(rows_[cell].row, kValue);
                              },
                              files_.front().where_header(),
                              files_.front().filename()};
    const TotalsOptions options{options_.totals, options_.round_totals, out_.decimals};
    LACUNA_TRY(const TotalsChanged changed,
               complete_cells({dimensions_, tables_}, options, places, cells));
    if (!changed.note.empty())
      out_.notes.push_back(changed.note);
    out_.codes = std::move(cells.codes);
    out_.cells.resize(cells.values.size());
    rows_.resize(cells.values.size());  // what was added has no row
    for (std::size_t c = 0; c < out_.cells.size(); ++c) {
      out_.cells[c].value = cells.values[c];
      out_.cells[c].frequency = cells.frequencies[c];
      has_negative_ = has_negative_ || cells.values[c] < 0;
    }
    return ok_status();
  }

  // ---- the rest of a cell

  Result<std::int64_t> frequency_of(RowRef ref) const {
    const BoundFile& bound = bound_[ref.file];
    const std::string_view text = bound.text(ref.row, kFrequency);
    if (text.empty())
      return std::int64_t{-1};
    auto frequency = base::parse_units(text, 0);
    if (!frequency)
      return base::moved_to(frequency.error(), bound.where(ref.row, kFrequency));
    if (*frequency < 0) {
      return Error{
          ErrorCode::kBadField, "the frequency is negative", bound.where(ref.row, kFrequency)};
    }
    return *frequency;
  }

  infer::WordCounts words_of_status() const {
    infer::WordCounts words;
    for (const RowRef& ref : rows_) {
      if (ref.row != kAbsent)
        ++words[std::string(bound_[ref.file].text(ref.row, kStatus))];
    }
    return words;
  }

  Status complete_cell(std::size_t c) {
    const RowRef ref = rows_[c];
    Cell& cell = out_.cells[c];
    if (ref.row == kAbsent) {
      out_.origins.emplace_back();
      LACUNA_RETURN_IF_ERROR(set_bounds(cell, "", ""));
      return set_weight(cell, "");
    }
    const BoundFile& bound = bound_[ref.file];
    out_.origins.push_back({ref.file, ref.row, bound.columns[kValue]});
    LACUNA_TRY(cell.frequency, frequency_of(ref));
    const std::string_view word = bound.text(ref.row, kStatus);
    const auto status = infer::status_of_word(word, status_words_);
    if (!status)
      return Error{ErrorCode::kBadField,
                   infer::unknown_status(word) + "; the column has " +
                       infer::counted_words(words_of_status()),
                   bound.where(ref.row, kStatus)};
    cell.status = *status;
    if (auto set = set_bounds(cell, bound.text(ref.row, kLower), bound.text(ref.row, kUpper)); !set)
      return base::moved_to(set.error(), bound.where(ref.row, kLower));
    if (auto set = set_weight(cell, bound.text(ref.row, kWeight)); !set)
      return base::moved_to(set.error(), bound.where(ref.row, kWeight));
    return add_levels(c, bound, ref.row);
  }

  Status set_bounds(Cell& cell, std::string_view lower, std::string_view upper) const {
    LACUNA_TRY(cell.prior.lower, bound_of(cell.value, lower, options_.defaults.lower, true));
    LACUNA_TRY(cell.prior.upper, bound_of(cell.value, upper, options_.defaults.upper, false));
    return ok_status();
  }

  Result<Units> bound_of(Units value,
                         std::string_view text,
                         const BoundRule& rule,
                         bool is_lower) const {
    if (!text.empty())
      return files::parse_bound(text, out_.decimals, is_lower);
    const Units unbounded = is_lower ? kUnboundedBelow : kUnboundedAbove;
    switch (rule.kind) {
      case BoundRule::Kind::kNumber:
        return files::parse_bound(rule.number, out_.decimals, is_lower);
      case BoundRule::Kind::kUnbounded:
        return unbounded;
      case BoundRule::Kind::kPercent: {
        // Inward: an attacker knows at least what is stated.
        LACUNA_TRY(const Units width, percent_of(value, rule.number, Rounding::kDown));
        const Wide end = is_lower ? Wide{value} - width : Wide{value} + width;
        return static_cast<Units>(std::clamp(end, -Wide{kMaxUnits}, Wide{kMaxUnits}));
      }
      case BoundRule::Kind::kAutomatic:
        break;
    }
    return is_lower && !has_negative_ ? Units{0} : unbounded;
  }

  Status set_weight(Cell& cell, std::string_view text) const {
    const std::string_view used = text.empty() ? std::string_view(options_.defaults.weight) : text;
    if (text.empty() && used == "value") {
      cell.weight = std::abs(base::units_to_double(cell.value, out_.decimals));
      return ok_status();
    }
    if (text.empty() && used == "frequency") {
      cell.weight = static_cast<double>(std::max<std::int64_t>(cell.frequency, 0));
      return ok_status();
    }
    LACUNA_TRY(cell.weight, base::parse_double(used));
    if (cell.weight < 0)
      return Error{ErrorCode::kBadField, "the weight is negative", ""};
    return ok_status();
  }

  Result<Units> level_of(Units value, std::string_view text, const std::string& percent) {
    if (text.empty())
      return percent_of(value, percent, Rounding::kUp);
    LACUNA_TRY(const Units level, files::parse_level_upward(text, out_.decimals));
    if (level < 0)
      return Error{ErrorCode::kBadField, "the protection level is negative", ""};
    LACUNA_TRY(const int needed, base::decimals_needed(text));
    out_.levels_rounded = out_.levels_rounded || needed > out_.decimals;
    return level;
  }

  Status add_levels(std::size_t c, const BoundFile& bound, std::size_t row) {
    const TableDefaults& defaults = options_.defaults;
    const std::string* const percents[] = {&defaults.lower_level_percent,
                                           &defaults.upper_level_percent,
                                           &defaults.sliding_level_percent};
    Requirement need{.cell = CellId{static_cast<std::int32_t>(c)}};
    Units* const levels[] = {&need.lower, &need.upper, &need.sliding};
    bool any = false;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto column = static_cast<Column>(kLowerLevel + i);
      const std::string_view text = bound.text(row, column);
      if (text.empty() && percents[i]->empty())
        continue;
      any = true;
      auto level = level_of(out_.cells[c].value, text, *percents[i]);
      if (!level)
        return base::moved_to(level.error(), bound.where(row, column));
      *levels[i] = *level;
    }
    if (out_.cells[c].status != CellStatus::kPrimary)
      return ok_status();
    if (!any)
      LACUNA_RETURN_IF_ERROR(set_default_level(out_.cells[c], need));
    if (auto fit = files::check_levels_fit(out_.cells[c], need, out_.decimals); !fit)
      return base::moved_to(fit.error(), bound.where(row, kLowerLevel));
    out_.requirements.push_back(need);
    return ok_status();
  }

  // As much as is asked of a cell of which the file says no more than that it is sensitive.
  Status set_default_level(const Cell& cell, Requirement& need) const {
    const TableDefaults& defaults = options_.defaults;
    Units level = 0;
    if (defaults.level_is_number) {
      LACUNA_TRY(level, files::parse_level_upward(defaults.level, out_.decimals));
    } else {
      LACUNA_TRY(level, percent_of(cell.value, defaults.level, Rounding::kUp));
    }
    level = std::max<Units>(level, 1);
    const Wide below = cell.prior.has_lower() ? Wide{cell.value} - cell.prior.lower : Wide{level};
    const Wide above = cell.prior.has_upper() ? Wide{cell.prior.upper} - cell.value : Wide{level};
    need.lower = static_cast<Units>(std::clamp(below, Wide{0}, Wide{level}));
    need.upper = static_cast<Units>(std::clamp(above, Wide{0}, Wide{level}));
    return ok_status();
  }

  // A cell that stands in two files must say the same in both.
  Status check_repeats() const {
    for (const auto& [cell, ref] : repeats_) {
      const BoundFile& first = bound_[rows_[cell].file];
      const BoundFile& second = bound_[ref.file];
      for (std::size_t i = 0; i < kNumColumns; ++i) {
        const auto column = static_cast<Column>(i);
        const std::string_view a = first.text(rows_[cell].row, column);
        const std::string_view b = second.text(ref.row, column);
        if (a != b && !same_number(a, b)) {
          return Error{ErrorCode::kContradiction,
                       "the cell is given differently at " + first.where(rows_[cell].row, column),
                       second.where(ref.row, column)};
        }
      }
    }
    return ok_status();
  }

  bool same_number(std::string_view a, std::string_view b) const {
    const auto left = base::parse_units(a, out_.decimals);
    const auto right = base::parse_units(b, out_.decimals);
    return left.has_value() && right.has_value() && *left == *right;
  }

  struct Repeat {
    std::size_t cell;
    RowRef ref;
  };

  const std::vector<files::CsvFile>& files_;
  const std::vector<Dimension>& dimensions_;
  const std::vector<LinkedTable>& tables_;
  const TableCsvOptions& options_;
  infer::StatusWords status_words_;  // of the job and of the column's own code list
  files::DecimalsChooser numbers_;
  std::vector<files::CodeKey> strides_;
  std::vector<BoundFile> bound_;
  std::vector<RowRef> rows_;  // one per cell
  std::vector<Repeat> repeats_;
  std::unordered_map<files::CodeKey, std::size_t, files::CodeKeyHash> index_;
  std::vector<std::size_t> to_fill_;  // totals whose row has no value
  bool has_negative_ = false;
  CsvCells out_;
};

}  // namespace

Result<CsvCells> read_table_csv(const std::vector<files::CsvFile>& files,
                                const std::vector<Dimension>& dimensions,
                                const std::vector<LinkedTable>& tables,
                                const TableCsvOptions& options,
                                files::DecimalsChooser numbers) {
  return TableCsvReader(files, dimensions, tables, options, numbers).read();
}

std::string write_table_csv(const Problem& problem,
                            const TableColumns& columns,
                            const std::vector<std::string>& dimension_columns,
                            char separator) {
  const Table& table = problem.table();
  std::string out;
  for (const std::string& name : dimension_columns)
    out += files::csv_quoted(name, separator) + separator;
  out += files::csv_quoted(columns.value, separator);
  const auto names = names_of(columns);
  for (std::size_t c = kFrequency; c < kNumColumns; ++c) {
    if (!names[c]->empty())
      out += separator + files::csv_quoted(*names[c], separator);
  }
  out += '\n';
  auto need = problem.requirements().begin();
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId id{c};
    const Cell& cell = table.cell(id);
    const auto number = [&](Units units) {
      out += separator + base::format_units(units, table.decimals());
    };
    const auto codes = table.codes(id);
    for (std::size_t d = 0; d < codes.size(); ++d)
      out += files::csv_quoted(table.dimensions()[d].code(codes[d]), separator) + separator;
    out += base::format_units(cell.value, table.decimals());
    if (!columns.frequency.empty())
      out += separator + (cell.frequency < 0 ? "" : std::to_string(cell.frequency));
    out += separator + base::format_double(cell.weight) + separator +
           infer::status_letter(cell.status);
    number(cell.prior.lower);
    number(cell.prior.upper);
    while (need != problem.requirements().end() && need->cell < id)
      ++need;
    const bool has_levels = need != problem.requirements().end() && need->cell == id &&
                            need->attacker == 0 && cell.status == CellStatus::kPrimary;
    if (has_levels) {
      number(need->lower);
      number(need->upper);
      number(need->given_sliding());
    } else {
      out += std::string(3, separator);
    }
    if (!columns.key.empty())
      out += separator + std::to_string(problem.keys()->keys[static_cast<std::size_t>(c)]);
    out += '\n';
  }
  return out;
}

}  // namespace lacuna::problems
