// SPDX-License-Identifier: Apache-2.0
#include "app/load/inputs.h"

#include <cstdlib>
#include <vector>

#include "data/columns/output_table.h"
#include "data/files/column_files.h"
#include "data/files/file.h"

namespace lacuna::load {
namespace {

// All columns as texts: readers of tables look at numbers as they are written.
Result<std::string> arrow_bytes(columns::ColumnSource& source, const std::string& name) {
  LACUNA_TRY(const files::CsvFile file, files::column_table(source, name));
  columns::OutputTable table;
  for (std::size_t c = 0; c < file.num_columns(); ++c) {
    columns::OutputColumn& column = table.columns.emplace_back();
    column.name = std::string(file.header(c));
    for (std::size_t row = 0; row < file.num_rows(); ++row)
      column.texts.emplace_back(file.field(row, c));
  }
  return columns::write_arrow(table);
}

// Numbers of cells, one a line.
bool is_list(const std::string& text) {
  return text.find_first_not_of("0123456789\n") == std::string::npos;
}

}  // namespace

Result<std::string> Inputs::read(const std::string& path) const {
  if (const auto text = texts.find(path); text != texts.end())
    return text->second;
  if (const auto frame = frames.find(path); frame != frames.end()) {
    LACUNA_TRY(const auto source, frame->second());
    return arrow_bytes(*source, path);
  }
  return files::read_file(path);
}

Result<std::unique_ptr<RecordSource>> Inputs::records(const std::string& path,
                                                      const std::string& shown) const {
  const auto frame = frames.find(path);
  if (frame == frames.end())
    return std::unique_ptr<RecordSource>();
  LACUNA_TRY(auto source, frame->second());
  return files::column_records(std::move(source), shown);
}

bool Inputs::is_held(const std::string& path) const {
  return texts.contains(path) || frames.contains(path) || problems.contains(path);
}

Error Inputs::placed(Error error, const std::string& name) const {
  const auto text = texts.find(name);
  const bool of_columns =
      frames.contains(name) || (text != texts.end() && files::holds_columns(text->second, name));
  const bool of_numbers = !of_columns && text != texts.end() && is_list(text->second);
  if ((!of_columns && !of_numbers) || !error.where.starts_with(name + ":"))
    return error;
  const std::size_t line = std::strtoul(error.where.c_str() + name.size() + 1, nullptr, 10);
  if (of_columns)
    error.where = name + (line > 1 ? ", row " + std::to_string(line - 1) : ", names of columns");
  else
    error.where = name + ", number " + std::to_string(line);
  return error;
}

}  // namespace lacuna::load
