// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "app/generate/generate.h"
#include "core/base/confidential.h"

namespace lacuna::generation {
namespace {

std::string refusal(const std::function<void(generation::GenerateOptions&)>& change) {
  generation::GenerateOptions options;
  change(options);
  const auto problem = generation::generate(options);
  return problem ? "accepted" : base::in_full(problem.error().text());
}

TEST(GenerateOptions, DefaultsAreValid) {
  EXPECT_TRUE(generation::GenerateOptions{}.validate());
}

TEST(GenerateOptions, RefusalsNameTheOption) {
  using O = generation::GenerateOptions;
  EXPECT_EQ(refusal([](O& o) { o.sizes = {}; }), "--sizes: must have 1 to 8 entries, not 0");
  EXPECT_EQ(refusal([](O& o) { o.sizes = {3, 0}; }), "--sizes: must be from 1 to 10000000, not 0");
  EXPECT_EQ(refusal([](O& o) { o.fan_most = {1}; }),
            "--fan-most: must not be less than --fan-least");
  EXPECT_EQ(refusal([](O& o) { o.tables = 4; }), "--tables: must be from 2 to 3, not 4");
  EXPECT_EQ(refusal([](O& o) { o.open_least = 3; }), "--open-most: must be from 3 to 10, not 2");
  EXPECT_EQ(refusal([](O& o) { o.preset = "1b"; }),
            "--preset: '1b' is not one of 1LINKED, 1B, 2C, 3ALT, 2LINKED, 1ALT, 2ALT");
  EXPECT_EQ(refusal([](O& o) { o.skew = -1; }), "--skew: must be from 0 to 10, not -1");
  EXPECT_EQ(refusal([](O& o) { o.decimals = 7; }), "--decimals: must be from 0 to 6, not 7");
  EXPECT_EQ(refusal([](O& o) {
              o.typical_value = 1'000'000;
              o.decimals = 6;
            }),
            "--typical-value: is too large at this skew and these decimals: a cell could reach "
            "16000000000000 units, and at most 100000000000 are allowed");
  EXPECT_EQ(refusal([](O& o) { o.sensitive_percent = 101; }),
            "--sensitive-percent: must be from 0 to 100, not 101");
  EXPECT_EQ(refusal([](O& o) { o.above_percent = 5; }),
            "--upper-percent: must not exceed --above-percent: no release could meet it");
  EXPECT_EQ(refusal([](O& o) { o.below_percent = 5; }),
            "--upper-percent: must not exceed --below-percent times --asymmetry: no release could "
            "meet the lower level");
  EXPECT_EQ(refusal([](O& o) { o.sliding_percent = 1101; }),
            "--sliding-percent: must not exceed --below-percent plus --above-percent: no release "
            "could meet it");
}

TEST(GenerateOptions, RefusalsThatNeedTheTable) {
  using O = generation::GenerateOptions;
  EXPECT_EQ(refusal([](O& o) { o.sensitive_count = 50; }),
            "--sensitive-count: there are only 49 cells that are not zero, but 50 are to be "
            "sensitive");
  EXPECT_EQ(refusal([](O& o) {
              o.sensitive_count = 0;
              o.attackers = 1;
            }),
            "--attackers: respondents need a sensitive cell, and there is none");
  EXPECT_EQ(refusal([](O& o) {
              o.sizes = {10'000, 10'000};
            }),
            "generate: the table would have more than 20000000 cells");
  EXPECT_EQ(refusal([](O& o) {
              o.kind = generation::GenerateKind::kHierarchical;
              o.depths = {12};
              o.fan_most = {10'000'000};
              o.fan_least = {10'000'000};
            }),
            "generate: a dimension would have more than 10000000 codes");
  EXPECT_EQ(refusal([](O& o) {
              o.sizes = {1};
              o.absent_percent = 90;
            }),
            "--absent-percent: no cell is left in the table");
}

TEST(GenerateOptions, NamesFollowTheEnumerators) {
  EXPECT_EQ(enum_names(generation::GenerateKind::kFlat)[static_cast<std::size_t>(
                generation::GenerateKind::kOneHierarchy)],
            "1h2d");
  EXPECT_EQ(enum_names(generation::GenerateWeight::kUnity).size(), 2U);
  EXPECT_EQ(generation::thesis_presets().size(), 7U);
}

// The page lists every option with the words of the command line.
TEST(GenerateOptions, PageListsEveryField) {
  std::ifstream file(LACUNA_SOURCE_DIR "/docs/generate.md");
  std::ostringstream text;
  text << file.rdbuf();
  const auto options = describe_options<generation::GenerateOptions>();
  for (const OptionInfo& option : options) {
    const std::string unit = option.unit.empty() ? "" : " (" + option.unit + ")";
    EXPECT_THAT(text.str(),
                ::testing::HasSubstr("| `" + option.name + "` | " + option.help + unit + " |"));
  }
  EXPECT_EQ(options.size(), 33U);
}

}  // namespace
}  // namespace lacuna::generation
