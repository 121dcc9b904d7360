// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/plain_judge.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/files/file.h"
#include "data/files/temporary_folder.h"

namespace lacuna::bench {
namespace {

// Two rows of two cells with all totals (cells 2, 5 and 6 to 8); cell 0 asks for two units on
// either side.
constexpr const char* kTable = R"({"format":"lacuna-problem-1","decimals":0,
"cells":[{"value":5,"lower":0,"status":"primary"},{"value":7,"lower":0},{"value":12,"lower":0},
{"value":3,"lower":0},{"value":4,"lower":0},{"value":7,"lower":0},
{"value":8,"lower":0},{"value":11,"lower":0},{"value":19,"lower":0}],
"equations":[{"cells":[2,0,1],"coefficients":[-1,1,1]},{"cells":[5,3,4],"coefficients":[-1,1,1]},
{"cells":[8,6,7],"coefficients":[-1,1,1]},{"cells":[6,0,3],"coefficients":[-1,1,1]},
{"cells":[7,1,4],"coefficients":[-1,1,1]},{"cells":[8,2,5],"coefficients":[-1,1,1]}],
"attackers":[{"name":"outsider"},{"name":"insider","known":[{"cell":4,"lower":3,"upper":4}]}],
"requirements":[{"cell":0,"attacker":0,"lower":2,"upper":2},{"cell":0,"attacker":1,"lower":LOWER}]})";

class PlainJudge : public ::testing::Test {
 protected:
  PlainJudge() : folder_("plain_judge_test") { write_table("0"); }

  void write_table(const std::string& lower) {
    std::string text = kTable;
    text.replace(text.find("LOWER"), 5, lower);
    ASSERT_TRUE(files::write_file_atomically(table(), text));
  }
  std::string table() const { return folder_.file("table.json"); }
  Result<PlainJudgement> judge(const std::string& text,
                               const PlainOptions& options = {},
                               const char* name = "release.json") {
    EXPECT_TRUE(files::write_file_atomically(folder_.file(name), text));
    return judge_plainly(table(), folder_.file(name), options, {});
  }
  std::string word(const std::string& text, const PlainOptions& options = {}) {
    const auto judgement = judge(text, options);
    return judgement ? std::string(to_string(judgement->word)) : "refused";
  }
  static std::string release(const std::string& entries) {
    return R"({"decimals":0,"release":[)" + entries + "]}";
  }
  static std::string hide(std::initializer_list<int> cells) {
    std::string entries;
    for (const int cell : cells)
      entries += (entries.empty() ? "" : ",") + std::string(R"({"state":"withheld","cell":)") +
                 std::to_string(cell) + "}";
    return release(entries);
  }

  files::TemporaryFolder folder_;
};

TEST_F(PlainJudge, FindsTheEndsOfEveryAttacker) {
  const auto judgement = judge(hide({0, 1, 3, 4}));
  ASSERT_TRUE(judgement);
  EXPECT_TRUE(judgement->complete);
  ASSERT_EQ(judgement->findings.size(), 2U);
  EXPECT_DOUBLE_EQ(judgement->findings[0].low, 4);
  EXPECT_DOUBLE_EQ(judgement->findings[0].high, 3);
  EXPECT_DOUBLE_EQ(judgement->findings[1].low, 1);  // the insider knows that cell 4 is 3 or 4
  EXPECT_DOUBLE_EQ(judgement->findings[1].high, 0);
  EXPECT_EQ(judgement->findings[0].word, PlainWord::kProtected);
}

TEST_F(PlainJudge, LevelsDecide) {
  EXPECT_EQ(word(hide({0, 1, 3, 4})), "close");  // the insider's raised level of one unit, just met
  write_table("2");
  EXPECT_EQ(word(hide({0, 1, 3, 4})), "exposed");
  EXPECT_EQ(word(hide({0, 1, 2, 3, 4, 5, 6, 7, 8})), "protected");
  EXPECT_EQ(word(hide({0})), "exposed");
  EXPECT_EQ(word(release("")), "exposed");
}

TEST_F(PlainJudge, ZeroLevelsAreRaisedUnlessMeant) {
  const auto insider = [&](const PlainOptions& options, std::initializer_list<int> cells) {
    const auto judgement = judge(hide(cells), options);
    return judgement ? judgement->findings[1].word : PlainWord::kNone;
  };
  PlainOptions meant;
  meant.zeros_meant = true;
  EXPECT_EQ(insider({}, {0, 2}), PlainWord::kExposed);  // the column tells
  EXPECT_EQ(insider(meant, {0, 2}), PlainWord::kUnasked);
  EXPECT_EQ(insider(meant, {2}), PlainWord::kExposed);  // hidden it must be
  PlainOptions minimal;
  minimal.minimal = true;
  EXPECT_EQ(insider(minimal, {0, 2}), PlainWord::kExposed);
  write_table("2");
  EXPECT_EQ(insider({}, {0, 1, 3, 4}), PlainWord::kExposed);
  EXPECT_EQ(insider(minimal, {0, 1, 3, 4}), PlainWord::kClose);
}

TEST_F(PlainJudge, EveryStateMeansWhatThePageSays) {
  const std::string others = R"(,{"cell":1,"state":"withheld"},{"cell":3,"state":"withheld"},)"
                             R"({"cell":4,"state":"withheld"})";
  const auto high = [&](const std::string& entry) {
    const auto judgement = judge(release(entry + others));
    return judgement ? judgement->findings[0].high : std::nan("");
  };
  EXPECT_DOUBLE_EQ(high(R"({"cell":0,"state":"interval","lower":4,"upper":6})"), 1);
  EXPECT_DOUBLE_EQ(high(R"({"cell":0,"state":"altered","value":4,"lower":3,"upper":7})"), 2);
  EXPECT_DOUBLE_EQ(high(R"({"cell":0,"state":"rounded","value":4,"base":2})"), 1);
  EXPECT_DOUBLE_EQ(high(R"({"cell":0,"state":"rounded","value":4,"base":1,"steps":2})"), 2);
  // A number that is missing, or a statement that does not hold, is no release.
  EXPECT_TRUE(std::isnan(high(R"({"cell":0,"state":"interval","lower":4})")));
  EXPECT_TRUE(std::isnan(high(R"({"cell":0,"state":"interval","lower":6,"upper":9})")));
  EXPECT_TRUE(std::isnan(high(R"({"cell":0,"state":"guessed"})")));
}

TEST_F(PlainJudge, ReadsPublicFiles) {
  const std::string csv =
      "cell;value;state\n0;;withheld\n1;;withheld\n2;12;published\n3;;withheld\n4;;withheld\n"
      "5;7;published\n6;8;published\n7;11;published\n8;19;published\n";
  const auto judgement = judge(csv, {}, "public.csv");
  ASSERT_TRUE(judgement);
  EXPECT_DOUBLE_EQ(judgement->findings[0].high, 3);
  std::string lie = csv;
  lie.replace(lie.find("19"), 2, "20");
  EXPECT_FALSE(judge(lie, {}, "public.csv"));
  EXPECT_FALSE(judge(csv.substr(0, csv.find("8;19")), {}, "public.csv"));
}

TEST_F(PlainJudge, EarlierReleasesCount) {
  ASSERT_TRUE(files::write_file_atomically(
      folder_.file("earlier.json"),
      release(R"({"cell":0,"state":"interval","lower":5,"upper":9},{"cell":1,"state":"withheld"},)"
              R"({"cell":3,"state":"withheld"},{"cell":4,"state":"withheld"})")));
  PlainOptions options;
  options.released = {folder_.file("earlier.json")};
  const auto judgement = judge(hide({0, 1, 3, 4}), options);
  ASSERT_TRUE(judgement);
  EXPECT_DOUBLE_EQ(judgement->findings[0].low, 0);
  EXPECT_EQ(judgement->word, PlainWord::kExposed);
}

TEST_F(PlainJudge, AdjustedTablesAreJudgedByTheirNumbers) {
  const auto adjusted = [&](int move) {
    const auto entry = [](int cell, int value) {
      return R"({"state":"altered","cell":)" + std::to_string(cell) + R"(,"value":)" +
             std::to_string(value) + "}";
    };
    return R"({"decimals":0,"adjusted":true,"release":[)" + entry(0, 5 + move) + "," +
           entry(1, 7 - move) + "," + entry(3, 3 - move) + "," + entry(4, 4 + move) + "]}";
  };
  EXPECT_EQ(word(adjusted(2)), "protected");
  EXPECT_EQ(word(adjusted(1)), "exposed");
  EXPECT_EQ(word(adjusted(0)), "exposed");
  std::string broken = adjusted(2);
  broken.replace(broken.find("\"value\":7"), 9, "\"value\":8");
  EXPECT_EQ(word(broken), "refused");
}

TEST_F(PlainJudge, LooksAtAsManyAsItIsTold) {
  PlainOptions options;
  options.most = 1;
  const auto judgement = judge(hide({0, 1, 3, 4}), options);
  ASSERT_TRUE(judgement);
  EXPECT_EQ(judgement->findings.size(), 1U);
  EXPECT_FALSE(judgement->complete);
}

}  // namespace
}  // namespace lacuna::bench
