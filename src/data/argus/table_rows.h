// SPDX-License-Identifier: Apache-2.0
// The lines of a ready table as columns: codes, numbers that may be absent, status words. What they
// mean together is said in table_data.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/argus/code_lists.h"
#include "data/argus/metadata.h"
#include "data/argus/number_column.h"
#include "data/argus/table.h"
#include "lacuna/result.h"

namespace lacuna::argus {

struct OptionalNumbers {
  std::size_t column = 0;  // in the metadata
  NumberReader reader;
  NumberColumn numbers;  // 0 where nothing is given; once all lines are read
  std::vector<bool> given;

  bool has(std::size_t row) const { return given[row]; }
  Units at(std::size_t row) const { return numbers.values[row]; }
};

struct RowCodes {
  const Variable* variable = nullptr;
  std::size_t column = 0;
  CodeList list;                     // once all lines are read
  std::vector<std::int32_t> values;  // by row: a place in the list, 0 the total
};

struct TableRows {
  std::string path;
  std::vector<RowCodes> codes;  // of the variables that span the table, in its order
  std::optional<OptionalNumbers> response, shadow, cost, frequency, lower, upper;
  std::vector<OptionalNumbers> largest;
  std::optional<std::size_t> status_column;
  std::vector<std::string> statuses;              // by row, in upper case; empty: no such column
  std::vector<std::size_t> lines;                 // by row
  std::vector<std::vector<std::size_t>> columns;  // by row: where the fields begin, in characters
  bool counts = false;                            // the response is the frequency
  int decimals = 0;                               // <DECIMALS> of the response
  std::vector<std::string> notes;

  std::size_t size() const { return lines.size(); }
  Error error(std::size_t row, std::size_t column, std::string message) const;
};

Result<TableRows> read_table_rows(const Metadata& metadata,
                                  const std::string& path,
                                  const SpecifyTable& spec,
                                  FileFinder& finder);

}  // namespace lacuna::argus
