// SPDX-License-Identifier: Apache-2.0
#include "data/formats/stat_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "data/files/column_files.h"
#include "data/files/file.h"
#include "data/formats/recognise.h"
#include "data/formats/sheet_cells.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"
#ifdef LACUNA_HAVE_READSTAT
#include "support/stat_maker.h"
#endif

#define LACUNA_NEEDS_READSTAT \
  if (!reads_stat_files())    \
  GTEST_SKIP() << "want of ReadStat (LACUNA_READSTAT): data sets are not read by this build"

namespace lacuna::formats {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Rows = std::vector<std::vector<std::string>>;

files::Sheet release() {
  files::Sheet sheet;
  sheet.name = "Umsätze";
  sheet.header = {"region", "Umsatz in €", "if"};
  sheet.rows = {{{"Zürich", false}, {"12.5", true}, {"1", true}},
                {{"Bern", false}, {"x", false}, {"", false}},
                {{"", false}, {"", false}, {"-3", true}}};
  return sheet;
}

TEST(StatFiles, AReleaseAsStataAndSpss) {
  LACUNA_NEEDS_READSTAT;
  for (const StatKind kind : {StatKind::kStata, StatKind::kSpss}) {
    const auto bytes = write_stat(release(), kind);
    ASSERT_TRUE(bytes) << bytes.error().text();
    EXPECT_TRUE(is_stat_file(*bytes));
    EXPECT_EQ(*bytes, write_stat(release(), kind).value());
    const auto grid = read_stat_grid(*bytes, "f");
    ASSERT_TRUE(grid) << grid.error().text();
    ASSERT_EQ(grid->columns.size(), 4U);
    EXPECT_EQ(grid->columns[0].name, "region");
    EXPECT_EQ(grid->columns[1].name, "Umsatz_in__");
    EXPECT_EQ(grid->columns[1].said, "Umsatz in €");
    EXPECT_EQ(grid->columns[2].name, "Umsatz_in___state");
    EXPECT_EQ(grid->columns[3].name, "vif");
    EXPECT_EQ(grid->rows,
              (Rows{{"Zürich", "12.5", "", "1"}, {"Bern", "", "x", ""}, {"", "", "", "-3"}}));
  }
}

TEST(StatFiles, FilesByTheirPath) {
  LACUNA_NEEDS_READSTAT;
  const lacuna::testing::UniqueFolder folder;
  const std::string bytes = write_stat(release(), StatKind::kSpss).value();
  // The name says nothing; what gzip has packed is unpacked.
  for (const std::string& content : {bytes, files::pack_gzip(bytes).value()}) {
    const std::string path = folder.file("records.dat");
    std::ofstream(path, std::ios::binary) << content;
    auto source = open_stat_file(path);
    ASSERT_TRUE(source) << source.error().text();
    ASSERT_TRUE((*source)->select(std::vector<std::size_t>{0}));
    EXPECT_EQ((*source)->next().value()->num_rows(), 3U);
  }
  EXPECT_THAT(open_stat_file(folder.file("none.sav")).error().text(), HasSubstr("does not exist"));
}

TEST(StatFiles, WhatADataSetCannotHold) {
  LACUNA_NEEDS_READSTAT;
  files::Sheet sheet = release();
  sheet.rows[0][1].text = "1234567890123456";
  EXPECT_THAT(write_stat(sheet, StatKind::kStata).error().text(), HasSubstr("more than 15 digits"));
  sheet = release();
  sheet.rows[0][0].text = std::string(2'046, 'x');
  EXPECT_THAT(write_stat(sheet, StatKind::kStata).error().text(),
              HasSubstr("more than 2045 bytes"));
  EXPECT_TRUE(write_stat(sheet, StatKind::kSpss));
  EXPECT_FALSE(write_stat(sheet, StatKind::kSas7bdat));
  EXPECT_FALSE(write_stat(files::Sheet{}, StatKind::kStata));
}

TEST(StatFiles, DamageAndOtherFilesAreNamed) {
  EXPECT_FALSE(is_stat_file("a,b\n"));
  LACUNA_NEEDS_READSTAT;
  const std::string bytes = write_stat(release(), StatKind::kSpss).value();
  const auto cut = read_stat_grid(bytes.substr(0, bytes.size() / 2), "f.sav");
  ASSERT_FALSE(cut);
  EXPECT_THAT(cut.error().text(), HasSubstr("f.sav: the data set cannot be read"));
  EXPECT_THAT(read_stat_grid("a,b\n", "f.csv").error().text(),
              HasSubstr("f.csv: this is not a data set of SAS, Stata or SPSS"));
  EXPECT_THAT(read_stat_grid("%PDF-1.4", "f.pdf").error().text(), HasSubstr("this is a PDF file"));
}

#ifdef LACUNA_HAVE_READSTAT

using lacuna::testing::StatMaker;

// The readers of all formats, by ReadStat's own writers.
TEST(StatFiles, AllFormatsReadTheSame) {
  for (const StatKind kind : {StatKind::kSas7bdat,
                              StatKind::kSasXport,
                              StatKind::kStata,
                              StatKind::kSpss,
                              StatKind::kSpssPortable}) {
    StatMaker maker;
    const auto code = maker.number("CODE"), value = maker.number("VALUE"),
               name = maker.text("NAME", 12);
    maker.row({{code, "1"}, {value, "0.25"}, {name, "north"}});
    maker.row({{code, "-2"}, {value, ""}, {name, "south"}});
    const std::string bytes = maker.write(kind);
    const auto grid = read_stat_grid(bytes, "f");
    ASSERT_TRUE(grid) << static_cast<int>(kind) << grid.error().text();
    EXPECT_EQ(grid->rows, (Rows{{"1", "0.25", "north"}, {"-2", "", "south"}}))
        << static_cast<int>(kind);
    EXPECT_EQ(read_stat_header(bytes, "f").value().kind, kind);
  }
}

TEST(StatFiles, PackedDataSets) {
  for (const auto& [kind, compression] : {std::pair{StatKind::kSas7bdat, READSTAT_COMPRESS_ROWS},
                                          {StatKind::kSpss, READSTAT_COMPRESS_ROWS},
                                          {StatKind::kSpss, READSTAT_COMPRESS_BINARY}}) {
    StatMaker maker;
    const auto value = maker.number("V"), name = maker.text("N", 200);
    maker.compression = compression;
    for (int i = 0; i < 500; ++i)
      maker.row({{value, std::to_string(i)}, {name, i % 2 == 0 ? "even" : ""}});
    const auto grid = read_stat_grid(maker.write(kind), "f");
    ASSERT_TRUE(grid) << grid.error().text();
    ASSERT_EQ(grid->rows.size(), 500U);
    EXPECT_THAT(grid->rows[498], ElementsAre("498", "even"));
  }
}

TEST(StatFiles, LabelsStandForCodesIfAsked) {
  StatMaker maker;
  maker.label("region", 1, "north");
  maker.label("region", 2, "south");
  const auto region = maker.number("region", "region");
  maker.row({{region, "1"}});
  maker.row({{region, "2"}});
  maker.row({{region, "9"}});
  maker.row({{region, ""}});
  const std::string bytes = maker.write(StatKind::kSpss);
  EXPECT_EQ(read_stat_grid(bytes, "f").value().rows, (Rows{{"1"}, {"2"}, {"9"}, {""}}));
  StatOptions labels;
  labels.labels = StatLabels::kLabels;
  EXPECT_EQ(read_stat_grid(bytes, "f", labels).value().rows,
            (Rows{{"north"}, {"south"}, {"9"}, {""}}));
  const StatHeader header = read_stat_header(bytes, "f").value();
  EXPECT_THAT(header.columns.at(0).labels,
              ElementsAre(std::pair<std::string, std::string>{"1", "north"},
                          std::pair<std::string, std::string>{"2", "south"}));
  EXPECT_EQ(header.rows, 4);
}

// Two categories never become one in silence.
TEST(StatFiles, LabelsThatMixCategoriesAreRefused) {
  StatOptions labels;
  labels.labels = StatLabels::kLabels;
  {
    StatMaker maker;
    maker.label("set", 1, "other");
    maker.label("set", 2, "other");
    maker.row({{maker.number("v", "set"), "1"}});
    const auto grid = read_stat_grid(maker.write(StatKind::kStata), "f.dta", labels);
    ASSERT_FALSE(grid);
    EXPECT_EQ(grid.error().text(),
              "f.dta: column v has the values '1' and '2' under one label, 'other': they would "
              "become one category; read the codes (labels = codes)");
  }
  StatMaker maker;
  maker.label("set", 1, "2");
  const auto v = maker.number("v", "set");
  maker.row({{v, "1"}});
  maker.row({{v, "2"}});
  const auto grid = read_stat_grid(maker.write(StatKind::kStata), "f.dta", labels);
  ASSERT_FALSE(grid);
  EXPECT_THAT(grid.error().text(), HasSubstr("f.dta, row 2, column v: the value '2' has no label"));
}

TEST(StatFiles, DatesByTheFormatOfTheColumn) {
  struct Case {
    StatKind kind;
    const char* format;
    const char* number;
    const char* text;
  };
  for (const Case& each : std::initializer_list<Case>{
           // 16 November 2026 is day 24426 of SAS and Stata and day 162201 of SPSS.
           {StatKind::kStata, "%td", "24426", "2026-11-16"},
           {StatKind::kStata, "%-tdD_m_Y", "-1", "1959-12-31"},
           {StatKind::kStata, "%tc", "2110440600000", "2026-11-16 09:30:00"},
           {StatKind::kStata, "%tm", "802", "2026-11"},
           {StatKind::kStata, "%tq", "267", "2026-Q4"},
           {StatKind::kStata, "%th", "133", "2026-S2"},
           {StatKind::kStata, "%tw", "3477", "2026w46"},
           {StatKind::kStata, "%ty", "2026", "2026"},
           {StatKind::kStata, "%9.0g", "24426", "24426"},
           {StatKind::kSpss, "DATE11", "14014166400", "2026-11-16"},
           {StatKind::kSpss, "SDATE10", "14014166400", "2026-11-16"},
           {StatKind::kSpss, "MOYR8", "14014166400", "2026-11"},
           {StatKind::kSpss, "QYR8", "14014166400", "2026-Q4"},
           {StatKind::kSpss, "DATETIME20", "14014200600", "2026-11-16 09:30:00"},
           {StatKind::kSpss, "TIME8", "34200", "09:30:00"},
           {StatKind::kSpss, "F8.2", "14014166400", "14014166400"},
           {StatKind::kSasXport, "DATE9.", "24426", "2026-11-16"},
           {StatKind::kSasXport, "YYMMDD10", "24426", "2026-11-16"},
           {StatKind::kSasXport, "DATETIME20", "2110440600", "2026-11-16 09:30:00"},
           {StatKind::kSasXport, "MONYY7", "24426", "2026-11"},
           {StatKind::kSasXport, "YYQ6", "24426", "2026-Q4"},
           {StatKind::kSasXport, "YEAR4", "24426", "2026"},
           {StatKind::kSasXport, "TIME8", "34200", "09:30:00"},
           {StatKind::kSasXport, "BEST12", "24426", "24426"}}) {
    StatMaker maker;
    const auto date = maker.number("D");
    maker.format(date, each.format);
    maker.row({{date, each.number}});
    const auto grid = read_stat_grid(maker.write(each.kind), "f");
    ASSERT_TRUE(grid) << each.format << grid.error().text();
    EXPECT_EQ(grid->rows.at(0).at(0), each.text) << each.format;
  }
}

TEST(StatFiles, ValuesThatTheUserDeclaredMissingAreEmpty) {
  StatMaker maker;
  const auto age = maker.number("age");
  maker.missing(age, 98, 99);
  maker.row({{age, "97"}});
  maker.row({{age, "98"}});
  maker.row({{age, "99"}});
  EXPECT_EQ(read_stat_grid(maker.write(StatKind::kSpss), "f").value().rows,
            (Rows{{"97"}, {""}, {""}}));
}

// More rows than a batch has, as records of some columns, twice over and given up in the middle.
TEST(StatFiles, RecordsComeInBatches) {
  StatMaker maker;
  const auto a = maker.number("a"), b = maker.text("b", 4), c = maker.number("c");
  constexpr int kRows = 70'000;
  for (int i = 0; i < kRows; ++i)
    maker.row({{a, std::to_string(i)}, {b, "x" + std::to_string(i % 10)}, {c, "1"}});
  auto source = open_stat_bytes(maker.write(StatKind::kStata), "f.dta").value();
  ASSERT_EQ(source->columns().size(), 3U);
  const std::vector<std::size_t> chosen{1, 0, 0};
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(source->select(chosen));
    int rows = 0;
    while (const auto batch = source->next().value()) {
      std::vector<std::string_view> texts(batch->num_rows());
      columns::TextArena arena;
      for (std::size_t column = 0; column < 3; ++column) {
        ASSERT_FALSE(batch->texts(column, {0, texts.size()}, arena, texts.data(), 1));
        for (std::size_t i = 0; i < texts.size(); ++i) {
          const int row = rows + static_cast<int>(i);
          ASSERT_EQ(texts[i], column == 0 ? "x" + std::to_string(row % 10) : std::to_string(row));
        }
      }
      rows += static_cast<int>(batch->num_rows());
    }
    EXPECT_EQ(rows, kRows);
    EXPECT_EQ(source->fraction(), 1);
    ASSERT_TRUE(source->select(chosen));
    ASSERT_NE(source->next().value(), nullptr);
  }
  source.reset();  // in the middle of the file
}

TEST(StatFiles, RandomNumbersReadBack) {
  std::mt19937_64 random(11);
  for (const StatKind kind : {StatKind::kStata, StatKind::kSpss, StatKind::kSas7bdat}) {
    StatMaker maker;
    const auto v = maker.number("V");
    Rows rows;
    for (int i = 0; i < 300; ++i) {
      const auto whole = static_cast<double>(static_cast<std::int64_t>(random() % 20'000'000'000) -
                                             10'000'000'000);
      rows.push_back({plain_number(whole / (i % 3 == 0 ? 1 : i % 3 == 1 ? 100 : 1024))});
      maker.row({{v, rows.back()[0]}});
    }
    EXPECT_EQ(read_stat_grid(maker.write(kind), "f").value().rows, rows);
  }
}

#endif

TEST(StatFiles, SamplesOfOthers) {
  LACUNA_NEEDS_READSTAT;
  LACUNA_NEEDS_SHARED("instances/day2/sample.sav");
  const auto read = [](const std::string& name) {
    std::ifstream file(lacuna::testing::shared_data("instances/day2/" + name), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    auto grid = read_stat_grid(bytes, name);
    EXPECT_TRUE(grid) << (grid ? "" : grid.error().text());
    return grid ? std::move(grid).value() : Grid();
  };
  // All three are one table of five rows: mychar, mynum, mydate, dtime, mylabl, myord, mytime.
  for (const char* name : {"sample.sav", "sample.dta", "sample.sas7bdat"}) {
    SCOPED_TRACE(name);
    const Grid grid = read(name);
    ASSERT_EQ(grid.columns.size(), 7U);
    ASSERT_EQ(grid.rows.size(), 5U);
    EXPECT_EQ(grid.columns[0].name, "mychar");
    EXPECT_EQ(grid.rows[0][0], "a");
    EXPECT_EQ(grid.rows[0][1], "1.1");
    EXPECT_EQ(grid.rows[0][2], "2018-05-06");
    EXPECT_EQ(grid.rows[0][3], "2018-05-06 10:10:10");
  }
}

}  // namespace
}  // namespace lacuna::formats
