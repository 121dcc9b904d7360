// SPDX-License-Identifier: Apache-2.0
// Arrow files as tables and as records. What was read as a table is written and read again.
#include "data/files/column_files.h"
#include "data/publish/column_output.h"
#include "fuzz/target_list.h"
#include "fuzz/targets.h"

namespace lacuna::fuzz {
namespace {

constexpr std::size_t kMostWritten = 100'000;  // fields: more say nothing new

std::vector<publish::TextColumn> columns_of(const files::CsvFile& file) {
  std::vector<publish::TextColumn> columns(file.num_columns());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c].name = file.header(c);
    for (std::size_t row = 0; row < file.num_rows(); ++row)
      columns[c].texts.emplace_back(file.field(row, c));
  }
  return columns;
}

bool is_same(const files::CsvFile& a, const files::CsvFile& b) {
  if (a.num_columns() != b.num_columns() || a.num_rows() != b.num_rows())
    return false;
  for (std::size_t c = 0; c < a.num_columns(); ++c) {
    if (a.header(c) != b.header(c))
      return false;
    for (std::size_t row = 0; row < a.num_rows(); ++row) {
      if (a.field(row, c) != b.field(row, c))
        return false;
    }
  }
  return true;
}

}  // namespace

bool run_columns(std::string_view bytes) {
  const auto table = files::column_table(std::string(bytes), "f.arrow");
  if (!table)
    return false;
  if (table->num_rows() * table->num_columns() > kMostWritten)
    return true;
  const auto written = publish::column_file(columns_of(*table), {{"key", "value"}}, "f.arrow");
  require(written.has_value(), "a table that was read can be written");
  const auto again = files::column_table(*written, "f.arrow");
  require(again.has_value() && is_same(*table, *again), "a table is the same when read again");
  return true;
}

Seeds seeds_columns() {
  const std::vector<publish::TextColumn> columns{
      {"region", columns::OutputKind::kText, {"All", "N", "", "S"}},
      {"value", columns::OutputKind::kNumber, {"12.5", "-3", "", "0"}},
      {"firms", columns::OutputKind::kNumber, {"12", "3", "1", ""}}};
  return {publish::column_file(columns, {{"decimals", "1"}}, "f.arrow").value(),
          publish::column_file({columns[0]}, {}, "f.arrow").value()};
}

}  // namespace lacuna::fuzz
