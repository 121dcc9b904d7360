// SPDX-License-Identifier: Apache-2.0
// A table as another program holds it, before anything is known of its shape: rows of texts, with
// what the format itself says of its columns, signs and totals. Readers of foreign formats make
// grids; infer/ finds the header, the shape and the roles where the format is silent.
//
// A number is a text with a point and without exponent or separators: decimals exactly as the file
// has them, floating-point numbers as the shortest text that reads back as the same number. An
// empty text is a cell without content.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna::formats {

enum class ColumnRole {
  kOpen,  // the format says nothing
  kDimension,
  kTime,     // a dimension, too: a period
  kMeasure,  // a dimension, too, of quantities that are no parts of one whole: choose one
  kValue,
  kConfidentiality,    // CONF_STATUS and its like
  kObservationStatus,  // OBS_STATUS and its like: never a confidentiality
  kLabel,              // text for what another column has as a code
  kNote,               // anything that is neither code nor number
};

struct GridColumn {
  std::string name;
  ColumnRole role = ColumnRole::kOpen;
  std::string said{};  // what the file says of it, in its own words
};

// A text that stands for a number: "..", ":" or "(D)" of a format that declares its signs.
enum class SignMeaning { kWithheld, kAbsent, kNotApplicable, kZero };
struct GridSign {
  std::string text;
  SignMeaning meaning = SignMeaning::kAbsent;
  std::string said;  // what the file says of it, in its own words; may be empty
};

struct GridTree {  // totals of a dimension that the format declares
  std::string column;
  // Parent and children. Without children: the total of the dimension, of which the format says no
  // more.
  std::vector<std::pair<std::string, std::vector<std::string>>> parts;
};

struct MergedCells {  // the text stands in the first of them, the others are empty
  std::size_t row = 0, column = 0, rows = 1, columns = 1;
};

struct Grid {
  std::string name;           // of the sheet or data set; may be empty
  std::string where;          // of messages: "book.xlsx, sheet Sales"
  bool is_sheet = false;      // cells are called B7, as in a spreadsheet
  bool is_hidden = false;     // a sheet that its program does not show
  std::size_t first_row = 0;  // of the file, in which rows[0] stands
  std::size_t first_column = 0;
  std::vector<GridColumn> columns;  // empty: the first rows may be anything, header or title
  std::vector<std::vector<std::string>> rows;  // all of one length
  std::vector<MergedCells> merged;
  std::vector<GridSign> signs;
  std::vector<GridTree> trees;
  std::vector<std::string> titles, footnotes;  // that the format keeps apart
  int decimals = -1;                           // of the value, where the format says so
  std::string unit;                            // of the value, in words; may be empty
  int power_of_ten = 0;            // 3: the value is in thousands (and stands as the file has it)
  std::vector<std::string> notes;  // what was left out of the file or taken for granted: sentences
  bool is_cross = false;  // a row is a cell of the file, and is named by its codes, not its number
  // Of a sheet: the decimals in which all numbers of a column are shown, -1 if they differ or are
  // not said. As many as the sheet has columns, or none.
  std::vector<int> shown_decimals;

  // "book.xlsx, sheet Sales, cell B7"; "sample.sav, row 17, column age"; of a cross
  // "air.px, cell CH4 | 1990, column value".
  std::string place(std::size_t row, std::size_t column) const;
};

// A, B, ..., Z, AA, ...: the letters of a column of a spreadsheet, from 0.
std::string column_letters(std::size_t column);

}  // namespace lacuna::formats
