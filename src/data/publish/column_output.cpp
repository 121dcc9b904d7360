// SPDX-License-Identifier: Apache-2.0
#include "data/publish/column_output.h"

#include <algorithm>

#include "core/base/decimal.h"
#include "data/columns/duckdb_library.h"
#include "data/files/column_files.h"

namespace lacuna::publish {
namespace {

Error at_row(const TextColumn& column, std::size_t row, const Error& error) {
  return {ErrorCode::kBadField,
          "column " + column.name + ", row " + std::to_string(row + 1) + ": " + error.message,
          ""};
}

Status add_numbers(const TextColumn& given, columns::OutputColumn& column) {
  column.decimals = given.decimals;
  for (std::size_t row = 0; row < given.texts.size(); ++row) {
    if (given.texts[row].empty())
      continue;
    const auto decimals = base::decimals_needed(given.texts[row]);
    if (!decimals)
      return at_row(given, row, decimals.error());
    column.decimals = std::max(column.decimals, *decimals);
  }
  for (std::size_t row = 0; row < given.texts.size(); ++row) {
    const auto units =
        base::parse_units(given.texts[row].empty() ? "0" : given.texts[row], column.decimals);
    if (!units)
      return at_row(given, row, units.error());
    column.numbers.push_back(*units);
  }
  return ok_status();
}

Status add_reals(const TextColumn& given, columns::OutputColumn& column) {
  for (std::size_t row = 0; row < given.texts.size(); ++row) {
    const auto number = base::parse_double(given.texts[row].empty() ? "0" : given.texts[row]);
    if (!number)
      return at_row(given, row, number.error());
    column.reals.push_back(*number);
  }
  return ok_status();
}

Result<columns::OutputColumn> typed_column(const TextColumn& given) {
  columns::OutputColumn column;
  column.name = given.name;
  column.kind = given.kind;
  for (const std::string& text : given.texts)
    column.nulls.push_back(text.empty());
  if (given.kind == columns::OutputKind::kText)
    column.texts = given.texts;
  else if (given.kind == columns::OutputKind::kReal)
    LACUNA_RETURN_IF_ERROR(add_reals(given, column));
  else
    LACUNA_RETURN_IF_ERROR(add_numbers(given, column));
  return column;
}

}  // namespace

Result<columns::OutputTable> typed_columns(const TextColumns& columns,
                                           const KeyValues& key_values) {
  columns::OutputTable table;
  table.key_values = key_values;
  for (const TextColumn& column : columns) {
    LACUNA_TRY(columns::OutputColumn typed, typed_column(column));
    table.columns.push_back(std::move(typed));
  }
  return table;
}

Result<std::string> column_file(const TextColumns& columns,
                                const KeyValues& key_values,
                                const std::string& path) {
  LACUNA_RETURN_IF_ERROR(check_column_output(path));
  auto table = typed_columns(columns, key_values);
  if (!table)
    return Error{table.error().code, table.error().message, path};
  auto bytes =
      path.ends_with(".parquet") ? columns::write_parquet(*table) : columns::write_arrow(*table);
  if (bytes || !bytes.error().where.empty())
    return bytes;
  return Error{bytes.error().code, bytes.error().message, path};
}

Status check_column_output(const std::string& path) {
  if (!files::is_column_file(path) || path.ends_with(".arrow") || path.ends_with(".feather"))
    return ok_status();
  if (!path.ends_with(".parquet"))
    return Error{ErrorCode::kOutputName, "a file of columns is .parquet, .arrow or .feather", path};
  if (const auto library = columns::duckdb::find_library(); !library)
    return Error{library.error().code, library.error().message, path};
  return ok_status();
}

}  // namespace lacuna::publish
