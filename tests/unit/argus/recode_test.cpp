// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "data/argus/code_files.h"
#include "data/argus/recode_file.h"

namespace lacuna::argus {
namespace {

CodeList flat_codes(std::vector<std::string> codes, std::size_t missing = 0) {
  CodeList list;
  list.variable = "Size";
  list.codes = {"Total"};
  list.codes.insert(list.codes.end(), codes.begin(), codes.end());
  list.parents.assign(list.codes.size(), 0);
  list.parents[0] = -1;
  list.missing.assign(list.codes.size(), false);
  for (std::size_t i = 0; i < missing; ++i)
    list.missing[list.codes.size() - 1 - i] = true;
  return list;
}

CodeList tree_codes() {
  CodeList list;
  list.variable = "Region";
  list.codes = {"Total", "N", "N1", "N2", "N2a", "S", "99"};
  list.parents = {-1, 0, 1, 1, 3, 0, 0};
  list.missing = {false, false, false, false, false, false, true};
  list.hierarchical = true;
  return list;
}

Result<RecodedCodes> recode(const std::string& text, const CodeList& list) {
  LACUNA_TRY(const RecodeFile file, read_recode(text, "a.grc"));
  return apply_recode(file, list);
}

std::string recode_fault(const std::string& text, const CodeList& list) {
  const auto result = recode(text, list);
  return result ? "no error" : result.error().text();
}

using Codes = std::vector<std::string>;
using Indices = std::vector<std::int32_t>;

TEST(Recode, RangesAreComparedAsPaddedStrings) {
  const auto result = recode("1:1-5\n", flat_codes({" 2", " 3", " 6", "12"}));
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->list.codes, (Codes{"Total", " 1", " 6", "12"}));
  EXPECT_EQ(result->new_of, (Indices{0, 1, 1, 2, 3}));
  ASSERT_EQ(result->notes.size(), 1U);
  EXPECT_EQ(result->notes[0], "a.grc: Size: 2 codes not named by any line: kept");
}

TEST(Recode, ItemsOfAllKinds) {
  const auto result = recode("low : - 2\r\n\"mid dle\" : 3 , 4-5,\r\n// a comment\r\nhigh: 6 -\r\n",
                             flat_codes({"1", "2", "3", "4", "5", "6", "7"}));
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->list.codes, (Codes{"Total", "    low", "   high", "mid dle"}));
  EXPECT_EQ(result->new_of, (Indices{0, 1, 1, 3, 3, 3, 2, 2}));
  EXPECT_TRUE(result->notes.empty());
}

TEST(Recode, CodesInQuotesMayHoldMarks) {
  const auto result = recode("a : \"1-5\", \"x,y\"", flat_codes({"1-5", "x,y", "  z"}));
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->list.codes, (Codes{"Total", "  a", "  z"}));
}

TEST(Recode, TheLaterLineCounts) {
  const auto result = recode("a: 1-2\nb: 2, 9", flat_codes({"1", "2"}));
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->new_of, (Indices{0, 1, 2}));
  ASSERT_EQ(result->notes.size(), 2U);
  EXPECT_EQ(result->notes[0], "a.grc: Size: 1 code named twice: the later line counts");
  EXPECT_EQ(result->notes[1], "a.grc: Size: 1 code named without being in the data");
}

TEST(Recode, MissingStaysMissingAndLast) {
  const auto kept = recode("zz: 1 -", flat_codes({"1", "2", "99"}, 1));
  ASSERT_TRUE(kept) << kept.error().text();
  EXPECT_EQ(kept->list.codes, (Codes{"Total", "zz", "99"}));
  EXPECT_EQ(kept->list.missing, (std::vector<bool>{false, false, true}));
  const auto renamed = recode("<MISSING> \"XX\", Y\nA: 1\n", flat_codes({"1", "2", "98", "99"}, 2));
  ASSERT_TRUE(renamed) << renamed.error().text();
  EXPECT_EQ(renamed->list.codes, (Codes{"Total", " 2", " A", " Y", "XX"}));
  EXPECT_EQ(renamed->new_of, (Indices{0, 2, 1, 4, 3}));
  EXPECT_EQ(recode_fault("A: 1, 99", flat_codes({" 1", "99"}, 1)),
            "a.grc:1:7: the code '99' means \"not known\" and 'A' does not");
}

TEST(Recode, LabelsAreNamed) {
  const auto file = read_recode("<codelist> \"gk new.cdl\"\n1:1", "a.grc");
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_EQ(file->code_list.text, "gk new.cdl");
}

TEST(Recode, FlatErrors) {
  const CodeList list = flat_codes({"1", "2"});
  EXPECT_EQ(recode_fault("", list), "a.grc: the recode has no line 'new : code, code'");
  EXPECT_EQ(recode_fault("1 2", list),
            "a.grc:1:4: expected ':' after the new code '1 2', not the end of the line");
  EXPECT_EQ(recode_fault(": 2", list), "a.grc:1:1: expected a new code before ':'");
  EXPECT_EQ(recode_fault("\n1 :", list), "a.grc:2:4: expected the old codes after ':'");
  EXPECT_EQ(recode_fault("1 : 1 2", list),
            "a.grc:1:7: expected ',' or the end of the line after the code '1'; codes with blanks "
            "or hyphens stand in quotes");
  EXPECT_EQ(recode_fault("1 : -1-2", list),
            "a.grc:1:8: a range has one hyphen: 'a - b', '- b' or 'a -'");
  EXPECT_EQ(recode_fault("1 : - - 2", list), "a.grc:1:7: expected a code, not '-'");
  EXPECT_EQ(recode_fault("1 : 2 - 1", list), "a.grc:1:5: the range from '2' to '1' runs backwards");
  EXPECT_EQ(recode_fault("1 : 22", list),
            "a.grc:1:5: the code '22' is longer than the codes of 'Size', which have 1 character");
  EXPECT_EQ(recode_fault("<MISS> 1", list),
            "a.grc:1:1: expected <MISSING>, <CODELIST> or 'new : code, code', not '<MISS>'");
  EXPECT_EQ(recode_fault("<MISSING>", list), "a.grc:1:10: expected a code after <MISSING>");
  EXPECT_EQ(recode_fault("<MISSING> 1 2 3", list),
            "a.grc:1:15: <MISSING> has at most two codes, not also '3'");
  EXPECT_EQ(recode_fault("<TREERECODE>\n1", list),
            "a.grc: <TREERECODE> is for a variable with a tree, and 'Size' has none");
  EXPECT_EQ(recode_fault("1:1\n<TREERECODE>", list),
            "a.grc:2:1: <TREERECODE> must be on the first line or left out");
}

TEST(Recode, TreesAreFolded) {
  const auto result = recode("<treerecode>\r\nN2 \r\n\r\nS", tree_codes());
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->list.codes, (Codes{"Total", "N", "N1", "N2", "S", "99"}));
  EXPECT_EQ(result->list.parents, (Indices{-1, 0, 1, 1, 0, 0}));
  EXPECT_EQ(result->new_of, (Indices{0, 1, 2, 3, 3, 4, 5}));
  ASSERT_EQ(result->notes.size(), 1U);
  EXPECT_EQ(result->notes[0], "a.grc:4:1: the code 'S' has nothing below it to fold");
  EXPECT_EQ(recode_fault("<TREERECODE>\n\n W", tree_codes()),
            "a.grc:3:2: the code 'W' is not in the tree of 'Region'");
  EXPECT_EQ(recode_fault("<TREERECODE>\nTotal", tree_codes()),
            "a.grc:2:1: the total 'Total' cannot be folded");
  EXPECT_EQ(
      recode_fault("a: N", tree_codes()),
      "a.grc: the variable 'Region' has a tree: its recode begins with <TREERECODE> and lists "
      "the codes to fold, or is a level (1 to 9)");
}

TEST(Recode, LevelsAreFolded) {
  const RecodedCodes one = fold_below(tree_codes(), 1);
  EXPECT_EQ(one.list.codes, (Codes{"Total", "N", "S", "99"}));
  EXPECT_EQ(one.new_of, (Indices{0, 1, 1, 1, 1, 2, 3}));
  EXPECT_EQ(fold_below(tree_codes(), 2).list.codes, (Codes{"Total", "N", "N1", "N2", "S", "99"}));
  EXPECT_EQ(fold_below(tree_codes(), 9).list.codes, tree_codes().codes);
}

TEST(CodeFiles, TreesKeepBlanksAtTheLeft) {
  const auto tree = read_tree("Nr\r\n@ 1\r\n@ 2\r\nOs \r\n@\xE9", "r.hrc", "@", "Total");
  ASSERT_TRUE(tree) << tree.error().text();
  EXPECT_EQ(tree->codes, (Codes{"Total", "Nr", " 1", " 2", "Os", "é"}));
  EXPECT_EQ(tree->parents, (Indices{-1, 0, 1, 1, 0, 4}));
  EXPECT_EQ(tree->width, 2U);
  EXPECT_TRUE(tree->notes.empty());
}

TEST(CodeFiles, TreesWithTheirTotalAndLongLeads) {
  const auto tree = read_tree("All\n--A\n----B\n", "r.hrc", "--", "All");
  ASSERT_TRUE(tree) << tree.error().text();
  EXPECT_EQ(tree->parents, (Indices{-1, 0, 1}));
  ASSERT_EQ(tree->notes.size(), 1U);
  EXPECT_EQ(tree->notes[0],
            "r.hrc: the total 'All' is listed in the tree, which tau-ARGUS refuses; read as the "
            "total");
  const auto jump = read_tree("A\n@@B\n", "r.hrc", "@", "T");
  ASSERT_FALSE(jump);
  EXPECT_EQ(jump.error().text(),
            "r.hrc:2:1: the code 'B' is 2 levels below the line before it; one is allowed");
}

TEST(CodeFiles, Labels) {
  const auto labels =
      read_code_labels(" 1,Groningen\r\n\r\n\"a,b\",\"x, y\"\r\nalone\r\n12 , \"\"", "r.cdl");
  ASSERT_TRUE(labels) << labels.error().text();
  ASSERT_EQ(labels->size(), 4U);
  EXPECT_EQ((*labels)[0].code, " 1");
  EXPECT_EQ((*labels)[0].label, "Groningen");
  EXPECT_EQ((*labels)[1].code, "a,b");
  EXPECT_EQ((*labels)[1].label, "x, y");
  EXPECT_EQ((*labels)[2].label, "");
  EXPECT_EQ((*labels)[3].code, "12");
}

}  // namespace
}  // namespace lacuna::argus
