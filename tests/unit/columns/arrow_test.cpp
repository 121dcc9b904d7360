// SPDX-License-Identifier: Apache-2.0
// Arrow files of other writers and of our own, whole and damaged. The files in data/ were written
// by pyarrow 26 and (polars.arrow) polars 2.1.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

#include "core/base/random.h"
#include "data/columns/arrow_reader.h"
#include "data/columns/output_table.h"

namespace lacuna::columns {
namespace {

class TextInput : public ByteInput {
 public:
  explicit TextInput(std::string text) : text_(std::move(text)) {}
  std::uint64_t size() const override { return text_.size(); }
  Status read(std::uint64_t offset, char* target, std::size_t size) override {
    EXPECT_LE(offset + size, text_.size());
    text_.copy(target, size, offset);
    return ok_status();
  }

 private:
  std::string text_;
};

using Columns = std::map<std::string, std::vector<std::string>>;

std::string bytes_of(const std::string& name) {
  std::ifstream file(std::string(LACUNA_SOURCE_DIR) + "/tests/unit/columns/data/" + name,
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// All columns that can be read, the others as "(what they hold)".
Result<Columns> read_all(std::string bytes) {
  LACUNA_TRY(const auto source, open_arrow(std::make_unique<TextInput>(std::move(bytes))));
  Columns columns;
  std::vector<std::size_t> selected;
  for (std::size_t i = 0; i < source->columns().size(); ++i) {
    const ColumnInfo& column = source->columns()[i];
    columns[column.name] = {};
    if (column.unreadable.empty())
      selected.push_back(i);
    else
      columns[column.name] = {"(" + column.unreadable + ")"};
  }
  LACUNA_RETURN_IF_ERROR(source->select(selected));
  std::size_t total = 0;
  for (;;) {
    LACUNA_TRY(const auto batch, source->next());
    if (!batch)
      return columns;
    total += batch->num_rows();
    if (total > 10'000)  // a damaged file may claim any number of rows without values
      return Error{ErrorCode::kDamaged, "too many rows", ""};
    TextArena arena;
    std::vector<std::string_view> texts(batch->num_rows());
    for (std::size_t c = 0; c < selected.size(); ++c) {
      if (const auto trouble = batch->texts(c, {0, texts.size()}, arena, texts.data(), 1))
        return Error{ErrorCode::kDamaged, trouble->message, ""};
      auto& column = columns[source->columns()[selected[c]].name];
      column.insert(column.end(), texts.begin(), texts.end());
    }
  }
}

std::string error_of(const std::string& bytes) {
  const auto columns = read_all(bytes);
  return columns ? "no error" : columns.error().message;
}

const Columns kTypes{
    {"i8", {"-128", "", "127"}},
    {"u8", {"0", "255", ""}},
    {"i16", {"-32768", "1", ""}},
    {"u16", {"65535", "", "1"}},
    {"i32", {"-2147483648", "", "2147483647"}},
    {"u32", {"4294967295", "0", ""}},
    {"i64", {"-9223372036854775808", "", "9223372036854775807"}},
    {"u64", {"18446744073709551615", "0", ""}},
    {"f32", {"0.1", "", "16777216"}},
    {"f64", {"0.1", "NaN", "10000000000000000000000"}},
    {"bool", {"TRUE", "FALSE", ""}},
    {"list", {"(holds lists or records)"}},
    {"struct", {"(holds lists or records)"}},
    {"d128", {"12.50", "", "-0.05"}},
    {"dlong", {"12345678901234567890123456.789", "-0.001", ""}},
    {"d64", {"1.5", "", "-1.5"}},
    {"text", {"a", "", ""}},
    {"large", {"é", "", "ß x"}},
    {"view", {"short", "", "a text of more than twelve bytes"}},
    {"dict", {"x", "y", ""}},
    {"idict", {"10", "20", "10"}},
    {"null", {"", "", ""}},
    {"date", {"2026-11-16", "", "1969-12-31"}},
    {"time", {"(holds times)"}},
};

TEST(Arrow, ReadsEveryTypeWithNulls) {
  for (const char* name : {"types.arrow", "types_lz4.feather", "types_zstd.arrows"}) {
    const auto columns = read_all(bytes_of(name));
    if (!columns && columns.error().kind() == ErrorKind::kUnsupported)
      continue;  // Zstandard, on a machine without it
    ASSERT_TRUE(columns) << name << ": " << columns.error().text();
    EXPECT_EQ(*columns, kTypes) << name;
  }
}

TEST(Arrow, ReadsDictionariesThatGrowAndAreReplaced) {
  const auto columns = read_all(bytes_of("deltas.arrows"));
  ASSERT_TRUE(columns) << columns.error().text();
  EXPECT_EQ(columns->at("code"), (std::vector<std::string>{"b", "a", "c", "b", "z"}));
}

TEST(Arrow, ReadsViewsAndCategoriesOfPolars) {
  const auto columns = read_all(bytes_of("polars.arrow"));
  ASSERT_TRUE(columns) << columns.error().text();
  EXPECT_EQ(columns->at("text"),
            (std::vector<std::string>{"short", "a text of more than twelve bytes", ""}));
  EXPECT_EQ(columns->at("code"), (std::vector<std::string>{"x", "y", "x"}));
}

TEST(Arrow, NamesWhatIsWrong) {
  EXPECT_EQ(error_of(""), "this is not an Arrow file: it is too short");
  EXPECT_EQ(error_of("region;value\nNorth;5\n"),
            "this is not an Arrow file, or it is damaged: its metadata would be too long");
  EXPECT_EQ(error_of("FEA1and so on"),
            "this is a Feather file of version 1, which is not read: write it as version 2");
  const std::string file = bytes_of("types.arrow");
  EXPECT_EQ(error_of(file.substr(0, file.size() - 1)),
            "the Arrow data end before they are complete: the file was cut off");
  const std::string stream = bytes_of("deltas.arrows");
  EXPECT_EQ(error_of(stream.substr(0, stream.size() - 8)),
            "the Arrow data end before they are complete: the file was cut off");
}

// Every truncation is noticed, and no change of bytes does more than give other text or an error.
TEST(Arrow, SurvivesDamage) {
  base::Random random(31);
  for (const char* name :
       {"types.arrow", "types_lz4.feather", "types_zstd.arrows", "deltas.arrows", "polars.arrow"}) {
    const std::string whole = bytes_of(name);
    ASSERT_FALSE(whole.empty()) << name;
    for (std::size_t size = 0; size < whole.size(); size += 7)
      EXPECT_NE(error_of(whole.substr(0, size)), "no error") << name << " cut at " << size;
    const auto last = static_cast<std::int64_t>(whole.size()) - 1;
    for (int round = 0; round < 1500; ++round) {
      std::string damaged = whole;
      for (std::int64_t n = random.between(1, 4); n > 0; --n) {
        const auto at = static_cast<std::size_t>(random.between(0, last));
        damaged[at] = static_cast<char>(random.between(-128, 127));
      }
      (void)error_of(damaged);
    }
  }
}

OutputTable sample() {
  OutputTable table;
  table.columns = {{"code", OutputKind::kText, {"é", "", "long enough for no view"}, {}, 0, {}},
                   {"whole", OutputKind::kNumber, {}, {1, -2, 0}, 0, {false, false, true}},
                   {"value", OutputKind::kNumber, {}, {150, -5, 0}, 2, {false, false, true}},
                   {"wide", OutputKind::kNumber, {}, {kMaxUnits, -kMaxUnits, 1}, 1, {}},
                   {"note", OutputKind::kText, {"a", "x", "b"}, {}, 0, {false, true, false}},
                   {"truth", OutputKind::kTruth, {}, {1, 0, 1}, 0, {false, false, true}},
                   {"real", OutputKind::kReal, {}, {}, 0, {false, true, false}, {0.5, 2, -3}}};
  table.key_values = {{"lacuna.decimals", "2"}, {"quote", "it's"}};
  return table;
}

TEST(Arrow, WritesWhatItReads) {
  const auto bytes = write_arrow(sample());
  ASSERT_TRUE(bytes) << bytes.error().text();
  const auto columns = read_all(*bytes);
  ASSERT_TRUE(columns) << columns.error().text();
  const Columns expected{{"code", {"é", "", "long enough for no view"}},
                         {"whole", {"1", "-2", ""}},
                         {"value", {"1.50", "-0.05", ""}},
                         {"wide", {"461168601842738790.3", "-461168601842738790.3", "0.1"}},
                         {"note", {"a", "", "b"}},
                         {"truth", {"TRUE", "FALSE", ""}},
                         {"real", {"0.5", "", "-3"}}};
  EXPECT_EQ(*columns, expected);
}

TEST(Arrow, WritesTablesOfManyBatchesAndOfNone) {
  OutputTable table;
  table.columns = {{"n", OutputKind::kNumber, {}, {}, 0, {}}};
  const auto none = write_arrow(table);
  ASSERT_TRUE(none);
  const auto empty = read_all(*none);
  ASSERT_TRUE(empty) << empty.error().text();
  EXPECT_TRUE(empty->at("n").empty());

  constexpr std::size_t kRows = (std::size_t{1} << 20U) + 3;
  for (std::size_t i = 0; i < kRows; ++i)
    table.columns[0].numbers.push_back(static_cast<Units>(i));
  const auto bytes = write_arrow(table);
  ASSERT_TRUE(bytes);
  const auto source = open_arrow(std::make_unique<TextInput>(*bytes));
  ASSERT_TRUE(source) << source.error().text();
  const std::size_t only = 0;
  ASSERT_TRUE((*source)->select({&only, 1}));
  std::size_t rows = 0;
  for (;;) {
    const auto batch = (*source)->next();
    ASSERT_TRUE(batch) << batch.error().text();
    if (!*batch)
      break;
    TextArena arena;
    std::string_view last;
    ASSERT_FALSE((*batch)->texts(0, {(*batch)->num_rows() - 1, 1}, arena, &last, 1));
    rows += (*batch)->num_rows();
    EXPECT_EQ(last, std::to_string(rows - 1));
  }
  EXPECT_EQ(rows, kRows);
}

}  // namespace
}  // namespace lacuna::columns
