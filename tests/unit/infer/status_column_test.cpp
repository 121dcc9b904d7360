// SPDX-License-Identifier: Apache-2.0
#include "data/infer/status_column.h"

#include <gtest/gtest.h>

namespace lacuna::infer {
namespace {

StatusFit fit(const std::string& column, const WordCounts& words, bool numeric = false) {
  return status_fit(bare_name(column), words, numeric);
}

TEST(StatusColumn, WordsOfConfidentialityAreOneUnderAnyName) {
  for (const char* name : {"x", "flag", "status", "column 3", "is_secret"}) {
    EXPECT_EQ(fit(name, {{"TRUE", 1}, {"FALSE", 3}}), StatusFit::kStatus) << name;
    EXPECT_EQ(fit(name, {{"unsafe", 1}, {"safe", 3}}), StatusFit::kStatus) << name;
    EXPECT_EQ(fit(name, {{"A", 1}, {"V", 3}}), StatusFit::kStatus) << name;
    EXPECT_EQ(fit(name, {{"c", 1}, {"", 3}}), StatusFit::kStatus) << name;
  }
}

TEST(StatusColumn, LettersOfArgusNeedEveryRowOrAName) {
  const WordCounts filled{{"s", 3}, {"u", 1}};
  const WordCounts blanks{{"", 3}, {"u", 1}};
  EXPECT_EQ(fit("x", filled), StatusFit::kStatus);
  EXPECT_EQ(fit("status", filled), StatusFit::kStatus);
  EXPECT_EQ(fit("flag", filled), StatusFit::kUnclear);
  EXPECT_EQ(fit("x", blanks), StatusFit::kUnclear);
  EXPECT_EQ(fit("status", blanks), StatusFit::kStatus);
}

TEST(StatusColumn, FlagsOfObservationsAndFrequenciesAreNone) {
  for (const char* letter : {"b", "d", "e", "p", "u", "s", "z", "f", "n", "r"}) {
    for (const char* name : {"flag", "flags", "OBS_FLAG", "OBS_STATUS", "note", "FREQ"})
      EXPECT_NE(fit(name, {{letter, 2}, {"", 7}}), StatusFit::kStatus) << name << ' ' << letter;
  }
  for (const char* letter : {"b", "d", "e", "p"})
    EXPECT_EQ(fit("status", {{letter, 2}, {"", 7}}), StatusFit::kUnclear) << letter;
  EXPECT_EQ(fit("FREQ", {{"A", 5}, {"M", 5}}), StatusFit::kUnclear);
  EXPECT_EQ(fit("OBS_STATUS", {{"A", 5}, {"V", 1}}), StatusFit::kUnclear);
  EXPECT_EQ(fit("OBS_STATUS", {{"unsafe", 5}, {"safe", 1}}), StatusFit::kUnclear);
}

TEST(StatusColumn, AConstantIsNone) {
  for (const char* word : {"u", "A", "TRUE", "unsafe", "c"}) {
    EXPECT_NE(fit("status", {{word, 9}}), StatusFit::kStatus) << word;
    EXPECT_NE(fit("is_secret", {{word, 9}}), StatusFit::kStatus) << word;
  }
  EXPECT_EQ(fit("flag", {{"", 9}}), StatusFit::kNone);
  EXPECT_NE(fit("primary", {{"1", 9}}, true), StatusFit::kStatus);
}

TEST(StatusColumn, NumbersNeedAName) {
  EXPECT_EQ(fit("primary", {{"0", 8}, {"1", 1}}, true), StatusFit::kStatus);
  EXPECT_EQ(fit("is_hidden", {{"0", 8}, {"1", 1}}, true), StatusFit::kStatus);
  EXPECT_EQ(fit("firms", {{"0", 8}, {"1", 1}}, true), StatusFit::kNone);
}

TEST(StatusColumn, OtherTextIsSomethingElse) {
  EXPECT_EQ(fit("region", {{"North", 2}, {"South", 2}}), StatusFit::kNone);
  EXPECT_EQ(fit("is_secret", {{"perhaps", 2}, {"no", 2}}), StatusFit::kUnclear);
}

TEST(StatusColumn, ConfStatusHasItsOwnCodeList) {
  EXPECT_EQ(fit("CONF_STATUS", {{"F", 8}, {"S", 1}, {"N", 1}}), StatusFit::kStatus);
  EXPECT_EQ(fit("CONF_STATUS", {{"F", 8}}), StatusFit::kUnclear);
  const StatusWords words = status_words_of("CONF_STATUS");
  EXPECT_EQ(status_of_word("S", words), CellStatus::kSecondary);
  EXPECT_EQ(status_of_word("S"), CellStatus::kFree);
  EXPECT_EQ(status_of_word("M", words), CellStatus::kPrimary);
  EXPECT_TRUE(status_words_of("status").empty());
}

TEST(StatusReading, SaysWhatWasReadAsWhat) {
  EXPECT_EQ(status_reading("flag", {{"u", 27}, {"", 18}}, {}),
            "status from column 'flag': u = unsafe (27), empty = free (18)");
  EXPECT_EQ(counted_words({{"b", 27}, {"", 18}}), "'b' (27), empty (18)");
  WordCounts many;
  for (int i = 10; i < 30; ++i)
    many["w" + std::to_string(i)] = 1;
  EXPECT_TRUE(counted_words(many).ends_with("'w21' (1), and 8 more"));
}

}  // namespace
}  // namespace lacuna::infer
