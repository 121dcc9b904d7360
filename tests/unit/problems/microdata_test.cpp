// SPDX-License-Identifier: Apache-2.0
#include "data/problems/microdata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/base/confidential.h"
#include "data/files/file.h"
#include "lacuna/tabulate.h"
#include "support/temporary_folder.h"

namespace lacuna::problems {
namespace {

using ::testing::ElementsAre;

using Rows = std::vector<std::vector<std::string>>;

// All rows of the source, or the error as one row of one field.
Rows rows_of(Result<std::unique_ptr<RecordSource>> source,
             const std::vector<std::string>& columns) {
  if (!source)
    return {{source.error().text()}};
  RecordSource& records = **source;
  if (const Status status = records.select(columns); !status)
    return {{status.error().text()}};
  Rows rows;
  RecordBlock block;
  for (;;) {
    const auto more = records.read(block);
    if (!more)
      return {{more.error().text()}};
    if (!*more)
      return rows;
    if (const Status status = records.split(block); !status)
      return {{status.error().text()}};
    for (std::size_t r = 0; r < block.num_records; ++r) {
      const auto* first = block.fields.data() + r * columns.size();
      rows.emplace_back(first, first + columns.size());
    }
  }
}

Rows csv(const std::string& text,
         const std::vector<std::string>& columns,
         const CsvRecordsOptions& options = {}) {
  return rows_of(csv_records(files::text_byte_stream(text), "f.csv", options), columns);
}

Rows fixed(const std::string& text,
           const std::vector<std::string>& columns,
           const FixedRecordsOptions& options) {
  return rows_of(fixed_records(files::text_byte_stream(text), "f.asc", options), columns);
}

TEST(CsvRecords, SelectsColumnsInAnyOrder) {
  EXPECT_THAT(csv("a,b,c\n1,2,3\n4,5,6\n", {"c", "a"}),
              ElementsAre(ElementsAre("3", "1"), ElementsAre("6", "4")));
  EXPECT_THAT(csv("a,b\n1,2\n", {"a", "a"}), ElementsAre(ElementsAre("1", "1")));
}

TEST(CsvRecords, TakesQuotesBreaksAndMarksInBlocksOfAnySize) {
  const std::string text =
      "\xEF\xBB\xBF\"a\";b\r\n\r\n\"x;1\";\"say \"\"no\"\"\"\r\n\"two\nlines\";\r\n;last";
  for (std::size_t bytes = 1; bytes < text.size() + 2; ++bytes) {
    EXPECT_THAT(csv(text, {"a", "b"}, {.separator = ';', .block_bytes = bytes}),
                ElementsAre(ElementsAre("x;1", "say \"no\""),
                            ElementsAre("two\nlines", ""),
                            ElementsAre("", "last")))
        << bytes;
  }
}

TEST(CsvRecords, TrimsAndTakesFilesWithoutAHeaderOnDemand) {
  EXPECT_THAT(csv(" 1 , x\n", {"b"}, {.header = {"a", "b"}, .trim = true}),
              ElementsAre(ElementsAre("x")));
  EXPECT_THAT(csv(" 1 , x\n", {"b"}, {.header = {"a", "b"}}), ElementsAre(ElementsAre(" x")));
}

TEST(CsvRecords, SaysWhatIsWrongAndWhere) {
  const auto error = [](const std::string& text) { return csv(text, {"a", "b"}).at(0).at(0); };
  EXPECT_EQ(error("a,c\n1,2\n"), "f.csv:1:1: there is no column 'b'");
  EXPECT_EQ(csv("region,x\n", {"regoin"}).at(0).at(0),
            "f.csv:1:1: there is no column 'regoin'; did you mean 'region'?");
  EXPECT_EQ(error("a,b,b\n"), "f.csv:1:1: two columns have the name 'b'");
  EXPECT_EQ(error("\n\n"), "f.csv:1:1: the file has no header line");
  EXPECT_EQ(error("a,b\n1,2\n3\n"), "f.csv:3:1: the row has 1 fields, but the header has 2");
  EXPECT_EQ(error("a,b\n1,\"2\n3,4\n"), "f.csv:2:3: the quote that opens here is never closed");
  EXPECT_EQ(error("a,b\n\"1\"x,2\n"), "f.csv:2:4: expected the separator after a quoted field");
  EXPECT_EQ(error("a,b\n1,2\n1\"x,2\n"),
            "f.csv:3:2: a quote inside a field that does not begin with one");
  EXPECT_EQ(error("a,b\n1,\xFF\n"),
            "f.csv:2:3: this byte is not UTF-8 text: convert the file to UTF-8");
  EXPECT_EQ(csv("a\n", {"a"}, {.separator = '"'}).at(0).at(0),
            "separator: this character cannot separate fields");
  EXPECT_EQ(csv("a\n", {"a"}, {.block_bytes = 0}).at(0).at(0),
            "block-bytes: a block has from 1 byte to 64 MiB");
}

TEST(CsvRecords, ErrorsOfTabulationNameLineAndColumn) {
  const auto error = [](const std::string& text, int threads) {
    auto source = csv_records(files::text_byte_stream(text), "f.csv", {.block_bytes = 16});
    TabulateOptions options;
    options.dimensions = {flat_dimension("REG", "reg")};
    options.value = "x";
    RunContext run;
    run.threads = threads;
    const auto result = tabulate(**source, options, run);
    return result ? "no error" : base::in_full(result.error().text());
  };
  std::string text = "reg,name,x\n";
  for (int i = 0; i < 100; ++i)
    text += "N,\"M\xC3\xBCller\n& Co\",1\n";
  for (const int threads : {1, 2, 4}) {
    EXPECT_EQ(
        error(text + "N,\"M\xC3\xBCller\",NaN\n" + text, threads),
        "f.csv:202:12: 2 of 202 records cannot be used as they are, and this is the first of "
        "them:\n  column x: 2 records with something that is not a number ('NaN' in line 202, "
        "'x' in line 203): correct them");
    EXPECT_EQ(error(text + ",A,1\nN,B,-4\n", threads),
              "f.csv:202:1: 2 of 102 records cannot be used as they are, and this is the first of "
              "them:\n  column reg: 1 record without a code of dimension REG (line 202): missing = "
              "\"drop\" or \"code\" in its [[dimension]]\n  column x: 1 record with a value below "
              "zero (line 203): negative = true in [input]");
    EXPECT_EQ(
        error(text + ",A,1\n", threads),
        "f.csv:202:1: the record has no code of dimension REG; say whether such records are "
        "dropped or get a code of their own: missing = \"drop\" or \"code\" in its [[dimension]]");
    EXPECT_EQ(error(text + "N,A,1\nN,B,-4\n", threads),
              "f.csv:203:5: the value is negative, which must be allowed expressly: "
              "negative = true in [input]");
    EXPECT_EQ(error(text + "N,A,99999999999999999999\n", threads),
              "f.csv:202:5: the number 99999999999999999999 does not fit 63 bits with 0 decimals; "
              "use fewer decimals or a larger unit");
  }
}

TEST(FixedRecords, CutsCharactersNotBytes) {
  const FixedRecordsOptions options{.columns = {{"code", 1, 2}, {"name", 3, 3}, {"x", 6, 4}}};
  const std::string text = "A1abc  12\r\n\r\nB2\xC3\xBC\xC3\xB6z   7\n";
  EXPECT_THAT(fixed(text, {"x", "name"}, options),
              ElementsAre(ElementsAre("12", "abc"), ElementsAre("7", "\xC3\xBC\xC3\xB6z")));
  FixedRecordsOptions untrimmed = options;
  untrimmed.trim = false;
  untrimmed.block_bytes = 3;
  EXPECT_THAT(fixed(text, {"x"}, untrimmed), ElementsAre(ElementsAre("  12"), ElementsAre("   7")));
}

TEST(FixedRecords, SaysWhatIsWrongAndWhere) {
  const FixedRecordsOptions options{.columns = {{"code", 1, 2}, {"x", 3, 4}}};
  EXPECT_EQ(fixed("A1  12\nB2 7\n", {"x"}, options).at(0).at(0),
            "f.asc:2:5: the line ends before the end of column 'x' at character 6");
  EXPECT_EQ(fixed("A1\n", {"y"}, options).at(0).at(0), "f.asc: there is no column 'y'");
  EXPECT_EQ(fixed("A1\n", {"y"}, {.columns = {{"y", 0, 1}}}).at(0).at(0),
            "column y: a fixed-width column needs a name, a start from 1 and a length from 1");
}

class PackedRecords : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  const testing::UniqueFolder place_;
  const std::filesystem::path folder_ = place_.path();
};

TEST_F(PackedRecords, UnpacksGzipInSeveralMembersAndRewinds) {
  std::string text = "a\n";
  for (int i = 0; i < 100'000; ++i)
    text += std::to_string(i) + "\n";
  const std::string packed = *files::pack_gzip(text) + *files::pack_gzip("more\n");
  auto source = open_csv_records(write("f.csv.gz", packed), {});
  ASSERT_TRUE(source) << source.error().text();
  const Rows once = rows_of(std::move(source), {"a"});
  ASSERT_EQ(once.size(), 100'001U);
  EXPECT_EQ(once.back().at(0), "more");

  auto again = open_csv_records((folder_ / "f.csv.gz").string(), {});
  const std::vector<std::string> columns{"a"};
  RecordBlock block;
  for (int pass = 0; pass < 2; ++pass) {
    ASSERT_TRUE((*again)->select(columns));
    ASSERT_TRUE(*(*again)->read(block));
    ASSERT_TRUE((*again)->split(block));
    EXPECT_EQ(block.fields.at(1), "1");
  }
}

TEST_F(PackedRecords, SaysWhatIsWrongWithAFile) {
  const auto error = [](const std::string& path) {
    return rows_of(open_csv_records(path, {}), {"a"}).at(0).at(0);
  };
  const std::string packed = *files::pack_gzip("a\n1\n2\n");
  EXPECT_EQ(error(write("empty.csv", "")),
            (folder_ / "empty.csv").string() + ": the file is empty");
  EXPECT_EQ(error((folder_ / "none.csv").string()),
            (folder_ / "none.csv").string() + ": the file does not exist");
  EXPECT_EQ(error(folder_.string()), folder_.string() + ": this is a directory, not a file");
  EXPECT_EQ(error(write("cut.gz", packed.substr(0, packed.size() - 6))),
            (folder_ / "cut.gz").string() + ": the gzip data ends before it is complete");
  EXPECT_EQ(error(write("bad.gz", packed.substr(0, 10) + std::string(20, '\xFF'))),
            (folder_ / "bad.gz").string() + ": the gzip data is damaged");
  const std::string xz_magic(
      "\xFD"
      "7zXZ\0",
      6);
  EXPECT_EQ(error(write("cut.xz", xz_magic)),
            (folder_ / "cut.xz").string() + ": the xz data ends before it is complete");
  EXPECT_EQ(error(write("bad.xz", xz_magic + std::string(40, 'x'))),
            (folder_ / "bad.xz").string() + ": the xz data is damaged");
}

}  // namespace
}  // namespace lacuna::problems
