// SPDX-License-Identifier: Apache-2.0
// Typed columns to be written to a file of columns, and the writers: each gives the bytes of the
// whole file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::columns {

enum class OutputKind { kText, kNumber, kReal, kTruth };

struct OutputColumn {
  std::string name;
  OutputKind kind = OutputKind::kText;
  std::vector<std::string> texts;  // of kText: UTF-8
  std::vector<Units> numbers;      // of kNumber: multiples of 10^-decimals; of kTruth: 0 or 1
  int decimals = 0;                // 0: whole numbers of 64 bits; else decimals, exactly
  std::vector<bool> nulls = {};    // one per row; empty: there is none
  std::vector<double> reals = {};  // of kReal

  std::size_t num_rows() const {
    return kind == OutputKind::kText   ? texts.size()
           : kind == OutputKind::kReal ? reals.size()
                                       : numbers.size();
  }
  bool is_null(std::size_t row) const { return !nulls.empty() && nulls[row]; }
  bool is_decimal() const { return kind == OutputKind::kNumber && decimals > 0; }
  // Digits that a decimal type needs for every number: 18, or 38 if some need more.
  int precision() const;
};

struct OutputTable {
  std::vector<OutputColumn> columns;                            // all of one length
  std::vector<std::pair<std::string, std::string>> key_values;  // metadata of the file

  std::size_t num_rows() const { return columns.empty() ? 0 : columns.front().num_rows(); }
};

// An Arrow IPC file (.arrow, Feather V2), not compressed.
Result<std::string> write_arrow(const OutputTable& table);

// A Parquet file, by DuckDB's library (duckdb_library.h).
Result<std::string> write_parquet(const OutputTable& table);

}  // namespace lacuna::columns
