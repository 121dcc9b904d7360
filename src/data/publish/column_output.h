// SPDX-License-Identifier: Apache-2.0
// Rows of text to the bytes of a file of columns (Parquet or Arrow, by the ending of the name):
// what is a number becomes one, exactly; whole numbers of 64 bits, or decimals with as many digits
// as the column needs. Other columns stay text, codes such as 01 above all. Measures that no
// decimal holds are floating-point numbers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/columns/output_table.h"
#include "lacuna/result.h"

namespace lacuna::publish {

struct TextColumn {
  std::string name;
  columns::OutputKind kind = columns::OutputKind::kText;
  std::vector<std::string> texts{};  // an empty text is a null
  int decimals = 0;                  // of a number: at least so many digits after the point
};

using TextColumns = std::vector<TextColumn>;
using KeyValues = std::vector<std::pair<std::string, std::string>>;  // metadata of the file

// Errors: a text that is no number, or does not fit.
Result<columns::OutputTable> typed_columns(const TextColumns& columns, const KeyValues& key_values);

// Errors: as above; no library for Parquet; another ending.
Result<std::string> column_file(const TextColumns& columns,
                                const KeyValues& key_values,
                                const std::string& path);

// Whether a name can be written at all, to be asked before a long run: ending and library. A name
// of another format can.
Status check_column_output(const std::string& path);

}  // namespace lacuna::publish
