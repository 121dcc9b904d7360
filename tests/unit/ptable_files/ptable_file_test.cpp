// SPDX-License-Identifier: Apache-2.0
#include "data/ptable_files/ptable_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "core/base/confidential.h"
#include "data/files/csv.h"
#include "data/files/file.h"
#include "support/test_data.h"

namespace lacuna::ptable_files {
namespace {

const std::filesystem::path kVectors = testing::test_data("counts");

Result<Ptable> read(const std::string& text, const std::string& name = "p.csv") {
  return read_ptable(text, name);
}

std::string error_of(const std::string& text) {
  const Result<Ptable> table = read(text);
  return table ? "" : base::in_full(table.error().text());
}

const std::string kHeader = "i;j;p;v;p_ub\n";
const std::string kSmall = kHeader +
                           "0;0;1; 0;1\n"
                           "1;0;.5;-1;.5\n"
                           "1;2;.5;1;1\n";

TEST(PtableFile, ReadsTauArgus) {
  const Result<Ptable> table = read(kSmall);
  ASSERT_TRUE(table) << table.error().text();
  ASSERT_TRUE(table->check_counts());
  EXPECT_EQ(table->denominator(), 10U);
  EXPECT_EQ(table->noise(0, 5, 10), 0);
  EXPECT_EQ(table->noise(1, 4, 10), -1);
  EXPECT_EQ(table->noise(5, 5, 10), 1);
}

TEST(PtableFile, ReadsBlanksQuotesExponentsAndOtherHeaders) {
  const Result<Ptable> table = read(
      "\"row\";\"target\";\"prob\";\"noise\";\"cumulated\"\r\n"
      "\"0\"; 0;\"1.00E+00\"; 0;1.0\r\n"
      " 1; \"0\";1.00E-07;-1;1.00E-07\r\n"
      "1;1 ;0.9999998; 0;\"0.9999999\"\r\n"
      "1;2;1e-7;+1;1.00000000\r\n"
      "\r\n");
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->denominator(), 10'000'000U);
  EXPECT_EQ(table->noise(1, 0, 10'000'000), -1);
  EXPECT_EQ(table->noise(1, 1, 10'000'000), 0);
  EXPECT_EQ(table->noise(1, 9'999'999, 10'000'000), 1);
}

TEST(PtableFile, ReadsMagnitudesWithTypes) {
  const Result<Ptable> table = read(
      "i;j;p;v;p_ub;type\n"
      "0;0.0;1;0.0;1;even\n"
      "5;4.5;.5;-0.5;.5;even\n"
      "5;5.5;.5;0.5;1;even\n"
      "0;0;1;0;1;odd\n"
      "3;3;1;0;1;odd\n");
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->decimals(), 1);
  EXPECT_EQ(table->rows(PtableType::kAll).size(), 0U);
  ASSERT_EQ(table->rows(PtableType::kEven).size(), 2U);
  EXPECT_EQ(table->rows(PtableType::kOdd)[1].count, 3);
  const PtableRow& row = table->rows(PtableType::kEven)[1];
  EXPECT_EQ(table->entry_of(row, 1, 2).noise, 5);
  EXPECT_FALSE(table->check_counts());
}

TEST(PtableFile, ReadsTheLayoutOfSas) {
  const Result<Ptable> table = read(
      "i;j;p;v;p_int_lb;p_int_ub;type\n0;0;1;0;0;1;all\n1;0;.25;-1;0;.25;all\n1;1;.75;0;.25;1;"
      "all\n");
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_TRUE(table->check_counts());
  EXPECT_EQ(table->noise(1, 24, 100), -1);
  EXPECT_EQ(table->noise(1, 25, 100), 0);
}

TEST(PtableFile, SumsOfRoundedProbabilitiesMayEndAboveOne) {
  EXPECT_EQ(error_of(kHeader + "0;0;1;0;1.00000001\n"), "");
  EXPECT_EQ(error_of(kHeader + "0;0;1;0;1.1\n"), "p.csv:2:9: p_ub must be from 0 to 1");
}

TEST(PtableFile, ErrorsNameThePlaceAndTheRemedy) {
  EXPECT_EQ(error_of("a;b\n1;2\n"),
            "p.csv:1:1: this is not a perturbation table, which has the columns i;j;p;v;p_ub and "
            "perhaps type, or pcv,ckey,pvalue");
  EXPECT_EQ(error_of(kHeader), "p.csv:1:1: the perturbation table has no lines");
  EXPECT_EQ(error_of(kHeader + "0;0;1;0;x\n"), "p.csv:2:9: 'x' is not a number");
  EXPECT_EQ(error_of(kHeader + "0;0;1;0;0,5\n"),
            "p.csv:2:9: '0,5' is not a number; write a point instead of the comma");
  EXPECT_EQ(error_of(kHeader + "1;1;1;0;1\n"),
            "p.csv:2:1: the row of i = 0 is missing; programs take the rows by their position as "
            "0, 1, 2, ... (tables for magnitudes have a column type)");
  EXPECT_EQ(error_of(kHeader + "0;0;1;0;1\n1;1;1;0;1\n0;0;1;0;1\n"),
            "p.csv:4:1: i falls from 1 to 0; sort the lines by i");
  EXPECT_EQ(error_of(kHeader + "0;0;1;1;1\n"),
            "p.csv:2:7: v must be j - i = 0, not '1'; some programs use the one, some the other");
  EXPECT_EQ(error_of(kHeader + "0;-1;1;-1;1\n"),
            "p.csv:2:3: j is below 0; it is what may be published for i, and never negative");
  EXPECT_EQ(error_of(kHeader + "0;0;1;0;1\n1;0;.5;-1;.5\n1;1;.5;0;.4\n"),
            "p.csv:4:10: p_ub is less than on the line before; within a row it is the sum of p so "
            "far");
  EXPECT_EQ(error_of(kHeader + "0;0;2;0;1\n"), "p.csv:2:5: p must be from 0 to 1");
  EXPECT_EQ(error_of(kHeader + "0.5;0;1;0;1\n"), "p.csv:2:1: i must be a whole number");
  EXPECT_EQ(error_of(kHeader + "0;0;1;0;0.1234567890123456789\n"),
            "p.csv:2:9: '0.1234567890123456789' has more than 18 digits after the point; round it");
  EXPECT_EQ(error_of("i;j;p;v;p_ub;type\n0;0;1;0;1;al\n"),
            "p.csv:2:11: the type must be all, even, odd or small_cells, not 'al'; did you mean "
            "'all'?");
  EXPECT_EQ(error_of("i;j;p;v;p_ub;type\n0;0;1;0;1;even\n0;0;1;0;1;odd\n0;0;1;0;1;even\n"),
            "p.csv:4:1: the lines of i = 0 are not together");
  EXPECT_EQ(error_of("i;j;p_lb;p_ub\n0;0;0.5;1\n"),
            "p.csv:2:5: p_lb must be the p_ub of the line before (0 on the first of a row)");
}

const std::string kYaml =
    "params:\n"
    "  ptable:\n"
    "    i:\n    - 0.0\n    - 1.0\n    - 1.0\n"
    "    j: [0, 0, 2]  # in brackets\n"
    "    lb:\n    - 0.0\n    - 0.0\n    - 0.5\n"
    "    ub:\n    - 1.0\n    - 0.5\n    - 1.0\n"
    "    type:\n    - all\n    - 'all'\n    - \"all\"\n"
    "type: cnts\nversion: 1.0.3\nptype: params_cnts\n";

TEST(PtableFile, ReadsTheYamlOfCellKey) {
  const Result<Ptable> table = read(kYaml, "p.yaml");
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_TRUE(table->check_counts());
  EXPECT_EQ(table->noise(1, 4, 10), -1);
  EXPECT_EQ(table->noise(1, 5, 10), 1);
  const auto error = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    const Result<Ptable> bad = read(text, "p.yaml");
    return bad ? "" : base::in_full(bad.error().text());
  };
  EXPECT_EQ(error(kYaml, "[0, 0, 2]", "[0, x, 2]"), "p.yaml:7:12: 'x' is not a number");
  EXPECT_EQ(error(kYaml, "[0, 0, 2]", "[0, 2]"),
            "p.yaml:7:12: this column has 2 items, but i has 3");
  EXPECT_EQ(error(kYaml, "  ptable:", "  params:"),
            "p.yaml:23:1: there is no table in this file; cellKey writes it as ptable or ptab "
            "below params");
  EXPECT_EQ(error(kYaml, "    ub:", "    up:"),
            "p.yaml:12:5: there is no column 'up'; a table has i, j, p, v, lb, ub, type");
}

TEST(PtableFile, ReadsTablesByWholeKeys) {
  const Result<Ptable> table = read("pcv,ckey,pvalue\n1,0,-1\n1,3,1\n501,2,4\n");
  ASSERT_TRUE(table) << table.error().text();
  ASSERT_TRUE(table->check_counts());
  EXPECT_EQ(table->own_modulus(), 4U);
  EXPECT_EQ(table->noise(1, 0, 4), -1);
  EXPECT_EQ(table->noise(1, 1, 4), 0);  // a pair that is not there
  EXPECT_EQ(table->noise(1, 3, 4), 1);
  EXPECT_EQ(table->noise(0, 3, 4), 0);
  EXPECT_EQ(table->noise(501, 2, 4), 4);
  EXPECT_EQ(table->noise(751, 2, 4), 4);  // (751 - 1) mod 250 + 501
  EXPECT_EQ(table->noise(1001, 2, 4), 4);
  EXPECT_EQ(table->noise(752, 2, 4), 0);
  EXPECT_EQ(error_of("pcv,ckey,pvalue\n1,0,-1\n1,0,1\n"),
            "p.csv:3:3: this pair of pcv and ckey occurs twice");
  EXPECT_EQ(error_of("pcv,ckey,pvalue\n1,0,-2\n"),
            "p.csv:2:5: must be a whole number from -1 to 1000000, not '-2'");
  EXPECT_EQ(error_of("pcv,ckey,pvalue\n751,0,0\n"),
            "p.csv:2:1: must be a whole number from 0 to 750, not '751'");
  EXPECT_EQ(error_of("pcv,ckey\n1,0\n"),
            "p.csv:1:1: the column pvalue is missing: a table by whole keys has pcv, ckey and "
            "pvalue");
}

TEST(PtableFile, ReadsTablesByFoldedKeys) {
  std::string text = "n1,n2,n3\n";
  for (int key = 0; key < 256; ++key)
    text += key < 128 ? "-1,-2,1\n" : "1,2,-1\n";
  const Result<Ptable> table = read(text);
  ASSERT_TRUE(table) << table.error().text();
  ASSERT_TRUE(table->check_counts());
  const std::uint64_t modulus = std::uint64_t{1} << 32U;
  EXPECT_EQ(table->noise(1, 0x7F000000, modulus), -1);
  EXPECT_EQ(table->noise(2, 0x7F008000, modulus), 2);
  EXPECT_EQ(table->noise(9, 0, modulus), 1);
  const Result<Ptable> headless = read(text.substr(text.find('\n') + 1));
  ASSERT_TRUE(headless) << headless.error().text();
  EXPECT_EQ(*headless, *table);
  const Result<Ptable> round = read_ptable(text, "p.csv", {2});
  ASSERT_TRUE(round) << round.error().text();
  EXPECT_EQ(round->row_of(1).count, 1);
  EXPECT_EQ(round->row_of(2).count, 2);  // 3 - 2 + 2 mod 2 + 1
  EXPECT_EQ(round->row_of(9).count, 3);
  EXPECT_EQ(read_ptable(text, "p.csv", {3}).error().text(),
            "--cycle: must be less than the number of columns, 3");
}

// Written and read again, a table gives the same noise to every count and key.
TEST(PtableFile, FormatsSayTheSame) {
  const Ptable table = read(kHeader +
                            "0;0;1;0;1\n"
                            "1;0;.25;-1;.25\n1;1;.5;0;.75\n1;2;.25;1;1\n"
                            "2;3;.5;1;.5\n2;1;.5;-1;1\n")
                           .value();
  for (const PtableFormat format :
       {PtableFormat::kArgus, PtableFormat::kSas, PtableFormat::kCellKey}) {
    const Result<std::string> text = ptable_text(table, format);
    ASSERT_TRUE(text) << text.error().text();
    const Result<Ptable> again = read(*text, format == PtableFormat::kCellKey ? "p.yaml" : "p.csv");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->parts().rows, table.parts().rows);
    EXPECT_EQ(ptable_loss(table, format), "");
  }
  for (const PtableFormat format : {PtableFormat::kOns, PtableFormat::kAbs}) {
    const Result<std::string> text = ptable_text(table, format, 256);
    ASSERT_TRUE(text) << text.error().text();
    const Result<Ptable> again = read(*text);
    ASSERT_TRUE(again) << again.error().text();
    const bool folded = again->key_use() == KeyUse::kFolded;
    for (std::uint64_t key = 0; key < 256; ++key) {
      for (const std::int64_t count : {0, 1, 2, 3, 800})
        EXPECT_EQ(again->noise(count, key, folded ? again->own_modulus() : 256),
                  table.noise(count, key, 256));
    }
  }
}

TEST(PtableFile, FormatsRefuseWhatTheyCannotSay) {
  const auto refused = [](const std::string& text, PtableFormat format) {
    const Result<std::string> written = ptable_text(read(text).value(), format);
    return written ? "" : base::in_full(written.error().text());
  };
  const std::string types = "i;j;p;v;p_ub;type\n0;0;1;0;1;all\n";
  EXPECT_EQ(refused(types + "1;0;.5;-1;.5;all\n1;2;.25;1;.75;all\n1;0;.25;-1;1;all\n",
                    PtableFormat::kArgus),
            "the format argus keeps one range per j in tables with types; leave out --split");
  EXPECT_EQ(refused(types + "0;0;1;0;1;small_cells\n", PtableFormat::kArgus),
            "the format argus has small cells in a file of their own, as type all");
  EXPECT_EQ(refused(types + "2;2;1;0;1;all\n", PtableFormat::kOns),
            "the format ons is for counts alone: i = 2: the row of i = 1 is missing; counts need a "
            "row for each of 0, 1, 2, ...");
  EXPECT_EQ(refused(types + "2;2;1;0;1;all\n", PtableFormat::kCellKey).substr(0, 47),
            "the format cellkey has magnitudes only together");
  EXPECT_EQ(refused(kHeader + "0;0;.5;0;.5\n0;2;.5;2;1\n", PtableFormat::kAbs),
            "the format abs has no row of 0, and this table changes zeros");
  EXPECT_EQ(refused("pcv,ckey,pvalue\n1,2,1\n", PtableFormat::kArgus),
            "the format argus has decimals, and shares of 3 keys have no decimals of 18 digits; "
            "write --format ons");
}

// The tables of ptable 1.0.0 in its two layouts are the same table.
TEST(PtableFile, ReadsTheTablesOfTheReference) {
  for (const char* name : {"cnt_D2_V1.05_js1", "cnt_D5_V3_js2", "cnt_D3_V1", "num_D10_V3_step2"}) {
    const std::string path = (kVectors / "ptables" / name).string();
    const Result<Ptable> argus = read_ptable_file(path + ".txt");
    const Result<Ptable> sas = read_ptable_file(path + ".csv");
    ASSERT_TRUE(argus) << argus.error().text();
    ASSERT_TRUE(sas) << sas.error().text();
    ASSERT_EQ(argus->rows().size(), sas->rows().size());
    for (std::size_t r = 0; r < argus->rows().size(); ++r) {
      const auto& a = argus->rows()[r].entries;
      const auto& b = sas->rows()[r].entries;
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t e = 0; e < a.size(); ++e)
        EXPECT_TRUE(a[e].noise == b[e].noise && a[e].upper == b[e].upper) << name;
    }
  }
}

// Region c, f of counts1: n = 8, key .9422, row 4: .9422 >= .92987502, hence +2.
TEST(PtableFile, LooksUpAsTheReferenceDoes) {
  const Result<Ptable> table =
      read_ptable_file((kVectors / "ptables" / "cnt_D2_V1.05_js1.txt").string());
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->noise(8, 9422, 10'000), 2);
}

// counts3: the noise that the ONS looked up for each cell.
TEST(PtableFile, LooksUpWholeKeysAsTheReferenceDoes) {
  const std::filesystem::path folder = kVectors / "counts3";
  const Result<Ptable> table = read_ptable_file((folder / "ptable.csv").string());
  ASSERT_TRUE(table) << table.error().text();
  const Result<files::CsvFile> expected = files::CsvFile::parse(
      files::read_file((folder / "expected.csv").string()).value(), "expected.csv", ';');
  ASSERT_TRUE(expected) << expected.error().text();
  std::map<std::string, std::size_t> column;
  for (std::size_t c = 0; c < expected->num_columns(); ++c)
    column[std::string(expected->header(c))] = c;
  for (const char* name : {"pre_sdc_count", "ckey", "pvalue"})
    ASSERT_TRUE(column.contains(name)) << name;
  const auto number = [&](std::size_t row, const char* name) {
    return std::stoll(std::string(expected->field(row, column[name])));
  };
  ASSERT_GT(expected->num_rows(), 5U);
  for (std::size_t row = 0; row < expected->num_rows(); ++row)
    EXPECT_EQ(table->noise(number(row, "pre_sdc_count"),
                           static_cast<std::uint64_t>(number(row, "ckey")),
                           table->own_modulus()),
              number(row, "pvalue"));
}

}  // namespace
}  // namespace lacuna::ptable_files
