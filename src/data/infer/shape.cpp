// SPDX-License-Identifier: Apache-2.0
#include "data/infer/shape.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/nearest.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/files/number_style.h"
#include "data/formats/agency_signs.h"
#include "data/infer/cell_text.h"
#include "data/infer/csv_guess.h"
#include "data/infer/range_text.h"

namespace lacuna::infer {
namespace {

using formats::ColumnRole;
using formats::SignMeaning;
using Texts = std::vector<std::string>;

// Line breaks and blanks of a heading are one blank.
std::string heading_text(std::string_view text) {
  std::string plain;
  for (const char c : base::trimmed(text)) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank)
      plain += c;
    else if (!plain.empty() && plain.back() != ' ')
      plain += ' ';
  }
  while (plain.ends_with(' '))
    plain.pop_back();
  return plain;
}

// A column without a name, or with that of another, gets one that no other has.
std::string unique_name(std::string name, const Texts& taken) {
  const auto is_taken = [&](const std::string& each) {
    return std::find(taken.begin(), taken.end(), each) != taken.end();
  };
  const std::string first = name;
  for (int i = 2; is_taken(name); ++i)
    name = first + " " + std::to_string(i);
  return name;
}

class BlockTable {
 public:
  BlockTable(std::shared_ptr<const RawTable> raw, TableBlock block)
      : raw_(std::move(raw)), block_(std::move(block)) {}

  ShapedTable make() {
    ShapedTable table;
    for (const std::size_t column : block_.columns) {
      Texts levels = headings_of(column);
      table.headings.push_back(levels);
    }
    Texts names;
    std::vector<Texts> columns;
    for (std::size_t i = 0; i < block_.columns.size(); ++i) {
      names.push_back(unique_name(name_of(table.headings[i]), names));
      columns.push_back(texts_of(block_.columns[i]));
    }
    table.raw_rows = block_.rows;
    table.raw_columns = block_.columns;
    table.name = raw_->grid.name;
    table.signs = raw_->grid.signs;
    table.notes = raw_->grid.notes;
    const auto place = [raw = raw_, rows = block_.rows, columns_of = block_.columns](
                           std::size_t row, std::size_t column) {
      return raw->place(rows[row], columns_of[column]);
    };
    table.file = files::CsvFile::from_columns(names, columns, raw_->grid.where, place);
    table.raw = raw_;
    table.block = std::move(block_);
    return table;
  }

 private:
  bool is_value(std::size_t column) const {
    return std::find(block_.values.begin(), block_.values.end(), column) != block_.values.end();
  }

  // An upper row of the heading says a text once for all columns to its right, up to the next.
  std::string upper_text(std::size_t row, std::size_t column) const {
    for (const formats::MergedCells& cells : raw_->grid.merged) {
      if (row >= cells.row && row < cells.row + cells.rows && column >= cells.column &&
          column < cells.column + cells.columns)
        return heading_text(raw_->grid.rows[cells.row][cells.column]);
    }
    for (std::size_t c = column + 1; c-- > 0;) {
      const std::string text = heading_text(raw_->grid.rows[row][c]);
      if (!text.empty() || !is_value(c))
        return is_value(c) ? text : "";
    }
    return "";
  }

  Texts headings_of(std::size_t column) const {
    Texts levels;
    for (std::size_t i = 0; i < block_.headings.size(); ++i) {
      const std::size_t row = block_.headings[i];
      const std::string own = heading_text(raw_->grid.rows[row][column]);
      const bool lowest = i + 1 == block_.headings.size();
      levels.push_back(!own.empty() || lowest || !is_value(column) ? own : upper_text(row, column));
    }
    return levels;
  }

  static std::string name_of(const Texts& levels) {
    std::string name;
    std::string last;
    for (const std::string& level : levels) {
      if (!level.empty() && level != last)
        name += (name.empty() ? "" : ": ") + level;
      last = level.empty() ? last : level;
    }
    return name.empty() ? "row" : name;
  }

  // A cell that covers several rows is the code of all of them.
  std::string text_at(std::size_t row, std::size_t column) const {
    for (const formats::MergedCells& cells : raw_->grid.merged) {
      if (cells.rows > 1 && row > cells.row && row < cells.row + cells.rows &&
          column == cells.column && !is_value(column))
        return raw_->grid.rows[cells.row][cells.column];
    }
    return raw_->grid.rows[row][column];
  }

  Texts texts_of(std::size_t column) const {
    Texts texts;
    for (const std::size_t row : block_.rows) {
      std::string text = text_at(row, column);
      if (!is_value(column))
        text = heading_text(text);
      texts.push_back(std::move(text));
    }
    return texts;
  }

  std::shared_ptr<const RawTable> raw_;
  TableBlock block_;
};

Texts names_of(const files::CsvFile& file) {
  Texts names;
  for (std::size_t c = 0; c < file.num_columns(); ++c)
    names.emplace_back(file.header(c));
  return names;
}

Texts texts_of(const files::CsvFile& file, std::size_t column) {
  Texts texts;
  for (std::size_t r = 0; r < file.num_rows(); ++r)
    texts.emplace_back(file.field(r, column));
  return texts;
}

// The rows of a table that are left, with their places.
void keep_rows(const std::vector<std::size_t>& rows, ShapedTable& table) {
  const auto old = std::make_shared<const files::CsvFile>(std::move(table.file));
  const Texts names = names_of(*old);
  std::vector<Texts> columns(names.size());
  for (std::size_t c = 0; c < names.size(); ++c) {
    for (const std::size_t row : rows)
      columns[c].emplace_back(old->field(row, c));
  }
  table.file = files::CsvFile::from_columns(
      names, columns, old->filename(), [old, rows](std::size_t row, std::size_t column) {
        return old->where(rows[row], column);
      });
  const auto thin = [&](auto& list) {
    if (list.empty())
      return;
    std::remove_reference_t<decltype(list)> kept;
    for (const std::size_t row : rows)
      kept.push_back(list[row]);
    list = std::move(kept);
  };
  thin(table.raw_rows);
  thin(table.cells);
}

bool fits(std::string_view text, const std::string& code) {
  return code.ends_with('*') ? text.starts_with(std::string_view(code).substr(0, code.size() - 1))
                             : text == code;
}

// Zero of what is no number.
double number_of(std::string_view text) {
  const auto style = text.empty() ? std::nullopt : files::style_of(text);
  const auto plain = style ? files::plain_number(text, *style) : std::nullopt;
  const auto number = plain ? base::parse_double(*plain) : Result<double>(0.0);
  return number ? *number : 0;
}

// Nothing if the column holds other texts than numbers, signs and flags.
struct FlaggedColumn {
  std::vector<std::pair<std::size_t, NumberWithFlag>> found;
  std::vector<std::size_t> signs;

  // "40.2x" alone is no number with a flag, but a number that was meant.
  bool has_slip(const ShapeChoice& choice) const {
    std::map<std::string, std::size_t> glued;
    for (const auto& [row, number] : found)
      glued[number.flag] += number.glued ? 1U : 0U;
    for (const auto& [flag, meaning] : choice.means)
      glued.erase(flag);
    return std::any_of(
        glued.begin(), glued.end(), [](const auto& entry) { return entry.second == 1; });
  }
};

// "1-4", "5-9" and "31-33" are codes of classes, unless the user says otherwise; ranges in the
// place of numbers are of a few kinds, and those with two ends stand for numbers too small to be
// printed.
bool holds_size_classes(const files::CsvFile& file,
                        std::size_t column,
                        const FlaggedColumn& flagged,
                        std::size_t plain) {
  constexpr std::size_t kMostKinds = 3;
  std::set<std::string_view> kinds;
  std::size_t ranges = 0;
  double largest_end = 0;
  for (const std::size_t row : flagged.signs) {
    const std::string_view text = base::trimmed(file.field(row, column));
    const auto range = range_of(text);
    if (!range)
      continue;
    ++ranges;
    kinds.insert(text);
    if (!range->lower.empty() && !range->upper.empty())
      largest_end = std::max(largest_end, number_of(range->upper));
  }
  if (kinds.size() > kMostKinds && ranges > plain)
    return true;
  for (std::size_t r = 0; r < file.num_rows() && largest_end > 0; ++r) {
    const double number = number_of(base::trimmed(file.field(r, column)));
    if (number > 0 && number <= largest_end)
      return true;
  }
  return false;
}

std::optional<FlaggedColumn> flagged_column(const files::CsvFile& file,
                                            std::size_t column,
                                            const ShapeChoice& choice,
                                            const std::vector<formats::GridSign>& declared) {
  FlaggedColumn flagged;
  std::size_t plain = 0;
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    const std::string_view text = base::trimmed(file.field(r, column));
    if (text.empty())
      continue;
    if (files::style_of(text)) {
      ++plain;
    } else if (auto number = number_with_flag(text)) {
      flagged.found.emplace_back(r, std::move(*number));
    } else if (may_be_sign(text, choice, declared)) {
      if (!is_missing_text(text))
        flagged.signs.push_back(r);
    } else {
      return std::nullopt;
    }
  }
  if (flagged.has_slip(choice))
    return std::nullopt;
  if (choice.alone && file.header(column) != choice.value &&
      holds_size_classes(file, column, flagged, plain))
    return std::nullopt;
  const bool has_any = !flagged.found.empty() || !flagged.signs.empty();
  // Codes such as 1A and 2B have no plain number among them, and statuses none at all.
  return has_any && plain > 0 ? std::optional(std::move(flagged)) : std::nullopt;
}

std::string meanings_text(std::string_view sign) {
  std::string text;
  for (const formats::AgencySign& each : formats::meanings_of(sign))
    text += (text.empty() ? "" : ", ") + std::string(each.agency) + ": " + std::string(each.said);
  return text;
}

Error sign_error(const files::CsvFile& file,
                 std::size_t row,
                 std::size_t column,
                 std::optional<SignMeaning> meaning) {
  const std::string sign(base::trimmed(file.field(row, column)));
  const std::string shown = base::strange_field_in_quotes(sign);
  if (meaning == SignMeaning::kWithheld)
    return file.error(row,
                      column,
                      shown +
                          " says that the number is withheld: protection needs the true numbers, "
                          "so give the table as it was before",
                      ErrorCode::kContradiction);
  const std::string known = meanings_text(sign);
  return file.error(row,
                    column,
                    shown + " stands in the place of a number and may mean several things" +
                        (known.empty() ? "" : " (" + known + ")") + ": say which, " +
                        base::named_option("means", sign + "=absent") + ", =zero or =withheld",
                    ErrorCode::kUnclearFormat);
}

}  // namespace

ShapedTable table_of_block(std::shared_ptr<const RawTable> raw, TableBlock block) {
  return BlockTable(std::move(raw), std::move(block)).make();
}

ShapedTable table_of_grid(std::shared_ptr<const RawTable> raw) {
  const formats::Grid& grid = raw->grid;
  ShapedTable table;
  Texts names;
  std::vector<Texts> columns;
  for (std::size_t c = 0; c < grid.columns.size(); ++c) {
    names.push_back(unique_name(
        grid.columns[c].name.empty() ? "column " + std::to_string(c + 1) : grid.columns[c].name,
        names));
    table.roles.push_back(grid.columns[c].role);
    table.raw_columns.push_back(c);
    table.headings.push_back({names.back()});
    Texts& texts = columns.emplace_back();
    for (const Texts& row : grid.rows)
      texts.push_back(row[c]);
  }
  for (std::size_t r = 0; r < grid.rows.size(); ++r)
    table.raw_rows.push_back(r);
  table.file = files::CsvFile::from_columns(
      names, columns, grid.where, [raw](std::size_t row, std::size_t column) {
        return raw->grid.place(row, column);
      });
  table.name = grid.name;
  table.trees = grid.trees;
  table.signs = grid.signs;
  table.notes = grid.notes;
  if (!grid.unit.empty() || grid.power_of_ten != 0)
    table.notes.push_back(
        "the unit is " + base::in_quotes(grid.unit) +
        (grid.power_of_ten == 0 ? "" : ", in numbers of 10^" + std::to_string(grid.power_of_ten)));
  table.block.titles = grid.titles;
  table.block.footnotes = grid.footnotes;
  table.raw = std::move(raw);
  return table;
}

Status keep_only(const SpecLists& only, ShapedTable& table) {
  if (only.empty())
    return ok_status();
  const files::CsvFile& file = table.file;
  std::vector<bool> kept(file.num_rows(), true);
  const Texts names = names_of(file);
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const auto& [name, codes] : only) {
    const std::size_t column = file.find_column(name);
    if (column == file.num_columns())
      return Error{ErrorCode::kMissingColumn,
                   "there is no column " + base::in_quotes(name) + " of which " +
                       base::named_key("[input]", "only") + " could choose rows" +
                       base::did_you_mean(name, known),
                   file.where_header()};
    for (const std::string& code : codes) {
      bool any = false;
      for (std::size_t r = 0; r < file.num_rows() && !any; ++r)
        any = fits(base::trimmed(file.field(r, column)), code);
      if (!any)
        return Error{
            ErrorCode::kUnknownCode,
            "no row has " + base::in_quotes(code) + " in the column " + base::in_quotes(name),
            file.where_header()};
    }
    for (std::size_t r = 0; r < file.num_rows(); ++r) {
      const std::string_view text = base::trimmed(file.field(r, column));
      kept[r] = kept[r] && std::any_of(codes.begin(), codes.end(), [&](const std::string& code) {
                  return fits(text, code);
                });
    }
  }
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < kept.size(); ++r) {
    if (kept[r])
      rows.push_back(r);
  }
  if (rows.empty())
    return Error{ErrorCode::kNoRows, "the choice of rows leaves no row", file.filename()};
  keep_rows(rows, table);
  return ok_status();
}

namespace {

// A column whose words the user has said: where it says that the number is withheld, there is none
// to protect.
Status check_withheld(const ShapeChoice& choice, const files::CsvFile& file) {
  const StatusWords words = flag_words_in(choice.means);
  const auto says = [&](std::size_t row, std::size_t column) -> std::optional<CellStatus> {
    const auto at = words.find(base::lower_case(base::trimmed(file.field(row, column))));
    return at == words.end() ? std::nullopt : std::optional(at->second);
  };
  for (std::size_t c = 0; c < file.num_columns() && !words.empty(); ++c) {
    bool all = true;
    for (std::size_t r = 0; r < file.num_rows() && all; ++r)
      all = base::trimmed(file.field(r, c)).empty() || says(r, c).has_value();
    for (std::size_t r = 0; r < file.num_rows() && all; ++r) {
      if (says(r, c) != CellStatus::kSecondary)
        continue;
      for (std::size_t v = 0; v < file.num_columns(); ++v) {
        if (base::trimmed(file.field(r, v)).empty() && numbers_of(file, v))
          return sign_error(file, r, c, SignMeaning::kWithheld);
      }
    }
  }
  return ok_status();
}

// Columns of flags behind the others.
void append_flags(std::vector<std::pair<std::size_t, Texts>> flags, ShapedTable& table) {
  const auto old = std::make_shared<const files::CsvFile>(std::move(table.file));
  Texts names = names_of(*old);
  std::vector<Texts> columns;
  for (std::size_t c = 0; c < old->num_columns(); ++c)
    columns.push_back(texts_of(*old, c));
  std::vector<std::size_t> of;
  if (table.roles.empty())
    table.roles.assign(names.size(), ColumnRole::kOpen);
  for (auto& [c, texts] : flags) {
    names.push_back(unique_name("flag of " + names[c], names));
    columns.push_back(std::move(texts));
    table.roles.push_back(ColumnRole::kObservationStatus);
    table.raw_columns.push_back(c < table.raw_columns.size() ? table.raw_columns[c]
                                                             : ShapedTable::kNone);
    table.headings.push_back({names.back()});
    of.push_back(c);
  }
  table.file = files::CsvFile::from_columns(
      names, columns, old->filename(), [old, of](std::size_t row, std::size_t column) {
        return old->where(row,
                          column < old->num_columns() ? column : of[column - old->num_columns()]);
      });
}

}  // namespace

Status take_flags_off(const ShapeChoice& choice, ShapedTable& table) {
  files::CsvFile& file = table.file;
  if (!choice.released)
    LACUNA_RETURN_IF_ERROR(check_withheld(choice, file));
  std::vector<std::pair<std::size_t, Texts>> flags;
  for (std::size_t c = 0; c < file.num_columns(); ++c) {
    if (std::find(choice.codes.begin(), choice.codes.end(), file.header(c)) != choice.codes.end())
      continue;
    const bool known = c < table.roles.size() && table.roles[c] != ColumnRole::kOpen &&
                       table.roles[c] != ColumnRole::kValue;
    const auto flagged = known ? std::nullopt : flagged_column(file, c, choice, table.signs);
    if (!flagged)
      continue;
    Texts column(file.num_rows());
    bool any = !flagged->found.empty();
    for (const std::size_t row : flagged->signs) {
      const std::string text(base::trimmed(file.field(row, c)));
      auto meaning = meaning_of_sign(text, choice, table.signs);
      if (!meaning)
        meaning = meaning_of_sign(formats::split_flag(text).number, choice, table.signs);
      const bool hidden = !meaning || *meaning == SignMeaning::kWithheld;
      if (hidden && !choice.released)
        return sign_error(file, row, c, meaning);
      const bool is_zero = !hidden && *meaning == SignMeaning::kZero;
      file.set_field(row, c, is_zero ? "0" : "");
      if (!choice.alone || is_zero)
        continue;
      column[row] = text;
      any = true;
    }
    if (!any)
      continue;
    for (const auto& [row, number] : flagged->found) {
      file.set_field(row, c, number.number);
      column[row] = number.flag;
    }
    flags.emplace_back(c, std::move(column));
  }
  if (!flags.empty())
    append_flags(std::move(flags), table);
  return ok_status();
}

}  // namespace lacuna::infer
