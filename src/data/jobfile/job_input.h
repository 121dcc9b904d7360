// SPDX-License-Identifier: Apache-2.0
// [input] of a job over a table: which files hold it, and how they are written (docs/formats.md).
//   [input]
//   table = ["north.csv", "south.csv"]
//   separator = ";"
//   encoding = "utf-8"
//   header = ["REGION", "VALUE"]     # of files without a header line
//   decimal_mark = ","
//   thousands = "."
//   decimals = 2
//   round = true
//   empty_value = "error"            # or zero, drop
//   totals = "given"                 # or computed, recomputed
//   round_totals = 1
//   empty_cells = true
//   sheet = "Sales"                  # of a workbook; several are several tables
//   skip = 2                         # rows above the heading
//   rows = "16-22"                   # those with cells
//   wide = "type"                    # the codes of this dimension stand in the heading
//   only = { time = ["2019"] }       # other rows are no part of the table
//   means = { N = "withheld" }       # signs and flags
// Separator, encoding and numbers are found from the files where the job does not state them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/files/csv.h"
#include "data/files/number_style.h"
#include "data/infer/csv_guess.h"
#include "data/infer/shape.h"
#include "data/jobfile/job_file.h"
#include "data/problems/table_csv.h"
#include "data/spec/job_spec.h"
#include "lacuna/result.h"
#include "lacuna/tabulate_options.h"

namespace lacuna::jobfile {

struct TableInput {
  infer::TableFileStyle style;
  std::optional<files::NumberStyle> numbers;  // as the job states it; empty: each file tells
  problems::TotalsRule totals = problems::TotalsRule::kGiven;
  std::string round_totals;
  int decimals = -1;  // -1: as many as the numbers need
  bool round = false;
  EmptyValue empty_value = EmptyValue::kError;
  bool lists_empty = false;  // empty_cells: a row that is not there says nothing
  std::vector<files::CsvFile> files;
  std::vector<infer::ShapedTable> shapes;  // of these, how they were found; without their rows
  std::vector<std::string> names;  // of the files, without folder and ending, or of the sheets
  std::vector<std::string> notes;  // how the files were read
};

// A published table has signs and ranges where the true one has numbers.
enum class TableKind : std::uint8_t { kTrue, kPublished };

Result<TableInput> read_table_input(const spec::ReadSpec& spec,
                                    const FileLoader& load,
                                    TableKind kind = TableKind::kTrue);

// Makes plain text of the numbers in these columns of all files; a name that is empty or that no
// header has is passed over. Errors: numbers that can be read in two ways, or in none.
Status make_numbers_plain(const std::vector<std::string>& columns, TableInput& input);

}  // namespace lacuna::jobfile
