// SPDX-License-Identifier: Apache-2.0
#include "io/ptable_file.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace lacuna {
namespace {

const std::filesystem::path kVectors = LACUNA_SOURCE_DIR "/../shared/frequency-vectors";

Result<Ptable> read(const std::string& text, const std::string& name = "p.csv") {
  return read_ptable(text, name);
}

std::string error_of(const std::string& text) {
  const Result<Ptable> table = read(text);
  return table ? "" : table.error().text();
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
            "p.csv:1:1: this is no perturbation table: it has the columns i;j;p;v;p_ub and perhaps "
            "type, or pcv,ckey,pvalue");
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
            "p.csv:2:7: v must be j - i = 0, not '1'; programs look at the one or the other");
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

// The tables of ptable 1.0.0 in its two layouts are the same table.
TEST(PtableFile, ReadsTheTablesOfTheReference) {
  if (!std::filesystem::exists(kVectors))
    GTEST_SKIP() << "the vectors of frequencies are not at hand";
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
  if (!std::filesystem::exists(kVectors))
    GTEST_SKIP() << "the vectors of frequencies are not at hand";
  const Result<Ptable> table =
      read_ptable_file((kVectors / "ptables" / "cnt_D2_V1.05_js1.txt").string());
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->noise(8, 9422, 10'000), 2);
}

}  // namespace
}  // namespace lacuna
