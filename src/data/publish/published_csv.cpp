// SPDX-License-Identifier: Apache-2.0
#include "data/publish/published_csv.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/text.h"
#include "data/files/csv.h"
#include "data/files/number_style.h"
#include "data/files/position.h"
#include "data/infer/flag_words.h"
#include "data/problems/cell_index.h"

namespace lacuna::publish {
namespace {

// The one place that decides how the text is cut into fields.
Result<files::CsvFile> parse_published(std::string text, const std::string& filename) {
  const char separator = files::likely_separator(text);
  return files::CsvFile::parse(std::move(text), filename, separator);
}

struct ValueColumn {
  std::size_t column = 0;
  char decimal_mark = '.';
  std::int64_t equal = 0;  // numbers that are the table's
};

class ProtectedCsvReader {
 public:
  ProtectedCsvReader(const files::CsvFile& file,
                     const Table& table,
                     const files::TableView& view,
                     bool earlier,
                     infer::StatusWords words)
      : file_(file),
        table_(table),
        view_(view),
        index_(table),
        earlier_(earlier),
        words_(std::move(words)) {}

  Result<EarlierRelease> read(std::vector<std::string>* notes) {
    LACUNA_RETURN_IF_ERROR(find_dimensions());
    LACUNA_RETURN_IF_ERROR(find_cells());
    LACUNA_TRY(flags_,
               infer::find_flags(
                   file_, [&](std::size_t c) { return is_taken(c); }, words_));
    LACUNA_TRY(const ValueColumn values, find_values());
    LACUNA_TRY(Draft draft, read_rows(values));
    if (flagged_numbers_ > 0 && notes != nullptr)
      notes->push_back(file_.filename() + ": " +
                       (flagged_numbers_ == 1
                            ? std::string("1 cell has a number next to a flag that says withheld: "
                                          "it is judged as withheld, so the number")
                            : std::to_string(flagged_numbers_) +
                                  " cells have a number next to a flag that says withheld: they "
                                  "are judged as withheld, so the numbers") +
                       " must not be published");
    return EarlierRelease{std::move(draft), gone_};
  }

 private:
  Error header_error(std::string message) const {
    return {ErrorCode::kMissingColumn, std::move(message), file_.where_header()};
  }

  // ---- which column is which

  std::int32_t code_of(const Dimension& dimension, std::string_view field) const {
    if (const std::int32_t code = dimension.find(field); code >= 0)
      return code;
    const std::string_view word = infer::trimmed_field(field);
    return word.empty() ? dimension.total() : dimension.find(word);
  }

  bool holds_codes_of(const Dimension& dimension, std::size_t column) const {
    std::size_t known = 0;
    for (std::size_t row = 0; row < file_.num_rows(); ++row)
      known += code_of(dimension, file_.field(row, column)) >= 0 ? 1U : 0U;
    return file_.num_rows() > 0 &&
           (known == file_.num_rows() || (earlier_ && 2 * known > file_.num_rows()));
  }

  bool is_taken(std::size_t column) const {
    return std::find(keys_.begin(), keys_.end(), column) != keys_.end();
  }

  Status find_dimensions() {
    const std::size_t none = file_.num_columns();
    for (const Dimension& dimension : table_.dimensions()) {
      std::size_t column = file_.find_column(dimension.name());
      for (std::size_t c = 0; c < none && column == none; ++c) {
        if (base::lower_case(infer::trimmed_field(file_.header(c))) ==
            base::lower_case(dimension.name()))
          column = c;
      }
      keys_.push_back(column);
    }
    for (std::size_t d = 0; d < keys_.size(); ++d) {
      if (!view_.has(d))
        keys_[d] = kTotal;
      else if (keys_[d] == none)
        LACUNA_RETURN_IF_ERROR(find_by_codes(d));
    }
    if (!keys_.empty())
      return ok_status();
    by_index_ = file_.find_column("cell");
    return by_index_ < none
               ? ok_status()
               : Status(header_error("the table has no codes: a column 'cell' is needed"));
  }

  Status find_by_codes(std::size_t d) {
    const Dimension& dimension = table_.dimensions()[d];
    std::string found;
    std::size_t count = 0;
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (is_taken(c) || !holds_codes_of(dimension, c))
        continue;
      keys_[d] = c;
      ++count;
      found += (found.empty() ? "'" : ", '") + std::string(file_.header(c)) + "'";
    }
    if (count == 1)
      return ok_status();
    return header_error(
        count == 0
            ? "no column is named '" + dimension.name() + "', and none holds the codes of it alone"
            : "no column is named '" + dimension.name() +
                  "', and several hold its codes: " + found + "; rename the one that is meant");
  }

  // Nothing if some field is neither a number nor a mark.
  std::optional<ValueColumn> try_values(std::size_t column, char decimal_mark) const {
    ValueColumn values{column, decimal_mark};
    for (std::size_t row = 0; row < file_.num_rows(); ++row) {
      const std::string_view field = file_.field(row, column);
      const auto number = files::number_with_mark(infer::trimmed_field(field), decimal_mark);
      if (!number && !infer::is_withheld_mark(field) && !infer::is_dash(field))
        return std::nullopt;
      if (number && cells_[row] && is_true(*cells_[row], *number))
        ++values.equal;
    }
    return values;
  }

  bool is_true(CellId cell, const std::string& number) const {
    const auto units = base::parse_units(number, table_.decimals());
    return units && *units == table_.value(cell);
  }

  Result<ValueColumn> find_values() const {
    constexpr std::array<std::string_view, 5> kNames{
        "published", "released", "obs_value", "value", "values"};
    std::optional<ValueColumn> best;
    std::size_t best_name = kNames.size() + 1;
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      const bool is_flag = std::any_of(
          flags_.begin(), flags_.end(), [&](const auto& each) { return each.first == c; });
      if (is_taken(c) || is_flag || c == by_index_)
        continue;
      const std::string name = base::lower_case(infer::trimmed_field(file_.header(c)));
      const auto rank =
          static_cast<std::size_t>(std::find(kNames.begin(), kNames.end(), name) - kNames.begin());
      for (const char mark : {'.', ','}) {
        const auto values = try_values(c, mark);
        const bool better = values && (!best || rank < best_name ||
                                       (rank == best_name && values->equal > best->equal));
        if (!better)
          continue;
        best = values;
        best_name = rank;
      }
    }
    if (best)
      return *best;
    return why_no_values();
  }

  // The field that speaks against the likeliest column.
  Error why_no_values() const {
    for (std::size_t c = file_.num_columns(); c-- > 0;) {
      if (is_taken(c) || infer::is_flag_name(file_.header(c)))
        continue;
      for (std::size_t row = 0; row < file_.num_rows(); ++row) {
        const std::string_view field = file_.field(row, c);
        if (!files::number_with_mark(infer::trimmed_field(field), '.') &&
            !files::number_with_mark(infer::trimmed_field(field), ',') &&
            !infer::is_withheld_mark(field) && !infer::is_dash(field))
          return file_.error(row,
                             c,
                             base::confidential(base::in_quotes(field)) +
                                 " is neither a number nor a mark of a withheld "
                                 "cell (blank, x, :, .., c, *, n.a.)");
      }
    }
    return header_error("no column holds the published values");
  }

  // ---- which row is which cell

  Status find_cells() {
    std::vector<bool> seen(static_cast<std::size_t>(table_.num_cells()), false);
    for (std::size_t row = 0; row < file_.num_rows(); ++row) {
      LACUNA_TRY(const auto cell, by_index_ < file_.num_columns() ? listed(row) : named(row));
      cells_.push_back(cell);
      if (!cell)
        continue;
      const auto index = static_cast<std::size_t>(cell->value);
      if (seen[index])
        return file_.error(row, 0, "the cell " + table_.label(*cell) + " is listed twice");
      seen[index] = true;
    }
    for (const CellId cell : view_.cells) {
      if (!earlier_ && !seen[static_cast<std::size_t>(cell.value)])
        return Error{ErrorCode::kFalseRelease,
                     "there is no row for " + table_.label(cell) +
                         ", so it is not known what is published of it",
                     file_.filename()};
    }
    return ok_status();
  }

  Result<std::optional<CellId>> listed(std::size_t row) const {
    const auto number = base::decimals_needed(file_.field(row, by_index_));
    const auto units = number ? base::parse_units(file_.field(row, by_index_), 0) : Units{-1};
    if (!units || *units < 0 || *units >= table_.num_cells())
      return file_.error(
          row,
          by_index_,
          "there is no cell " + base::confidential(base::in_quotes(file_.field(row, by_index_))));
    return std::optional(CellId{static_cast<std::int32_t>(*units)});
  }

  Result<std::optional<CellId>> named(std::size_t row) {
    std::vector<std::int32_t> codes;
    std::vector<std::string_view> names;
    for (std::size_t d = 0; d < keys_.size(); ++d) {
      const Dimension& dimension = table_.dimensions()[d];
      names.push_back(keys_[d] == kTotal ? std::string_view(dimension.code(dimension.total()))
                                         : file_.field(row, keys_[d]));
      codes.push_back(code_of(dimension, names.back()));
    }
    const auto cell = index_.find(codes);
    if (!cell && !earlier_)
      return file_.error(row, 0, "the table has no cell " + index_.label(names));
    gone_ += cell ? 0 : 1;
    return cell;
  }

  // ---- what is published

  bool flagged(std::size_t row) const {
    return std::any_of(flags_.begin(), flags_.end(), [&](const auto& each) {
      return each.second.says_withheld(file_.field(row, each.first));
    });
  }

  Result<Draft> read_rows(const ValueColumn& values) {
    Draft draft;
    for (std::size_t row = 0; row < file_.num_rows(); ++row) {
      if (!cells_[row])
        continue;
      const CellId cell = *cells_[row];
      const std::string_view field = file_.field(row, values.column);
      const auto number = files::number_with_mark(infer::trimmed_field(field), values.decimal_mark);
      const bool zero =
          infer::is_dash(field) && table_.value(cell) == 0;  // the dash of "nothing there"
      if (flagged(row) || (!number && !zero)) {
        flagged_numbers_ += number ? 1 : 0;
        draft.withhold(cell);
      } else if (number && !earlier_ && !is_true(cell, *number)) {
        return file_.error(row,
                           values.column,
                           "the number published of " + table_.label(cell) +
                               " is not the table's: it is of another table, or it was rounded or "
                               "altered, which only a result JSON or a public file can say");
      }
    }
    return draft;
  }

  const files::CsvFile& file_;
  static constexpr std::size_t kTotal = static_cast<std::size_t>(-1);
  const Table& table_;
  const files::TableView& view_;
  const problems::CellIndex index_;
  const bool earlier_;
  const infer::StatusWords words_;
  std::vector<std::size_t> keys_;                        // column of each dimension
  std::size_t by_index_ = static_cast<std::size_t>(-1);  // column of the index, if there are none
  std::vector<std::optional<CellId>> cells_;             // by row
  infer::FlagColumns flags_;
  std::int64_t flagged_numbers_ = 0, gone_ = 0;
};

}  // namespace

bool has_columns(std::string_view text) {
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = infer::trimmed_field(text.substr(start, end - start));
    start = end + 1;
    if (line.empty() || line == "\r" || line.front() == '#')
      continue;
    return line.find_first_of(";,\t") != std::string_view::npos;
  }
  return false;
}

Result<Draft> read_published_csv(std::string text,
                                 const std::string& filename,
                                 const Table& table,
                                 std::vector<std::string>* notes,
                                 const files::TableView* view,
                                 const infer::StatusWords& words) {
  LACUNA_TRY(const files::CsvFile file, parse_published(std::move(text), filename));
  const files::TableView all = files::whole_view(table, "");
  ProtectedCsvReader reader(file, table, view == nullptr ? all : *view, false, words);
  LACUNA_TRY(EarlierRelease release, reader.read(notes));
  return std::move(release.draft);
}

Result<EarlierRelease> read_earlier_csv(std::string text,
                                        const std::string& filename,
                                        const Table& table) {
  LACUNA_TRY(const files::CsvFile file, parse_published(std::move(text), filename));
  const files::TableView all = files::whole_view(table, "");
  return ProtectedCsvReader(file, table, all, true, {}).read(nullptr);
}

}  // namespace lacuna::publish
