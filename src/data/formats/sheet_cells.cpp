// SPDX-License-Identifier: Apache-2.0
#include "data/formats/sheet_cells.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace lacuna::formats {
namespace {

constexpr std::uint64_t kMostRows = std::uint64_t{1} << 22U, kMostColumns = std::uint64_t{1} << 16U;

// "1.25e-07" as "0.000000125".
std::string without_exponent(std::string_view text) {
  const std::size_t e = text.find('e');
  if (e == std::string_view::npos)
    return std::string(text);
  const bool negative = text.front() == '-';
  std::string digits;
  for (const char c : text.substr(0, e))
    digits += c >= '0' && c <= '9' ? std::string(1, c) : "";
  const int exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  const auto count = static_cast<int>(digits.size());
  std::string plain;
  if (exponent < 0)
    plain = "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  else if (exponent + 1 >= count)
    plain = digits + std::string(static_cast<std::size_t>(exponent + 1 - count), '0');
  else
    plain = digits.substr(0, static_cast<std::size_t>(exponent) + 1) + "." +
            digits.substr(static_cast<std::size_t>(exponent) + 1);
  return (negative ? "-" : "") + plain;
}

template <class Real>
std::string shortest(Real value) {
  if (!std::isfinite(value))
    return "";
  if (value == 0)
    return "0";
  std::array<char, 64> buffer;
  const auto end = std::to_chars(
      buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  std::string text =
      without_exponent({buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data())});
  return text;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The first section of a format's code without what is shown as it stands: quoted and escaped
// characters, colours and conditions in brackets; of [h], [m], [s] the letter stays.
std::string bare_code(std::string_view code) {
  std::string bare;
  for (std::size_t i = 0; i < code.size() && code[i] != ';'; ++i) {
    const char c = code[i];
    if (c == '"') {
      i = std::min(code.find('"', i + 1), code.size() - 1);
    } else if (c == '\\' || c == '_' || c == '*') {
      ++i;
    } else if (c == '[') {
      const std::size_t end = std::min(code.find(']', i), code.size() - 1);
      const char letter = i + 1 < code.size() ? lower(code[i + 1]) : ' ';
      const std::string_view inside = code.substr(i + 1, end - i - 1);
      const bool is_elapsed = inside.find_first_not_of("hHmMsS") == std::string_view::npos;
      if (!inside.empty() && is_elapsed)
        bare += std::string(1, letter == 'm' ? 's' : letter);
      i = end;
    } else {
      bare += lower(c);
    }
  }
  return bare;
}

int decimals_of_code(std::string_view bare) {
  if (bare.find_first_of("0#?") == std::string_view::npos ||
      bare.find('/') != std::string_view::npos || bare.find('e') != std::string_view::npos)
    return -1;
  const std::size_t point = bare.find('.');
  std::size_t digits = 0;
  if (point != std::string_view::npos) {
    const std::string_view rest = bare.substr(point + 1);
    digits = std::min(rest.find_first_not_of("0#?"), rest.size());
  } else if (bare.find_last_of(',') != std::string_view::npos &&
             bare.find_first_of("0#?", bare.find_last_of(',')) == std::string_view::npos) {
    return -1;  // "#,": shown in thousands
  }
  return static_cast<int>(digits) + (bare.find('%') == std::string_view::npos ? 0 : 2);
}

std::string two_digits(std::int64_t value) {
  return (value < 10 ? "0" : "") + std::to_string(value);
}

std::string clock_text(std::int64_t seconds) {
  return two_digits(seconds / 3600) + ":" + two_digits(seconds / 60 % 60) + ":" +
         two_digits(seconds % 60);
}

std::string day_text(std::int64_t days_since_1970) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days_since_1970}}};
  std::string year = std::to_string(static_cast<int>(date.year()));
  year.insert(0, year.size() < 4 ? 4 - year.size() : 0, '0');
  return year + "-" + two_digits(static_cast<unsigned>(date.month())) + "-" +
         two_digits(static_cast<unsigned>(date.day()));
}

}  // namespace

std::string plain_number(double value) {
  return shortest(value);
}
std::string plain_number(float value) {
  return shortest(value);
}

std::string plain_number_text(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::string(text);
  return plain_number(value);
}

bool fits_double(std::string_view number) {
  constexpr std::size_t kDigits = 15;
  std::string digits;
  for (const char c : number)
    digits += c >= '0' && c <= '9' ? std::string(1, c) : "";
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (number.find('.') == std::string_view::npos)
    digits.erase(digits.find_last_not_of('0') + 1);
  return digits.size() <= kDigits;
}

NumberFormat number_format(std::string_view code) {
  NumberFormat format;
  const std::string bare = bare_code(code);
  if (bare.find("general") != std::string::npos || bare.find('@') != std::string::npos)
    return format;
  const auto has = [&](char c) { return bare.find(c) != std::string::npos; };
  const bool has_clock = has('h') || has('s');
  const bool has_digits = bare.find_first_of("#?") != std::string::npos;
  format.has_time = has_clock && !has_digits;
  format.has_date = (has('y') || has('d') || (has('m') && !has_clock)) && !has_digits;
  if (!format.has_date && !format.has_time)
    format.decimals = decimals_of_code(bare);
  return format;
}

NumberFormat built_in_format(unsigned id) {
  const auto within = [&](unsigned first, unsigned last) { return id >= first && id <= last; };
  NumberFormat format;
  if (id == 22)
    format.has_date = format.has_time = true;
  else if (within(14, 17) || within(27, 31) || id == 36 || within(50, 54) || within(57, 58))
    format.has_date = true;
  else if (within(18, 21) || within(32, 35) || within(45, 47) || within(55, 56))
    format.has_time = true;
  else if (id == 1 || id == 3 || within(5, 6) || within(37, 38) || within(41, 42))
    format.decimals = 0;
  else if (id == 2 || id == 4 || within(7, 8) || within(39, 40) || within(43, 44) || id == 9)
    format.decimals = 2;
  else if (id == 10)
    format.decimals = 4;
  return format;
}

std::string excel_time(double days, const NumberFormat& format, bool from_1904) {
  constexpr double kMost = 2'958'466;  // 9999-12-31
  constexpr std::int64_t kDay = 86'400;
  if (!(days >= 0 && days < kMost))
    return plain_number(days);
  const auto seconds = static_cast<std::int64_t>(std::llround(days * kDay));
  std::int64_t day = seconds / kDay;
  const std::int64_t clock = seconds % kDay;
  if (!format.has_date && day == 0)
    return clock_text(clock);
  if (!format.has_date)
    return plain_number(days);  // hours beyond a day
  // Excel's 1900 is a leap year: day 60 does not exist, and earlier ones are one more.
  if (!from_1904 && (day == 0 || day == 60))
    return plain_number(days);
  constexpr std::int64_t k1904 = -24'107, k1900 = -25'569;
  day += from_1904 ? k1904 : k1900 + (day < 60 ? 1 : 0);
  return day_text(day) + (format.has_time || clock != 0 ? " " + clock_text(clock) : "");
}

SheetCells::SheetCells(std::string workbook, std::string sheet, SheetBudget& budget)
    : name_(std::move(sheet)), where_(std::move(workbook) + ", sheet " + name_), budget_(budget) {}

Status SheetCells::add(std::uint64_t row, std::uint64_t column, std::string text, int decimals) {
  if (row >= kMostRows || column >= kMostColumns)
    return Error{ErrorCode::kDamaged, "a cell lies beyond what any sheet has", where_};
  if (text.empty())
    return ok_status();
  if (budget_.fields == 0 || text.size() > budget_.text) {
    return Error{ErrorCode::kTooLarge,
                 "the sheets hold far more text than the file has bytes: this is not a table",
                 where_};
  }
  --budget_.fields;
  budget_.text -= text.size();
  cells_.push_back({static_cast<std::uint32_t>(row),
                    static_cast<std::uint32_t>(column),
                    decimals,
                    std::move(text)});
  return ok_status();
}

Status SheetCells::merge(std::uint64_t row,
                         std::uint64_t column,
                         std::uint64_t rows,
                         std::uint64_t columns) {
  if (rows * columns < 2 || row >= kMostRows || column >= kMostColumns)
    return ok_status();
  if (budget_.fields == 0)
    return Error{ErrorCode::kTooLarge, "the sheet has more merged cells than any table", where_};
  --budget_.fields;
  merges_.push_back({row, column, std::min(rows, kMostRows), std::min(columns, kMostColumns)});
  return ok_status();
}

void SheetCells::formula_without_value(std::uint64_t row, std::uint64_t column) {
  if (open_formulas_++ == 0)
    first_open_ = column_letters(column) + std::to_string(row + 1);
}

void SheetCells::note_formulas(Grid& grid) const {
  if (open_formulas_ == 0)
    return;
  grid.notes.push_back((open_formulas_ == 1
                            ? "1 formula has no stored result"
                            : std::to_string(open_formulas_) + " formulas have no stored result") +
                       " (first: " + first_open_ +
                       ") and is read as its text: open the workbook in a spreadsheet program and "
                       "save it, which computes them");
}

// Those that begin within the grid, cut to it.
void SheetCells::add_merges(Grid& grid) const {
  const std::size_t width = grid.rows.front().size();
  for (const MergedCells& merge : merges_) {
    if (merge.row < grid.first_row || merge.column < grid.first_column)
      continue;
    const std::size_t row = merge.row - grid.first_row, column = merge.column - grid.first_column;
    if (row >= grid.rows.size() || column >= width)
      continue;
    grid.merged.push_back({row,
                           column,
                           std::min(merge.rows, grid.rows.size() - row),
                           std::min(merge.columns, width - column)});
  }
}

Result<Grid> SheetCells::grid(bool is_hidden) {
  Grid grid;
  grid.name = name_;
  grid.where = where_;
  grid.is_sheet = true;
  grid.is_hidden = is_hidden;
  std::uint32_t first = cells_.front().row, last = first;
  std::uint32_t left = cells_.front().column, right = left;
  for (const Cell& cell : cells_) {
    first = std::min(first, cell.row);
    last = std::max(last, cell.row);
    left = std::min(left, cell.column);
    right = std::max(right, cell.column);
  }
  const std::uint64_t height = last - first + 1, width = right - left + 1;
  if (height * width > budget_.fields + cells_.size()) {
    return Error{ErrorCode::kTooLarge,
                 "the cells lie between " + column_letters(left) + std::to_string(first + 1) +
                     " and " + column_letters(right) + std::to_string(last + 1) +
                     ", and hardly any of them has content: delete what lies far from the table",
                 where_};
  }
  budget_.fields -= std::min(
      budget_.fields, height * width - std::min<std::uint64_t>(cells_.size(), height * width));
  grid.first_row = first;
  grid.first_column = left;
  grid.rows.assign(height, std::vector<std::string>(width));
  constexpr int kNothing = -3;
  grid.shown_decimals.assign(width, kNothing);
  for (Cell& cell : cells_) {
    const std::size_t column = cell.column - left;
    grid.rows[cell.row - first][column] = std::move(cell.text);
    int& shown = grid.shown_decimals[column];
    if (cell.decimals != kNoNumber)
      shown = shown == kNothing || shown == cell.decimals ? cell.decimals : -1;
  }
  std::replace(grid.shown_decimals.begin(), grid.shown_decimals.end(), kNothing, -1);
  add_merges(grid);
  note_formulas(grid);
  cells_.clear();
  return grid;
}

}  // namespace lacuna::formats
