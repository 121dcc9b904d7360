// SPDX-License-Identifier: Apache-2.0
#include "data/publish/same_shape.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "core/base/decimal.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/files/csv.h"
#include "data/files/number_style.h"
#include "data/formats/agency_signs.h"
#include "data/formats/recognise.h"
#include "data/formats/workbook.h"
#include "data/formats/workbook_edit.h"
#include "data/infer/cell_text.h"
#include "data/infer/status_word.h"
#include "data/problems/cell_index.h"
#include "data/publish/public_table.h"

namespace lacuna::publish {
namespace {

using formats::Format;
using formats::Grid;
using infer::RawTable;
using infer::ShapedTable;
using infer::TableSource;

constexpr std::string_view kWithheld = "x";

bool is_csv_name(const std::string& path) {
  return path.ends_with(".csv") || path.ends_with(".csv.gz") || path.ends_with(".csv.xz");
}

Error refused(const std::string& what, const std::string& path) {
  return {ErrorCode::kCannotHold,
          what + "; " + base::named_option("public-shape", "long") +
              " writes one row per cell in a file of its own",
          path};
}

// What a place of the file says from now on.
struct Replacement {
  std::string text;
  bool is_number = false;
  bool is_judged = false;  // else it is taken out
};

using PlaceKey = std::pair<std::size_t, std::size_t>;  // row and column of the raw table
using Replacements = std::map<PlaceKey, Replacement>;

class ShapeWriter {
 public:
  ShapeWriter(const PublicRelease& release, const TableSource& source, const std::string& path)
      : release_(release),
        table_(release.release.problem().table()),
        source_(source),
        path_(path),
        index_(table_) {}

  Result<std::string> write() {
    for (std::size_t t = 0; t < source_.tables.size(); ++t) {
      replacements_.emplace_back();
      styles_.push_back(style_of_table(t));
    }
    LACUNA_RETURN_IF_ERROR(replace_cells());
    for (std::size_t t = 0; t < source_.tables.size(); ++t)
      LACUNA_RETURN_IF_ERROR(take_out_others(t));
    const ShapedTable& first = *source_.tables.front();
    if (first.raw->is_text)
      return is_csv_name(path_) && source_.tables.size() == 1 ? text() : other_format();
    return formats::recognise(*first.raw->bytes) == Format::kXlsx && path_.ends_with(".xlsx")
               ? workbook()
               : other_format();
  }

 private:
  Error other_format() const {
    return refused("the table came as " + source_.filename +
                       ", and a public file of the same shape has the same format, .csv or .xlsx",
                   path_);
  }

  const RawTable& raw(std::size_t t) const { return *source_.tables[t]->raw; }

  const std::string& text_at(std::size_t t, const PlaceKey& place) const {
    return raw(t).grid.rows[place.first][place.second];
  }

  // ---- numbers

  // The style of all numbers of the table; numbers that could be read in two ways were settled when
  // it was read, and the first that fits is one in which all of them are the same.
  files::NumberStyle style_of_table(std::size_t t) const {
    std::vector<std::string> kept;
    for (const TableSource::Cell& cell : source_.cells) {
      if (cell.table != t)
        continue;
      const std::string_view text = base::trimmed(text_at(t, {cell.at.row, cell.at.column}));
      const auto flagged = infer::number_with_flag(text);
      kept.push_back(flagged ? flagged->number : std::string(text));
    }
    std::vector<std::string_view> texts;
    for (const std::string& text : kept) {
      if (files::style_of(text))
        texts.push_back(text);
    }
    std::vector<files::NumberStyle> styles = files::possible_styles(texts);
    for (const files::NumberStyle& style : styles) {
      if (reads_true_values(t, style))
        return style;
    }
    return styles.empty() ? files::NumberStyle{} : styles.front();
  }

  std::optional<Units> units_of(const std::string& text, const files::NumberStyle& style) const {
    const auto flagged = infer::number_with_flag(text);
    const auto plain = files::plain_number(flagged ? flagged->number : text, style);
    if (!plain)
      return std::nullopt;
    const auto units = base::parse_units(*plain, table_.decimals());
    return units ? std::optional(*units) : std::nullopt;
  }

  bool reads_true_values(std::size_t t, const files::NumberStyle& style) const {
    for (const TableSource::Cell& cell : source_.cells) {
      const auto id = cell.table == t ? cell_of(cell) : std::nullopt;
      if (!id)
        continue;
      const std::string text(base::trimmed(text_at(t, {cell.at.row, cell.at.column})));
      const auto units = units_of(text, style);
      if (units && *units != table_.value(*id))
        return false;
    }
    return true;
  }

  std::optional<CellId> cell_of(const TableSource::Cell& cell) const {
    const std::vector<std::string_view> codes(cell.codes.begin(), cell.codes.end());
    return index_.find(codes);
  }

  // A number in the way in which the file writes its own.
  std::string in_style(const std::string& number, const files::NumberStyle& style) const {
    const bool negative = number.starts_with('-');
    const std::size_t from = negative ? 1 : 0;
    const std::size_t point = std::min(number.find('.'), number.size());
    std::string whole = number.substr(from, point - from);
    if (!style.thousands.empty()) {
      for (std::size_t at = whole.size(); at > 3; at -= 3)
        whole.insert(at - 3, style.thousands);
    }
    std::string text = (negative ? "-" : "") + whole;
    if (point < number.size())
      text += style.decimal_mark + number.substr(point + 1);
    return text;
  }

  // ---- what is published

  std::string withheld_sign(std::size_t t) const {
    if (!source_.withheld.empty())
      return source_.withheld;
    for (const formats::GridSign& sign : source_.tables[t]->signs) {
      if (sign.meaning == formats::SignMeaning::kWithheld)
        return sign.text;
    }
    return std::string(kWithheld);
  }

  Status replace_cells() {
    for (const TableSource::Cell& cell : source_.cells) {
      const PlaceKey place{cell.at.row, cell.at.column};
      const auto id = cell_of(cell);
      if (!id) {  // collapsed: nothing is published below a code
        replacements_[cell.table][place] = {withheld_sign(cell.table), false, true};
        continue;
      }
      LACUNA_TRY(const PublicCell shown, public_cell(release_, *id));
      replacements_[cell.table][place] = replacement(cell.table, place, shown);
    }
    return ok_status();
  }

  Replacement replacement(std::size_t t, const PlaceKey& place, const PublicCell& shown) const {
    const std::string& old = text_at(t, place);
    if (shown.numbers[0]) {
      const auto was = units_of(std::string(base::trimmed(old)), styles_[t]);
      const auto now = base::parse_units(*shown.numbers[0], table_.decimals());
      const bool left_empty = !infer::is_number_cell(old) && now && *now == 0;
      if (left_empty)
        return {old, false, true};  // a sign, or nothing, that was read as zero
      const bool same = was && now && *was == *now;
      if (same && !says_confidential(old))
        return {old, raw(t).grid.is_sheet && files::style_of(base::trimmed(old)).has_value(), true};
      return {raw(t).is_text ? in_style(*shown.numbers[0], styles_[t]) : *shown.numbers[0],
              !raw(t).is_text,
              true};
    }
    if (shown.numbers[1] || shown.numbers[2])
      return {range_text(shown, styles_[t], raw(t).is_text), false, true};
    return {withheld_sign(t), false, true};
  }

  // A flag that calls a published number confidential tells which cells were sensitive.
  static bool says_confidential(const std::string& text) {
    const auto flagged = infer::number_with_flag(text);
    if (!flagged)
      return false;
    const auto all = formats::flags_of(flagged->flag);
    return std::any_of(
        all.begin(), all.end(), [](const formats::AgencyFlag& flag) { return flag.confidential; });
  }

  std::string range_text(const PublicCell& shown,
                         const files::NumberStyle& style,
                         bool is_text) const {
    const auto number = [&](const std::optional<std::string>& text) {
      return !text ? std::string("...") : is_text ? in_style(*text, style) : *text;
    };
    return "[" + number(shown.numbers[1]) + "; " + number(shown.numbers[2]) + "]";
  }

  // ---- what was not judged

  // As the reader names a column: the texts of its heading, without those that repeat.
  static std::string name_of(const Grid& grid,
                             const std::vector<std::size_t>& headings,
                             std::size_t column) {
    std::string name, last;
    for (const std::size_t row : headings) {
      std::string part;
      for (const char c : base::trimmed(grid.rows[row][column])) {
        const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!blank)
          part += c;
        else if (!part.empty() && part.back() != ' ')
          part += ' ';
      }
      if (!part.empty() && part != last)
        name += (name.empty() ? "" : ": ") + part;
      last = part.empty() ? last : part;
    }
    return name.empty() ? "row" : name;
  }

  // Codes, their labels, and what is the same in all rows.
  Result<std::set<std::size_t>> columns_to_keep(std::size_t t) const {
    const ShapedTable& table = *source_.tables[t];
    const Grid& grid = raw(t).grid;
    std::vector<std::size_t> codes;
    for (const std::string& wanted : source_.code_columns) {
      const auto at = std::find_if(
          table.block.columns.begin(), table.block.columns.end(), [&](std::size_t column) {
            return name_of(grid, table.block.headings, column) == wanted;
          });
      const bool in_heading =
          std::find(table.wide.begin(), table.wide.end(), wanted) != table.wide.end();
      if (at == table.block.columns.end() && !in_heading)
        return refused(
            "the column " + base::in_quotes(wanted) + " is not found again in " + grid.where,
            path_);
      if (at != table.block.columns.end() && !in_heading)
        codes.push_back(*at);
    }
    std::set<std::size_t> kept(codes.begin(), codes.end());
    for (const std::size_t column : table.block.columns) {
      const bool label = std::any_of(codes.begin(), codes.end(), [&](std::size_t code) {
        return is_label_of(grid, table.block.rows, column, code);
      });
      if (label || is_constant(grid, table.block.rows, column))
        kept.insert(column);
    }
    return kept;
  }

  // What says something of the whole table: a year, "Total".
  static bool is_constant(const Grid& grid,
                          const std::vector<std::size_t>& rows,
                          std::size_t column) {
    const std::string_view text = base::trimmed(grid.rows[rows.front()][column]);
    // A number may be how many contribute, and a letter a status.
    if (text.size() < 3 || (infer::is_number_cell(text) && !is_year(text)))
      return false;
    return std::all_of(rows.begin(), rows.end(), [&](std::size_t row) {
      return base::trimmed(grid.rows[row][column]) == text;
    });
  }

  static bool is_year(std::string_view text) {
    return text.size() == 4 && (text.starts_with("19") || text.starts_with("20")) &&
           text.find_first_not_of("0123456789") == std::string_view::npos;
  }

  // One text for each code and one code for each text; no number, which may be a figure of its own,
  // and no words of a status.
  static bool is_label_of(const Grid& grid,
                          const std::vector<std::size_t>& rows,
                          std::size_t label,
                          std::size_t code) {
    std::map<std::string, std::string> to, back;
    bool all_statuses = true;
    for (const std::size_t row : rows) {
      const std::string& text = grid.rows[row][label];
      const std::string& of = grid.rows[row][code];
      if (infer::is_number_cell(text) || to.try_emplace(of, text).first->second != text ||
          back.try_emplace(text, of).first->second != of)
        return false;
      all_statuses = all_statuses && infer::status_of_word(base::trimmed(text)).has_value();
    }
    return !all_statuses;
  }

  // Beside the judged cells: whatever stands in the rows of the table and is no code, and every
  // number outside its rows and its heading.
  Status take_out_others(std::size_t t) {
    const ShapedTable& table = *source_.tables[t];
    const Grid& grid = raw(t).grid;
    LACUNA_TRY(const std::set<std::size_t> kept, columns_to_keep(t));
    const std::unordered_set<std::size_t> rows(table.block.rows.begin(), table.block.rows.end());
    const std::unordered_set<std::size_t> headings(table.block.headings.begin(),
                                                   table.block.headings.end());
    for (std::size_t r = 0; r < grid.rows.size(); ++r) {
      if (headings.contains(r))
        continue;
      for (std::size_t c = 0; c < grid.rows[r].size(); ++c) {
        const std::string_view text = base::trimmed(grid.rows[r][c]);
        if (text.empty() || replacements_[t].contains({r, c}))
          continue;
        const bool title = r < table.block.headings.front();
        if (rows.contains(r) ? !kept.contains(c) : is_loose_number(text, title))
          take_out(t, {r, c});
      }
    }
    return ok_status();
  }

  // A year above the table is part of its title.
  static bool is_loose_number(std::string_view text, bool is_title) {
    return infer::is_number_cell(text) && !(is_title && is_year(text));
  }

  void take_out(std::size_t t, const PlaceKey& place) {
    replacements_[t][place] = {"", false, false};
  }

  // ---- texts

  Result<std::string> text() const {
    const RawTable& given = raw(0);
    std::string out;
    std::size_t from = 0;
    for (const auto& [place, now] : replacements_[0]) {
      const infer::TextSpan span = given.spans[place.first][place.second];
      out.append(*given.bytes, from, span.begin - from);
      if (now.is_judged && now.text == text_at(0, place))
        out.append(*given.bytes, span.begin, span.end - span.begin);
      else
        out += files::csv_quoted(now.text, given.separator);
      from = span.end;
    }
    out.append(*given.bytes, from, std::string::npos);
    LACUNA_TRY(const RawTable again, infer::raw_csv(out, path_, given.separator));
    LACUNA_RETURN_IF_ERROR(compare(0, again.grid));
    return out;
  }

  // ---- workbooks

  Result<std::string> workbook() const {
    const std::string& bytes = *raw(0).bytes;
    LACUNA_TRY(const std::vector<Grid> sheets, formats::read_workbook(bytes, source_.filename));
    LACUNA_RETURN_IF_ERROR(check_other_sheets(sheets));
    std::vector<formats::CellEdit> edits;
    for (std::size_t t = 0; t < source_.tables.size(); ++t) {
      const Grid& grid = raw(t).grid;
      for (const auto& [place, now] : replacements_[t])
        edits.push_back({grid.name,
                         grid.first_row + place.first,
                         grid.first_column + place.second,
                         now.text,
                         now.is_number});
    }
    LACUNA_TRY(formats::EditedWorkbook out, formats::edit_workbook(bytes, edits, source_.filename));
    LACUNA_TRY(const std::vector<Grid> again, formats::read_workbook(out.bytes, path_));
    for (std::size_t t = 0; t < source_.tables.size(); ++t) {
      const auto at = std::find_if(again.begin(), again.end(), [&](const Grid& grid) {
        return grid.name == raw(t).grid.name;
      });
      if (at == again.end())
        return not_as_judged(raw(t).grid.where);
      LACUNA_RETURN_IF_ERROR(compare(t, *at));
    }
    return std::move(out.bytes);
  }

  bool is_judged_sheet(const std::string& name) const {
    return std::any_of(source_.tables.begin(), source_.tables.end(), [&](const auto& table) {
      return table->raw->grid.name == name;
    });
  }

  Status check_other_sheets(const std::vector<Grid>& sheets) const {
    for (const Grid& sheet : sheets) {
      if (is_judged_sheet(sheet.name))
        continue;
      for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
        for (std::size_t c = 0; c < sheet.rows[r].size(); ++c) {
          if (infer::is_number_cell(sheet.rows[r][c]))
            return refused("the sheet " + base::in_quotes(sheet.name) +
                               " holds numbers that were not judged (" + sheet.place(r, c) +
                               "): save the workbook without it",
                           path_);
        }
      }
    }
    return ok_status();
  }

  // ---- what was written, read again

  Error not_as_judged(const std::string& where) const {
    return {ErrorCode::kFalseRelease,
            "what was written is not what was judged at " + where + ": nothing is written",
            path_};
  }

  // By its place in the file, whatever the rows that the reader leaves out at the edges.
  static std::string text_in(const Grid& grid, std::size_t row, std::size_t column) {
    if (row < grid.first_row || column < grid.first_column)
      return "";
    const std::size_t r = row - grid.first_row;
    const std::size_t c = column - grid.first_column;
    return r < grid.rows.size() && c < grid.rows[r].size() ? grid.rows[r][c] : "";
  }

  Status compare(std::size_t t, const Grid& again) const {
    const Grid& grid = raw(t).grid;
    for (std::size_t r = 0; r < grid.rows.size(); ++r) {
      for (std::size_t c = 0; c < grid.rows[r].size(); ++c) {
        const std::string now = text_in(again, grid.first_row + r, grid.first_column + c);
        const auto at = replacements_[t].find({r, c});
        const std::string& wanted =
            at == replacements_[t].end() ? grid.rows[r][c] : at->second.text;
        if (now != wanted && !same_number(now, wanted))
          return not_as_judged(raw(t).place(r, c));
      }
    }
    return compare_with_release(t, again);
  }

  static bool same_number(const std::string& a, const std::string& b) {
    const auto x = base::parse_double(a);
    const auto y = base::parse_double(b);
    return x && y && *x == *y;
  }

  // From the release, not from what was made of it.
  Status compare_with_release(std::size_t t, const Grid& again) const {
    const Draft& draft = release_.release.content();
    for (const TableSource::Cell& cell : source_.cells) {
      if (cell.table != t)
        continue;
      const std::string now = text_in(
          again, raw(t).grid.first_row + cell.at.row, raw(t).grid.first_column + cell.at.column);
      const auto id = cell_of(cell);
      const bool hidden = !id || draft.state(*id) == StatementKind::kWithheld ||
                          draft.state(*id) == StatementKind::kInterval;
      const bool left_empty = !hidden && draft.is_exact(*id) && table_.value(*id) == 0 &&
                              !infer::is_number_cell(now) &&
                              now == text_at(t, {cell.at.row, cell.at.column});
      if (!left_empty && (hidden ? infer::is_number_cell(now) : !is_value(t, *id, now)))
        return not_as_judged(raw(t).place(cell.at.row, cell.at.column));
    }
    return ok_status();
  }

  bool is_value(std::size_t t, CellId id, const std::string& now) const {
    const auto shown = public_cell(release_, id);
    if (!shown || !shown->numbers[0])
      return shown && !infer::is_number_cell(now);
    const files::NumberStyle style = raw(t).is_text ? styles_[t] : files::NumberStyle{};
    const auto wanted = base::parse_units(*shown->numbers[0], table_.decimals());
    const auto units = units_of(std::string(base::trimmed(now)), style);
    return (wanted && units && *wanted == *units) || same_number(now, *shown->numbers[0]);
  }

  const PublicRelease& release_;
  const Table& table_;
  const TableSource& source_;
  const std::string& path_;
  const problems::CellIndex index_;
  std::vector<files::NumberStyle> styles_;  // by table
  std::vector<Replacements> replacements_;  // by table
};

}  // namespace

bool keeps_shape(const TableSource* source, const std::string& path) {
  if (source == nullptr || source->tables.empty())
    return false;
  const RawTable& raw = *source->tables.front()->raw;
  if (!raw.grid.columns.empty())
    return false;  // of a format that names its columns: one row per cell
  return raw.is_text ? is_csv_name(path) && source->tables.size() == 1
                     : path.ends_with(".xlsx") && formats::recognise(*raw.bytes) == Format::kXlsx;
}

Result<std::string> public_as_input(const PublicRelease& release,
                                    const TableSource& source,
                                    const std::string& path) {
  return ShapeWriter(release, source, path).write();
}

}  // namespace lacuna::publish
