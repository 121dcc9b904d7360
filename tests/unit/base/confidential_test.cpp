// SPDX-License-Identifier: Apache-2.0
#include "core/base/confidential.h"

#include <gtest/gtest.h>

#include "core/base/decimal.h"

namespace lacuna::base {
namespace {

TEST(Confidential, IsShownToTheOfficeAlone) {
  const std::string message =
      "the value " + confidential("40.5") + " is above " + confidential("[0, 40]") + "; see cell 3";
  EXPECT_EQ(in_full(message), "the value 40.5 is above [0, 40]; see cell 3");
  EXPECT_EQ(without_confidential(message),
            "the value (not shown) is above (not shown); see cell 3");
}

TEST(Confidential, LeavesOtherMessagesAsTheyAre) {
  for (const std::string text : {"", "cell 3", "Sa\xC3\xB4ne\xE2\x81\xA2"}) {
    EXPECT_EQ(in_full(text), text);
    EXPECT_EQ(without_confidential(text), text);
  }
}

TEST(Confidential, HidesTheRestWhereAMarkHasNoEnd) {
  const std::string cut = ("off by " + confidential("1234567")).substr(0, 12);
  EXPECT_EQ(without_confidential(cut), "off by (not shown)");
}

TEST(Confidential, NestsWithoutShowingAnything) {
  const std::string message = confidential("'" + confidential("7919") + "' of 7927");
  EXPECT_EQ(in_full(message), "'7919' of 7927");
  EXPECT_EQ(without_confidential(message), "(not shown)");
}

TEST(Confidential, NumbersThatCannotBeReadAre) {
  for (const char* text : {"7919x", "79191e40", "7919.12345"}) {
    const auto read = parse_units(text, 2);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(in_full(read.error().message).find("7919"), std::string::npos);
    EXPECT_EQ(without_confidential(read.error().message).find("7919"), std::string::npos);
  }
}

// Columns may have changed places: what looks like a number is not shown, a code or a word is.
TEST(Confidential, ForeignFieldsThatMayBeNumbersAreMarked) {
  for (const char* number : {"843211", "40", "12,5", "843 211 EUR", "-7", "F84321"})
    EXPECT_EQ(without_confidential(strange_field_in_quotes(number)), "(not shown)") << number;
  for (const char* word : {"A12", "secret", "Nord-Ost", "", "c", "--", "Zürich 3"}) {
    EXPECT_EQ(strange_field_in_quotes(word), "'" + std::string(word) + "'");
    EXPECT_EQ(strange_field(word), word);
  }
  EXPECT_EQ(in_full(strange_field("843211")), "843211");
  EXPECT_EQ(in_full(strange_field_in_quotes("843211")), "'843211'");
}

}  // namespace
}  // namespace lacuna::base
