// SPDX-License-Identifier: Apache-2.0
#include "app/check/condition.h"

#include <gtest/gtest.h>

namespace lacuna::checking {
namespace {

Condition code(const std::string& text) {
  return condition_of_code("age", "age", text);
}

Condition stated(const std::string& text) {
  const auto read = conditions_of(text, "here");
  EXPECT_TRUE(read) << text;
  return read->front();
}

TEST(Condition, CodesThatLookLikeRangesAreRanges) {
  for (const char* text : {"18-29",
                           "18 to 29",
                           "65+",
                           "65 and over",
                           "under 18",
                           "<18",
                           "(30, 45]",
                           "18\xE2\x80\x93"
                           "29"})
    EXPECT_TRUE(code(text).range && code(text).from_code) << text;
  for (const char* text : {"North", "A-B", "29-18", "2015-16", "", "yes"})
    EXPECT_FALSE(code(text).range) << text;
}

TEST(Condition, OneFollowsFromAnother) {
  EXPECT_TRUE(follows(stated("age>=65"), stated("age >= 18")));
  EXPECT_FALSE(follows(stated("age>=18"), stated("age>=65")));
  EXPECT_TRUE(follows(stated("age>18"), stated("age>=18")));
  EXPECT_FALSE(follows(stated("age>=18"), stated("age>18")));
  EXPECT_TRUE(follows(stated("sex=F"), stated("sex != M")));
  EXPECT_FALSE(follows(stated("sex!=M"), stated("sex=F")));
  EXPECT_FALSE(follows(stated("sex=F"), stated("age>=18")));
  EXPECT_TRUE(follows(code("18-29"), code("18-30")));
  EXPECT_FALSE(follows(code("18-30"), code("18-29")));
  EXPECT_TRUE(follows(code("70"), stated("age>=65")));
}

TEST(Condition, SomeExcludeEachOther) {
  EXPECT_TRUE(excludes(stated("sex=F"), stated("sex=M")));
  EXPECT_TRUE(excludes(stated("sex=F"), stated("sex!=F")));
  EXPECT_FALSE(excludes(stated("sex!=M"), stated("sex!=F")));
  EXPECT_TRUE(excludes(stated("age<18"), stated("age>=18")));
  EXPECT_FALSE(excludes(stated("age<=18"), stated("age>=18")));
  EXPECT_TRUE(excludes(code("18-29"), code("30-44")));
  EXPECT_FALSE(excludes(code("18-30"), code("30-44")));
}

TEST(Condition, FiltersAreReadInParts) {
  const auto read = conditions_of("age >= 18 and sex = 'F' & linked to the register", "n:1:1");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 3U);
  EXPECT_EQ((*read)[0].text, "age>=18");
  EXPECT_EQ((*read)[1].text, "sex=F");
  EXPECT_EQ((*read)[2].text, "linked to the register");
  EXPECT_TRUE(conditions_of("all", "")->empty());
  const auto bad = conditions_of("age >= ", "n:1:1");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().text(), "n:1:1: the comparison 'age >=' has nothing behind its sign");
}

TEST(Condition, ValuesFulfilThemOrNot) {
  EXPECT_EQ(holds_for(stated("age>=18"), "18"), true);
  EXPECT_EQ(holds_for(stated("age>=18"), "17.5"), false);
  EXPECT_EQ(holds_for(stated("age>=18"), "old"), std::nullopt);
  EXPECT_EQ(holds_for(stated("sex!=F"), "m"), true);
  EXPECT_EQ(compared(" North "), "north");
  EXPECT_EQ(compared("2.0"), "2");
  EXPECT_EQ(compared("2.5"), "2.5");
}

}  // namespace
}  // namespace lacuna::checking
