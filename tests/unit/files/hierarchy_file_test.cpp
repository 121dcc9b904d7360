// SPDX-License-Identifier: Apache-2.0
#include "data/files/hierarchy_file.h"

#include <gtest/gtest.h>

namespace lacuna::files {
namespace {

const CodeTree kTree{{"T", "A", "A1", "A2", "B"}, {{"T", {"A", "B"}}, {"A", {"A1", "A2"}}}};

std::string hrc_error(const std::string& text) {
  const auto tree = read_hrc(text, "t.hrc", "@", "T");
  return tree ? "no error" : tree.error().text();
}

std::string parents_error(const std::string& text) {
  const auto tree = read_parents_csv(text, "p.csv", ',', "T");
  return tree ? "no error" : tree.error().text();
}

TEST(Hrc, ReadsWithAndWithoutTheTotal) {
  EXPECT_EQ(read_hrc("A\n@A1\n@A2 \r\nB\n", "t.hrc", "@", "T").value(), kTree);
  EXPECT_EQ(read_hrc("@T\n@@A\n@@@A1\n\n@@@A2\n@@B", "t.hrc", "@", "T").value(), kTree);
  EXPECT_EQ(read_hrc(" 1\n@ 2\n", "t.hrc", "@", "T").value().codes[2], " 2");
}

TEST(Hrc, PlacesEveryError) {
  EXPECT_EQ(hrc_error("\n"), "t.hrc:1:1: the hierarchy has no codes");
  EXPECT_EQ(hrc_error("A\n@@A1\n"),
            "t.hrc:2:1: the code 'A1' is 2 levels below the line before it; one is allowed");
  EXPECT_EQ(hrc_error("A\n@A1\nB\n@A1\n"), "t.hrc:4:1: the code 'A1' is listed twice");
  EXPECT_EQ(hrc_error("A\nT\n"), "t.hrc:2:1: the total 'T' may be listed on the first line only");
  EXPECT_EQ(hrc_error("@T\n@A\n"), "t.hrc:2:1: the code 'A' stands next to the total");
  EXPECT_EQ(hrc_error("A\n@\n"), "t.hrc:2:1: the line has no code after the lead");
  EXPECT_EQ(hrc_error("A\n\xFF\n"),
            "t.hrc:2:1: this byte is not UTF-8 text: convert the file to UTF-8");
}

TEST(ParentsCsv, ReadsInAnyOrder) {
  const auto tree = read_parents_csv("parent,code\nA,A1\nT,A\nA,A2\nT,B\n,T\n", "p.csv", ',', "T");
  ASSERT_TRUE(tree) << tree.error().text();
  EXPECT_EQ(tree->codes, (std::vector<std::string>{"T", "A1", "A", "A2", "B"}));
  EXPECT_EQ(tree->relations, kTree.relations);
}

TEST(ParentsCsv, PlacesEveryError) {
  EXPECT_EQ(parents_error("code,mother\n"),
            "p.csv:1:1: the header must name the columns 'code' and 'parent'");
  EXPECT_EQ(parents_error("code,parent\nA,T\nA,T\n"), "p.csv:3:1: the code 'A' is listed twice");
  EXPECT_EQ(parents_error("code,parent\nA,\n"),
            "p.csv:2:3: the code 'A' has no parent, and is not the total");
  EXPECT_EQ(parents_error("code,parent\nT,A\n"), "p.csv:2:3: the total 'T' has a parent");
  EXPECT_EQ(parents_error("code,parent\nA,X\n"),
            "p.csv:2:3: the parent 'X' is not in the column 'code'");
  EXPECT_EQ(parents_error("code,parent\n,T\n"), "p.csv:2:1: the code is empty");
  EXPECT_EQ(parents_error("code,parent\nC,T\nA,B\nB,A\n"),
            "p.csv:3:1: the hierarchy has a cycle through code 'A'");
}

TEST(HierarchyFiles, RoundTrip) {
  const Dimension dimension = build_dimension("D", {kTree}).value();
  const std::string hrc = write_hrc(dimension, "@").value();
  EXPECT_EQ(hrc, "A\n@A1\n@A2\nB\n");
  EXPECT_EQ(build_dimension("D", {read_hrc(hrc, "t.hrc", "@", "T").value()}).value(), dimension);
  const std::string parents = write_parents_csv(dimension, ';').value();
  EXPECT_EQ(parents, "code;parent\nT;\nA;T\nA1;A\nA2;A\nB;T\n");
  EXPECT_EQ(build_dimension("D", {read_parents_csv(parents, "p.csv", ';', "T").value()}).value(),
            dimension);
  EXPECT_EQ(build_dimension("D", trees_of(dimension)).value(), dimension);
}

TEST(HierarchyFiles, RefuseTwoHierarchies) {
  const CodeTree second{{"T", "X", "A1", "A2", "B"}, {{"T", {"X", "B"}}, {"X", {"A1", "A2"}}}};
  const Dimension both = build_dimension("D", {kTree, second}).value();
  EXPECT_EQ(trees_of(both).size(), 2U);
  EXPECT_EQ(build_dimension("D", trees_of(both)).value(), both);
  EXPECT_EQ(write_hrc(both, "@").error().text(),
            "dimension D: an .hrc file holds one tree, but the dimension has several hierarchies");
  const Dimension odd = build_dimension("D", {{{"T", "@A"}, {{"T", {"@A"}}}}}).value();
  EXPECT_EQ(write_hrc(odd, "@").error().text(),
            "dimension D: an .hrc file cannot hold the code '@A'");
}

}  // namespace
}  // namespace lacuna::files
