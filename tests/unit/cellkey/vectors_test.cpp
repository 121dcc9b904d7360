// SPDX-License-Identifier: Apache-2.0
// The cell key method against numbers of other programs: cellKey, tau-ARGUS, the cell key program
// of the ONS, and an enumeration of all whole tables behind a release (tests/data/counts).
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "core/base/decimal.h"
#include "data/files/csv.h"
#include "data/files/file.h"
#include "data/ptable_files/ptable_file.h"
#include "lacuna/cellkey.h"
#include "lacuna/keys.h"
#include "lacuna/tabulate.h"
#include "support/test_data.h"

namespace lacuna::cellkey {
namespace {

const std::filesystem::path kFolder = testing::test_data("counts");

using Names = std::vector<std::string>;
using Rows = std::map<Names, std::map<std::string, std::string>>;  // codes to columns

files::CsvFile csv(const std::string& name, char separator = ';') {
  const std::string path = (kFolder / name).string();
  return files::CsvFile::parse(files::read_file(path).value(), path, separator).value();
}

Rows rows_of(const std::string& name, std::size_t dimensions) {
  const files::CsvFile file = csv(name);
  Rows rows;
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    Names codes;
    for (std::size_t d = 0; d < dimensions; ++d)
      codes.emplace_back(file.field(r, d));
    for (std::size_t c = dimensions; c < file.num_columns(); ++c)
      rows[codes][std::string(file.header(c))] = file.field(r, c);
  }
  return rows;
}

RowRecords records_of(const std::string& name) {
  const files::CsvFile file = csv(name);
  std::vector<std::string> header;
  for (std::size_t c = 0; c < file.num_columns(); ++c)
    header.emplace_back(file.header(c));
  std::vector<std::vector<std::string>> rows;
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    rows.emplace_back();
    for (std::size_t c = 0; c < file.num_columns(); ++c)
      rows.back().emplace_back(file.field(r, c));
  }
  return {header, rows};
}

std::shared_ptr<const Ptable> ptable(const std::string& name) {
  auto table = ptable_files::read_ptable_file((kFolder / name).string());
  EXPECT_TRUE(table) << table.error().text();
  return std::make_shared<const Ptable>(std::move(table).value());
}

Dimension regions(bool has_e) {
  std::vector<std::string> codes{"T", "R1", "R2", "a", "b", "c", "d"};
  Relation last{2, {5, 6}};
  if (has_e) {
    codes.emplace_back("e");
    last.children.push_back(7);
  }
  return Dimension::build("region", codes, {{0, {1, 2}}, {1, {3, 4}}, last}).value();
}

DimensionSpec flat(const std::string& name) {
  DimensionSpec spec = flat_dimension(name, name);
  spec.total = "T";
  return spec;
}

std::shared_ptr<const Problem> problem_of(const std::string& micro,
                                          const TabulateOptions& options) {
  RowRecords records = records_of(micro);
  auto tabulation = tabulate(records, options, {});
  EXPECT_TRUE(tabulation) << tabulation.error().text();
  auto table = table_of(*tabulation);
  EXPECT_TRUE(table) << table.error().text();
  Problem problem = make_problem(std::move(table).value(), {}, {}).value();
  EXPECT_TRUE(problem.set_keys(tabulation->keys));
  return std::make_shared<const Problem>(std::move(problem));
}

std::uint64_t power(int exponent) {
  return exponent == 0 ? 1 : 10 * power(exponent - 1);
}

TabulateOptions region_by_sex(int digits) {
  TabulateOptions options;
  options.dimensions = {given_dimension(regions(digits == 8), "region"), flat("sex")};
  if (digits == 8)
    options.dimensions.push_back(flat("age"));
  options.keys.column = "key";
  options.keys.modulus = power(digits);
  return options;
}

Names names_of(const Table& table, CellId cell) {
  Names names;
  const auto codes = table.codes(cell);
  for (std::size_t d = 0; d < codes.size(); ++d)
    names.emplace_back(table.dimensions()[d].code(codes[d]));
  return names;
}

Units shown(const CellKeyResult& found, const Table& table, CellId cell) {
  const auto entry = found.draft.find(cell);
  return entry == nullptr ? table.value(cell) : entry->number().value_or(-1);
}

CellKeyResult published(const std::shared_ptr<const Problem>& problem,
                        const CellKeyOptions& options) {
  auto found = publish_by_cell_key(problem, options, {});
  EXPECT_TRUE(found) << found.error().text();
  EXPECT_TRUE(check_draft(problem->table(), found->draft));
  return std::move(found).value();
}

void expect_counts(const std::string& folder, int digits, const std::string& table_name) {
  const auto problem = problem_of(folder + "/micro.csv", region_by_sex(digits));
  const Table& table = problem->table();
  CellKeyOptions options;
  options.ptable = ptable("ptables/" + table_name);
  const CellKeyResult found = published(problem, options);
  for (const char* file : {"/expected.csv", "/expected_tauargus.csv"}) {
    const Rows rows = rows_of(folder + file, table.dimensions().size());
    std::size_t seen = 0;
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      const auto at = rows.find(names_of(table, CellId{c}));
      ASSERT_NE(at, rows.end()) << table.label(CellId{c});
      ++seen;
      const auto& row = at->second;
      EXPECT_EQ(table.value(CellId{c}), std::stoll(row.at("count"))) << table.label(CellId{c});
      EXPECT_EQ(shown(found, table, CellId{c}), std::llround(std::stod(row.at("perturbed"))))
          << table.label(CellId{c});
      EXPECT_EQ(problem->keys()->keys[static_cast<std::size_t>(c)],
                static_cast<std::uint64_t>(base::parse_units(row.at("cell_key"), digits).value()));
    }
    for (const auto& [names, row] : rows) {  // the others are empty and stay so
      if (std::stoll(row.at("count")) == 0)
        EXPECT_EQ(std::stod(row.at("perturbed")), 0);
      else
        --seen;
    }
    EXPECT_EQ(seen, 0U);
  }
}

TEST(CellKeyVectors, Counts1) {
  expect_counts("counts1", 4, "cnt_D2_V1.05_js1.csv");
  expect_counts("counts1", 4, "cnt_D2_V1.05_js1.txt");
}

TEST(CellKeyVectors, Counts2) {
  expect_counts("counts2", 8, "cnt_D5_V3_js2.csv");
}

TEST(CellKeyVectors, Counts2Weighted) {
  TabulateOptions tabulation = region_by_sex(8);
  tabulation.weight = "weight";
  const auto problem = problem_of("counts2/micro.csv", tabulation);
  CellKeyOptions options;
  options.ptable = ptable("ptables/cnt_D5_V3_js2.csv");
  const CellKeyResult found = published(problem, options);
  const Rows rows = rows_of("counts2/expected.csv", 3);
  for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
    const auto& row = rows.at(names_of(problem->table(), CellId{c}));
    EXPECT_EQ(problem->table().value(CellId{c}), std::stoll(row.at("weighted")));
    EXPECT_EQ(shown(found, problem->table(), CellId{c}),
              std::llround(std::stod(row.at("perturbed_weighted"))));
  }
}

TEST(CellKeyVectors, Counts3OfTheOns) {
  TabulateOptions tabulation;
  tabulation.dimensions = {flat("area"), flat("cat")};
  tabulation.keys.column = "key";
  tabulation.keys.is_decimal = false;
  tabulation.keys.modulus = 16;
  const auto problem = problem_of("counts3/micro.csv", tabulation);
  CellKeyOptions options;
  options.ptable = ptable("counts3/ptable.csv");
  options.least_count = 10;
  const CellKeyResult found = published(problem, options);
  const Rows rows = rows_of("counts3/expected.csv", 2);
  std::size_t seen = 0;
  std::size_t hidden = 0;
  for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
    const auto at = rows.find(names_of(problem->table(), CellId{c}));
    if (at == rows.end())
      continue;  // a total, which that program does not make
    ++seen;
    const auto& row = at->second;
    EXPECT_EQ(problem->keys()->keys[static_cast<std::size_t>(c)], std::stoull(row.at("ckey")));
    const bool is_hidden = found.draft.state(CellId{c}) == StatementKind::kInterval;
    hidden += is_hidden ? 1U : 0U;
    EXPECT_EQ(is_hidden, row.at("count").empty() || row.at("count") == "NA");
    if (!is_hidden)
      EXPECT_EQ(shown(found, problem->table(), CellId{c}), std::stoll(row.at("count")));
  }
  EXPECT_EQ(seen, rows.size());
  EXPECT_GT(hidden, 0U);
}

TEST(CellKeyVectors, Counts4OrderOfRecords) {
  const auto table = ptable("ptables/cnt_D2_V1.05_js1.csv");
  const files::CsvFile file = csv("counts4/order.csv");
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    std::vector<std::vector<std::string>> rows;
    std::string word;
    for (const char c : std::string(file.field(r, 0)) + " ") {
      if (c != ' ') {
        word += c;
      } else {
        rows.push_back({"x", word});
        word.clear();
      }
    }
    RowRecords records({"d", "key"}, rows);
    TabulateOptions options;
    options.dimensions = {flat_dimension("d", "d")};
    options.keys.column = "key";
    const auto tabulation = tabulate(records, options, {});
    ASSERT_TRUE(tabulation);
    EXPECT_EQ(tabulation->keys->keys[0], 0U);
    EXPECT_EQ(3 + table->noise(3, 0, power(8)), std::stoll(std::string(file.field(r, 5))));
  }
}

void expect_magnitudes(const std::string& name, const CellKeyOptions& options) {
  TabulateOptions tabulation = region_by_sex(8);
  tabulation.value = "income";
  tabulation.decimals = 6;
  const auto problem = problem_of("counts2/micro.csv", tabulation);
  const CellKeyResult found = published(problem, options);
  const Rows rows = rows_of("magnitude/" + name, 3);
  std::size_t seen = 0;
  for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
    const auto& row = rows.at(names_of(problem->table(), CellId{c}));
    ++seen;
    EXPECT_EQ(problem->keys()->keys[static_cast<std::size_t>(c)],
              static_cast<std::uint64_t>(base::parse_units(row.at("cell_key"), 8).value()));
    EXPECT_NEAR(static_cast<double>(shown(found, problem->table(), CellId{c})) * 1e-6,
                std::stod(row.at("perturbed")),
                1e-5)
        << problem->table().label(CellId{c});
  }
  EXPECT_GT(seen, 100U);
}

TEST(CellKeyVectors, Magnitudes) {
  CellKeyOptions options;
  options.ptable = ptable("ptables/num_D10_V3_step2.csv");
  expect_magnitudes("tauargus_top1.csv", options);
  expect_magnitudes("cellkey_top1.csv", options);  // equal for one contribution
  options.top = {1, 0.5, 0.3};
  expect_magnitudes("tauargus_top3.csv", options);
  options.small_ptable = ptable("ptables/num_small_D5_V1_step5.csv");
  expect_magnitudes("tauargus_top3_sep.csv", options);
}

TEST(CellKeyVectors, CertainInference) {
  TabulateOptions tabulation = region_by_sex(4);
  tabulation.keep_empty_cells = true;
  const auto problem = problem_of("counts1/micro.csv", tabulation);
  CellKeyOptions options;
  options.ptable = ptable("ptables/cnt_D2_V1.05_js1.csv");
  const CellKeyResult found = published(problem, options);
  EXPECT_TRUE(found.certain.complete);
  EXPECT_EQ(found.certain.narrowed, 10);
  const Rows rows = rows_of("ckm_audit/expected.csv", 2);
  for (std::int32_t c = 0; c < problem->table().num_cells(); ++c) {
    const std::string possible = rows.at(names_of(problem->table(), CellId{c})).at("possible");
    const Bounds left = found.certain.ranges[static_cast<std::size_t>(c)];
    EXPECT_EQ(left.lower, std::stoll(possible)) << possible;
    EXPECT_EQ(left.upper, std::stoll(possible.substr(possible.rfind(' ') + 1))) << possible;
  }
}

}  // namespace
}  // namespace lacuna::cellkey
