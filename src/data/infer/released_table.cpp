// SPDX-License-Identifier: Apache-2.0
#include "data/infer/released_table.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "data/files/csv.h"
#include "data/infer/open_table.h"

namespace lacuna::infer {
namespace {

constexpr char kSeparator = ';';

std::string as_csv(const files::CsvFile& file) {
  std::string text;
  const auto add = [&](std::size_t column, std::string_view field) {
    text += files::csv_quoted(field, kSeparator);
    text += column + 1 < file.num_columns() ? kSeparator : '\n';
  };
  for (std::size_t c = 0; c < file.num_columns(); ++c)
    add(c, file.header(c));
  for (std::size_t row = 0; row < file.num_rows(); ++row) {
    for (std::size_t c = 0; c < file.num_columns(); ++c)
      add(c, file.field(row, c));
  }
  return text;
}

}  // namespace

Result<std::string> release_as_csv(std::string bytes,
                                   const std::string& filename,
                                   ShapeChoice choice,
                                   const std::vector<std::string>& dimensions) {
  const std::vector<std::string> wide = std::exchange(choice.wide, {});
  choice.released = true;
  TableFileStyle style;
  style.alone = true;
  style.shape = choice;
  LACUNA_TRY(std::vector<OpenedTable> opened, open_tables(std::move(bytes), filename, style));
  ShapedTable table = std::move(opened.front().table);
  choice.wide = wide;
  for (const std::string& name : dimensions) {
    if (table.file.find_column(name) < table.file.num_columns())
      choice.codes.push_back(name);
    else if (wide.empty())
      choice.wide.push_back(name);
  }
  if (choice.wide.empty())
    return as_csv(table.file);
  const std::vector<std::size_t> columns = wide_columns(table, choice);
  if (columns.empty())
    return as_csv(table.file);
  const auto given = std::make_shared<const ShapedTable>(std::move(table));
  LACUNA_TRY(const ShapedTable melt, melted(given, columns, choice));
  return as_csv(melt.file);
}

}  // namespace lacuna::infer
