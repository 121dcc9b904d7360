// SPDX-License-Identifier: Apache-2.0
#include "data/formats/json_stat.h"

#include <gtest/gtest.h>

#include "support/grid_text.h"

namespace lacuna::formats {
namespace {

using testing::grid_text;
using testing::joined;
using testing::signs_text;
using testing::trees_text;

std::vector<Grid> all_of(std::string_view text) {
  const auto grids = read_json_stat(text, "a.json");
  EXPECT_TRUE(grids) << grids.error().text();
  return grids ? *grids : std::vector<Grid>(1);
}
Grid read(std::string_view text) {
  return all_of(text).front();
}
std::string error_of(std::string_view text) {
  const auto grids = read_json_stat(text, "a.json");
  return grids ? "no error" : grids.error().text();
}

constexpr std::string_view kSet =
    R"({"version":"2.0","class":"dataset","label":"Sales","source":"Office",
 "note":["Read this."],"id":["geo","what","year"],"size":[3,1,2],"role":{"time":["year"],"metric":["what"]},
 "dimension":{
  "geo":{"category":{"index":["T","a","b"],"label":{"T":"All","a":"A"},"child":{"T":["a","b"]}}},
  "what":{"category":{"label":{"v":"value"},"unit":{"v":{"base":"EUR","decimals":1}}}},
  "year":{"category":{"index":{"2020":1,"2019":0}}}},
 "value":[6,8.50,2,4e0,null,null],"status":{"1":"p","4":"c","5":".."}})";

TEST(JsonStat, ARowPerCellWithLabelsTreesAndStatuses) {
  const Grid grid = read(kSet);
  EXPECT_EQ(grid_text(grid),
            "geo:d|geo label:l|what:m|what label:l|year:t|value:v|CONF_STATUS:c|status:o\n"
            "T|All|v|value|2019|6||\nT|All|v|value|2020|8.50||p\na|A|v|value|2019|2||\na|A|v|value|"
            "2020|4||\n"
            "b|b|v|value|2019||c|\nb|b|v|value|2020|..||");
  EXPECT_EQ(trees_text(grid), "geo: T = a b\n");
  EXPECT_EQ(signs_text(grid), ".. absent\n");
  EXPECT_EQ(grid.unit, "EUR");
  EXPECT_EQ(grid.decimals, 1);
  EXPECT_EQ(joined(grid.titles), "Sales\n");
  EXPECT_EQ(joined(grid.footnotes), "Source: Office\nRead this.\n");
  EXPECT_EQ(
      joined(grid.notes),
      "the status 'c' is not explained by the file and was read as Eurostat's: confidential\n");
}

TEST(JsonStat, StatusesThatTheFileExplains) {
  const Grid grid = read(
      R"({"class":"dataset","id":["g"],"size":[3],"dimension":{"g":{"category":{"index":["x","y","z"]}}},
      "value":{"0":1},"status":{"1":"hid","2":":"},
      "extension":{"status":{"label":{"hid":"withheld for confidentiality",":":"not available"}}}})");
  EXPECT_EQ(grid_text(grid), "g:d|value:v|CONF_STATUS:c\nx|1|\ny||hid\nz|:|");
  EXPECT_EQ(signs_text(grid), ": absent (not available)\n");
  EXPECT_TRUE(grid.notes.empty());
}

TEST(JsonStat, OneStatusForAllAndOnlyTheCellsThatAreThere) {
  EXPECT_EQ(grid_text(read(R"({"class":"dataset","id":["g"],"size":[3],"status":"e",
      "dimension":{"g":{"category":{"index":["x","y","z"]}}},"value":{"2":5,"0":1}})")),
            "g:d|value:v|status:o\nx|1|e\nz|5|e");
}

TEST(JsonStat, CollectionsAndBundles) {
  const std::string set = R"({"class":"dataset","label":"one","id":["g"],"size":[1],
      "dimension":{"g":{"category":{"index":["x"]}}},"value":[1]})";
  EXPECT_EQ(
      all_of("{\"class\":\"collection\",\"link\":{\"item\":[" + set + "," + set + "]}}").size(),
      2U);
  const Grid old =
      read(R"({"oecd":{"label":"two","dimension":{"id":["g"],"size":[1],"role":{"time":["g"]},
      "g":{"category":{"index":{"x":0}}}},"value":[7]}})");
  EXPECT_EQ(grid_text(old), "g:t|value:v\nx|7");
  EXPECT_EQ(old.name, "two");
  EXPECT_EQ(error_of(R"({"class":"collection","link":{"item":[{"class":"dataset","href":"x"}]}})"),
            "a.json: the collection names datasets that are in other files: read those");
}

TEST(JsonStat, TheFrequencyIsLeftOutAndSoAreIncompleteParents) {
  const Grid grid = read(R"({"class":"dataset","id":["freq","g"],"size":[1,2],"dimension":{
      "freq":{"category":{"index":["A"]}},
      "g":{"category":{"index":["x","y"],"child":{"x":["y","z"]}}}},"value":[1,2]})");
  EXPECT_EQ(grid_text(grid), "g:d|value:v\nx|1\ny|2");
  EXPECT_TRUE(grid.trees.empty());
  EXPECT_EQ(
      joined(grid.notes),
      "'child' of 'g' has 1 parents with categories that are not in the file: they are left out "
      "as totals\ncolumn 'freq' is the frequency ('A' in all rows) and was left out\n");
}

std::string with(std::string_view part, std::string_view other) {
  std::string text(kSet);
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

TEST(JsonStat, ErrorsNameThePlace) {
  EXPECT_EQ(error_of(with("[6,8.50,", "[8.50,")),
            "a.json:value: the list has 5 items, but the sizes give 6");
  EXPECT_EQ(error_of(with("\"5\":\"..\"", "\"6\":\"..\"")),
            "a.json:status.6: there is no cell '6': the sizes give 6");
  EXPECT_EQ(error_of(with("[3,1,2]", "[3,1,3]")),
            "a.json:size[2]: the dimension 'year' has 2 categories, not 3");
  EXPECT_EQ(error_of(with("[3,1,2]", "[3,1]")), "a.json: 'id' has 3 names and 'size' 2 numbers");
  EXPECT_EQ(
      error_of(with("{\"2020\":1,", "{\"2020\":0,")),
      "a.json:dimension.year.category.index.2019: the positions of the categories must be 0, 1, 2 "
      "and so on");
  EXPECT_EQ(error_of(with("[\"T\",\"a\",\"b\"]", "[\"T\",\"a\",\"a\"]")),
            "a.json:dimension.geo.category: the category 'a' occurs twice");
  EXPECT_EQ(error_of(with("\"geo\":{", "\"gee\":{")),
            "a.json: the dimension 'geo' is not described");
  EXPECT_EQ(error_of(with("8.50", "true")), "a.json:value[1]: a number is expected here");
  EXPECT_EQ(error_of(with("[6,8.50,2,4e0,null,null]", "5")),
            "a.json:value: 'value' must be a list or an object");
  EXPECT_EQ(error_of("{}"),
            "a.json: there is no dataset of JSON-stat with 'dimension' and 'value'");
  EXPECT_EQ(error_of("{\n\"a\" 1}").substr(0, 27), "a.json:2:5: not valid JSON:");
}

TEST(JsonStat, IsKnownByItsMembers) {
  EXPECT_TRUE(is_json_stat(kSet));
  EXPECT_TRUE(is_json_stat("{\"class\":\"collection\"}"));
  EXPECT_FALSE(is_json_stat("{\"cells\":[]}"));
  EXPECT_FALSE(is_json_stat("class"));
}

}  // namespace
}  // namespace lacuna::formats
