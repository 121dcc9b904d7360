// SPDX-License-Identifier: Apache-2.0
#include "data/files/number_text.h"

#include <gtest/gtest.h>

#include <array>

#include "core/base/nearest.h"

namespace lacuna::files {
namespace {

TEST(NumberText, KnowsInfinity) {
  for (const char* text : {"inf",
                           "-INF",
                           "+Infinity",
                           "1e20",
                           "-1e+30",
                           "1e400",
                           "unbounded",
                           "100000000000000000000"})
    EXPECT_TRUE(is_infinite_text(text)) << text;
  for (const char* text : {"", "0", "in", "nan", "1e-400", "99999999999999999999", "1e19", "12.5"})
    EXPECT_FALSE(is_infinite_text(text)) << text;
}

TEST(NumberText, RoundsLevelsUpOnly) {
  EXPECT_EQ(parse_level_upward("1.25", 2).value(), 125);
  EXPECT_EQ(parse_level_upward("1.25", 1).value(), 13);
  EXPECT_EQ(parse_level_upward("1.2000000000000000001", 1).value(), 13);
  EXPECT_EQ(parse_level_upward("1.2e-3", 2).value(), 1);
  EXPECT_EQ(parse_level_upward("+12345e-3", 1).value(), 124);
  EXPECT_EQ(parse_level_upward("0.000", 0).value(), 0);
  EXPECT_FALSE(parse_level_upward("x", 0));
}

TEST(Nearest, FindsSlipsOnly) {
  constexpr std::array<std::string_view, 3> kNames{"value", "weight", "lower"};
  EXPECT_EQ(base::nearest_name("vlaue", kNames), "value");
  EXPECT_EQ(base::nearest_name("Lower", kNames), "lower");
  EXPECT_EQ(base::nearest_name("zebra", kNames), "");
  EXPECT_EQ(base::edit_distance("abcd", "acbd"), 1U);
  EXPECT_EQ(base::edit_distance("", "abc"), 3U);
  EXPECT_EQ(base::edit_distance("kitten", "sitting"), 3U);
}

}  // namespace
}  // namespace lacuna::files
