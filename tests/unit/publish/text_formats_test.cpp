// SPDX-License-Identifier: Apache-2.0
// JSON-stat, SDMX-JSON and the titles of PX, byte by byte. That they are read back is tested by
// property.formats_back.
#include <gtest/gtest.h>

#include "data/publish/json_stat.h"
#include "data/publish/px.h"
#include "data/publish/sdmx_json.h"
#include "lacuna/audit.h"

namespace lacuna::publish {
namespace {

// T = a + b of r; of the cross with c, if there is one, the cell b|y is not there.
AuditedRelease release_of(bool crossed) {
  std::vector<Dimension> dimensions{Dimension::build("r", {"T", "a", "b"}, {{0, {1, 2}}}).value()};
  if (crossed)
    dimensions.push_back(Dimension::build("c d", {"x"}, {}).value());
  TableBuilder builder(1, dimensions);
  Draft draft;
  for (std::int32_t code = 0; code < (crossed ? 2 : 3); ++code) {
    Cell cell;
    cell.value = code == 0 ? 305 : 100;
    std::vector<std::int32_t> codes{code};
    if (crossed)
      codes.push_back(0);
    static_cast<void>(builder.add_cell(cell, codes).value());
  }
  draft.withhold(CellId{1});
  auto problem = std::make_shared<const Problem>(
      make_problem(std::move(builder).build().value(), {outsider()}, {}).value());
  return Auditor(problem).release(draft, {}, {}).value();
}

std::string written(const AuditedRelease& release,
                    const files::OutputOptions& options,
                    Result<std::string> (*write)(const PublicRelease&)) {
  const auto text =
      write({release, {files::whole_view(release.problem().table(), "t")}, options, {}});
  return text ? *text : text.error().text();
}

TEST(JsonStatWriter, AListOfValuesWithStatusesAndSums) {
  EXPECT_EQ(written(release_of(false), {}, public_json_stat),
            R"text({"version":"2.0","class":"dataset","label":"t",
"id":["r"],"size":[3],
"dimension":{
"r":{"label":"r","category":{"index":["T","a","b"],"child":{"T":["a","b"]}}}},
"value":[30.5,null,10],
"status":{"1":"c"},
"extension":{"status":{"label":{"c":"withheld for confidentiality"}}}}
)text");
}

TEST(JsonStatWriter, AnObjectWhereCellsAreNotThere) {
  files::OutputOptions options;
  options.title = "A title";
  options.notes = {"one", "two"};
  options.flags = files::FlagChoice::kConfStatus;
  EXPECT_EQ(written(release_of(true), options, public_json_stat),
            R"text({"version":"2.0","class":"dataset","label":"A title",
"note":["one","two"],
"id":["r","c d"],"size":[3,1],
"dimension":{
"r":{"label":"r","category":{"index":["T","a","b"],"child":{"T":["a","b"]}}},
"c d":{"label":"c d","category":{"index":["x"],"child":{}}}},
"value":{"0":30.5,"1":null},
"status":{"1":"C"},
"extension":{"status":{"label":{"C":"withheld for confidentiality"}}}}
)text");
}

TEST(SdmxJsonWriter, FlatObservations) {
  files::OutputOptions options;
  options.title = "A title";
  options.notes = {"one"};
  EXPECT_EQ(written(release_of(true), options, public_sdmx_json),
            R"text({"meta":{"id":"OFFICE:T(1.0)","test":false,"sender":{"id":"OFFICE"}},
"data":{"structures":[{"name":"A title","dataSets":[0],
"dimensions":{"observation":[
{"id":"R","name":"r","keyPosition":0,"values":[{"id":"T","name":"T"},{"id":"a","name":"a","parent":"T"},{"id":"b","name":"b","parent":"T"}]},
{"id":"C_D","name":"c d","keyPosition":1,"values":[{"id":"x","name":"x"}]}]},
"measures":{"observation":[{"id":"OBS_VALUE","name":"Observation value"}]},
"attributes":{"observation":[
{"id":"OBS_STATUS","name":"Observation status","values":[{"id":"A","name":"Normal value"},{"id":"Q","name":"Missing value; suppressed"}]},
{"id":"CONF_STATUS","name":"Confidentiality status","values":[{"id":"F","name":"Free"},{"id":"C","name":"Confidential statistical information"}]}]},
"annotations":[{"type":"NOTE","text":"one"}]}],
"dataSets":[{"structure":0,"action":"Information","annotations":[0],
"observations":{
"0:0":[30.5,0,0],
"1:0":[null,1,1]}}]}}
)text");
}

TEST(PxWriter, TitlesSubjectAndNotes) {
  files::OutputOptions options;
  options.title = std::string(150, 't') + " \"and\" " + std::string(120, 'u');
  options.subject_area = "Trade";
  options.notes = {"one", "two"};
  const std::string text = written(release_of(false), options, public_px);
  const std::string title =
      "\"" + std::string(150, 't') + " 'and' \"\n\"" + std::string(120, 'u') + "\";\n";
  EXPECT_NE(text.find("TITLE=" + title + "CONTENTS=" + title), std::string::npos) << text;
  EXPECT_NE(text.find("SUBJECT-AREA=\"Trade\";\n"), std::string::npos) << text;
  EXPECT_NE(text.find("NOTE=\"one#two\";\nDATA="), std::string::npos) << text;
  EXPECT_NE(text.find("MATRIX=\"t\";"), std::string::npos) << text;
}

TEST(TextFormats, WhatTheyCannotHoldIsSaid) {
  Cell cell;
  TableBuilder builder(0);
  static_cast<void>(builder.add_cell(cell).value());
  auto problem = std::make_shared<const Problem>(
      make_problem(std::move(builder).build().value(), {outsider()}, {}).value());
  const AuditedRelease release = Auditor(problem).release({}, {}, {}).value();
  EXPECT_EQ(written(release, {}, public_json_stat),
            "a .jsonstat.json file needs codes, and the table has none");
  EXPECT_EQ(written(release, {}, public_sdmx_json),
            "a .sdmx.json file needs codes, and the table has none");
}

}  // namespace
}  // namespace lacuna::publish
