// SPDX-License-Identifier: Apache-2.0
#include "app/inference/inference.h"

#include <gtest/gtest.h>

#include <string>

#include "app/inference/output.h"

namespace lacuna::inference {
namespace {

Result<Inference> inferred(const std::map<std::string, std::string>& files,
                           const InferenceOptions& options = {}) {
  load::Inputs inputs;
  std::vector<std::string> names;
  for (const auto& [name, text] : files) {
    inputs.texts[name] = text;
    names.push_back(name);
  }
  return infer(names, inputs, options, {});
}

// The interval of the cell with these codes.
std::string interval(const Inference& made, const std::string& label) {
  for (const InferredCell& each : made.cells) {
    if (made.system.label(each.cell) == label)
      return range_text(made, each.best());
  }
  return "not asked";
}

const std::string kTwoBlanks =
    "branch,region,value\n"
    "All,All,100\nAll,N,60\nAll,S,40\n"
    "A,All,50\nA,N,x\nA,S,x\n"
    "B,All,30\nB,N,x\nB,S,x\n"
    "C,All,20\nC,N,15\nC,S,5\n";

TEST(Inference, IntervalsOfBlanksAreThoseOfTheSums) {
  const auto made = inferred({{"t.csv", kTwoBlanks}});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->cells.size(), 4U);
  EXPECT_EQ(interval(*made, "branch=A|region=N"), "[15, 45]");
  EXPECT_EQ(interval(*made, "branch=A|region=S"), "[5, 35]");
  EXPECT_EQ(interval(*made, "branch=B|region=N"), "[0, 30]");
  EXPECT_FALSE(made->is_too_narrow());
  EXPECT_TRUE(made->fit.corrections.empty());
}

TEST(Inference, RangesAreKnownAndNarrowed) {
  std::string text = kTwoBlanks;
  text.replace(text.find("B,S,x"), 5, "B,S,<5");
  InferenceOptions options;
  const auto made = inferred({{"t.csv", text}}, options);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(interval(*made, "branch=B|region=S"), "[0, 5]");
  EXPECT_EQ(interval(*made, "branch=A|region=S"), "[30, 35]");
  options.knowledge.counts = true;  // below 5 is at most 4
  const auto counts = inferred({{"t.csv", text}}, options);
  ASSERT_TRUE(counts) << counts.error().text();
  EXPECT_EQ(interval(*counts, "branch=B|region=S"), "[0, 4]");
  EXPECT_EQ(interval(*counts, "branch=A|region=S"), "[31, 35]");
}

TEST(Inference, TheWidthThatCountsIsOfTheNumberItself) {
  InferenceOptions options;
  options.protection = "100";
  const auto wide = inferred({{"t.csv", kTwoBlanks}}, options);
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->count(Narrowness::kNarrow), 4U);
  options.protection = "15";  // half the width of each is 15, and no less
  EXPECT_EQ(inferred({{"t.csv", kTwoBlanks}}, options)->count(Narrowness::kNarrow), 0U);
  options.protection = "51%";  // [15, 45]: within half of its middle
  EXPECT_EQ(inferred({{"t.csv", kTwoBlanks}}, options)->count(Narrowness::kNarrow), 1U);
  options.protection = "50%";
  EXPECT_EQ(inferred({{"t.csv", kTwoBlanks}}, options)->count(Narrowness::kNarrow), 0U);
}

TEST(Inference, SensitiveBlanksAreThoseWithTheSignOrTheCode) {
  std::string text = kTwoBlanks;
  text.replace(text.find("C,N,15"), 6, "C,N,c");
  InferenceOptions options;
  const auto all = inferred({{"t.csv", text}}, options);
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ(interval(*all, "branch=C|region=N"), "[15, 15]");
  EXPECT_TRUE(all->is_too_narrow());
  options.sensitive = {"x"};
  EXPECT_FALSE(inferred({{"t.csv", text}}, options)->is_too_narrow());
  options.sensitive = {"branch=C"};
  EXPECT_TRUE(inferred({{"t.csv", text}}, options)->is_too_narrow());
  options.sensitive = {"q"};
  EXPECT_FALSE(inferred({{"t.csv", text}}, options));
}

TEST(Inference, RoundedNumbersAreRanges) {
  const std::string text =
      "branch,region,value\n"
      "All,All,100\nAll,N,60\nAll,S,40\n"
      "A,All,60\nA,N,x\nA,S,x\n"
      "B,All,40\nB,N,30\nB,S,10\n";
  InferenceOptions options;
  options.knowledge.rounded_to = "10";
  options.knowledge.counts = true;
  const auto made = inferred({{"t.csv", text}}, options);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(interval(*made, "branch=A|region=N"), "[20, 40]");
  options.all = true;
  EXPECT_EQ(inferred({{"t.csv", text}}, options)->cells.size(), 9U);
  options.knowledge.rounded_to = "50";
  const auto bad = inferred({{"t.csv", text}}, options);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().where, "t.csv:3:7");
}

TEST(Inference, ContradictionsAreCorrectedByTheLeast) {
  std::string text = kTwoBlanks;
  text.replace(text.find("All,All,100"), 11, "All,All,103");
  const auto made = inferred({{"t.csv", text}});
  ASSERT_TRUE(made) << made.error().text();
  ASSERT_EQ(made->fit.corrections.size(), 1U);
  EXPECT_EQ(made->system.label(made->fit.corrections.front().cell), "branch=All|region=All");
  EXPECT_EQ(made->fit.total, 3);
  EXPECT_TRUE(made->fit.least);
  EXPECT_NE(inference_text(*made, 10, false).find("CONTRADICT"), std::string::npos);
}

TEST(Inference, WhatIsNoSumIsNotUsed) {
  // A is a subtotal of A1 and A2 by its numbers, which no name says; every line has a blank.
  const std::string text =
      "branch,region,value\n"
      "All,All,100\nAll,N,60\nAll,S,40\n"
      "A,All,70\nA,N,x\nA,S,x\nP,All,50\nP,N,20\nP,S,30\nQ,All,20\nQ,N,x\nQ,S,x\n"
      "B,All,30\nB,N,x\nB,S,x\n";
  const auto made = inferred({{"t.csv", text}});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_TRUE(made->fit.corrections.empty());
  for (const SystemDimension& dimension : made->system.dimensions)
    EXPECT_EQ(dimension.relations.size(), dimension.name == "branch" ? 0U : 1U);
}

TEST(Inference, FilesAreOneSystem) {
  const std::string by_region = "region,value\nAll,100\nN,60\nS,40\n";
  const std::string by_branch =
      "branch,region,value\nAll,All,100\nAll,N,x\nAll,S,x\n"
      "A,All,70\nA,N,45\nA,S,25\nB,All,30\nB,N,x\nB,S,15\n";
  const auto alone = inferred({{"b.csv", by_branch}});
  const auto both = inferred({{"a.csv", by_region}, {"b.csv", by_branch}});
  ASSERT_TRUE(alone && both) << both.error().text();
  EXPECT_EQ(interval(*both, "region=N|branch=B"), "[15, 15]");
  EXPECT_EQ(interval(*both, "region=N|branch=All"), "not asked");
}

TEST(Inference, OneCodeInAllRowsIsThatCode) {
  const std::string of_a = "branch,region,value\nA,All,50\nA,N,30\nA,S,20\n";
  const auto both = inferred({{"a.csv", kTwoBlanks}, {"b.csv", of_a}});
  ASSERT_TRUE(both) << both.error().text();
  EXPECT_EQ(interval(*both, "branch=A|region=N"), "not asked");
  EXPECT_EQ(interval(*both, "branch=B|region=N"), "[15, 15]");
}

TEST(Inference, OtherYearsAreOtherTables) {
  const std::string one = "year,region,value\n2019,All,100\n2019,N,60\n2019,S,40\n2019,W,0\n";
  const std::string two = "year,region,value\n2020,All,110\n2020,N,x\n2020,S,x\n2020,W,1\n";
  const auto both = inferred({{"a.csv", one}, {"b.csv", two}});
  ASSERT_TRUE(both) << both.error().text();
  EXPECT_EQ(interval(*both, "region=N|year=2020"), "[0, 109]");
}

TEST(Inference, WhatIsKnownOfBlanksIsUsed) {
  InferenceOptions options;
  options.knowledge.withheld = {"x=20-30"};
  const auto made = inferred({{"t.csv", kTwoBlanks}}, options);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_FALSE(made->fit.corrections.empty());  // four blanks of 20 to 30 add up to more than 80
  options.knowledge.withheld = {"10-30"};
  const auto other = inferred({{"t.csv", kTwoBlanks}}, options);
  ASSERT_TRUE(other) << other.error().text();
  EXPECT_EQ(interval(*other, "branch=A|region=N"), "[25, 30]");
}

TEST(Inference, CertificateHasEveryPlace) {
  const auto made = inferred({{"t.csv", kTwoBlanks}});
  ASSERT_TRUE(made);
  const std::string text = inference_certificate(*made);
  EXPECT_NE(text.find("\"at\":\"t.csv:6:5\""), std::string::npos) << text;
  EXPECT_NE(text.find("lacuna-certificate-3"), std::string::npos);
}

}  // namespace
}  // namespace lacuna::inference
