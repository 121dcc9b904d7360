// SPDX-License-Identifier: Apache-2.0
// Public test data, and drawn records of the same shape: the sensitive cells found from the records
// are those of the tables made from them.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>

#include "core/base/decimal.h"
#include "data/files/csv.h"
#include "data/files/file.h"
#include "data/files/hierarchy_file.h"
#include "data/sensitivity/rule_check.h"
#include "naive_tabulation.h"
#include "support/made_records.h"
#include "support/test_data.h"

namespace lacuna::sensitivity {
namespace {

const std::filesystem::path kShared = testing::shared_data("instances");

std::string text_of(const std::filesystem::path& path) {
  auto text = files::read_file(path.string());
  EXPECT_TRUE(text) << path;
  return text ? std::move(text).value() : "";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r')
      line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::string field_of(const std::string& line, std::size_t first, std::size_t last) {
  std::string field = line.size() < first ? "" : line.substr(first - 1, last - first + 1);
  const std::size_t start = field.find_first_not_of(' ');
  if (start == std::string::npos)
    return "";
  return field.substr(start, field.find_last_not_of(' ') - start + 1);
}

struct RawRecord {
  std::vector<std::string> codes;
  std::string holding;  // empty: each record for itself
  Units amount = 0;
};

struct Shipped {
  std::string name;
  std::vector<Dimension> dimensions;
  std::map<std::vector<std::string>, std::vector<std::string>> rows;  // value, status, level
};

Shipped read_shipped(const std::string& name, const std::filesystem::path& folder) {
  Shipped shipped{name, {}, {}};
  const auto file = files::CsvFile::parse(text_of(folder / (name + ".tab.xz")), name, ';');
  EXPECT_TRUE(file);
  const std::size_t width = file->find_column("value");
  for (std::size_t d = 0; d < width; ++d) {
    const std::string header(file->header(d));
    const auto path = folder / "hrc" / (name + "_" + header + ".hrc");
    const auto tree = files::read_hrc(text_of(path), path.string(), "@", "Total");
    EXPECT_TRUE(tree) << (tree ? "" : tree.error().text());
    auto dimension = files::build_dimension(header, {tree.value()});
    EXPECT_TRUE(dimension) << (dimension ? "" : dimension.error().text());
    shipped.dimensions.push_back(std::move(dimension).value());
  }
  for (std::size_t row = 0; row < file->num_rows(); ++row) {
    std::vector<std::string> codes;
    for (std::size_t d = 0; d < width; ++d)
      codes.emplace_back(file->field(row, d));
    shipped.rows[codes] = {std::string(file->field(row, width)),
                           std::string(file->field(row, file->find_column("status"))),
                           std::string(file->field(row, file->find_column("upl")))};
  }
  return shipped;
}

// Tabulates and judges; the same cells must be sensitive, and have the same values.
void compare(const Shipped& shipped, const std::vector<RawRecord>& raw, std::int32_t p) {
  std::vector<testing::NaiveRecord> records;
  std::map<std::string, std::int32_t> holdings;
  for (const RawRecord& one : raw) {
    testing::NaiveRecord record{.codes = {}, .amount = one.amount};
    for (std::size_t d = 0; d < one.codes.size(); ++d) {
      record.codes.push_back(shipped.dimensions[d].find(one.codes[d]));
      ASSERT_GE(record.codes.back(), 0) << shipped.name << ": " << one.codes[d];
    }
    if (!one.holding.empty()) {
      record.respondent =
          holdings.emplace(one.holding, static_cast<std::int32_t>(holdings.size())).first->second;
    }
    records.push_back(std::move(record));
  }
  std::vector<std::int32_t> all;
  for (std::size_t d = 0; d < shipped.dimensions.size(); ++d)
    all.push_back(static_cast<std::int32_t>(d));
  const Tabulation tabulation =
      testing::tabulate_naively(shipped.dimensions, {{"table", all}}, records, 2, 2);
  SensitivityOptions options;
  options.p_percent = p;
  const auto rules = read_options(options);
  ASSERT_TRUE(rules);
  std::size_t sensitive = 0, differ = 0, values = 0, levels = 0, found = 0;
  for (std::size_t cell = 0; cell < tabulation.cells.size(); ++cell) {
    std::vector<std::string> codes;
    for (std::size_t d = 0; d < all.size(); ++d)
      codes.push_back(shipped.dimensions[d].code(tabulation.codes[cell * all.size() + d]));
    const auto at = shipped.rows.find(codes);
    if (at == shipped.rows.end()) {  // cells of value zero were left out
      values += tabulation.cells[cell].value == 0 ? 0U : 1U;
      continue;
    }
    ++found;
    const std::vector<Hit> hits = judge(tabulation.cells[cell], *rules, 2);
    const bool unsafe = !hits.empty();
    if (unsafe) {  // shipped levels are not rounded
      const auto given = base::parse_units(at->second[2], 8);
      levels += given && hits.front().level * 1000000 == given.value() ? 0U : 1U;
    }
    const auto value = base::parse_units(at->second[0], 2);
    values += value && value.value() == tabulation.cells[cell].value ? 0U : 1U;
    differ += unsafe == (at->second[1] == "U") ? 0U : 1U;
    sensitive += unsafe ? 1U : 0U;
  }
  EXPECT_EQ(found, shipped.rows.size()) << shipped.name;
  EXPECT_EQ(values, 0u) << shipped.name;
  EXPECT_EQ(levels, 0u) << shipped.name;
  EXPECT_EQ(differ, 0u) << shipped.name;
  EXPECT_GT(sensitive, 0u) << shipped.name;
}

Units amount_of(const std::string& text) {
  const auto amount = base::parse_units(text, 2);
  EXPECT_TRUE(amount) << text;
  return amount ? amount.value() : 0;
}

TEST(PublicRecords, EnterprisesByHolding) {
  LACUNA_NEEDS_SHARED("instances/micro");
  const auto lines = lines_of(text_of(kShared / "micro" / "example_enterprise.asc.xz"));
  for (const bool region : {false, true}) {
    std::vector<RawRecord> records;
    for (const std::string& line : lines) {
      if (field_of(line, 19, 26).empty())
        continue;
      RawRecord record{{field_of(line, 10, 11), field_of(line, 12, 13)},
                       field_of(line, 1, 9),
                       amount_of(field_of(line, 19, 26))};
      if (region)
        record.codes.push_back(field_of(line, 14, 15));
      records.push_back(std::move(record));
    }
    const char* name = region ? "ent_act_product_region_p10" : "ent_act_product_p10";
    compare(read_shipped(name, kShared / "real"), records, 10);
  }
}

TEST(PublicRecords, TauTestW) {
  LACUNA_NEEDS_SHARED("instances/micro");
  const auto lines = lines_of(text_of(kShared / "micro" / "tau_testW.asc.xz"));
  std::vector<RawRecord> by_industry, by_region;
  for (const std::string& line : lines) {
    if (field_of(line, 28, 37).empty())
      continue;
    const Units amount = amount_of(field_of(line, 28, 37));
    by_industry.push_back({{field_of(line, 4, 8), field_of(line, 9, 10)}, "", amount});
    by_region.push_back({{field_of(line, 9, 10), field_of(line, 12, 13)}, "", amount});
  }
  compare(read_shipped("tauW_ind_size_p15", kShared / "real"), by_industry, 15);
  compare(read_shipped("tauW_size_region_p15", kShared / "real"), by_region, 15);
}

TEST(PublicRecords, Individuals) {
  const std::filesystem::path folder = testing::test_data("individuals");
  const auto file = files::CsvFile::parse(text_of(folder / "indiv_dt.csv.gz"), "indiv_dt.csv", ',');
  ASSERT_TRUE(file);
  const auto column = [&](std::size_t row, const char* name) {
    return std::string(file->field(row, file->find_column(name)));
  };
  std::vector<RawRecord> records;
  for (std::size_t row = 0; row < file->num_rows(); ++row) {
    const auto amount = base::parse_double(column(row, "TURNOVER"));
    ASSERT_TRUE(amount);
    records.push_back({{column(row, "A88"), column(row, "NUTS3"), column(row, "SIZE")},
                       "",
                       std::llround(amount.value() * 100)});
  }
  compare(read_shipped("indiv_act_nuts_size_p15", folder), records, 15);
}

// The p% rule by its words: what is left when the two largest are taken out is less than p% of the
// largest. The level is what is lacking.
Shipped expected_of(const testing::MadeCells& cells, std::vector<Dimension> dimensions, Units p) {
  Shipped expected{"made", std::move(dimensions), {}};
  for (const auto& [codes, cell] : cells) {
    const std::vector<Units> largest = cell.largest_holdings();
    const Units second = largest.size() > 1 ? largest[1] : 0;
    const Units lacking = p * largest[0] - 100 * (cell.cents - largest[0] - second);
    const std::string units = std::to_string(cell.cents / 100);
    const std::string cents = std::to_string(100 + cell.cents % 100).substr(1);
    const std::string level = std::to_string(std::max<Units>(lacking, 0) / 10000);
    const std::string rest = std::to_string(10000 + std::max<Units>(lacking, 0) % 10000).substr(1);
    expected.rows[codes] = {units + "." + cents, lacking > 0 ? "U" : "S", level + "." + rest};
  }
  return expected;
}

TEST(MadeRecords, AreJudgedByTheWordsOfTheRule) {
  const auto tree = files::read_hrc(testing::kMadeRegionTree, "region.hrc", "@", "Total");
  ASSERT_TRUE(tree) << tree.error().text();
  const Dimension region = files::build_dimension("region", {*tree}).value();
  const Dimension size = testing::flat("size", {"2", "3", "4", "5", "6", "99"});
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto records = testing::made_records(seed, 400);
    std::vector<RawRecord> raw;
    for (const testing::MadeRecord& one : records)
      raw.push_back({{one.size, one.region}, one.holding, one.cents});
    for (const std::int32_t p : {5, 10, 40}) {
      const auto cells = made_cells(records, {testing::size_line, testing::region_line});
      compare(expected_of(cells, {size, region}, p), raw, p);
    }
  }
}

}  // namespace
}  // namespace lacuna::sensitivity
