// SPDX-License-Identifier: Apache-2.0
#include "app/check/judge.h"

#include <gtest/gtest.h>

#include <map>

#include "app/check/acro_results.h"
#include "app/check/notes.h"

namespace lacuna::checking {
namespace {

// A table of one variable; an empty number is a blank.
CheckTable table_of(std::size_t output,
                    const std::string& variable,
                    const std::vector<std::pair<std::string, std::string>>& rows,
                    const std::string& filter = "all") {
  CheckTable table;
  table.output = output;
  table.name = table.file = "t" + std::to_string(output);
  table.subset_text = filter;
  table.subset = *conditions_of(filter, "");
  CheckDimension dimension{variable, variable, "All", {}, false};
  files::NamedRelation all{"All", {}};
  for (const auto& [code, number] : rows) {
    if (code != "All")
      all.children.push_back(code);
    table.rows.push_back({{code}, number, std::nullopt, "", table.name + ":" + code, {}});
  }
  if (rows.back().first == "All")
    dimension.relations.push_back(all);
  table.dimensions.push_back(dimension);
  return table;
}

Outputs outputs_of(const std::vector<CheckTable>& tables) {
  Outputs outputs;
  outputs.tables = tables;
  for (const CheckTable& table : tables) {
    Output& output = outputs.outputs.emplace_back();
    output.name = table.name;
  }
  return outputs;
}

std::vector<CheckFinding> judged(const std::vector<CheckTable>& tables, std::int64_t threshold) {
  const Outputs outputs = outputs_of(tables);
  const auto system = make_system(outputs, {}, {threshold, false});
  EXPECT_TRUE(system);
  const auto found = judge(*system, outputs, {threshold, false, ""}, {});
  EXPECT_TRUE(found);
  return *found;
}

TEST(Judge, ADifferenceOfTwoOutputsIsAFailureOfBoth) {
  const auto found =
      judged({table_of(0, "region", {{"N", "50"}, {"S", "60"}, {"All", "110"}}),
              table_of(1, "region", {{"N", "47"}, {"S", "40"}, {"All", "87"}}, "age >= 18")},
             10);
  ASSERT_EQ(found.size(), 2U);  // the same three records by another sum: 110 - 60 - 47
  EXPECT_EQ(found[1].sums.front().total, Fraction(3));
  EXPECT_EQ(found[0].kind, FindingKind::kRest);
  EXPECT_EQ(found[0].weight, Weight::kFail);
  EXPECT_EQ(found[0].outputs, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(found[0].sums.front().total, Fraction(3));
  EXPECT_EQ(found[0].label, "region=N without age>=18");
}

TEST(Judge, NothingIsSaidOfLargeDifferences) {
  EXPECT_TRUE(
      judged({table_of(0, "region", {{"N", "50"}, {"S", "60"}, {"All", "110"}}),
              table_of(1, "region", {{"N", "30"}, {"S", "40"}, {"All", "70"}}, "age >= 18")},
             10)
          .empty());
}

TEST(Judge, ThreeOutputsTogether) {
  const auto found =
      judged({table_of(0, "sex", {{"F", "100"}, {"M", "100"}, {"All", "200"}}),
              table_of(1, "sex", {{"F", "60"}, {"M", "50"}, {"All", "110"}}, "area=u"),
              table_of(2, "sex", {{"F", "36"}, {"M", "20"}, {"All", "56"}}, "area=r")},
             10);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].label, "sex=F without area=r and area=u");
  EXPECT_EQ(found[0].sums.front().total, Fraction(4));
  EXPECT_EQ(found[0].outputs.size(), 3U);
}

TEST(Judge, BlanksAreTold) {
  const auto found = judged({table_of(0, "region", {{"N", "50"}, {"S", ""}, {"All", "57"}})}, 10);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::kTold);
  EXPECT_EQ(found[0].sums.front().total, Fraction(7));
}

TEST(Judge, CodesOfOtherListsExcludeEachOtherByGuessAlone) {
  const auto found = judged({table_of(0, "region", {{"N", "50"}, {"S", "60"}, {"All", "110"}}),
                             table_of(1, "region", {{"Town", "55"}})},
                            10);
  ASSERT_EQ(found.size(), 1U);  // 110 - 50 - 55
  EXPECT_EQ(found[0].weight, Weight::kReview);
  EXPECT_FALSE(found[0].guesses.empty());
}

TEST(Judge, OverlappingCodesAreNotUsedTogether) {
  const auto found = judged({table_of(0, "region", {{"N", "50"}, {"S", "60"}, {"All", "110"}}),
                             table_of(1, "illness", {{"a", "90"}, {"b", "80"}})},
                            10);
  EXPECT_TRUE(found.empty());
}

TEST(Notes, PatternsAndNames) {
  EXPECT_TRUE(matches("a*.csv", "adults.csv"));
  EXPECT_TRUE(matches("*", "x/y.csv"));
  EXPECT_FALSE(matches("a?.csv", "adults.csv"));
  const auto notes = read_notes(
      "[[variable]]\nname = \"sex\"\nalso = [\"Gender\"]\ncodes = { F = [\"2\", \"female\"] }\n",
      "n");
  ASSERT_TRUE(notes) << notes.error().text();
  EXPECT_EQ(notes->variable("GENDER").second, "sex");
  EXPECT_EQ(notes->code("sex", "Female"), "F");
  EXPECT_EQ(notes->code("sex", "M"), "M");
}

TEST(Acro, ResultsSayVariablesAndMeasures) {
  const std::string text = R"x({"version":"1.0.2","tool":{"name":"ACRO"},"results":{"output_0":{
      "uid":"output_0","status":"fail","files":[{"name":"o.csv"}],
      "command":"acro.crosstab(df.a, df.b, values=df[\"income\"], aggfunc=\"mean\")",
      "summary":"Variables defining table are:  ['a', 'b'].","exception":"let me"}}})x";
  ASSERT_TRUE(is_acro_results("x/results.json", text));
  EXPECT_FALSE(is_acro_results("x/other.json", text));
  const auto records = read_acro_results(text, "r");
  ASSERT_TRUE(records) << records.error().text();
  const AcroRecord& record = records->at("o.csv");
  EXPECT_EQ(record.status, "fail");
  EXPECT_EQ(record.variables, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(record.measure, "mean of income");
  EXPECT_FALSE(read_acro_results(R"({"name":"ACRO"})", "r"));
}

}  // namespace
}  // namespace lacuna::checking
