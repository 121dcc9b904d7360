// SPDX-License-Identifier: Apache-2.0
#include "lacuna/fields.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <optional>

namespace lacuna::base {
namespace {

enum class Color : std::uint8_t { kRed, kGreen };
std::span<const std::string_view> enum_names(Color) {
  static constexpr std::array<std::string_view, 2> kNames{"red", "green"};
  return kNames;
}

struct Options {
  double share = 0.5;
  std::int64_t most = -1;
  std::int32_t count = 3;
  bool loud = false;
  Color color = Color::kGreen;
  std::string name = "x";
  std::vector<std::int32_t> sizes{6, 6};
  std::vector<std::string> files;
  std::optional<Decimal> level;
  std::optional<Color> shade;
  std::optional<std::int64_t> limit;
  std::vector<Color> colors;
  std::vector<double> factors{1};

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "share", .help = "a share", .unit = "of all", .least = 0, .most = 1},
          self.share);
    visit(FieldInfo{.name = "most", .help = "at most", .least = 0, .absent = "any"}, self.most);
    visit(FieldInfo{.name = "count", .help = "how many", .least = 0, .above_least = true},
          self.count);
    visit(FieldInfo{.name = "loud", .help = "loudly", .methods = "round adjust"}, self.loud);
    visit(FieldInfo{.name = "color", .help = "which"}, self.color);
    visit(FieldInfo{.name = "name", .help = "whose"}, self.name);
    visit(FieldInfo{.name = "sizes", .help = "how large", .least = 1}, self.sizes);
    visit(FieldInfo{.name = "files", .help = "where"}, self.files);
    visit(FieldInfo{.name = "level", .help = "exactly"}, self.level);
    visit(FieldInfo{.name = "shade", .help = "if any"}, self.shade);
    visit(FieldInfo{.name = "limit", .help = "if any", .least = 1}, self.limit);
    visit(FieldInfo{.name = "colors", .help = "all of them"}, self.colors);
    visit(FieldInfo{.name = "factors", .help = "in one text"}, self.factors);
  }
};

std::string refusal(std::string_view name, const std::string& text) {
  Options options;
  const Status status = set_option(options, name, text);
  return status ? "accepted" : status.error().text();
}

TEST(Fields, DescribeEveryOption) {
  const auto options = describe_options<Options>();
  ASSERT_EQ(options.size(), 13U);
  EXPECT_EQ(options[0].type, "number");
  EXPECT_EQ(options[0].default_text, "0.5");
  EXPECT_EQ(options[0].range, "from 0 to 1");
  EXPECT_EQ(options[0].unit, "of all");
  EXPECT_EQ(options[1].default_text, "") << "-1 is nothing that anyone would write";
  EXPECT_EQ(options[1].absent, "any");
  EXPECT_EQ(options[2].range, "above 0");
  EXPECT_TRUE(options[3].is_flag());
  EXPECT_EQ(options[3].methods, (std::vector<std::string>{"round", "adjust"}));
  EXPECT_EQ(options[4].choices, (std::vector<std::string>{"red", "green"}));
  EXPECT_EQ(options[4].default_text, "green");
  EXPECT_TRUE(options[6].is_list());
  EXPECT_EQ(options[6].default_text, "6,6");
  EXPECT_EQ(options[8].type, "exact number");
  EXPECT_EQ(options[8].default_text, "");
  EXPECT_EQ(options[9].type, "one of");
  EXPECT_EQ(options[9].choices, (std::vector<std::string>{"red", "green"}));
  EXPECT_EQ(options[10].type, "whole number");
  EXPECT_TRUE(options[11].is_list());
  EXPECT_EQ(options[12].type, "text");
  EXPECT_EQ(options[12].default_text, "1");
}

TEST(Fields, SeveralNumbersInOneText) {
  Options options;
  EXPECT_TRUE(set_option(options, "factors", "1,.5,0.25"));
  EXPECT_EQ(options.factors, (std::vector{1.0, 0.5, 0.25}));
  EXPECT_EQ(field_text(options.factors), "1,0.5,0.25");
  for (const std::string text : {"", "1,", "1,,2", "1;2", "1, 2", "nan"})
    EXPECT_EQ(
        refusal("factors", text),
        "--factors: must be numbers separated by commas, such as 1,0.5,0.3, not '" + text + "'");
}

TEST(Fields, OnlyListsTakeSeveralTexts) {
  Options options;
  const std::vector<std::string> two{"1", "2"};
  for (const BoundOption& option : bind_options(options)) {
    const Status several = option.set(two);
    EXPECT_EQ(option.info.name == "sizes" || option.info.name == "files", several.has_value())
        << option.info.name;
    EXPECT_EQ(option.set({}).has_value(), option.info.is_list()) << option.info.name;
  }
  EXPECT_EQ(options.share, 0.5);
}

TEST(Fields, MayBeAbsent) {
  Options options;
  EXPECT_TRUE(set_option(options, "level", "0.10"));
  EXPECT_TRUE(set_option(options, "shade", "red"));
  EXPECT_TRUE(set_option(options, "limit", "7"));
  EXPECT_TRUE(set_option(options, "colors", "green,red"));
  EXPECT_EQ(options.level, Decimal(1, 1));
  EXPECT_EQ(options.shade, Color::kRed);
  EXPECT_EQ(options.limit, 7);
  EXPECT_EQ(options.colors, (std::vector{Color::kGreen, Color::kRed}));
  EXPECT_FALSE(set_option(options, "limit", "0"));
  EXPECT_EQ(options.limit, 7) << "a wrong text changes nothing";
  for (const char* name : {"level", "shade", "limit", "colors"})
    EXPECT_TRUE(set_option(options, name, "")) << name;
  EXPECT_FALSE(options.level || options.shade || options.limit);
  EXPECT_TRUE(options.colors.empty());
  options.limit = 0;
  EXPECT_EQ(check_ranges(options).error().text(), "--limit: must be at least 1, not 0");
}

TEST(Fields, AreSetFromText) {
  Options options;
  EXPECT_TRUE(set_option(options, "share", "1e-2"));
  EXPECT_TRUE(set_option(options, "most", "9000000000"));
  EXPECT_TRUE(set_option(options, "loud", "true"));
  EXPECT_TRUE(set_option(options, "color", "red"));
  EXPECT_TRUE(set_option(options, "name", ""));
  EXPECT_TRUE(set_option(options, "sizes", "4,5,6"));
  EXPECT_TRUE(set_option(options, "files", "a,b.csv")) << "a comma is part of a name";
  EXPECT_EQ(options.share, 0.01);
  EXPECT_EQ(options.most, 9'000'000'000);
  EXPECT_TRUE(options.loud);
  EXPECT_EQ(options.color, Color::kRed);
  EXPECT_EQ(options.name, "");
  EXPECT_EQ(options.sizes, (std::vector<std::int32_t>{4, 5, 6}));
  EXPECT_EQ(options.files, std::vector<std::string>{"a,b.csv"});
}

TEST(Fields, SayWhatTheyWant) {
  EXPECT_EQ(refusal("share", "2"), "--share: must be from 0 to 1, not 2");
  EXPECT_EQ(refusal("share", "nan"), "--share: must be a number, not 'nan'");
  EXPECT_EQ(refusal("share", ""), "--share: must be a number, not ''");
  EXPECT_EQ(refusal("count", "0"), "--count: must be above 0, not 0");
  EXPECT_EQ(refusal("count", "1.5"), "--count: must be a whole number, not '1.5'");
  EXPECT_EQ(refusal("count", "9000000000"), "--count: the number is too large, not '9000000000'");
  EXPECT_EQ(refusal("loud", "yes"), "--loud: must be true or false, not 'yes'");
  EXPECT_EQ(refusal("color", "gren"),
            "--color: must be red or green, not 'gren'; did you mean 'green'?");
  EXPECT_EQ(refusal("sizes", "4,0"), "--sizes: must be at least 1, not 0");
  EXPECT_EQ(refusal("level", "x"), "--level: must be a number, not 'x'");
  EXPECT_EQ(refusal("shade", "blue"), "--shade: must be red or green, not 'blue'");
  EXPECT_EQ(refusal("colors", "red,blue"), "--colors: must be red or green, not 'blue'");
}

TEST(Fields, SuggestTheNearestName) {
  EXPECT_EQ(refusal("colour", "red"), "--colour: there is no such option; did you mean 'color'?");
  EXPECT_EQ(refusal("entirely", "1"), "--entirely: there is no such option");
}

TEST(Fields, AWrongTextChangesNothing) {
  Options options;
  EXPECT_FALSE(set_option(options, "sizes", "4,x"));
  EXPECT_EQ(options.sizes, (std::vector<std::int32_t>{6, 6}));
}

TEST(Fields, RangesHoldForNumbersSetByHand) {
  Options options;
  EXPECT_TRUE(check_ranges(options)) << "the default is allowed although it is out of range";
  options.share = 1.5;
  EXPECT_EQ(check_ranges(options).error().text(), "--share: must be from 0 to 1, not 1.5");
  options.share = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(check_ranges(options));
  options = {};
  options.most = -2;
  EXPECT_FALSE(check_ranges(options));
}

}  // namespace
}  // namespace lacuna::base
