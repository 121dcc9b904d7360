// SPDX-License-Identifier: Apache-2.0
// Where the table is in a sheet or a text, and how it lies there: titles above, footnotes below, a
// heading of one or several rows, blank rows, several blocks; and wide tables, in which the codes
// of a dimension stand in the heading and every row has many cells. Whatever the shape, what comes
// out is a table with one row per cell, each of which knows where its number stands.
//
//   title                                   region  type  value
//   region | north south | total     ->     A       north  1
//   A      | 1     2     | 3                A       south  2
//   footnote                                ...
//
// What is not certain is an error that shows the candidates and the key to write.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/files/csv.h"
#include "data/formats/grid.h"
#include "data/infer/raw_table.h"
#include "data/infer/shape_choice.h"
#include "lacuna/result.h"

namespace lacuna::infer {

struct TableBlock {                   // of a raw table
  std::vector<std::size_t> headings;  // rows
  std::vector<std::size_t> rows;      // with cells, in their order
  std::vector<std::size_t> columns;   // of the raw table that belong to it
  std::vector<std::size_t> values;    // of these, those that hold numbers
  std::vector<std::string> titles, footnotes;
  bool whole = true;  // there is nothing else in the file, and one heading
};

// Errors: no row of numbers below a row of names; several blocks, of which none was chosen.
Result<TableBlock> find_block(const RawTable& raw, const ShapeChoice& choice);

struct RawCell {
  std::size_t row = 0, column = 0;
};

// A table with one row per cell, or one that may have several in a row and is not melted yet.
struct ShapedTable {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::string name;  // of the sheet; empty: the file has one table
  files::CsvFile file;
  std::vector<formats::ColumnRole> roles;  // by column; empty: nothing is known
  std::vector<formats::GridTree> trees;
  std::vector<formats::GridSign> signs;
  std::vector<std::string> notes;       // how it was read: sentences
  std::shared_ptr<const RawTable> raw;  // null: a plain text, or columns
  TableBlock block;
  std::vector<std::vector<std::string>> headings;  // by column, row by row of the heading
  std::vector<std::size_t> raw_rows, raw_columns;  // of the rows and columns of `file`
  // Of a wide table that was melted: where the number of each row stands, the new columns, and the
  // columns of the raw table that they were.
  std::vector<RawCell> cells;
  std::vector<std::string> wide;  // names of the new dimensions; empty: not wide
  std::string value;              // the column of the cells
  std::vector<std::size_t> wide_columns;

  bool is_wide() const { return !wide.empty(); }
};

// Where the numbers of a table stand in the file that it came from, so that the file can be written
// again with some of them replaced.
struct TableSource {
  struct Cell {
    std::vector<std::string> codes;  // of each dimension
    std::size_t table = 0;           // of `tables`
    RawCell at;
  };
  std::string filename;
  std::vector<std::shared_ptr<const ShapedTable>> tables;
  std::vector<std::string> code_columns;  // of the dimensions
  std::vector<Cell> cells;                // totals that were added are none
  std::string withheld;                   // the file's own sign for it; may be empty
};

// The block as rows and named columns.
ShapedTable table_of_block(std::shared_ptr<const RawTable> raw, TableBlock block);
// The same of a format that names its columns.
ShapedTable table_of_grid(std::shared_ptr<const RawTable> raw);

// Rows with one of these codes in each of the columns. Errors: a column or code that is not there.
Status keep_only(const SpecLists& only, ShapedTable& table);

// Numbers with flags behind them ("429780 e") and signs in their place (":"): the number stays, and
// a column of the flags comes behind. Columns of other texts are not touched. Errors: a sign that
// means that the number is withheld; one that may mean several things.
Status take_flags_off(const ShapeChoice& choice, ShapedTable& table);

// The columns whose names are codes of one dimension: the longest run of columns of numbers, to the
// right of the codes. Empty: fewer than two.
std::vector<std::size_t> wide_columns(const ShapedTable& table, const ShapeChoice& choice);

// One row per cell. `choice.wide` names the new dimensions; else a common beginning of the headings
// does ("Tenure: Owned", "Tenure: Rented"). Errors: more or fewer names than rows of the heading; a
// heading that stands twice.
Result<ShapedTable> melted(const std::shared_ptr<const ShapedTable>& table,
                           const std::vector<std::size_t>& columns,
                           const ShapeChoice& choice);

// Whether all texts are periods: 2015, 2015-Q1, 2015M03, 2014/15.
bool are_periods(const std::vector<std::string>& texts);

}  // namespace lacuna::infer
