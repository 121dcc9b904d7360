// SPDX-License-Identifier: Apache-2.0
#include "core/base/spelling.h"

#include <gtest/gtest.h>

#include "core/base/confidential.h"

namespace lacuna::base {
namespace {

// All parts of what is named.
std::string parts(const NamedSetting& named) {
  return "<" + named.section + "|" + named.name + "|" + named.value + ">";
}

TEST(Spelling, NamesAreAsInFilesIfNobodySpellsThem) {
  const std::string message = "say " + named_setting("[input]", "round", "true") + ", or " +
                              named_option("unasked", "publish") + " for a " +
                              named_section("[[rule]]") + words_of_files(" of the job");
  const std::string shown =
      "say round = true in [input], or --unasked publish for a [[rule]] of the job";
  EXPECT_EQ(as_in_files(message), shown);
  EXPECT_EQ(in_full(message), shown);
  EXPECT_EQ(without_confidential(message), shown);
}

TEST(Spelling, EveryPartOfANameIsToldApart) {
  EXPECT_EQ(spelled(named_setting("[input]", "round", "true"), parts), "<[input]|round|true>");
  EXPECT_EQ(spelled(named_setting("its [[dimension]]", "total", "\"A in [B]\""), parts),
            "<[[dimension]]|total|\"A in [B]\">");
  EXPECT_EQ(spelled(named_setting("areas", "[\"a in b\"]"), parts), "<|areas|[\"a in b\"]>");
  EXPECT_EQ(spelled(named_setting("[columns]", "largest", "[\"MAX\"]"), parts),
            "<[columns]|largest|[\"MAX\"]>");
  EXPECT_EQ(spelled(named_key("[columns]", "value"), parts), "<[columns]|value|>");
  EXPECT_EQ(spelled(named_section("[[rule]]"), parts), "<[[rule]]||>");
  EXPECT_EQ(spelled(named_option("time-limit"), parts), "<|time-limit|>");
  EXPECT_EQ(spelled(named_option("unasked", "publish"), parts), "<|unasked|publish>");
}

TEST(Spelling, LeavesWhatIsConfidentialMarked) {
  const std::string message = "say " + named_setting("round_totals", confidential("17")) + ".";
  const std::string told =
      spelled(message, [](const NamedSetting& named) { return named.name + "=" + named.value; });
  EXPECT_EQ(without_confidential(told), "say round_totals=(not shown).");
  EXPECT_EQ(without_confidential(message), "say round_totals = (not shown).");
  EXPECT_EQ(in_full(told), "say round_totals=17.");
  const auto parts = Error{ErrorCode::kJobValue, message, ""}.parts();
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].text, "say round_totals = ");
  EXPECT_TRUE(parts[1].confidential);
}

TEST(Spelling, PlacesAreThoseOfTheCall) {
  EXPECT_EQ(place_in_call("--time-limit"), "time_limit");
  EXPECT_EQ(place_in_call("--collapse a b"), "collapse a b");
  EXPECT_EQ(place_in_call("--public out/t.csv"), "out/t.csv");
  EXPECT_EQ(place_in_call("-o result.json"), "result.json");
  EXPECT_EQ(place_in_call("--public"), "public");
  EXPECT_EQ(place_in_call("sales.csv:17:3"), "sales.csv:17:3");
  EXPECT_EQ(place_in_call("-"), "");
}

TEST(Spelling, TextsOfOthersAreLeftAsTheyAre) {
  for (const std::string text : {"", "a = b in [c]", "Sa\xC3\xB4ne\xE2\x81\xA2 - ]"})
    EXPECT_EQ(spelled(text, parts), text);
  for (const std::string text : {"\xE2\x81\xA2-\xE2\x81\xA4", "\xE2\x81\xA2x in ]\xE2\x81\xA4"})
    EXPECT_NO_THROW(spelled(text, parts));
}

}  // namespace
}  // namespace lacuna::base
