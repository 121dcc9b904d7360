// SPDX-License-Identifier: Apache-2.0
// Tables built from the records of public test data equal the tables that were shipped with them,
// cell by cell, and tables from drawn records of the same shape equal plain sums.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "core/base/decimal.h"
#include "data/files/csv.h"
#include "data/files/file.h"
#include "data/files/hierarchy_file.h"
#include "data/problems/microdata.h"
#include "support/made_records.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"
#include "unit/tabulate/cells.h"

namespace lacuna::tabulation {
namespace {

const std::filesystem::path kShared = testing::shared_data("instances");

DimensionSpec from_hrc(const std::string& table, const std::string& column) {
  const std::filesystem::path path = kShared / "real" / "hrc" / (table + "_" + column + ".hrc");
  const auto text = files::read_file(path.string());
  EXPECT_TRUE(text) << text.error().text();
  const auto tree = files::read_hrc(*text, path.string(), "@", "Total");
  EXPECT_TRUE(tree) << tree.error().text();
  const auto dimension = files::build_dimension(column, {*tree});
  EXPECT_TRUE(dimension) << dimension.error().text();
  return given_dimension(*dimension, column);
}

struct ShippedCell {
  Units value = 0;
  std::int64_t frequency = 0;
};

std::map<CellNames, ShippedCell> shipped(const std::string& path, std::size_t dimensions) {
  const auto text = files::read_file(path);
  EXPECT_TRUE(text) << text.error().text();
  const auto file = files::CsvFile::parse(*text, path, ';');
  EXPECT_TRUE(file) << file.error().text();
  std::map<CellNames, ShippedCell> cells;
  for (std::size_t row = 0; row < file->num_rows(); ++row) {
    CellNames names;
    for (std::size_t d = 0; d < dimensions; ++d)
      names.emplace_back(file->field(row, d));
    const auto value = base::parse_units(file->field(row, dimensions), 2);
    const auto frequency = base::parse_units(file->field(row, dimensions + 1), 0);
    EXPECT_TRUE(value && frequency);
    cells[names] = {*value, *frequency};
  }
  return cells;
}

// Cells of value zero may be absent from what is expected.
void expect_cells(const std::map<CellNames, ShippedCell>& expected,
                  RecordSource& source,
                  const TabulateOptions& options) {
  RunContext run;
  run.threads = 2;
  const auto result = tabulate(source, options, run);
  ASSERT_TRUE(result) << result.error().text();
  ASSERT_EQ(result->decimals, 2);
  const auto cells = cells_by_name(*result);
  ASSERT_GT(expected.size(), 40U);
  int different = 0;
  for (const auto& [names, facts] : cells) {
    if (facts.value != 0 && !expected.contains(names))
      ++different;
  }
  for (const auto& [names, cell] : expected) {
    const auto at = cells.find(names);
    if (at == cells.end() || at->second.value != cell.value || at->second.records != cell.frequency)
      ++different;
  }
  EXPECT_EQ(different, 0);
  EXPECT_TRUE(table_of(*result));
}

void expect_shipped(const std::string& table,
                    RecordSource& source,
                    const TabulateOptions& options) {
  const std::string path = (kShared / "real" / (table + ".tab.xz")).string();
  expect_cells(shipped(path, options.dimensions.size()), source, options);
}

Result<std::unique_ptr<RecordSource>> tau_records() {
  return problems::open_fixed_records(
      (kShared / "micro" / "tau_testW.asc.xz").string(),
      {.columns = {{"Industry", 4, 5}, {"Size", 9, 2}, {"Region", 12, 2}, {"value", 28, 10}}});
}

Result<std::unique_ptr<RecordSource>> enterprise_records() {
  return problems::open_fixed_records((kShared / "micro" / "example_enterprise.asc.xz").string(),
                                      {.columns = {{"holding", 1, 9},
                                                   {"act", 10, 2},
                                                   {"product", 12, 2},
                                                   {"region", 14, 2},
                                                   {"value", 19, 8}}});
}

TEST(ShippedTables, TauByDigitsOfTheIndustry) {
  LACUNA_NEEDS_SHARED("instances/micro");
  const auto source = tau_records();
  ASSERT_TRUE(source) << source.error().text();
  TabulateOptions options;
  options.dimensions = {digit_dimension("Industry", "Industry", {3, 1, 1}),
                        flat_dimension("Size", "Size")};
  options.value = "value";
  expect_shipped("tauW_ind_size_p15", **source, options);
}

TEST(ShippedTables, TauByRegionFile) {
  LACUNA_NEEDS_SHARED("instances/micro");
  const auto source = tau_records();
  ASSERT_TRUE(source) << source.error().text();
  TabulateOptions options;
  options.dimensions = {from_hrc("tauW_size_region_p15", "Size"),
                        from_hrc("tauW_size_region_p15", "Region")};
  options.value = "value";
  expect_shipped("tauW_size_region_p15", **source, options);
}

TEST(ShippedTables, EnterprisesByActivityProductAndRegion) {
  LACUNA_NEEDS_SHARED("instances/micro");
  for (const bool with_region : {false, true}) {
    const std::string table = with_region ? "ent_act_product_region_p10" : "ent_act_product_p10";
    const auto source = enterprise_records();
    ASSERT_TRUE(source) << source.error().text();
    TabulateOptions options;
    options.dimensions = {from_hrc(table, "act"), from_hrc(table, "product")};
    if (with_region)
      options.dimensions.push_back(from_hrc(table, "region"));
    options.value = "value";
    options.holding = "holding";
    expect_shipped(table, **source, options);
  }
}

TEST(ShippedTables, IndividualsByNestedColumns) {
  const std::filesystem::path folder = testing::test_data("individuals");
  const auto source = problems::open_csv_records((folder / "indiv_dt.csv.gz").string(), {});
  ASSERT_TRUE(source) << source.error().text();
  TabulateOptions options;
  options.dimensions = {nested_dimension("ACT", {{"A10", "A21", "A88"}}),
                        nested_dimension("NUTS", {{"NUTS1", "NUTS2", "NUTS3"}}),
                        flat_dimension("SIZE", "SIZE")};
  options.value = "TURNOVER";
  options.decimals = 2;
  options.round_values = true;
  const std::string path = (folder / "indiv_act_nuts_size_p15.tab.xz").string();
  expect_cells(shipped(path, options.dimensions.size()), **source, options);
}

class MadeRecords : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  // The file of the records, and the tree of the regions beside it.
  MadeRecords() : records_(testing::made_records(GetParam(), 3000)) {
    EXPECT_TRUE(files::write_file_atomically(folder_.file("records.asc"), fixed_width(records_)));
    const auto tree = files::read_hrc(testing::kMadeRegionTree, "region.hrc", "@", "Total");
    EXPECT_TRUE(tree) << tree.error().text();
    region_ = files::build_dimension("region", {*tree}).value();
  }
  std::unique_ptr<RecordSource> source() const {
    return problems::open_fixed_records(folder_.file("records.asc"),
                                        {.columns = {{"holding", 1, 9},
                                                     {"industry", 10, 5},
                                                     {"size", 15, 2},
                                                     {"region", 17, 2},
                                                     {"value", 19, 12}},
                                         .block_bytes = 4096})
        .value();
  }
  std::map<CellNames, ShippedCell> cells(const std::vector<testing::CodeLine>& lines) const {
    std::map<CellNames, ShippedCell> result;
    for (const auto& [codes, cell] : made_cells(records_, lines))
      result[codes] = {cell.cents, cell.records};
    return result;
  }

  testing::UniqueFolder folder_;
  std::vector<testing::MadeRecord> records_;
  std::optional<Dimension> region_;
};

TEST_P(MadeRecords, ByDigitsOfTheIndustry) {
  TabulateOptions options;
  options.dimensions = {digit_dimension("industry", "industry", {3, 1, 1}),
                        flat_dimension("size", "size")};
  options.value = "value";
  expect_cells(cells({testing::industry_line, testing::size_line}), *source(), options);
}

TEST_P(MadeRecords, ByRegionFile) {
  TabulateOptions options;
  options.dimensions = {flat_dimension("size", "size"), given_dimension(*region_, "region")};
  options.value = "value";
  expect_cells(cells({testing::size_line, testing::region_line}), *source(), options);
}

TEST_P(MadeRecords, ByIndustrySizeAndRegionWithHoldings) {
  TabulateOptions options;
  options.dimensions = {digit_dimension("industry", "industry", {3, 1, 1}),
                        flat_dimension("size", "size"),
                        given_dimension(*region_, "region")};
  options.value = "value";
  options.holding = "holding";
  expect_cells(cells({testing::industry_line, testing::size_line, testing::region_line}),
               *source(),
               options);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MadeRecords, ::testing::Values(1, 2, 3));

}  // namespace
}  // namespace lacuna::tabulation
