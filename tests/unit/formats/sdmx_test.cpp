// SPDX-License-Identifier: Apache-2.0
// SDMX-CSV and SDMX-JSON.
#include <gtest/gtest.h>

#include "data/files/file.h"
#include "data/formats/sdmx_csv.h"
#include "data/formats/sdmx_json.h"
#include "data/formats/sdmx_names.h"
#include "support/grid_text.h"
#include "support/test_data.h"

namespace lacuna::formats {
namespace {

using testing::grid_text;
using testing::joined;
using testing::signs_text;
using testing::trees_text;

std::vector<Grid> all_of(const Result<std::vector<Grid>>& grids) {
  EXPECT_TRUE(grids) << grids.error().text();
  return grids ? *grids : std::vector<Grid>(1);
}
Grid csv(std::string_view text) {
  return all_of(read_sdmx_csv(text, "a.csv")).front();
}
std::string csv_error(std::string_view text) {
  const auto grids = read_sdmx_csv(text, "a.csv");
  return grids ? "no error" : grids.error().text();
}
Grid json(std::string_view text) {
  return all_of(read_sdmx_json(text, "a.json")).front();
}
std::string json_error(std::string_view text) {
  const auto grids = read_sdmx_json(text, "a.json");
  return grids ? "no error" : grids.error().text();
}

TEST(SdmxCsv, VersionOneWithAConstantFrequency) {
  const Grid grid =
      csv("DATAFLOW,FREQ,GEO,TIME_PERIOD,OBS_VALUE,OBS_STATUS\nE:F(1.0),A,AT,2019,11144380,A\n"
          "E:F(1.0),A,AT1,2019,3.50E2,P\nE:F(1.0),A,AT2,2019,NaN,\n");
  EXPECT_EQ(grid_text(grid),
            "GEO:d|TIME_PERIOD:t|OBS_VALUE:v|OBS_STATUS:o\nAT|2019|11144380|A\nAT1|2019|350|P\n"
            "AT2|2019|NaN|");
  EXPECT_EQ(grid.name, "E:F(1.0)");
  EXPECT_EQ(joined(grid.notes),
            "column 'FREQ' is the frequency ('A' in all rows) and was left out\n");
  EXPECT_EQ(signs_text(grid), "NaN absent (missing value of SDMX)\n");
}

TEST(SdmxCsv, AFrequencyThatVariesIsADimension) {
  EXPECT_EQ(grid_text(csv("DATAFLOW,FREQ,OBS_VALUE\nF,A,1\nF,M,2\n")),
            "FREQ:d|OBS_VALUE:v\nA|1\nM|2");
}

TEST(SdmxCsv, VersionTwoWithStatusesScaleAndUnit) {
  const Grid grid =
      csv("STRUCTURE,STRUCTURE_ID,ACTION,GEO,OBS_VALUE,OBS_STATUS,CONF_STATUS,UNIT_MULT,DECIMALS,"
          "UNIT_MEASURE,TITLE,COMMENT\ndataflow,A:B(1.0),I,T,3.5,A,F,3,1,EUR,Turnover,\n"
          "dataflow,A:B(1.0),I,a,,Q,C,3,1,EUR,Turnover,\n");
  EXPECT_EQ(grid_text(grid),
            "GEO:d|OBS_VALUE:v|OBS_STATUS:o|CONF_STATUS:c|UNIT_MULT:n|DECIMALS:n|UNIT_MEASURE:n|"
            "TITLE:n\nT|3.5|A|F|3|1|EUR|Turnover\na||Q|C|3|1|EUR|Turnover");
  EXPECT_EQ(grid.power_of_ten, 3);
  EXPECT_EQ(grid.decimals, 1);
  EXPECT_EQ(grid.unit, "EUR");
  EXPECT_EQ(joined(grid.titles), "Turnover\n");
  EXPECT_EQ(joined(grid.notes),
            "UNIT_MULT is 3: the values are in units of 10^3 and stand as the file has them\n");
}

TEST(SdmxCsv, ScalesThatDifferAreSaidAndNothingIsRescaled) {
  const Grid grid = csv("DATAFLOW,GEO,OBS_VALUE,UNIT_MULT\nF,a,1,0\nF,b,2,3\n");
  EXPECT_EQ(grid.power_of_ten, 0);
  EXPECT_EQ(joined(grid.notes),
            "UNIT_MULT differs between rows: their values are in different units, and no row was "
            "rescaled\n");
}

TEST(SdmxCsv, LabelsOfBothKinds) {
  const std::string both =
      "STRUCTURE[|];STRUCTURE_ID;ACTION;SERIES_KEY;D: Dim;TIME_PERIOD: Time;OBS_VALUE: Value;A: "
      "Attr\n"
      "dataflow;E:F(1): Accounts;M;x;a: The: a;2014: 2014;12,4;Y: Oui\n";
  const Grid grid = csv(both);
  EXPECT_EQ(grid_text(grid),
            "D:d|D label:l|TIME_PERIOD:t|OBS_VALUE:v|A:n|A label:l\na|The: a|2014|12.4|Y|Oui");
  EXPECT_EQ(joined(grid.titles), "Accounts\n");
  const Grid named =
      csv("STRUCTURE,STRUCTURE_ID,STRUCTURE_NAME,ACTION,D,Dim,OBS_VALUE,Value,A,Attr\n"
          "dataflow,E:F(1),Accounts,M,a,The a,12.4,,Y,Yes\n");
  EXPECT_EQ(grid_text(named), "D:d|D label:l|OBS_VALUE:v|A:n|A label:l\na|The a|12.4|Y|Yes");
}

TEST(SdmxCsv, AttributesAreKnownByNameWhereverTheyStand) {
  EXPECT_EQ(grid_text(csv("DATAFLOW,OBS_STATUS,GEO,DECIMALS,OBS_VALUE,EXTRA\nF,A,a,0,1,x\n")),
            "OBS_STATUS:o|GEO:d|DECIMALS:n|OBS_VALUE:v|EXTRA:n\nA|a|0|1|x");
  // Nothing but attributes and time before the value: what stands behind it may be anything.
  EXPECT_EQ(grid_text(csv("STRUCTURE,STRUCTURE_ID,OBS_VALUE,OBS_STATUS,GEO\ndataflow,F,1,A,a\n")),
            "OBS_VALUE:v|OBS_STATUS:o|GEO:?\n1|A|a");
}

TEST(SdmxCsv, FlagsOfEurostatAreTakenApart) {
  EXPECT_EQ(grid_text(csv("DATAFLOW,geo,OBS_VALUE,OBS_FLAG\nF,a,1,be\nF,b,,c\n")),
            "geo:d|OBS_VALUE:v|OBS_FLAG:o|CONF_STATUS:c\na|1|be|\nb|||c");
  EXPECT_EQ(grid_text(csv("DATAFLOW,geo,OBS_VALUE,OBS_FLAG,CONF_STATUS\nF,a,1,b,\nF,b,,,C\n")),
            "geo:d|OBS_VALUE:v|OBS_FLAG:o|CONF_STATUS:c\na|1|b|\nb|||C");
}

TEST(SdmxCsv, ATablePerStructureAndNoRowsOfDeletions) {
  const auto grids = all_of(read_sdmx_csv(
      "STRUCTURE,STRUCTURE_ID,ACTION,A,B,OBS_VALUE,X\ndataflow,F,I,a,,1,\ndataflow,G,I,,b,2,\n"
      "dataflow,F,D,a2,,,\ndataflow,F,M,~,,,note\n",
      "a.csv"));
  ASSERT_EQ(grids.size(), 2U);
  EXPECT_EQ(grid_text(grids[0]), "A:d|OBS_VALUE:v\na|1");
  EXPECT_EQ(joined(grids[0].notes),
            "1 rows of action D (delete) were left out\n1 rows without a code in every dimension, "
            "which are of attributes alone, were left out\n");
  EXPECT_EQ(grid_text(grids[1]), "B:d|OBS_VALUE:v\nb|2");
}

TEST(SdmxCsv, ErrorsNameThePlace) {
  EXPECT_EQ(
      csv_error("a,b\n1,2\n"),
      "a.csv:1:1: this is not SDMX-CSV: the first column is named neither DATAFLOW nor STRUCTURE");
  EXPECT_EQ(csv_error("DATAFLOW,GEO,OBS_VALUE\n"), "a.csv: the file has no observation");
  EXPECT_EQ(csv_error("DATAFLOW,GEO,GEO,OBS_VALUE\nF,a,b,1\n"),
            "a.csv:1:1: the column 'GEO' occurs twice");
  EXPECT_EQ(csv_error("DATAFLOW,GEO,OBS_VALUE\nF,a\n"),
            "a.csv:2:1: the row has 2 fields, but the header has 3");
}

TEST(SdmxCsv, IsKnownByItsHeader) {
  EXPECT_TRUE(is_sdmx_csv("DATAFLOW,FREQ,OBS_VALUE\n"));
  EXPECT_TRUE(is_sdmx_csv("STRUCTURE[;],STRUCTURE_ID,ACTION\n"));
  EXPECT_TRUE(is_sdmx_csv("\"DATAFLOW\",\"LAST UPDATE\",\"TIME_PERIOD\"\n"));
  EXPECT_FALSE(is_sdmx_csv("DATAFLOW,a,b\n"));
  EXPECT_FALSE(is_sdmx_csv("STRUCTURE,b\n"));
  EXPECT_FALSE(is_sdmx_csv("STRUCTURES,STRUCTURE_ID\n"));
  EXPECT_FALSE(is_sdmx_csv(""));
}

TEST(SdmxCsv, TheFileOfTheSecondDay) {
  LACUNA_NEEDS_SHARED("instances/day2/sdmx_AT.csv");
  const Grid grid =
      csv(files::read_file(testing::shared_data("instances/day2/sdmx_AT.csv").string()).value());
  EXPECT_EQ(grid.rows.size(), 195U);
  ASSERT_EQ(grid.columns.size(), 6U);
  EXPECT_EQ(grid.columns[5].role, ColumnRole::kObservationStatus);
}

constexpr std::string_view kFlat = R"({"meta":{"schema":"x"},"data":{"structures":[{"name":"Flow",
 "dimensions":{"dataSet":[{"id":"FREQ","keyPosition":0,"values":[{"id":"A","name":"Annual"}]}],
  "series":[],"observation":[
   {"id":"TIME_PERIOD","keyPosition":2,"roles":["TIME_PERIOD"],"values":[{"id":"2019"}]},
   {"id":"GEO","keyPosition":1,"values":[{"id":"T","name":"All"},{"id":"a","name":"A","parent":"T"},
    {"id":"b","name":"B","parent":"T"}]}]},
 "measures":{"observation":[{"id":"OBS_VALUE"}]},
 "attributes":{"dataSet":[{"id":"UNIT_MULT","values":[{"id":"6"}]}],"dimensionGroup":[{"id":"NOTE"}],
  "series":[],"observation":[{"id":"OBS_STATUS","values":[{"id":"A"},{"id":"Q"}]},
   {"id":"CONF_STATUS","values":[{"id":"F"},{"id":"C"}]}]}}],
 "dataSets":[{"structure":0,"action":"Merge","attributes":[0],
  "dimensionGroupAttributes":{":1:":["see there"]},
  "observations":{"0:0":[30,0,0],"0:1":[10.50,0,0],"0:2":[null,1,1]}}]}})";

TEST(SdmxJson, FlatObservationsWithAttributesOfAllLevels) {
  const Grid grid = json(kFlat);
  EXPECT_EQ(
      grid_text(grid),
      "GEO:d|GEO label:l|TIME_PERIOD:t|OBS_VALUE:v|UNIT_MULT:n|NOTE:n|OBS_STATUS:o|CONF_STATUS:c\n"
      "T|All|2019|30|6||A|F\na|A|2019|10.50|6|see there|A|F\nb|B|2019||6||Q|C");
  EXPECT_EQ(trees_text(grid), "GEO: T = a b\n");
  EXPECT_EQ(grid.power_of_ten, 6);
  EXPECT_EQ(grid.name, "Flow");
}

TEST(SdmxJson, SeriesOfVersionOne) {
  const Grid grid = json(R"({"header":{},"structure":{"dimensions":{"dataSet":[],"series":[
   {"id":"GEO","values":[{"id":"a","name":"a"},{"id":"b","name":"b"}]}],
   "observation":[{"id":"TIME_PERIOD","role":"time","values":[{"id":"1"},{"id":"2"}]}]},
   "attributes":{"dataSet":[],"series":[{"id":"TITLE","values":[{"name":"x"},{"name":"y"}]}],
   "observation":[{"id":"OBS_STATUS","values":[{"id":"A"}]}]}},
   "dataSets":[{"series":{"0":{"attributes":[0],"observations":{"0":[1.5,0],"1":["NaN"]}},
   "1":{"attributes":[1],"observations":{"1":[2E2,null]}}}}]})");
  EXPECT_EQ(
      grid_text(grid),
      "GEO:d|TIME_PERIOD:t|OBS_VALUE:v|TITLE:n|OBS_STATUS:o\na|1|1.5|x|A\na|2|NaN|x|\nb|2|200|y|");
  EXPECT_EQ(signs_text(grid), "NaN absent (missing value of SDMX)\n");
}

// Outside all series, with a key that leaves the dimensions of the series open.
TEST(SdmxJson, AnObservationHasAllItsDimensions) {
  for (const char* values : {"[]", "[{\"id\":\"a\"}]"}) {
    const std::string text =
        std::string(R"({"header":{},"structure":{"dimensions":{"dataSet":[],"series":[
   {"id":"GEO","values":)") +
        values + R"(}],
   "observation":[{"id":"TIME_PERIOD","role":"time","values":[{"id":"1"}]}]}},
   "dataSets":[{"observations":{"0":[1.5]}}]})";
    EXPECT_EQ(json_error(text),
              "a.json:dataSets[0].observations.0: the key '0' gives no value of the dimension "
              "'GEO'");
  }
}

std::string with(std::string_view part, std::string_view other) {
  std::string text(kFlat);
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

TEST(SdmxJson, ErrorsNameThePlace) {
  EXPECT_EQ(json_error(with("\"0:2\":", "\"0:3\":")),
            "a.json:data.dataSets[0].observations.0:3: the key '0:3' has a number that belongs to "
            "no value of 'GEO'");
  EXPECT_EQ(json_error(with("\"0:2\":", "\"2\":")),
            "a.json:data.dataSets[0].observations.2: the key '2' must have a number for each "
            "dimension of its level (2) with ':' between them");
  EXPECT_EQ(json_error(with("10.50,0,0", "10.50,7,0")),
            "a.json:data.dataSets[0].observations.0:1[1]: there is no value 7 of 'OBS_STATUS'");
  EXPECT_EQ(json_error(with("10.50,0,0", "\"ten\",0,0")),
            "a.json:data.dataSets[0].observations.0:1[0]: 'ten' is not a number");
  EXPECT_EQ(json_error(with("\"structure\":0", "\"structure\":1")),
            "a.json:data.dataSets[0].structure: there is no structure 1");
  EXPECT_EQ(
      json_error(with("\":1:\"", "\"0:1:0:0\"")),
      "a.json:data.dataSets[0].dimensionGroupAttributes.0:1:0:0: the key '0:1:0:0' must have 3 "
      "places with ':' between them");
  EXPECT_EQ(json_error(with("\"id\":\"GEO\"", "\"id\":\"FREQ\"")),
            "a.json:data.structures[0]: the component 'FREQ' occurs twice");
  EXPECT_EQ(json_error(with("\"action\":\"Merge\"", "\"action\":\"Delete\"")),
            "a.json: all data sets are of action Delete: none has figures");
  EXPECT_EQ(
      json_error("{}"),
      "a.json: this is not a data message of SDMX-JSON: 'structures' and 'dataSets' must be there");
  EXPECT_EQ(json_error("{\n  ]").substr(0, 27), "a.json:2:3: not valid JSON:");
}

TEST(SdmxJson, IsKnownByItsMembers) {
  EXPECT_TRUE(is_sdmx_json(kFlat));
  EXPECT_FALSE(is_sdmx_json("{\"class\":\"dataset\",\"size\":[1]}"));
  EXPECT_FALSE(is_sdmx_json("STRUCTURE"));
}

TEST(SdmxNames, FlagsOfOldAndNewFiles) {
  const auto split = [](std::string_view text) {
    const SplitFlags flags = split_flags(text);
    return flags.observation + "|" + flags.confidentiality;
  };
  EXPECT_EQ(split("be"), "be|");
  EXPECT_EQ(split("bc"), "b|c");
  EXPECT_EQ(split("@C"), "|C");
  EXPECT_EQ(split("p@N"), "p|N");
  EXPECT_EQ(split(""), "|");
}

}  // namespace
}  // namespace lacuna::formats
