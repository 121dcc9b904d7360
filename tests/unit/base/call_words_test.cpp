// SPDX-License-Identifier: Apache-2.0
#include "core/base/call_words.h"

#include <gtest/gtest.h>

#include <array>

namespace lacuna::base {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 1> kSections{
    {{"[[rule]]", "rules"}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 1> kKeys{
    {{"respondent", "unit"}}};

class Words : public CallWords {
 public:
  Words() : CallWords(kSections, kKeys, ":") {}
  std::string of(const std::string& message) const {
    return spelled(message, [&](const NamedSetting& named) { return word(named); });
  }
  std::string beside_files(const std::string& message) const {
    return spelled(message, [&](const NamedSetting& named) { return word_beside_files(named); });
  }

 private:
  std::string value(const std::string& text) const override {
    return text == "true" ? "yes" : text;
  }
  std::string dimension_key(const NamedSetting& named) const override {
    return argument(named.name, named.value) + " of the hierarchy";
  }
};

TEST(CallWords, KeysAreArguments) {
  const Words words;
  EXPECT_EQ(words.of(named_setting("[input]", "round", "true")), "round:yes");
  EXPECT_EQ(words.of(named_key("[columns]", "respondent")), "unit");
  EXPECT_EQ(words.of(named_setting("[[dimension]]", "total", "\"T\"")),
            "total:\"T\" of the hierarchy");
  EXPECT_EQ(words.of(named_setting("[attackers]", "respondents", "false")), "attackers:outsider()");
  EXPECT_EQ(words.of(named_setting("[attackers]", "coalition", "2")),
            "attackers:respondents(coalition:2)");
  EXPECT_EQ(words.of(named_key("[counts]", "ambiguity")), "ambiguity in counts");
  EXPECT_EQ(words.of(named_section("[[rule]]")), "rules");
  EXPECT_EQ(words.of("a string" + words_of_files(" in quotes")), "a string");
}

TEST(CallWords, OptionsAreArgumentsAndTextsAreInQuotes) {
  const Words words;
  EXPECT_EQ(words.of(named_option("unasked", "publish")), "unasked:\"publish\"");
  EXPECT_EQ(words.of(named_option("max-withheld", "5")), "max_withheld:5");
  EXPECT_EQ(words.of(named_option("equal-rows")), "equal_rows");
}

TEST(CallWords, KeysOfAFileStayAsTheyAre) {
  const Words words;
  EXPECT_EQ(words.beside_files(named_setting("[input]", "round", "true")),
            "round = true in [input]");
  EXPECT_EQ(words.beside_files(named_option("steps", "1")), "steps:1");
}

}  // namespace
}  // namespace lacuna::base
