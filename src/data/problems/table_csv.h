// SPDX-License-Identifier: Apache-2.0
// A table as CSV, one cell per row: a code per dimension, the value and what else is known of the
// cell. The job file (job_file.h) says which column is which and what holds where nothing is given.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/files/csv.h"
#include "data/files/number_text.h"
#include "data/infer/status_word.h"
#include "data/problems/table_totals.h"
#include "lacuna/keys.h"
#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/tabulate_options.h"

namespace lacuna::problems {

struct TableColumns {  // header names; empty: there is no such column
  std::string value;
  std::string frequency;
  std::string weight;
  std::string status;
  std::string lower;
  std::string upper;
  std::string lower_level;
  std::string upper_level;
  std::string sliding_level;
  std::string key{};                 // of the cell key method
  std::vector<std::string> largest;  // contributions to the cell, the largest first
};

struct BoundRule {  // the bound of a cell whose row gives none
  enum class Kind { kAutomatic, kNumber, kUnbounded, kPercent };
  Kind kind = Kind::kAutomatic;  // lower: 0 unless the table has negative values; upper: none
  std::string number;            // of kNumber, or percent of the value's size
};

struct TableDefaults {
  BoundRule lower;
  BoundRule upper;
  std::string weight = "value";     // a number, "value" or "frequency"
  std::string lower_level_percent;  // of the value's size, rounded up; empty: no level
  std::string upper_level_percent;
  std::string sliding_level_percent;
  // Both levels of a sensitive cell for which nothing else is said: percent of the value's size
  // (or, with `level_is_number`, a number), at least one unit, as far as the bounds leave room.
  std::string level = "10";
  bool level_is_number = false;
};

struct TableCsvOptions {
  TableColumns columns;
  TableDefaults defaults;
  std::vector<std::string> dimension_columns;  // one per dimension
  TotalsRule totals = TotalsRule::kGiven;
  std::string round_totals;  // totals this far from the sum of their parts are set to it; empty: 0
  int decimals = -1;         // -1: as many as the numbers need
  bool round = false;        // values with more decimals are rounded, half away from zero
  EmptyValue empty_value = EmptyValue::kError;  // of cells that are no totals to be computed
  infer::StatusWords status_words;
  KeyOptions keys;  // how those of the column are written
};

struct CsvOrigin {  // where a cell was read; rows are turned into lines only for a message
  static constexpr std::size_t kAdded = static_cast<std::size_t>(-1);
  std::size_t file = 0;
  std::size_t row = kAdded;  // kAdded: a total that was added
  std::size_t column = 0;    // of the value
};

struct CsvCells {
  int decimals = 0;
  bool levels_rounded = false;
  std::vector<Cell> cells;
  std::vector<std::int32_t> codes;  // one per dimension and cell
  std::vector<Requirement> requirements;
  std::vector<CsvOrigin> origins;
  std::vector<std::vector<Units>> largest;  // by cell, as many as the row gives
  std::vector<std::uint64_t> keys;          // by cell; empty: there is no such column
  std::vector<std::string> notes;           // what was changed
  std::string status_reading;               // what the words of the status mean; may be empty
  std::span<const std::int32_t> codes_of(std::size_t cell, std::size_t num_dimensions) const {
    return {codes.data() + cell * num_dimensions, num_dimensions};
  }
};

// `numbers` has seen the other numbers of the job (attackers, defaults). A cell that two files hold
// must be the same in both; twice in one file is an error. With several files a dimension may have
// no column in one of them: all its rows stand at the total.
Result<CsvCells> read_table_csv(const std::vector<files::CsvFile>& files,
                                const std::vector<Dimension>& dimensions,
                                const std::vector<LinkedTable>& tables,
                                const TableCsvOptions& options,
                                files::DecimalsChooser numbers);

// The cells of a problem with dimensions, in their order; `columns` must name all columns but may
// leave out frequency. Levels are the outsider's levels of primary cells.
std::string write_table_csv(const Problem& problem,
                            const TableColumns& columns,
                            const std::vector<std::string>& dimension_columns,
                            char separator);

}  // namespace lacuna::problems
