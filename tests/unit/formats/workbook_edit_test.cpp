// SPDX-License-Identifier: Apache-2.0
#include "data/formats/workbook_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "data/files/zip_reader.h"
#include "data/formats/workbook.h"
#include "support/small_books.h"

#define LACUNA_NEEDS_XML_WORKBOOKS                                                             \
  if (!reads_xml_workbooks())                                                                  \
  GTEST_SKIP() << "want of pugixml (LACUNA_WORKBOOKS): workbooks of XML are not read by this " \
                  "build"

namespace lacuna::formats {
namespace {

using lacuna::testing::SmallBook;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Rows = std::vector<std::vector<std::string>>;

// Codes in A, numbers in B, their sum by a formula in B4; a text that looks like a number in C2.
SmallBook sales() {
  SmallBook book;
  book.strings = {"<t>north</t>", "<t>south</t>", "<t>12,345</t>"};
  book.styles = "<cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"3\"/></cellXfs>";
  book.sheets = {
      {"Sales",
       "<row r=\"2\" ht=\"20\"><c r=\"A2\" t=\"s\"><v>0</v></c><c r=\"B2\" s=\"1\"><v>12345</v></c>"
       "<c r=\"C2\" t=\"s\"><v>2</v></c></row>\n<!-- kept --><row r=\"3\"><c r=\"A3\" "
       "t=\"s\"><v>1</v></c>"
       "<c r=\"B3\" s=\"1\"><v>700</v></c></row><row r=\"4\"><c r=\"A4\" "
       "t=\"inlineStr\"><is><t>all</t></is></c>"
       "<c r=\"B4\" s=\"1\"><f>SUM(B2:B3)</f><v>13045</v></c></row>",
       "<pageMargins left=\"0.7\"/>"}};
  book.links = SmallBook::link("rIdCalc", "calcChain", "calcChain.xml");
  book.types =
      "<Override PartName=\"/xl/calcChain.xml\" ContentType=\"application/"
      "vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml\"/>";
  book.more = {{"xl/calcChain.xml",
                "<calcChain xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><c "
                "r=\"B4\"/></calcChain>"}};
  return book;
}

std::vector<CellEdit> withheld_north() {
  return {{"Sales", 1, 1, "x & y", false},
          {"Sales", 2, 1, "700", true},
          {"Sales", 3, 1, "13045", true},
          {"Sales", 1, 2, "", false}};
}

std::string part_of(const std::string& bytes, const std::string& name) {
  auto zip = files::ZipReader::open(bytes, "b.xlsx").value();
  const files::ZipMember* member = zip.find(name);
  return member == nullptr ? "(none)" : zip.read(*member).value();
}

void refuses(const SmallBook& book, const std::vector<CellEdit>& edits, const std::string& what) {
  const auto edited = edit_workbook(book.bytes(), edits, "b.xlsx");
  ASSERT_FALSE(edited) << what;
  EXPECT_THAT(edited.error().text(), HasSubstr(what));
}

TEST(WorkbookEdit, CellsAreReplacedAndNothingElse) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  const std::string before = sales().bytes();
  const auto edited = edit_workbook(before, withheld_north(), "b.xlsx");
  ASSERT_TRUE(edited) << edited.error().text();
  const auto grids = read_workbook(edited->bytes, "b.xlsx").value();
  EXPECT_EQ(grids.at(0).rows, (Rows{{"north", "x & y"}, {"south", "700"}, {"all", "13045"}}));
  std::string sheet = part_of(before, "xl/worksheets/sheet1.xml");
  const auto swap = [&](const std::string& old, const std::string& by) {
    ASSERT_NE(sheet.find(old), std::string::npos) << old;
    sheet.replace(sheet.find(old), old.size(), by);
  };
  swap("<c r=\"B2\" s=\"1\"><v>12345</v></c>",
       "<c r=\"B2\" s=\"1\" t=\"inlineStr\"><is><t xml:space=\"preserve\">x &amp; y</t></is></c>");
  swap("<c r=\"C2\" t=\"s\"><v>2</v></c>", "<c r=\"C2\"/>");
  swap("<c r=\"B4\" s=\"1\"><f>SUM(B2:B3)</f><v>13045</v></c>",
       "<c r=\"B4\" s=\"1\"><v>13045</v></c>");
  EXPECT_EQ(part_of(edited->bytes, "xl/worksheets/sheet1.xml"), sheet);
  EXPECT_THAT(edited->notes, IsEmpty());
}

TEST(WorkbookEdit, NothingOfTheOldNumbersIsLeft) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  SmallBook book = sales();
  book.more.emplace_back("docProps/thumbnail.jpeg", "a picture of 12345");
  const auto edited = edit_workbook(book.bytes(), withheld_north(), "b.xlsx");
  ASSERT_TRUE(edited) << edited.error().text();
  auto zip = files::ZipReader::open(edited->bytes, "b.xlsx").value();
  for (const files::ZipMember& member : zip.members()) {
    const std::string text = zip.read(member).value();
    EXPECT_EQ(text.find("12345"), std::string::npos) << member.name;
    EXPECT_EQ(text.find("12,345"), std::string::npos) << member.name;
    EXPECT_EQ(text.find("calcChain"), std::string::npos) << member.name;
  }
  EXPECT_EQ(zip.find("xl/calcChain.xml"), nullptr);
  EXPECT_EQ(zip.find("docProps/thumbnail.jpeg"), nullptr);
  EXPECT_THAT(part_of(edited->bytes, "xl/sharedStrings.xml"),
              HasSubstr("<si><t>south</t></si><si><t/></si>"));
}

TEST(WorkbookEdit, OtherMembersStayByteForByte) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  SmallBook book = sales();
  book.sheets.push_back({"Notes", "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>"});
  const std::string before = book.bytes();
  const auto edited = edit_workbook(before, withheld_north(), "b.xlsx");
  ASSERT_TRUE(edited) << edited.error().text();
  for (const char* name :
       {"xl/worksheets/sheet2.xml", "xl/workbook.xml", "xl/styles.xml", "_rels/.rels"}) {
    const auto bytes_of = [&](const std::string& archive) {
      const auto zip = files::ZipReader::open(archive, "b.xlsx").value();
      const files::ZipMember* member = zip.find(name);
      return archive.substr(member->start, member->data + member->packed - member->start);
    };
    EXPECT_EQ(bytes_of(before), bytes_of(edited->bytes)) << name;
  }
  EXPECT_THAT(edited->notes,
              ElementsAre("sheet Notes: 1 number was not judged and is as before (first: A1)"));
}

TEST(WorkbookEdit, ATextThatAnotherCellShowsStays) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  SmallBook book = sales();
  book.sheets[0].cells.insert(book.sheets[0].cells.find("</row>"),
                              "<c r=\"D2\" t=\"s\"><v>1</v></c>");
  std::vector<CellEdit> edits = withheld_north();
  edits.push_back({"Sales", 2, 0, "hidden", false});
  const auto edited = edit_workbook(book.bytes(), edits, "b.xlsx");
  ASSERT_TRUE(edited) << edited.error().text();
  EXPECT_THAT(part_of(edited->bytes, "xl/sharedStrings.xml"), HasSubstr("<t>south</t>"));
}

TEST(WorkbookEdit, ACellThatIsNotThereIsPutIntoItsRow) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  std::vector<CellEdit> edits = withheld_north();
  edits.push_back({"Sales", 2, 2, "note", false});
  const auto edited = edit_workbook(sales().bytes(), edits, "b.xlsx");
  ASSERT_TRUE(edited) << edited.error().text();
  EXPECT_EQ(read_workbook(edited->bytes, "b.xlsx").value().at(0).rows.at(1).at(2), "note");
  edits.push_back({"Sales", 9, 2, "note", false});
  refuses(sales(), edits, "sheet Sales, cell C10: the row has no cells");
}

TEST(WorkbookEdit, WhatMayTellTheOldNumbersIsRefused) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  const std::vector<CellEdit> edits = withheld_north();
  std::vector<CellEdit> without_sum = edits;
  without_sum.erase(without_sum.begin() + 2);
  refuses(sales(), without_sum, "sheet Sales, cell B4: a formula was not judged");
  const auto with_part = [](const std::string& name, const std::string& text) {
    SmallBook book = sales();
    book.more.emplace_back(name, text);
    return book;
  };
  refuses(with_part("xl/pivotCache/pivotCacheRecords1.xml", "<x/>"), edits, "a pivot table");
  refuses(
      with_part("xl/externalLinks/externalLink1.xml", "<x/>"), edits, "links to other workbooks");
  refuses(with_part("customXml/item1.xml", "<x/>"), edits, "customXml");
  refuses(with_part("xl/vbaProject.bin", "x"), edits, "macros");
  refuses(with_part("xl/unknown.xml", "<x/>"),
          edits,
          "has a part 'xl/unknown.xml', and it is not known");
  refuses(
      with_part("xl/comments1.xml", "<c><t>was 3 before</t></c>"), edits, "comments with digits");
  refuses(with_part("xl/charts/chart1.xml", "<c:c xmlns:c=\"c\"><c:numLit/></c:c>"),
          edits,
          "holds numbers of its own");
  refuses(with_part("xl/drawings/drawing1.xml", "<d><sp textlink=\"$B$2\"/></d>"),
          edits,
          "shows the text of a cell");
  refuses(with_part("xl/tables/table1.xml", "<t x=\"12345\"/>"),
          edits,
          "the part 'xl/tables/table1.xml'");
  EXPECT_TRUE(edit_workbook(
      with_part("xl/comments1.xml", "<c><t>provisional</t></c>").bytes(), edits, "b"));

  SmallBook book = sales();
  book.sheets.push_back({"Old", "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>", "", "hidden"});
  refuses(book,
          edits,
          "sheet Old: the sheet is hidden and holds numbers that were not judged (first: A1)");
  book = sales();
  book.sheets.push_back({"Old", "<row r=\"1\"><c r=\"A1\"><v>12345</v></c></row>"});
  refuses(book,
          edits,
          "sheet Old, cell A1: the cell was not judged and shows a number that is now withheld");
  book = sales();
  book.sheets[0].behind =
      "<autoFilter ref=\"A1:B4\"><filters><filter val=\"12,345\"/></filters></autoFilter>";
  refuses(book, edits, "what the sheet says outside its cells");
  book = sales();
  book.sheets[0].behind = "<scenarios><scenario/></scenarios>";
  refuses(book, edits, "scenarios");
}

// Not only of withheld cells: a rounded number stands for another one, too.
TEST(WorkbookEdit, ANumberThatBecameAnotherIsLookedForAsWell) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  std::vector<CellEdit> edits = withheld_north();
  edits[0] = {"Sales", 1, 1, "12350", true};
  EXPECT_TRUE(edit_workbook(sales().bytes(), edits, "b.xlsx"));
  edits.pop_back();  // C2, which shows 12,345
  refuses(sales(), edits, "sheet Sales, cell C2: the cell was not judged and shows a number");
}

TEST(WorkbookEdit, WhatIsAskedWronglyIsRefused) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  std::vector<CellEdit> edits = withheld_north();
  edits[0].sheet = "Other";
  refuses(sales(), edits, "the workbook has no sheet 'Other'");
  edits = withheld_north();
  edits.push_back(edits[0]);
  refuses(sales(), edits, "cell B2: the cell is to be replaced twice");
  edits = withheld_north();
  edits[1].text = "1e5";
  refuses(sales(), edits, "cell B3: the text to be written is not a number");
  edits[1].text = "1234567890123456";
  refuses(sales(), edits, "holds no number of more than 15 digits");
  EXPECT_THAT(edit_workbook("a,b\n", edits, "b.csv").error().text(), HasSubstr("only an .xlsx"));
}

TEST(WorkbookEdit, ChartsLoseWhatTheyKeep) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  SmallBook book = sales();
  book.more.emplace_back(
      "xl/charts/chart1.xml",
      "<c:chart xmlns:c=\"c\"><c:val><c:numRef><c:f>Sales!$B$2:$B$3</c:f><c:numCache>"
      "<c:pt idx=\"0\"><c:v>12345</c:v></c:pt></c:numCache></c:numRef></c:val></c:chart>");
  const auto edited = edit_workbook(book.bytes(), withheld_north(), "b.xlsx");
  ASSERT_TRUE(edited) << edited.error().text();
  EXPECT_EQ(
      part_of(edited->bytes, "xl/charts/chart1.xml"),
      "<c:chart "
      "xmlns:c=\"c\"><c:val><c:numRef><c:f>Sales!$B$2:$B$3</c:f></c:numRef></c:val></c:chart>");
}

}  // namespace
}  // namespace lacuna::formats
