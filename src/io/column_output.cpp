// SPDX-License-Identifier: Apache-2.0
#include "io/column_output.h"

#include <algorithm>

#include "base/decimal.h"
#include "columns/duckdb_library.h"
#include "columns/output_table.h"
#include "io/column_files.h"

namespace lacuna::inline io {
namespace {

Result<OutputColumn> typed_column(const TextColumn& given, const std::string& path) {
  OutputColumn column;
  column.name = given.name;
  column.kind = given.is_number ? OutputKind::kNumber : OutputKind::kText;
  for (const std::string& text : given.texts)
    column.nulls.push_back(text.empty());
  if (!given.is_number) {
    column.texts = given.texts;
    return column;
  }
  column.decimals = given.decimals;
  const auto trouble = [&](std::size_t row, const Error& error) {
    return Error{ErrorCode::kBadInput,
                 "column " + given.name + ", row " + std::to_string(row + 1) + ": " + error.message,
                 path};
  };
  for (std::size_t row = 0; row < given.texts.size(); ++row) {
    if (given.texts[row].empty())
      continue;
    const auto decimals = decimals_needed(given.texts[row]);
    if (!decimals)
      return trouble(row, decimals.error());
    column.decimals = std::max(column.decimals, *decimals);
  }
  for (std::size_t row = 0; row < given.texts.size(); ++row) {
    const auto units =
        parse_units(given.texts[row].empty() ? "0" : given.texts[row], column.decimals);
    if (!units)
      return trouble(row, units.error());
    column.numbers.push_back(*units);
  }
  return column;
}

}  // namespace

Result<std::string> column_file(const std::vector<TextColumn>& columns,
                                const KeyValues& key_values,
                                const std::string& path) {
  LACUNA_RETURN_IF_ERROR(check_column_output(path));
  OutputTable table;
  table.key_values = key_values;
  for (const TextColumn& column : columns) {
    LACUNA_TRY(OutputColumn typed, typed_column(column, path));
    table.columns.push_back(std::move(typed));
  }
  auto bytes = path.ends_with(".parquet") ? write_parquet(table) : write_arrow(table);
  if (bytes || !bytes.error().where.empty())
    return bytes;
  return Error{bytes.error().code, bytes.error().message, path};
}

Result<std::string> column_file(const CsvFile& file,
                                const std::vector<bool>& is_number,
                                const KeyValues& key_values,
                                const std::string& path) {
  std::vector<TextColumn> columns(file.num_columns());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c].name = file.header(c);
    columns[c].is_number = is_number[c];
    for (std::size_t row = 0; row < file.num_rows(); ++row)
      columns[c].texts.emplace_back(file.field(row, c));
  }
  return column_file(columns, key_values, path);
}

Status check_column_output(const std::string& path) {
  if (!is_column_file(path) || path.ends_with(".arrow") || path.ends_with(".feather"))
    return ok_status();
  if (!path.ends_with(".parquet"))
    return Error{ErrorCode::kBadOption, "a file of columns is .parquet, .arrow or .feather", path};
  if (const auto library = duckdb::find_library(); !library)
    return Error{library.error().code, library.error().message, path};
  return ok_status();
}

}  // namespace lacuna::inline io
