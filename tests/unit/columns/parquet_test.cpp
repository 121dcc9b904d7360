// SPDX-License-Identifier: Apache-2.0
// Parquet through DuckDB's library; skipped where there is none.
#include <gtest/gtest.h>

#include "core/base/random.h"
#include "data/columns/duckdb_library.h"
#include "core/platform/memory_file.h"
#include "data/columns/output_table.h"
#include "data/columns/parquet_reader.h"

namespace lacuna::columns {
namespace {

using Rows = std::vector<std::vector<std::string>>;  // column by column

Result<Rows> read_file_of(const std::string& path) {
  LACUNA_TRY(const auto source, open_parquet(path, 2));
  std::vector<std::size_t> selected;
  for (std::size_t i = 0; i < source->columns().size(); ++i) {
    if (source->columns()[i].unreadable.empty())
      selected.push_back(i);
  }
  LACUNA_RETURN_IF_ERROR(source->select(selected));
  Rows columns(selected.size());
  for (;;) {
    LACUNA_TRY(const auto batch, source->next());
    if (!batch)
      return columns;
    TextArena arena;
    std::vector<std::string_view> texts(batch->num_rows());
    for (std::size_t c = 0; c < selected.size(); ++c) {
      if (const auto trouble = batch->texts(c, {0, texts.size()}, arena, texts.data(), 1))
        return Error{ErrorCode::kDamaged, trouble->message, ""};
      columns[c].insert(columns[c].end(), texts.begin(), texts.end());
    }
  }
}

class Parquet : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto library = duckdb::find_library(); !library)
      GTEST_SKIP() << library.error().text();
  }
};

TEST_F(Parquet, WritesWhatItReads) {
  OutputTable table;
  table.columns = {
      {"a \"code\"", OutputKind::kText, {"é", "", "long enough to be elsewhere"}, {}, 0, {}},
      {"whole", OutputKind::kNumber, {}, {1, -2, 0}, 0, {false, false, true}},
      {"value", OutputKind::kNumber, {}, {150, -5, 0}, 2, {false, false, true}},
      {"wide", OutputKind::kNumber, {}, {kMaxUnits, -kMaxUnits, 1}, 1, {}},
      {"note", OutputKind::kText, {"a", "x", "b"}, {}, 0, {false, true, false}},
      {"truth", OutputKind::kTruth, {}, {1, 0, 1}, 0, {false, false, true}},
      {"real", OutputKind::kReal, {}, {}, 0, {false, true, false}, {0.5, 2, -3}}};
  table.key_values = {{"lacuna.decimals", "2"}, {"quote", "it's"}};
  const auto bytes = write_parquet(table);
  ASSERT_TRUE(bytes) << bytes.error().text();
  const auto file = platform::MemoryFile::make(*bytes);
  ASSERT_TRUE(file);
  const auto rows = read_file_of(file->path());
  ASSERT_TRUE(rows) << rows.error().text();
  const Rows expected{{"é", "", "long enough to be elsewhere"},
                      {"1", "-2", ""},
                      {"1.50", "-0.05", ""},
                      {"461168601842738790.3", "-461168601842738790.3", "0.1"},
                      {"a", "", "b"},
                      {"TRUE", "FALSE", ""},
                      {"0.5", "", "-3"}};
  EXPECT_EQ(*rows, expected);
}

TEST_F(Parquet, ReadsEveryTypeWithNulls) {
  const auto session = duckdb::Session::open(1);
  ASSERT_TRUE(session) << session.error().text();
  const auto file = platform::MemoryFile::make({});
  ASSERT_TRUE(file);
  const Status copied = session->run(
      "COPY (SELECT * FROM (VALUES (1::TINYINT, 65535::USMALLINT, 18446744073709551615::UBIGINT, "
      "0.1::FLOAT, 0.1::DOUBLE, TRUE, DATE '2026-11-16', 12.5::DECIMAL(4,2), 'x'::ENUM('x','y'), "
      "170141183460469231731687303715884105727::HUGEINT, [1], 'text'::BLOB), (NULL, NULL, NULL, "
      "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)) t(a, b, c, d, e, f, g, h, i, j, k, "
      "l)) TO '" +
      file->path() + "' (FORMAT parquet, USE_TMP_FILE false)");
  ASSERT_TRUE(copied) << copied.error().text();
  const auto rows = read_file_of(file->path());
  ASSERT_TRUE(rows) << rows.error().text();
  ASSERT_EQ(rows->size(), 11U);  // all but the list; bytes are taken for text
  const std::vector<std::string> first{
      "1", "65535", "18446744073709551615", "0.1", "0.1", "TRUE", "2026-11-16", "12.50", "x"};
  for (std::size_t c = 0; c < first.size(); ++c)
    EXPECT_EQ((*rows)[c], (std::vector<std::string>{first[c], ""})) << c;
  EXPECT_EQ(rows->back(), (std::vector<std::string>{"text", ""}));
}

TEST_F(Parquet, ManyRowsKeepTheirOrder) {
  OutputTable table;
  table.columns = {{"n", OutputKind::kNumber, {}, {}, 0, {}}};
  for (Units i = 0; i < 300'000; ++i)
    table.columns[0].numbers.push_back(i);
  const auto bytes = write_parquet(table);
  ASSERT_TRUE(bytes) << bytes.error().text();
  const auto file = platform::MemoryFile::make(*bytes);
  ASSERT_TRUE(file);
  const auto rows = read_file_of(file->path());
  ASSERT_TRUE(rows) << rows.error().text();
  ASSERT_EQ((*rows)[0].size(), 300'000U);
  for (std::size_t i = 0; i < 300'000; ++i)
    ASSERT_EQ((*rows)[0][i], std::to_string(i));
}

TEST_F(Parquet, DamagedFilesAreErrors) {
  OutputTable table;
  table.columns = {{"code", OutputKind::kText, {"a", "b", "c"}, {}, 0, {}},
                   {"value", OutputKind::kNumber, {}, {1, 2, 3}, 1, {}}};
  const auto bytes = write_parquet(table);
  ASSERT_TRUE(bytes) << bytes.error().text();
  base::Random random(7);
  for (std::size_t size = 0; size < bytes->size(); size += 31) {
    const auto file = platform::MemoryFile::make(std::string_view(*bytes).substr(0, size));
    ASSERT_TRUE(file);
    EXPECT_FALSE(read_file_of(file->path())) << size;
  }
  for (int round = 0; round < 40; ++round) {
    std::string damaged = *bytes;
    const auto last = static_cast<std::int64_t>(damaged.size()) - 1;
    damaged[static_cast<std::size_t>(random.between(0, last))] ^= static_cast<char>(0x55);
    const auto file = platform::MemoryFile::make(damaged);
    ASSERT_TRUE(file);
    (void)read_file_of(file->path());
  }
}

}  // namespace
}  // namespace lacuna::columns
