// SPDX-License-Identifier: Apache-2.0
// Numbers beside the cells go into the result JSON and come back.
#include "data/publish/extra_columns.h"

#include <gtest/gtest.h>

#include <string>

namespace lacuna::publish {
namespace {

Table three_cells() {
  TableBuilder builder(0);
  for (const Units value : {3, 4, 7})
    EXPECT_TRUE(builder.add_cell({.value = value}));
  return std::move(builder).build().value();
}

std::string written(const std::vector<ExtraColumn>& columns, const Table& table) {
  return base::json_object([&](base::JsonWriter& json) {
    write_extra_columns(json.member("notice", "office").key("derived"), columns, table);
  });
}

std::string refused(const std::string& derived) {
  const auto read = read_extra_columns("{\"derived\":" + derived + "}", "out.json", three_cells());
  return read ? "accepted" : read.error().text();
}

TEST(ExtraColumns, ComeBackWithTheirPlaces) {
  const Table table = three_cells();
  const std::string text =
      written({{"pct", {"42.9", "", "100"}}, {"growth", {"-3", "", ""}}}, table);
  const auto read = read_extra_columns(text, "out.json", table);
  ASSERT_TRUE(read) << read.error().text();
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ((*read)[0].name, "pct");
  ASSERT_EQ((*read)[0].numbers.size(), 2U) << "a cell without a number has none";
  EXPECT_EQ((*read)[0].numbers[1].cell, CellId{2});
  EXPECT_EQ((*read)[0].numbers[1].text, "100");
  EXPECT_EQ((*read)[1].numbers[0].text, "-3");
  EXPECT_EQ((*read)[0].numbers[1].where, "out.json:derived[0].numbers[1].number");
}

TEST(ExtraColumns, OtherFilesHaveNone) {
  const Table table = three_cells();
  EXPECT_TRUE(read_extra_columns("{\"release\":[]}", "out.json", table)->empty());
  EXPECT_TRUE(read_extra_columns("0\n1\n", "list.txt", table)->empty());
  EXPECT_TRUE(read_extra_columns("\"derived\";1", "a.csv", table)->empty());
}

TEST(ExtraColumns, DamageHasItsPlace) {
  EXPECT_NE(refused("[{\"name\":\"pct\"}]").find("needs 'name' and 'numbers'"), std::string::npos);
  EXPECT_NE(refused("[{\"name\":\"pct\",\"numbers\":[{\"cell\":3,\"number\":1}]}]")
                .find("the table has no such cell"),
            std::string::npos);
  EXPECT_NE(refused("[{\"name\":\"pct\",\"numbers\":[{\"cell\":1}]}]").find("'number' is missing"),
            std::string::npos);
  EXPECT_NE(refused("7"), "accepted");
  EXPECT_NE(refused("[{\"name\":\"pct\",\"numbers\":[{\"cell\":1,\"number\":\"x\"}]}]"), "accepted");
}

}  // namespace
}  // namespace lacuna::publish
