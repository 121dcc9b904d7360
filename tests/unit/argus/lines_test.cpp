// SPDX-License-Identifier: Apache-2.0
#include "data/argus/lines.h"

#include <gtest/gtest.h>

namespace lacuna::argus {
namespace {

using Texts = std::vector<std::string>;

Texts tokens(const std::string& text, std::string_view marks = "") {
  const Line line{text, 1};
  LineReader reader(line, "f");
  Texts found;
  while (!reader.at_end())
    found.push_back(reader.token(marks).text);
  return found;
}

TEST(Lines, TextOfAnyEncoding) {
  EXPECT_EQ(text_of("\xEF\xBB\xBF"
                    "a\xC3\xA9",
                    "f")
                .value(),
            "aé");
  EXPECT_EQ(text_of("a\xE9", "f").value(), "aé");
  EXPECT_EQ(text_of("\x80 5", "f").value(), "€ 5");
  EXPECT_EQ(text_of("a\x81\xE9", "f").value(), "a\xC2\x81é");
  EXPECT_EQ(text_of(std::string("\xFF\xFE"
                                "a\0",
                                4),
                    "f")
                .value(),
            "a");
}

TEST(Lines, EndsOfAllSystems) {
  const auto lines = lines_of("a\r\nb\n\nc\rd");
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[1].text, "b");
  EXPECT_EQ(lines[2].text, "");
  EXPECT_EQ(lines[4].text, "d");
  EXPECT_EQ(lines[4].number, 5U);
  EXPECT_EQ(lines_of("a\n").size(), 1U);
  EXPECT_TRUE(lines_of("").empty());
}

TEST(Lines, PaddingCountsCharacters) {
  EXPECT_EQ(left_padded("é", 3), "  é");
  EXPECT_EQ(left_padded("abc", 2), "abc");
  EXPECT_TRUE(same_word("Abc", "aBC"));
  EXPECT_FALSE(same_word("ab", "abc"));
}

TEST(Lines, Tokens) {
  EXPECT_EQ(tokens("  a\tb,c \"d , e\"f <kEy>x , (  // rest"),
            (Texts{"a", "b,c", "d , e", "f", "<KEY>", "x", ",", "("}));
  EXPECT_EQ(tokens("a-b,c", "-,"), (Texts{"a", "-b", ",", "c"}));
  EXPECT_EQ(tokens("http://x //y"), (Texts{"http://x"}));
  EXPECT_EQ(tokens("<open x"), (Texts{"<open", "x"}));
  EXPECT_TRUE(tokens("// all of it").empty());
}

TEST(Lines, FieldsAndMarks) {
  const Line line{"\"a|b\" | c d |e // f", 7};
  LineReader reader(line, "f");
  EXPECT_EQ(reader.field("|").text, "a|b");
  EXPECT_TRUE(reader.take('|'));
  const Word word = reader.field("|");
  EXPECT_EQ(word.text, "c d");
  EXPECT_EQ(word.place.line, 7U);
  EXPECT_EQ(word.place.column, 9U);
  EXPECT_FALSE(reader.take(','));
  EXPECT_EQ(reader.expect(',', "c").error().text(), "f:7:13: expected ',' after c, not '|e // f'");
  EXPECT_TRUE(reader.expect('|', "c").has_value());
  EXPECT_EQ(reader.rest().text, "e");
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(reader.field("|").text, "");
  EXPECT_FALSE(reader.unclosed_quote());
}

TEST(Lines, PlacesGoBackAndForth) {
  const Line line{"éé \"x", 1};
  LineReader reader(line, "f");
  const Word first = reader.token();
  const Word second = reader.token();
  EXPECT_EQ(second.place.column, 4U);
  EXPECT_TRUE(reader.unclosed_quote());
  EXPECT_EQ(reader.error(first, "wrong").text(), "f:1:1: wrong");
  EXPECT_EQ(reader.here().column, 6U);
}

}  // namespace
}  // namespace lacuna::argus
