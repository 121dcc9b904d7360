// SPDX-License-Identifier: Apache-2.0
// Tables from the records of jobs of others equal what tau-ARGUS wrote for them, cell by cell:
// value, frequency, shadow, cost, largest contributions, primary cells and their levels. The jobs
// are data of others; tests/cli/argus_made.py has drawn jobs of the same shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/base/decimal.h"
#include "core/base/text.h"
#include "data/argus/lines.h"
#include "data/argus/microdata.h"
#include "data/argus/record_lines.h"
#include "data/files/file.h"
#include "support/test_data.h"
#include "unit/argus/job_parts.h"

namespace lacuna::argus {
namespace {

const std::filesystem::path kFolder = lacuna::testing::shared_data("instances/argus");

Metadata free_format(std::vector<Variable> variables) {
  Metadata metadata;
  metadata.filename = "job.rda";
  metadata.separator = ',';
  metadata.variables = std::move(variables);
  return metadata;
}

double number_at(const std::vector<std::string_view>& fields, std::size_t at) {
  const auto number = base::parse_double(fields[at]);
  EXPECT_TRUE(number) << fields[at];
  return number ? *number : 0;
}

struct RecordedLayout {
  std::size_t dimensions = 0;
  std::size_t largest = 0;
};

// codes; value; frequency; shadow; cost; largest...; status; lower; upper
void expect_recorded_cell(const Table& table,
                          std::size_t index,
                          const std::vector<std::string_view>& fields,
                          const RecordedLayout& layout) {
  const Cell& cell = table.cells[index];
  SCOPED_TRACE(table.label_of(index));
  const std::vector<std::int32_t> codes = table.codes_of(index);
  for (std::size_t v = 0; v < layout.dimensions; ++v) {
    const std::string& code = table.variables[v].codes[static_cast<std::size_t>(codes[v])];
    EXPECT_EQ(base::trimmed(code), fields[v]);
  }
  std::size_t at = layout.dimensions;
  EXPECT_EQ(static_cast<double>(cell.response), number_at(fields, at++));
  EXPECT_EQ(static_cast<double>(cell.frequency), number_at(fields, at++));
  EXPECT_EQ(static_cast<double>(cell.shadow), number_at(fields, at++));
  EXPECT_EQ(cell.cost, number_at(fields, at++));
  for (std::size_t i = 0; i < layout.largest; ++i) {
    const Units own = i < cell.largest.size() ? cell.largest[i] : 0;
    EXPECT_EQ(static_cast<double>(own), number_at(fields, at++));
  }
  const char status = fields[at++][0];
  EXPECT_EQ(letter_of(cell.status), status == 'M' ? 'S' : status);
  if (status == 'U') {
    ASSERT_TRUE(cell.levels);
    EXPECT_NEAR(cell.levels->lower.get_d(), number_at(fields, at), 1e-9);
    EXPECT_NEAR(cell.levels->upper.get_d(), number_at(fields, at + 1), 1e-9);
  } else {
    EXPECT_FALSE(cell.levels);
  }
}

void expect_recorded(const Table& table, const std::string& path, const RecordedLayout& layout) {
  const auto text = files::read_file(path);
  ASSERT_TRUE(text) << text.error().text();
  std::size_t index = 0;
  std::vector<std::string_view> fields;
  for (const Line& line : lines_of(*text)) {
    if (line.text.empty())
      continue;
    ASSERT_LT(index, table.cells.size());
    ASSERT_TRUE(split_fields(line.text, ';', layout.dimensions + layout.largest + 7, fields));
    expect_recorded_cell(table, index++, fields, layout);
    if (::testing::Test::HasFailure())
      return;
  }
  EXPECT_EQ(index, table.cells.size());
}

TEST(RecordedTables, RecordsByTwoVariables) {
  const auto folder = kFolder / "sas2argus_example1";
  LACUNA_NEEDS_SHARED("instances/argus");
  const Metadata metadata = free_format(
      {code_variable("Age", 0, 15), code_variable("Omk", 0, 12), number_variable("Resp", 0, 15)});
  SafetyRule rules = given_rules();
  rules.prior_posterior[0] = PriorPosterior{20, 100, 1};
  const SpecifyTable spec = table_spec({"Age", "Omk"}, "Resp");
  FileFinder finder((folder / "job.arb").string());
  const auto data =
      read_microdata(metadata, (folder / "Example1.CSV").string(), {spec}, finder, RunContext{});
  ASSERT_TRUE(data) << data.error().text();
  const auto table = make_table(*data, spec, rules, {}, RunContext{});
  ASSERT_TRUE(table) << table.error().text();
  expect_recorded(*table, (folder / "Example1_Out_5_1.csv").string(), {2, 2});
}

TEST(RecordedTables, RecordsByDigitLevelsATreeAndAFlatVariable) {
  const auto folder = kFolder / "sas2argus_example2";
  LACUNA_NEEDS_SHARED("instances/argus");
  Variable region = code_variable("Region", 0, 6);
  region.hierarchical = true;
  region.levels = {2, 2, 2};
  Variable age = code_variable("Age", 0, 3);
  age.hierarchical = true;
  age.hierarchy_file.text = "\\\\server\\elsewhere\\age.Hrc";
  age.lead = "@";
  const Metadata metadata =
      free_format({region, age, code_variable("Sex", 0, 15), number_variable("Resp", 0, 15)});
  SafetyRule rules = given_rules();
  rules.dominance[0] = Dominance{1, 50};
  rules.dominance[1] = Dominance{2, 80};
  const SpecifyTable spec = table_spec({"Region", "Age", "Sex"}, "Resp");
  FileFinder finder((folder / "job.arb").string());
  const auto data =
      read_microdata(metadata, (folder / "Example2.CSV").string(), {spec}, finder, RunContext{});
  ASSERT_TRUE(data) << data.error().text();
  const auto table = make_table(*data, spec, rules, {}, RunContext{});
  ASSERT_TRUE(table) << table.error().text();
  expect_recorded(*table, (folder / "Example2_Out_5_1.csv").string(), {3, 3});
}

TEST(RecordedTables, ATableThatWasEditedByHandIsRecomputedWithItsStatuses) {
  const auto folder = kFolder / "tauargus_table";
  LACUNA_NEEDS_SHARED("instances/argus");
  const std::string path = (folder / "pp.rda").string();
  const auto text = files::read_file(path);
  ASSERT_TRUE(text) << text.error().text();
  const auto metadata = read_metadata(*text, path, DataKind::kTable);
  ASSERT_TRUE(metadata) << metadata.error().text();
  SpecifyTable spec = table_spec({"Size", "Region"}, "Var2");
  spec.shadow.text = "Var2_Shadow";
  FileFinder finder((folder / "job.arb").string());
  const std::string cells = (folder / "pp.tab").string();
  const auto strict = read_table_data(*metadata, cells, spec, SafetyRule(), {0, false}, finder);
  ASSERT_FALSE(strict);
  EXPECT_EQ(strict.error().code, ErrorCode::kNotAdditive);
  const auto table = read_table_data(*metadata, cells, spec, SafetyRule(), {1, true}, finder);
  ASSERT_TRUE(table) << table.error().text();
  ASSERT_EQ(table->cells.size(), 162U);
  EXPECT_EQ(table->cells[0].response, 1684764584);
  EXPECT_EQ(table->cells[0].status, CellStatus::kSafeManual);
  EXPECT_EQ(cell_at(*table, {"2", "Nr"}).levels->upper, mpq_class(3, 4));
  const auto unsafe = std::count_if(table->cells.begin(), table->cells.end(), [](const Cell& cell) {
    return is_unsafe(cell.status);
  });
  EXPECT_EQ(unsafe, 9);
}

}  // namespace
}  // namespace lacuna::argus
