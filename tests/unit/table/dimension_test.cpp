// SPDX-License-Identifier: Apache-2.0
#include "lacuna/dimension.h"

#include <gtest/gtest.h>

namespace lacuna::table {
namespace {

using Codes = std::vector<std::string>;
using Relations = std::vector<Relation>;

Dimension built(const Codes& codes, const Relations& relations) {
  auto dimension = Dimension::build("D", codes, relations);
  EXPECT_TRUE(dimension) << (dimension ? "" : dimension.error().text());
  return std::move(dimension).value();
}

std::string refusal(const Codes& codes, const Relations& relations, const std::string& name = "D") {
  const auto dimension = Dimension::build(name, codes, relations);
  EXPECT_FALSE(dimension);
  return dimension ? "" : dimension.error().text();
}

TEST(Dimension, RaggedTree) {
  const Dimension d = built({"T", "A", "B", "A1", "A2"}, {{0, {1, 2}}, {1, {3, 4}}});
  EXPECT_EQ(d.total(), 0);
  EXPECT_TRUE(d.is_leaf(2));
  EXPECT_FALSE(d.is_leaf(1));
  EXPECT_EQ(d.depth(2), 1);
  EXPECT_EQ(d.depth(4), 2);
  EXPECT_EQ(d.find("A2"), 4);
  EXPECT_EQ(d.find("A"), 1);
  EXPECT_EQ(d.find("a"), -1);
  EXPECT_EQ(d.find(""), -1);
}

TEST(Dimension, TotalMayStandAnywhere) {
  EXPECT_EQ(built({"a", "b", "T"}, {{2, {0, 1}}}).total(), 2);
}

TEST(Dimension, OneCodeIsATotal) {
  const Dimension d = built({"T"}, {});
  EXPECT_EQ(d.total(), 0);
  EXPECT_TRUE(d.is_leaf(0));
}

TEST(Dimension, OneChildLevels) {
  const Dimension d = built({"T", "A", "A1"}, {{0, {1}}, {1, {2}}});
  EXPECT_EQ(d.depth(2), 2);
  EXPECT_TRUE(d.is_leaf(2));
}

TEST(Dimension, VeryDeepChainsDoNotOverflowTheStack) {
  constexpr std::int32_t kDepth = 3000;
  Codes codes;
  Relations relations;
  for (std::int32_t c = 0; c < kDepth; ++c) {
    codes.push_back("c" + std::to_string(c));
    if (c > 0)
      relations.push_back({c - 1, {c}});
  }
  EXPECT_EQ(built(codes, relations).depth(kDepth - 1), kDepth - 1);
}

TEST(Dimension, TwoHierarchiesOverTheSameLeaves) {
  // T = A + B = X + Y with leaves 1..4.
  const Dimension d =
      built({"T", "A", "B", "X", "Y", "1", "2", "3", "4"},
            {{0, {1, 2}}, {1, {5, 6}}, {2, {7, 8}}, {0, {3, 4}}, {3, {5, 7}}, {4, {6, 8}}});
  EXPECT_EQ(d.relations().size(), 6U);
  EXPECT_EQ(d.depth(5), 2);
}

TEST(Dimension, RefusesDifferentLeaves) {
  EXPECT_EQ(refusal({"T", "A", "B", "X", "1", "2", "3"},
                    {{0, {1, 2}}, {1, {4}}, {2, {5, 6}}, {0, {3, 6}}, {3, {4}}}),
            "dimension D: two hierarchies split code 'T' into different leaves");
  EXPECT_EQ(refusal({"T", "a", "b"}, {{0, {1, 2}}, {0, {1}}}),
            "dimension D: two hierarchies split code 'T' into different leaves");
  EXPECT_EQ(refusal({"T", "A", "B", "1"}, {{0, {1, 2}}, {1, {3}}, {2, {3}}}),
            "dimension D: a leaf is counted twice below code 'T'");
}

TEST(Dimension, RefusesCycles) {
  EXPECT_EQ(refusal({"T", "A", "B"}, {{0, {1}}, {1, {2}}, {2, {1}}}),
            "dimension D: the hierarchy has a cycle through code 'A'");
  EXPECT_EQ(refusal({"T", "A"}, {{0, {0, 1}}}),
            "dimension D: the hierarchy has a cycle through code 'T'");
  // A cycle beside the tree, which no walk from the total would meet.
  EXPECT_EQ(refusal({"T", "a", "X", "Y"}, {{0, {1}}, {2, {3}}, {3, {2}}}),
            "dimension D: the hierarchy has a cycle through code 'X'");
}

TEST(Dimension, RefusesTwoRoots) {
  EXPECT_EQ(refusal({"T", "a", "S", "b"}, {{0, {1}}, {2, {3}}}),
            "dimension D: codes 'T' and 'S' both stand at the top; one total must be above all "
            "codes");
  EXPECT_EQ(refusal({"a", "b"}, {}),
            "dimension D: codes 'a' and 'b' both stand at the top; one total must be above all "
            "codes");
}

TEST(Dimension, RefusesBadNamesAndIndices) {
  EXPECT_EQ(refusal({"T"}, {}, ""), "a dimension has no name");
  EXPECT_EQ(refusal({}, {}), "dimension D: the dimension has no codes");
  EXPECT_EQ(refusal({"T", "a", "a"}, {{0, {1, 2}}}), "dimension D: code 'a' is given twice");
  EXPECT_EQ(refusal({"T", "a"}, {{2, {1}}}),
            "dimension D: a hierarchy names a parent that is not a code");
  EXPECT_EQ(refusal({"T", "a"}, {{-1, {1}}}),
            "dimension D: a hierarchy names a parent that is not a code");
  EXPECT_EQ(refusal({"T", "a"}, {{0, {1, 9}}}),
            "dimension D: code 'T' has a child that is not a code");
  EXPECT_EQ(refusal({"T", "a"}, {{0, {}}}), "dimension D: code 'T' has an empty list of children");
  EXPECT_EQ(refusal({"T", "a"}, {{0, {1, 1}}}),
            "dimension D: code 'a' stands twice below code 'T'");
}

}  // namespace
}  // namespace lacuna::table
