// SPDX-License-Identifier: Apache-2.0
// Commas, quotation marks and brackets are the writer's; what would be no JSON is a broken
// invariant.
#include "core/base/json_writer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/check.h"

namespace lacuna::base {
namespace {

template <class Number>
std::string of(const Number& number) {
  return json_text([&](JsonWriter& json) { json.value(number); });
}

std::string quoted(std::string_view text, JsonPlace place = JsonPlace::kText) {
  return json_text([&](JsonWriter& json) { json.value(text); }, place);
}

TEST(JsonWriter, PutsCommasBetweenMembersAndItems) {
  const std::vector<int> none, two{1, 2};
  EXPECT_EQ(json_object([](JsonWriter&) {}), "{}");
  EXPECT_EQ(json_object([&](JsonWriter& json) {
              json.member("a", 1).key("b").values(two).key("c").values(none);
              json.key("d").object([&] { json.member("x", "y").key("z").null(); });
              json.key("e").list(two, [&](int each) { json.list([&] { json.value(each); }); });
              json.member("f", true);
            }),
            R"({"a":1,"b":[1,2],"c":[],"d":{"x":"y","z":null},"e":[[1],[2]],"f":true})");
}

TEST(JsonWriter, BreaksLinesWhereItIsTold) {
  EXPECT_EQ(json_object([](JsonWriter& json) {
              json.member("a", 1).line().member("b", 2).member("c", 3).line().key("d");
              json.list([&] { json.line().value(1).line().value(2).value(3); });
            }),
            "{\"a\":1,\n\"b\":2,\"c\":3,\n\"d\":[\n1,\n2,3]}");
}

TEST(JsonWriter, WritesNumbersAsTheyAre) {
  EXPECT_EQ(of(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(of(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(of(std::int32_t{-7}), "-7");
  EXPECT_EQ(of(std::uint8_t{200}), "200");
  EXPECT_EQ(of(false), "false");
  EXPECT_EQ(of(*Integer::parse("123456789012345678901234567890")),
            "123456789012345678901234567890");
  EXPECT_EQ(of(3.0), "3");
  EXPECT_EQ(of(0.1), "0.1");
  EXPECT_EQ(of(std::numeric_limits<double>::infinity()), "null");  // JSON has none
  EXPECT_EQ(of(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(json_text([](JsonWriter& json) {
              json.list([&] {
                json.bound(kUnboundedBelow).bound(-5).bound(kUnboundedAbove);
                json.fixed(0.5, 3).fixed(std::numeric_limits<double>::infinity(), 3).raw("1.250");
              });
            }),
            "[null,-5,null,0.500,null,1.250]");
}

TEST(JsonWriter, QuotesWhatWouldEndAText) {
  EXPECT_EQ(quoted("a\"b\\c\nd\x1f/"), "\"a\\\"b\\\\c\\u000ad\\u001f/\"");
  EXPECT_EQ(quoted("<\u2028 \u00e9&>"), "\"<\u2028 \u00e9&>\"");
  EXPECT_EQ(json_object([](JsonWriter& json) { json.member("\"", ""); }), R"({"\"":""})");
}

TEST(JsonWriter, NothingEndsAScript) {
  EXPECT_EQ(quoted("</script><!--", JsonPlace::kScript), "\"\\u003c/script\\u003e\\u003c!--\"");
  EXPECT_EQ(quoted("a\"b\\c\nd&", JsonPlace::kScript), "\"a\\\"b\\\\c\\u000ad\\u0026\"");
  EXPECT_EQ(quoted("x\u2028y\u2029z \u00e9", JsonPlace::kScript), "\"x\\u2028y\\u2029z \u00e9\"");
  EXPECT_EQ(quoted("\xE2\x80", JsonPlace::kScript), "\"\xE2\x80\"");
  EXPECT_EQ(json_object([](JsonWriter& json) { json.member("<", 1); }, JsonPlace::kScript),
            R"({"\u003c":1})");
}

TEST(JsonWriter, TakesTheMembersOfAnObjectThatIsText) {
  EXPECT_EQ(json_object([](JsonWriter& json) {
              json.members("{}").members(R"({"a":1,"b":2})").members("{}").member("c", 3);
            }),
            R"({"a":1,"b":2,"c":3})");
}

TEST(JsonWriter, RefusesWhatIsNoJson) {
  const auto object = [](auto write) { return [=] { json_object(write); }; };
  const auto list = [](auto write) {
    return [=] { json_text([&](JsonWriter& json) { json.list([&] { write(json); }); }); };
  };
  EXPECT_THROW(object([](JsonWriter& json) { json.value(1); })(), InternalError);
  EXPECT_THROW(object([](JsonWriter& json) { json.key("a"); })(), InternalError);
  EXPECT_THROW(object([](JsonWriter& json) { json.key("a").key("b"); })(), InternalError);
  EXPECT_THROW(object([](JsonWriter& json) { json.key("a").raw(""); })(), InternalError);
  EXPECT_THROW(object([](JsonWriter& json) { json.key("a").members("{}"); })(), InternalError);
  EXPECT_THROW(object([](JsonWriter& json) { json.members("[1]"); })(), InternalError);
  EXPECT_THROW(object([](JsonWriter& json) { json.key("a").line(); })(), InternalError);
  EXPECT_THROW(object([](JsonWriter& json) { json.member("a", 1).line(); })(), InternalError);
  EXPECT_THROW(list([](JsonWriter& json) { json.key("a"); })(), InternalError);
  EXPECT_THROW(json_text([](JsonWriter&) {}), InternalError);
  EXPECT_THROW(json_text([](JsonWriter& json) { json.value(1).value(2); }), InternalError);
  EXPECT_THROW(json_text([](JsonWriter& json) { json.key("a"); }), InternalError);
  EXPECT_THROW(json_text([](JsonWriter& json) { json.line().value(1); }), InternalError);
}

}  // namespace
}  // namespace lacuna::base
