// SPDX-License-Identifier: Apache-2.0
// The options of the rules as users write them.
#include <gtest/gtest.h>

#include "core/base/confidential.h"
#include "lacuna/sensitivity.h"

namespace lacuna::sensitivity {
namespace {

std::string text_now(const SensitivityOptions& options, std::string_view name) {
  SensitivityOptions copy = options;
  for (const BoundOption& option : bind_options(copy)) {
    if (option.info.name == name)
      return option.info.default_text;
  }
  return "no such option";
}

// What is read from a text, in its one way of writing; or why it cannot be read.
std::string written(std::string_view name, const std::string& text) {
  SensitivityOptions options;
  const Status status = set_option(options, name, text);
  if (!status) {
    EXPECT_EQ(options, SensitivityOptions()) << "a wrong text changes nothing";
    EXPECT_EQ(status.error().code, ErrorCode::kOptionValue);
    return base::in_full(status.error().text());
  }
  SensitivityOptions again;
  EXPECT_TRUE(set_option(again, name, text_now(options, name)));
  EXPECT_EQ(again, options) << "what is printed reads back";
  return text_now(options, name);
}

TEST(OptionText, NumbersAreExact) {
  EXPECT_EQ(written("p-percent", "10"), "10");
  EXPECT_EQ(written("p-percent", "+010.50"), "10.5");
  EXPECT_EQ(written("p-percent", "1e-3"), "0.001");
  EXPECT_EQ(written("p-percent", ""), "") << "absent";
  EXPECT_EQ(written("p-percent", "ten"), "--p-percent: must be a number, not 'ten'");
  EXPECT_EQ(written("frequency-range", ""), "--frequency-range: must be a number, not ''");
  EXPECT_EQ(written("level-ratio", "1,5"), "--level-ratio: must be a number, not '1,5'");
  EXPECT_EQ(written("zero-level", "12345678901234567890"),
            "--zero-level: must be a number of at most 18 digits, not '12345678901234567890'");
}

TEST(OptionText, PairsHaveOneWayOfWriting) {
  EXPECT_EQ(written("dominance", "1,90;2,95.50"), "1,90; 2,95.5");
  EXPECT_EQ(written("dominance", " 2.0 , 85 "), "2,85");
  EXPECT_EQ(written("dominance", ""), "");
  EXPECT_EQ(written("prior-posterior", "20,50;0.1,0.2"), "20,50; 0.1,0.2");
  const std::string wanted =
      "--dominance: must be pairs n,k such as 2,85, with a whole number n from 1 to 1000, not ";
  EXPECT_EQ(written("dominance", "2"), wanted + "'2'");
  EXPECT_EQ(written("dominance", "1,90;"), wanted + "''");
  EXPECT_EQ(written("dominance", "1.5,80"), wanted + "'1.5,80'");
  EXPECT_EQ(written("dominance", "0,80"), wanted + "'0,80'");
  EXPECT_EQ(written("dominance", "3000000000,80"), wanted + "'3000000000,80'");
  EXPECT_EQ(written("dominance", "1,90; 2,x"), wanted + "'2,x'");
  EXPECT_EQ(written("prior-posterior", "20,50,70"),
            "--prior-posterior: must be pairs p,q such as 20,50, not '20,50,70'");
}

TEST(OptionText, BoundsAreWordsNumbersOrPercentages) {
  EXPECT_EQ(written("lower-bound", "auto"), "auto");
  EXPECT_EQ(written("lower-bound", "unbounded"), "unbounded");
  EXPECT_EQ(written("lower-bound", "-17.50"), "-17.5");
  EXPECT_EQ(written("upper-bound", "50.0 %"), "50%");
  for (const std::string text : {"", "%", "none", "1,5", "5%%"})
    EXPECT_EQ(
        written("upper-bound", text),
        "--upper-bound: must be auto, unbounded, a number or a percentage, not '" + text + "'");
}

TEST(OptionText, AWrongChoiceIsAnsweredWithAllChoices) {
  EXPECT_EQ(written("misfit", "widn"),
            "--misfit: must be error, widen or cut, not 'widn'; did you mean 'widen'?");
  EXPECT_EQ(written("frequency-counts", "people"),
            "--frequency-counts: must be contributors, records or weighted, not 'people'");
  EXPECT_EQ(written("attacker-knowledge", "own"),
            "--attacker-knowledge: must be all or sensitive-only, not 'own'");
  int choices = 0;
  for (const OptionInfo& option : describe_options<SensitivityOptions>()) {
    EXPECT_EQ(option.type == "one of", !option.choices.empty()) << option.name;
    for (const std::string& choice : option.choices) {
      EXPECT_EQ(written(option.name, choice), choice);
      ++choices;
    }
  }
  EXPECT_EQ(choices, 14);
}

TEST(OptionText, EveryDefaultReadsBack) {
  SensitivityOptions options;
  for (const OptionInfo& option : describe_options<SensitivityOptions>()) {
    ASSERT_TRUE(set_option(options, option.name, option.default_text)) << option.name;
    EXPECT_EQ(options, SensitivityOptions()) << option.name;
  }
}

}  // namespace
}  // namespace lacuna::sensitivity
