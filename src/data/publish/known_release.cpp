// SPDX-License-Identifier: Apache-2.0
#include "data/publish/known_release.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/nearest.h"
#include "core/base/text.h"
#include "data/files/csv.h"
#include "data/files/json_tree.h"
#include "data/files/number_style.h"
#include "data/files/position.h"
#include "data/infer/flag_words.h"
#include "data/publish/public_file.h"
#include "data/publish/statement_text.h"
#include "lacuna/draft.h"

namespace lacuna::publish {
namespace {

constexpr std::array<std::string_view, 6> kStates{
    "published", "withheld", "interval", "rounded", "altered", "adjusted"};

bool is_state(std::string_view word) {
  return std::find(kStates.begin(), kStates.end(), word) != kStates.end();
}

// What a statement of ours tells; no bounds: nothing. Errors without a place.
Result<Bounds> told_by(const StatementText& text, int decimals) {
  if (text.state == "published") {
    if (!text.numbers[0])
      return Error{ErrorCode::kEmptyField, "a cell that is published needs a value", ""};
    LACUNA_TRY(const Units value, base::parse_units(*text.numbers[0], decimals));
    return Bounds{value, value};
  }
  const auto read = read_statement(text, decimals);
  if (const auto* trouble = std::get_if<StatementTrouble>(&read))
    return Error{ErrorCode::kBadField, trouble->message, ""};
  const CellEntry entry{CellId{0}, std::get<Statement>(read)};
  if (std::holds_alternative<Adjusted>(entry.says))
    return Error{ErrorCode::kUnsupported,
                 "an adjusted table gives no bounds, so it cannot be judged together with another "
                 "release",
                 ""};
  return entry.bounds();
}

class KnownCells {
 public:
  KnownCells(std::span<const Dimension> dimensions) : dimensions_(dimensions) {}

  // The dimension of a column; -1: none.
  std::int32_t dimension_named(std::string_view name) const {
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      if (base::lower_case(infer::trimmed_field(name)) == base::lower_case(dimensions_[d].name()))
        return static_cast<std::int32_t>(d);
    }
    return -1;
  }

  Result<std::int32_t> code(std::size_t d, std::string_view field) const {
    const Dimension& dimension = dimensions_[d];
    const std::string_view word = infer::trimmed_field(field);
    const std::int32_t whole = dimension.find(field);
    const std::int32_t found = whole >= 0     ? whole
                               : word.empty() ? dimension.total()
                                              : dimension.find(word);
    if (found >= 0)
      return found;
    const std::vector<std::string_view> names(dimension.codes().begin(), dimension.codes().end());
    return Error{ErrorCode::kUnknownCode,
                 "dimension " + dimension.name() + " of the job has no code " +
                     base::strange_field_in_quotes(field) + base::did_you_mean(field, names),
                 ""};
  }

  std::vector<std::int32_t> totals() const {
    std::vector<std::int32_t> codes;
    for (const Dimension& dimension : dimensions_)
      codes.push_back(dimension.total());
    return codes;
  }

  Status take(std::vector<std::int32_t> codes, Bounds bounds, std::string where) {
    if (!seen_.insert(codes).second)
      return Error{ErrorCode::kRepeatedCell,
                   "the cell is listed twice; the job has no dimension for some column of the "
                   "release",
                   where};
    if (bounds.has_lower() || bounds.has_upper())
      cells_.push_back({std::move(codes), bounds, std::move(where)});
    return ok_status();
  }

  std::vector<table::KnownCell> done() && { return std::move(cells_); }

 private:
  std::span<const Dimension> dimensions_;
  std::set<std::vector<std::int32_t>> seen_;
  std::vector<table::KnownCell> cells_;
};

class KnownCsv {
 public:
  KnownCsv(const files::CsvFile& file, std::span<const Dimension> dimensions, int decimals)
      : file_(file), cells_(dimensions), decimals_(decimals) {}

  Result<std::vector<table::KnownCell>> read() && {
    LACUNA_RETURN_IF_ERROR(find_columns());
    for (std::size_t row = 0; row < file_.num_rows(); ++row) {
      std::vector<std::int32_t> codes = cells_.totals();
      for (const auto& [column, d] : keys_) {
        const auto code = cells_.code(d, file_.field(row, column));
        if (!code)
          return file_.error(row, column, code.error().message, code.error().code);
        codes[d] = *code;
      }
      const auto told = state_ < file_.num_columns() ? stated(row) : plain(row);
      if (!told)
        return file_.error(row, numbers_[0], told.error().message);
      LACUNA_RETURN_IF_ERROR(cells_.take(std::move(codes), *told, file_.where(row, 0)));
    }
    return std::move(cells_).done();
  }

 private:
  Error header_error(std::string message) const {
    return {ErrorCode::kMissingColumn, std::move(message), file_.where_header()};
  }
  bool is_key(std::size_t column) const {
    return std::any_of(
        keys_.begin(), keys_.end(), [&](const auto& key) { return key.first == column; });
  }

  Status find_columns() {
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (const std::int32_t d = cells_.dimension_named(file_.header(c)); d >= 0)
        keys_.emplace_back(c, static_cast<std::size_t>(d));
    }
    if (keys_.empty())
      return header_error("no column is named like a dimension of the job");
    state_ = file_.num_columns();
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (!is_key(c) && file_.num_rows() > 0 && is_state(file_.field(0, c)))
        state_ = c;
    }
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      numbers_[i] = file_.find_column(kStatementNumbers[i]);
    if (state_ < file_.num_columns())
      return ok_status();
    LACUNA_TRY(flags_, infer::find_flags(file_, [&](std::size_t c) { return is_key(c); }));
    return find_values();
  }

  bool is_number_or_mark(std::string_view field) const {
    return files::number_with_mark(infer::trimmed_field(field), '.') ||
           infer::is_withheld_mark(field) || infer::is_dash(field);
  }

  // The one column of numbers, or the one of them with a name that says so.
  Status find_values() {
    constexpr std::array<std::string_view, 6> kNames{
        "published", "released", "obs_value", "value", "values", "count"};
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < file_.num_columns(); ++c) {
      if (is_key(c) || infer::is_flag_name(file_.header(c)))
        continue;
      bool fits = true;
      for (std::size_t row = 0; row < file_.num_rows() && fits; ++row)
        fits = is_number_or_mark(file_.field(row, c));
      if (fits)
        columns.push_back(c);
    }
    for (const std::string_view name : kNames) {
      for (const std::size_t c : columns) {
        if (columns.size() > 1 && base::lower_case(infer::trimmed_field(file_.header(c))) == name)
          columns = {c};
      }
    }
    if (columns.size() != 1)
      return header_error(columns.empty()
                              ? "no column holds the published numbers"
                              : "several columns hold numbers; call the published ones 'value'");
    numbers_[0] = columns.front();
    return ok_status();
  }

  Result<Bounds> stated(std::size_t row) const {
    StatementText text;
    text.state = file_.field(row, state_);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (numbers_[i] < file_.num_columns() && !file_.field(row, numbers_[i]).empty())
        text.numbers[i] = std::string(file_.field(row, numbers_[i]));
    }
    return told_by(text, decimals_);
  }

  Result<Bounds> plain(std::size_t row) const {
    const std::string_view field = file_.field(row, numbers_[0]);
    const bool flagged = std::any_of(flags_.begin(), flags_.end(), [&](const auto& each) {
      return each.second.says_withheld(file_.field(row, each.first));
    });
    const auto number = files::number_with_mark(infer::trimmed_field(field), '.');
    if (flagged || (!number && !infer::is_dash(field)))
      return Bounds{};
    LACUNA_TRY(const Units value,
               number ? base::parse_units(*number, decimals_) : Result<Units>(0));
    return Bounds{value, value};
  }

  const files::CsvFile& file_;
  KnownCells cells_;
  int decimals_;
  std::vector<std::pair<std::size_t, std::size_t>> keys_;  // column, dimension
  std::size_t state_ = 0;
  std::array<std::size_t, kStatementNumbers.size()> numbers_{};
  infer::FlagColumns flags_;
};

// Rows of a table without codes.
class NumberedCsv {
 public:
  NumberedCsv(const files::CsvFile& file, std::int32_t cells, int decimals)
      : file_(file), told_(static_cast<std::size_t>(cells)), decimals_(decimals) {}

  Result<std::vector<Bounds>> read() && {
    const std::size_t number = file_.find_column("cell");
    const std::size_t state = file_.find_column("state");
    if (number == file_.num_columns() || state == file_.num_columns())
      return Error{ErrorCode::kMissingColumn,
                   "the table has no codes, so its cells are matched by number: the public .csv of "
                   "such a table has the columns 'cell', 'value' and 'state'",
                   file_.where_header()};
    for (std::size_t row = 0; row < file_.num_rows(); ++row) {
      const auto cell = base::parse_units(file_.field(row, number), 0);
      if (!cell || *cell < 0 || *cell >= std::ssize(told_))
        return file_.error(row, number, other_cells(), ErrorCode::kOtherTable);
      LACUNA_TRY(const Bounds bounds, told_in(row, state));
      auto& told = told_[static_cast<std::size_t>(*cell)];
      if (told)
        return file_.error(row, number, "the cell is listed twice", ErrorCode::kRepeatedCell);
      told = bounds;
    }
    std::vector<Bounds> all;
    for (const std::optional<Bounds>& each : told_) {
      if (!each)
        return Error{ErrorCode::kOtherTable, other_cells(), file_.where_header()};
      all.push_back(*each);
    }
    return all;
  }

 private:
  std::string other_cells() const {
    return "the table has no codes, so its cells are matched by number: the file must have the "
           "cells 0 to " +
           std::to_string(told_.size() - 1) + ", each once";
  }

  Result<Bounds> told_in(std::size_t row, std::size_t state) const {
    StatementText text;
    text.state = file_.field(row, state);
    std::size_t first = state;
    for (std::size_t i = 0; i < text.numbers.size(); ++i) {
      const std::size_t column = file_.find_column(kStatementNumbers[i]);
      if (column < file_.num_columns() && !file_.field(row, column).empty()) {
        text.numbers[i] = std::string(file_.field(row, column));
        first = std::min(first, column);
      }
    }
    const auto told = told_by(text, decimals_);
    if (!told)
      return file_.error(row, first, told.error().message);
    return *told;
  }

  const files::CsvFile& file_;
  std::vector<std::optional<Bounds>> told_;  // by cell
  int decimals_;
};

class KnownJson {
 public:
  KnownJson(std::span<const Dimension> dimensions, int decimals)
      : cells_(dimensions), decimals_(decimals) {}

  Result<std::vector<table::KnownCell>> read(files::JsonNode root) && {
    constexpr std::array<std::string_view, 5> kNames{
        "format", "decimals", "dimensions", "cells", "meaning"};
    LACUNA_TRY(const auto fields, files::members_of(root, kNames));
    if (!fields[2].present() || !fields[3].present())
      return root.error("the names 'dimensions' and 'cells' are needed");
    for (const files::JsonNode node : fields[2].children()) {
      LACUNA_TRY(const std::string_view name, node.string());
      keys_.push_back(cells_.dimension_named(name));
      if (keys_.back() < 0)
        return node.error("the job has no dimension " + base::in_quotes(name));
    }
    for (const files::JsonNode node : fields[3].children())
      LACUNA_RETURN_IF_ERROR(read_cell(node));
    return std::move(cells_).done();
  }

 private:
  Status read_cell(files::JsonNode node) {
    constexpr std::array<std::string_view, 10> kNames{
        "codes", "state", "value", "lower", "upper", "base", "steps", "flag", kAmong, kBy};
    LACUNA_TRY(const auto fields, files::members_of(node, kNames));
    if (!fields[0].present() || !fields[1].present() || fields[0].num_children() != keys_.size())
      return node.error("a cell needs its state and one code per dimension");
    std::vector<std::int32_t> codes = cells_.totals();
    std::size_t i = 0;
    for (const files::JsonNode item : fields[0].children()) {
      const auto d = static_cast<std::size_t>(keys_[i++]);
      LACUNA_TRY(const std::string_view word, item.string());
      const auto code = cells_.code(d, word);
      if (!code)
        return item.error(code.error().message);
      codes[d] = *code;
    }
    StatementText text;
    LACUNA_TRY(text.state, fields[1].string());
    for (std::size_t n = 0; n < text.numbers.size(); ++n) {
      if (fields[n + 2].present()) {
        LACUNA_TRY(text.numbers[n], fields[n + 2].number_text());
      }
    }
    LACUNA_RETURN_IF_ERROR(read_statement_words(fields[8], fields[9], text));
    const auto told = told_by(text, decimals_);
    if (!told)
      return node.error(told.error().message);
    return cells_.take(std::move(codes), *told, node.error("").where);
  }

  KnownCells cells_;
  int decimals_;
  std::vector<std::int32_t> keys_;  // dimension of each code
};

}  // namespace

Result<std::vector<table::KnownCell>> read_known_release(std::string text,
                                                         const std::string& filename,
                                                         std::span<const Dimension> dimensions,
                                                         int decimals) {
  if (is_public_json(text)) {
    LACUNA_TRY(const files::JsonTree tree, files::JsonTree::parse(text, filename));
    return KnownJson(dimensions, decimals).read(tree.root());
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{')
    return Error{ErrorCode::kOtherFormat,
                 "a result JSON names only the cells that it hides; give the public file of that "
                 "release, or its table as .csv",
                 filename};
  const char separator = files::likely_separator(text);
  LACUNA_TRY(const files::CsvFile file,
             files::CsvFile::parse(std::move(text), filename, separator));
  return KnownCsv(file, dimensions, decimals).read();
}

Result<std::vector<Bounds>> read_numbered_release(std::string text,
                                                  const std::string& filename,
                                                  std::int32_t cells,
                                                  int decimals) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{')
    return Error{ErrorCode::kOtherFormat,
                 "the table has no codes, so its cells are matched by number: give the public file "
                 "of last period as .csv",
                 filename};
  const char separator = files::likely_separator(text);
  LACUNA_TRY(const files::CsvFile file,
             files::CsvFile::parse(std::move(text), filename, separator));
  return NumberedCsv(file, cells, decimals).read();
}

}  // namespace lacuna::publish
