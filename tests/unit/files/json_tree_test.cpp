// SPDX-License-Identifier: Apache-2.0
#include "data/files/json_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lacuna::files {
namespace {

using ::testing::HasSubstr;

const std::string kDigits = "1" + std::string(400, '7');  // beyond the range of double

std::vector<std::string> numbers_of(const std::string& text) {
  const auto tree = JsonTree::parse(text, "f.json");
  if (!tree)
    return {tree.error().text()};
  std::vector<std::string> numbers;
  for (const JsonNode node : tree->root().children())
    numbers.push_back(node.number_text().value());
  return numbers;
}

TEST(JsonTree, IntegersHaveAnyLength) {
  const std::vector<std::string> expected{"5", kDigits, "-" + kDigits, "1.5"};
  EXPECT_EQ(numbers_of("[5," + kDigits + ", -" + kDigits + ",1.5]"), expected);
  EXPECT_EQ(numbers_of("{\"a\":5,\"b\\\"\":" + kDigits + ",\"\":-" + kDigits + ",\"c\":1.5}"),
            expected);
}

TEST(JsonTree, LongDigitsInStringsAreStrings) {
  const auto tree = JsonTree::parse("[\"" + kDigits + "\"," + kDigits + "]", "f.json");
  ASSERT_TRUE(tree);
  std::vector<JsonKind> kinds;
  for (const JsonNode node : tree->root().children())
    kinds.push_back(node.kind());
  EXPECT_EQ(kinds, (std::vector{JsonKind::kString, JsonKind::kNumber}));
}

TEST(JsonTree, LongIntegersMakeNothingValidThatIsNot) {
  for (const std::string& text : {"{" + kDigits + ":1}",
                                  "[" + kDigits + " " + kDigits + "]",
                                  "[1-" + kDigits + "]",
                                  "[- " + kDigits + "]",
                                  "[+" + kDigits + "]",
                                  "[0" + kDigits + "]",
                                  "[." + kDigits + "]",
                                  "[\"a\"" + kDigits + "]",
                                  "[" + kDigits + "e5]",
                                  "[" + kDigits + ".5]"}) {
    EXPECT_FALSE(JsonTree::parse(text, "f.json")) << text;
  }
}

TEST(JsonTree, ErrorsAreShortAndKeepTheirPlace) {
  const auto behind = JsonTree::parse("[" + kDigits + ",\n" + kDigits + ", x]", "f.json");
  ASSERT_FALSE(behind);
  EXPECT_THAT(behind.error().text(), HasSubstr("f.json:2:404: not valid JSON: invalid literal"));
  const auto overflow = JsonTree::parse("[" + kDigits + "e9]", "f.json");
  ASSERT_FALSE(overflow);
  EXPECT_LT(overflow.error().text().size(), 200U);
}

}  // namespace
}  // namespace lacuna::files
