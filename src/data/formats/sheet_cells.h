// SPDX-License-Identifier: Apache-2.0
// What the readers of workbooks share: cells of a sheet collected into a grid, within limits that
// no small file can break, numbers as text, and number formats: dates and shown decimals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/formats/grid.h"
#include "lacuna/result.h"

namespace lacuna::formats {

// The shortest text that reads back as the same number, without an exponent; nothing for NaN and
// infinities.
std::string plain_number(double value);
std::string plain_number(float value);
// The same of the text of a number, whatever its form; the text itself if it is none.
std::string plain_number_text(std::string_view text);

// Whether a double holds a plain number so that it reads back the same: up to 15 digits.
bool fits_double(std::string_view number);

// Of a number format's code ("#,##0.0", "dd/mm/yyyy"): what its numbers are, and with how many
// decimals they are shown (-1: it does not say). A percentage has two more than are shown.
struct NumberFormat {
  bool has_date = false, has_time = false;
  int decimals = -1;
};
NumberFormat number_format(std::string_view code);
NumberFormat built_in_format(unsigned id);  // of Excel: 0 General, 14 a date

// Days since the beginning of Excel's calendar as "2026-11-16", "2026-11-16 09:30:00" or
// "09:30:00"; the number where there is no such day.
std::string excel_time(double days, const NumberFormat& format, bool from_1904);

// How much of a workbook has been read, of what is read at most.
struct SheetBudget {
  explicit SheetBudget(std::uint64_t bytes)
      : fields(kFields + 64 * bytes), text(kText + 64 * bytes) {}
  static constexpr std::uint64_t kFields = 4'000'000, kText = std::uint64_t{1} << 27U;
  std::uint64_t fields, text;
};

class SheetCells {
 public:
  SheetCells(std::string workbook, std::string sheet, SheetBudget& budget);
  // A cell with content; `decimals` of a number: as shown, -1 if not said, kNoNumber of what is
  // none.
  static constexpr int kNoNumber = -2;
  Status add(std::uint64_t row, std::uint64_t column, std::string text, int decimals = kNoNumber);
  Status merge(std::uint64_t row, std::uint64_t column, std::uint64_t rows, std::uint64_t columns);
  void formula_without_value(std::uint64_t row, std::uint64_t column);
  bool empty() const { return cells_.empty(); }
  const std::string& where() const { return where_; }
  // All cells in their rectangle. Errors: they lie too far apart for a table.
  Result<Grid> grid(bool is_hidden);

 private:
  struct Cell {
    std::uint32_t row, column;
    int decimals;
    std::string text;
  };
  void note_formulas(Grid& grid) const;
  void add_merges(Grid& grid) const;

  std::string name_, where_;
  SheetBudget& budget_;
  std::vector<Cell> cells_;
  std::vector<MergedCells> merges_;
  std::size_t open_formulas_ = 0;
  std::string first_open_;
};

}  // namespace lacuna::formats
