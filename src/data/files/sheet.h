// SPDX-License-Identifier: Apache-2.0
// Rows and columns of a written table, before any format: which cells of a release make up a table
// and in what order, and fields that are numbers or words. CSV and xlsx are made of these.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/files/output_options.h"
#include "lacuna/linked_tables.h"
#include "lacuna/result.h"
#include "lacuna/table.h"

namespace lacuna::files {

// One table of a job: its dimensions, and its cells in the order of their codes.
struct TableView {
  std::string name;  // may be empty
  std::vector<std::size_t> dimensions;
  std::vector<CellId> cells;

  bool has(std::size_t dimension) const {
    return std::find(dimensions.begin(), dimensions.end(), dimension) != dimensions.end();
  }
};
TableView whole_view(const Table& table, std::string name);
// One per table of a linked job; the whole if there are fewer than two.
std::vector<TableView> views_of(const Table& table,
                                std::span<const LinkedTable> tables,
                                const std::string& name);

struct SheetField {
  std::string text;  // of a number: with a point, never an exponent
  bool is_number = false;
};

struct Sheet {
  std::string name;
  std::vector<std::string> header;
  std::vector<std::vector<SheetField>> rows;
};

// The codes of a cell, one field per dimension of the view; its index if the table has no codes.
std::vector<SheetField> key_of(const Table& table, const TableView& view, CellId cell);
std::vector<std::string> key_header(const Table& table, const TableView& view);
// The name of a column of ours beside them: with underscores at its end as long as a dimension has
// the name, as `state` is one in many countries.
std::string own_column(std::string_view name, const Table& table);

// The number with exactly so many digits after the point (-1: as it is). Errors: it has more, and
// what a reader sees would not be what was judged.
Result<std::string> with_shown_decimals(const std::string& number, int decimals);

std::string csv_header(std::span<const std::string> names, const OutputOptions& options);
void append_csv_row(std::string& text,
                    std::span<const SheetField> row,
                    const OutputOptions& options);
std::string sheet_csv(const Sheet& sheet, const OutputOptions& options);

}  // namespace lacuna::files
