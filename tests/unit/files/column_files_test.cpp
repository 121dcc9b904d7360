// SPDX-License-Identifier: Apache-2.0
#include "data/files/column_files.h"

#include <gtest/gtest.h>

#include "core/base/confidential.h"
#include "data/columns/duckdb_library.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"
#include "data/publish/column_output.h"

namespace lacuna::files {
namespace {

constexpr std::size_t kRows = 40'000;  // more than two blocks

std::vector<publish::TextColumn> sample() {
  std::vector<publish::TextColumn> columns{{"code", columns::OutputKind::kText, {}},
                                           {"value", columns::OutputKind::kNumber, {}},
                                           {"who", columns::OutputKind::kNumber, {}}};
  for (std::size_t i = 0; i < kRows; ++i) {
    columns[0].texts.push_back("0" + std::to_string(i % 7));
    columns[1].texts.push_back(i % 11 == 0 ? "" : std::to_string(i) + ".5");
    columns[2].texts.push_back(std::to_string(1'000'000 + i));
  }
  return columns;
}

void expect_records(const std::string& path) {
  const auto bytes = publish::column_file(sample(), {}, path);
  ASSERT_TRUE(bytes) << bytes.error().text();
  ASSERT_TRUE(write_file_atomically(path, *bytes));
  const auto source = open_column_records(path, 2);
  ASSERT_TRUE(source) << source.error().text();
  const std::vector<std::string> wanted{"who", "code", "value"};
  for (int pass = 0; pass < 2; ++pass) {  // going back to the first record
    ASSERT_TRUE((*source)->select(wanted));
    RecordBlock block;
    std::size_t row = 0;
    for (;;) {
      const auto more = (*source)->read(block);
      ASSERT_TRUE(more) << more.error().text();
      if (!*more)
        break;
      ASSERT_TRUE((*source)->split(block));
      ASSERT_EQ(block.first, row + 1);
      ASSERT_EQ(block.fields.size(), block.num_records * 3);
      for (std::size_t i = 0; i < block.num_records; ++i, ++row) {
        ASSERT_EQ(block.fields[3 * i], std::to_string(1'000'000 + row));
        ASSERT_EQ(block.fields[3 * i + 1], "0" + std::to_string(row % 7));
        ASSERT_EQ(block.fields[3 * i + 2], row % 11 == 0 ? "" : std::to_string(row) + ".5");
      }
      EXPECT_EQ((*source)->where(block, 1, 2),
                path + ", row " + std::to_string(block.first + 1) + ", column value");
    }
    EXPECT_EQ(row, kRows);
  }
  const std::vector<std::string> unknown{"valu"};
  const auto status = (*source)->select(unknown);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().text(), path + ": there is no column 'valu'; did you mean 'value'?");
}

TEST(ColumnFiles, ArrowRecordsComeInBlocks) {
  const TemporaryFolder folder("column_files_arrow");
  expect_records(folder.file("r.arrow"));
}

TEST(ColumnFiles, ParquetRecordsComeInBlocks) {
  if (const auto library = columns::duckdb::find_library(); !library)
    GTEST_SKIP() << library.error().text();
  const TemporaryFolder folder("column_files_parquet");
  expect_records(folder.file("r [1] it's.parquet"));  // a name that is no pattern and no SQL
}

TEST(ColumnFiles, TablesLeaveOutRowNumbersOfDataFrames) {
  const auto bytes =
      publish::column_file({{"a", columns::OutputKind::kText, {"x", "y"}},
                            {"__index_level_0__", columns::OutputKind::kNumber, {"0", "1"}}},
                           {},
                           "t.arrow");
  ASSERT_TRUE(bytes) << bytes.error().text();
  const auto table = column_table(*bytes, "t.arrow");
  ASSERT_TRUE(table) << table.error().text();
  ASSERT_EQ(table->num_columns(), 1U);
  EXPECT_EQ(table->field(1, 0), "y");
}

TEST(ColumnFiles, OutputNamesTheTextThatIsNoNumber) {
  const auto bytes =
      publish::column_file({{"value", columns::OutputKind::kNumber, {"1", "two"}}}, {}, "t.arrow");
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().where, "t.arrow");
  EXPECT_EQ(base::in_full(bytes.error().message), "column value, row 2: 'two' is not a number");
}

}  // namespace
}  // namespace lacuna::files
