// SPDX-License-Identifier: Apache-2.0
#include "data/formats/workbook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "data/formats/sheet_cells.h"
#include "support/small_books.h"
#include "support/test_data.h"

#define LACUNA_NEEDS_XML_WORKBOOKS                                                             \
  if (!reads_xml_workbooks())                                                                  \
  GTEST_SKIP() << "want of pugixml (LACUNA_WORKBOOKS): workbooks of XML are not read by this " \
                  "build"

namespace lacuna::formats {
namespace {

using lacuna::testing::BookSheet;
using lacuna::testing::SmallBook;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Rows = std::vector<std::vector<std::string>>;

constexpr const char* kStyles =
    "<numFmts count=\"2\"><numFmt numFmtId=\"164\" formatCode=\"dd/mm/yyyy;@\"/>"
    "<numFmt numFmtId=\"165\" formatCode=\"#,##0.0\"/></numFmts><cellXfs count=\"4\">"
    "<xf numFmtId=\"0\"/><xf numFmtId=\"164\"/><xf numFmtId=\"165\"/><xf "
    "numFmtId=\"3\"/></cellXfs>";

Grid one_grid(const std::string& bytes) {
  auto grids = read_workbook(bytes, "b.xlsx");
  EXPECT_TRUE(grids) << (grids ? "" : grids.error().text());
  EXPECT_EQ(grids->size(), 1U);
  return std::move(grids).value().front();
}

TEST(Xlsx, CellsOfAllKinds) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  SmallBook book;
  book.styles = kStyles;
  book.strings = {"<t>Region</t>",
                  "<r><t>N</t></r><r><rPr><b/></rPr><t>orth</t></r><rPh><t>x</t></rPh>"};
  book.sheets = {
      {"Sales",
       "<row r=\"3\"><c r=\"B3\" t=\"s\"><v>0</v></c><c r=\"C3\" "
       "t=\"inlineStr\"><is><t>a_x000A_&amp;b</t>"
       "</is></c></row><row r=\"4\"><c r=\"B4\" t=\"s\"><v>1</v></c>"
       "<c r=\"C4\" s=\"2\"><v>1.1000000000000001</v></c><c r=\"D4\" t=\"b\"><v>1</v></c>"
       "<c r=\"E4\" t=\"e\"><v>#N/A</v></c></row><row><c><v>1E3</v></c>"
       "<c r=\"C5\" s=\"2\"><f>SUM(C4)</f><v>7</v></c><c t=\"str\"><f>A1</f><v>x</v></c>"
       "<c s=\"1\"><v>46342</v></c></row>"}};
  const Grid grid = one_grid(book.bytes());
  EXPECT_EQ(grid.name, "Sales");
  EXPECT_EQ(grid.first_row, 2U);
  EXPECT_EQ(grid.first_column, 0U);
  EXPECT_EQ(grid.rows,
            (Rows{{"", "Region", "a\n&b", "", ""},
                  {"", "North", "1.1", "TRUE", "#N/A"},
                  {"1000", "", "7", "x", "2026-11-16"}}));
  EXPECT_EQ(grid.place(1, 2), "b.xlsx, sheet Sales, cell C4");
  EXPECT_THAT(grid.shown_decimals, ElementsAre(-1, -1, 1, -1, -1));
  EXPECT_TRUE(grid.notes.empty());
}

TEST(Xlsx, PrefixesMergedCellsAndHiddenSheets) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  SmallBook book;
  book.sheets = {
      {"One", "<row r=\"1\"><c r=\"A1\"><v>1</v></c><c r=\"C2\"/></row>"},
      {"Two",
       "<row r=\"2\"><c r=\"B2\"><v>5</v></c></row><row r=\"4\"><c r=\"D4\"><v>6</v></c></row>",
       "<mergeCells><mergeCell ref=\"B2:C3\"/><mergeCell ref=\"D4:XFD9\"/></mergeCells>",
       "veryHidden"},
      {"Empty", ""}};
  lacuna::testing::Parts parts = book.parts();
  for (auto& [name, text] : parts) {
    if (name == "xl/worksheets/sheet1.xml")
      text =
          "<x:worksheet xmlns:x=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">"
          "<x:sheetData><x:row><x:c><x:v>2.50</x:v></x:c></x:row></x:sheetData></x:worksheet>";
  }
  const auto grids = read_workbook(lacuna::testing::zipped(parts), "b.xlsx");
  ASSERT_TRUE(grids) << grids.error().text();
  ASSERT_EQ(grids->size(), 2U);
  EXPECT_EQ(grids->at(0).rows, (Rows{{"2.5"}}));
  EXPECT_FALSE(grids->at(0).is_hidden);
  const Grid& two = grids->at(1);
  EXPECT_TRUE(two.is_hidden);
  ASSERT_EQ(two.merged.size(), 2U);
  EXPECT_EQ(two.merged[0].rows, 2U);
  EXPECT_EQ(two.merged[0].columns, 2U);
  EXPECT_EQ(two.merged[1].columns, 1U);  // cut to the grid
}

TEST(Xlsx, AFormulaWithoutAResultIsNoEmptyCell) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  SmallBook book;
  book.sheets = {
      {"S", "<row r=\"1\"><c r=\"A1\"><v>2</v></c><c r=\"B1\"><f>SUM(A1:A1)</f></c></row>"}};
  const Grid grid = one_grid(book.bytes());
  EXPECT_EQ(grid.rows, (Rows{{"2", "=SUM(A1:A1)"}}));
  ASSERT_EQ(grid.notes.size(), 1U);
  EXPECT_THAT(grid.notes[0], HasSubstr("1 formula has no stored result (first: B1)"));
}

// Writers that cannot compute store 0 and ask the program to compute when it opens the file.
TEST(Xlsx, AZeroThatIsToBeComputedIsNoResult) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  SmallBook book;
  book.sheets = {
      {"S", "<row r=\"1\"><c r=\"A1\"><v>2</v></c><c r=\"B1\"><f>A1*2</f><v>0</v></c></row>"}};
  EXPECT_EQ(one_grid(book.bytes()).rows, (Rows{{"2", "0"}}));
  lacuna::testing::Parts parts = book.parts();
  for (auto& [name, text] : parts) {
    if (name == "xl/workbook.xml")
      text.insert(text.find("</workbook>"), "<calcPr calcId=\"1\" fullCalcOnLoad=\"1\"/>");
  }
  const Grid grid = one_grid(lacuna::testing::zipped(parts));
  EXPECT_EQ(grid.rows, (Rows{{"2", "=A1*2"}}));
  EXPECT_EQ(grid.notes.size(), 1U);
}

TEST(Xlsx, TroubleIsSaid) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  const auto says = [](const std::string& bytes, const std::string& what) {
    const auto grids = read_workbook(bytes, "b.xlsx");
    ASSERT_FALSE(grids) << what;
    EXPECT_THAT(grids.error().text(), HasSubstr(what));
  };
  SmallBook book;
  book.sheets = {{"S", "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>4</v></c></row>"}};
  says(book.bytes(),
       "sheet S: the workbook is damaged: cell A1 holds a text that its list does not have");
  book.sheets[0].cells = "<row r=\"1\"><c r=\"B7\"><v>4</v></c></row>";
  says(book.bytes(), "a cell of row 1 says that it is B7");
  book.sheets[0].cells = "<row r=\"1\"><c r=\"B1\"><v>4</v></row>";
  says(book.bytes(), "its part 'xl/worksheets/sheet1.xml' is not XML");
  book.sheets[0].cells = "";
  says(book.bytes(), "no sheet of the workbook has a cell with content");
  lacuna::testing::Parts parts = book.parts();
  std::erase_if(parts, [](const auto& part) { return part.first == "xl/worksheets/sheet1.xml"; });
  says(lacuna::testing::zipped(parts), "it has no part 'xl/worksheets/sheet1.xml'");
  says(lacuna::testing::zipped({{"xl/workbook.bin", "x"}}),
       "this is a binary Excel workbook (.xlsb), which is not read: save it as .xlsx");
  says(lacuna::testing::ole("EncryptedPackage", "secret"), "save it without a password");
  says("a,b\n1,2\n", "this is not a workbook");
}

std::string number_cell(const std::string& place, const std::string& text) {
  return "<c r=\"" + place + "\"><v>" + text + "</v></c>";
}

// 200 random sheets: numbers and texts somewhere, by shared and inline texts.
TEST(Xlsx, RandomSheetsReadBack) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t height = 1 + random() % 8, width = 1 + random() % 6;
    const std::size_t top = random() % 3, left = random() % 30;
    Rows rows(height, std::vector<std::string>(width));
    SmallBook book;
    std::string cells;
    for (std::size_t r = 0; r < height; ++r) {
      cells += "<row r=\"" + std::to_string(top + r + 1) + "\">";
      for (std::size_t c = 0; c < width; ++c) {
        const std::string place = column_letters(left + c) + std::to_string(top + r + 1);
        const bool is_corner = (r == 0 && c == 0) || (r + 1 == height && c + 1 == width);
        std::string& text = rows[r][c];
        switch (random() % (is_corner ? 3 : 4)) {
          case 0:
            text = plain_number(
                static_cast<double>(static_cast<std::int64_t>(random() % 2'000'001) - 1'000'000) /
                (random() % 2 == 0 ? 1 : 64));
            cells += number_cell(place, text);
            break;
          case 1:
            text = "t<" + std::to_string(random() % 5);
            book.strings.push_back("<t>t&lt;" + text.substr(2) + "</t>");
            cells += "<c r=\"" + place + "\" t=\"s\"><v>" +
                     std::to_string(book.strings.size() - 1) + "</v></c>";
            break;
          case 2:
            text = " é " + std::to_string(random() % 5);
            cells += "<c r=\"" + place + "\" t=\"inlineStr\"><is><t xml:space=\"preserve\">" +
                     text + "</t></is></c>";
            break;
          default:
            cells += "<c r=\"" + place + "\" s=\"0\"/>";
        }
      }
      cells += "</row>";
    }
    book.sheets = {{"S", cells}};
    const Grid grid = one_grid(book.bytes());
    EXPECT_EQ(grid.rows, rows) << round;
    EXPECT_EQ(grid.first_row, top);
    EXPECT_EQ(grid.first_column, left);
  }
}

TEST(Ods, CellsOfAllKinds) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  const std::string styles =
      "<number:number-style style:name=\"N1\"><number:number number:decimal-places=\"1\"/>"
      "</number:number-style><style:style style:name=\"ce1\" style:family=\"table-cell\" "
      "style:data-style-name=\"N1\"/><style:style style:name=\"ta1\" style:family=\"table\">"
      "<style:table-properties table:display=\"false\"/></style:style>";
  const std::string tables =
      "<table:table table:name=\"S\"><table:table-column/><table:table-column "
      "table:default-cell-style-name=\"ce1\"/><table:table-row table:number-rows-repeated=\"2\">"
      "<table:table-cell table:number-columns-repeated=\"1024\"/></table:table-row>"
      "<table:table-header-rows><table:table-row><table:table-cell "
      "table:number-columns-spanned=\"2\" "
      "office:value-type=\"string\"><text:p>a<text:s "
      "text:c=\"2\"/><text:span>b</text:span></text:p>"
      "<text:p>c</text:p></table:table-cell><table:covered-table-cell/></table:table-row>"
      "</table:table-header-rows><table:table-row>"
      "<table:table-cell office:value-type=\"date\" "
      "office:date-value=\"2026-11-16\"><text:p>16.11.</text:p>"
      "</table:table-cell><table:table-cell office:value-type=\"float\" office:value=\"1E3\">"
      "<text:p>1.000,0</text:p></table:table-cell><table:table-cell office:value-type=\"boolean\" "
      "office:boolean-value=\"true\"/><table:table-cell table:formula=\"of:=SUM([.B4])\"/>"
      "</table:table-row><table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell "
      "table:number-columns-repeated=\"16384\"/></table:table-row></table:table>"
      "<table:table table:name=\"H\" table:style-name=\"ta1\"><table:table-row><table:table-cell "
      "office:value-type=\"percentage\" office:value=\"0.25\" table:number-columns-repeated=\"2\"/>"
      "</table:table-row></table:table>";
  const auto grids =
      read_workbook(lacuna::testing::zipped(lacuna::testing::ods_parts(tables, styles)), "b.ods");
  ASSERT_TRUE(grids) << grids.error().text();
  ASSERT_EQ(grids->size(), 2U);
  const Grid& grid = grids->at(0);
  EXPECT_EQ(grid.first_row, 2U);
  EXPECT_EQ(grid.rows,
            (Rows{{"a  b\nc", "", "", ""}, {"2026-11-16", "1000", "TRUE", "=SUM([.B4])"}}));
  ASSERT_EQ(grid.merged.size(), 1U);
  EXPECT_EQ(grid.merged[0].columns, 2U);
  EXPECT_EQ(grid.shown_decimals[1], 1);
  EXPECT_EQ(grid.notes.size(), 1U);
  EXPECT_TRUE(grids->at(1).is_hidden);
  EXPECT_EQ(grids->at(1).rows, (Rows{{"0.25", "0.25"}}));
}

TEST(Ods, RepeatedCellsAreLimited) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  const std::string tables =
      "<table:table table:name=\"S\"><table:table-row table:number-rows-repeated=\"1048576\">"
      "<table:table-cell table:number-columns-repeated=\"16384\" office:value-type=\"float\" "
      "office:value=\"1\"/></table:table-row></table:table>";
  const auto grids =
      read_workbook(lacuna::testing::zipped(lacuna::testing::ods_parts(tables)), "b.ods");
  ASSERT_FALSE(grids);
  EXPECT_THAT(grids.error().text(), HasSubstr("far more text than the file has bytes"));
}

TEST(Ods, AnEncryptedOneIsNamed) {
  LACUNA_NEEDS_XML_WORKBOOKS;
  lacuna::testing::Parts parts = lacuna::testing::ods_parts("");
  parts[1].second =
      "<m:manifest xmlns:m=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"><m:file-entry>"
      "<m:encryption-data/></m:file-entry></m:manifest>";
  EXPECT_THAT(read_workbook(lacuna::testing::zipped(parts), "b.ods").error().text(),
              HasSubstr("the workbook is encrypted: save it without a password"));
}

// ---- .xls

std::string cell_head(unsigned row, unsigned column, unsigned style) {
  using lacuna::testing::little;
  return little(row, 2) + little(column, 2) + little(style, 2);
}

TEST(Xls, CellsOfAllKinds) {
  using namespace lacuna::testing;  // NOLINT: words of records
  const std::string strings = little(2, 4) + little(2, 4) + biff_text("Region", 2) + little(3, 2) +
                              '\1' + little('a', 2) + little(0xE9, 2) + little(0x20AC, 2);
  const std::string globals = biff(0x041E, little(164, 2) + biff_text("dd/mm/yyyy", 2)) +
                              biff(0x00E0, little(0, 2) + little(0, 2) + std::string(16, '\0')) +
                              biff(0x00E0, little(0, 2) + little(164, 2) + std::string(16, '\0')) +
                              biff(0x00E0, little(0, 2) + little(4, 2) + std::string(16, '\0')) +
                              biff(0x00FC, strings);
  const std::string text_result = std::string(1, '\0') + std::string(5, '\0') + "\xFF\xFF";
  const std::string records =
      biff(0x00FD, cell_head(1, 1, 0) + little(0, 4)) +
      biff(0x00FD, cell_head(1, 2, 0) + little(1, 4)) +
      biff(0x0203, cell_head(2, 1, 2) + of_double(0.1)) +
      biff(0x027E, cell_head(2, 2, 2) + little((1234U << 2U) | 3U, 4)) +
      biff(0x00BD,
           little(3, 2) + little(1, 2) + little(1, 2) + little((46342U << 2U) | 2U, 4) +
               little(2, 2) + little(((0U - 5U) << 2U) | 2U, 4) + little(2, 2)) +
      biff(0x0205, cell_head(4, 1, 0) + '\1' + '\0') +
      biff(0x0205, cell_head(4, 2, 0) + '\x2A' + '\1') +
      biff(0x0006, cell_head(5, 1, 0) + text_result + std::string(8, '\0')) +
      biff(0x0207, biff_text("sum", 2)) +
      biff(0x0006, cell_head(5, 2, 0) + of_double(0) + little(2, 2) + std::string(6, '\0')) +
      biff(0x0204, cell_head(6, 1, 0) + biff_text("old", 2)) +
      biff(0x00E5, little(1, 2) + little(1, 2) + little(2, 2) + little(1, 2) + little(1, 2));
  const auto grids = read_workbook(
      small_xls(globals, {{"Sales", records}, {"Kept", records, 1}, {"None", ""}}), "b.xls");
  ASSERT_TRUE(grids) << grids.error().text();
  ASSERT_EQ(grids->size(), 2U);
  const Grid& grid = grids->at(0);
  EXPECT_EQ(grid.name, "Sales");
  EXPECT_EQ(grid.first_row, 1U);
  EXPECT_EQ(grid.first_column, 1U);
  EXPECT_EQ(grid.rows,
            (Rows{{"Region", "aé€"},
                  {"0.1", "12.34"},
                  {"2026-11-16", "-5"},
                  {"TRUE", "#N/A"},
                  {"sum", "="},
                  {"old", ""}}));
  ASSERT_EQ(grid.merged.size(), 1U);
  EXPECT_EQ(grid.merged[0].rows, 2U);
  EXPECT_THAT(grid.shown_decimals, ElementsAre(2, 2));
  EXPECT_EQ(grid.notes.size(), 1U);
  EXPECT_TRUE(grids->at(1).is_hidden);
}

// A text that is cut between two records goes on behind a byte that says how wide it is.
TEST(Xls, TextsGoOnInOtherRecords) {
  using namespace lacuna::testing;  // NOLINT: words of records
  const std::string strings =
      biff(0x00FC, little(2, 4) + little(2, 4) + little(6, 2) + '\0' + "abc") +
      biff(0x003C, '\1' + little('d', 2) + little(0xE9, 2) + little('f', 2)) +
      biff(0x003C, biff_text("last", 2));
  const std::string records = biff(0x00FD, cell_head(0, 0, 0) + little(0, 4)) +
                              biff(0x00FD, cell_head(0, 1, 0) + little(1, 4));
  const auto grids = read_workbook(small_xls(strings, {{"S", records}}), "b.xls");
  ASSERT_TRUE(grids) << grids.error().text();
  EXPECT_EQ(grids->at(0).rows, (Rows{{"abcdéf", "last"}}));
}

TEST(Xls, TroubleIsSaid) {
  using namespace lacuna::testing;  // NOLINT: words of records
  const auto says = [](const std::string& bytes, const std::string& what) {
    const auto grids = read_workbook(bytes, "b.xls");
    ASSERT_FALSE(grids) << what;
    EXPECT_THAT(grids.error().text(), HasSubstr(what));
  };
  says(small_xls(biff(0x002F, std::string(6, '\1')), {{"S", ""}}), "the workbook is encrypted");
  says(small_xls("", {{"S", biff(0x00FD, cell_head(0, 0, 0) + little(9, 4))}}),
       "a cell holds a text that its list does not have");
  says(small_xls("", {{"S", biff(0x0203, cell_head(0, 0, 0))}}), "a cell is cut off");
  const std::string whole = small_xls("", {{"S", biff(0x0203, cell_head(0, 0, 0) + of_double(1))}});
  says(whole.substr(0, 1'000), "damaged");
  says(ole("WordDocument", "x"), "which is not read");
}

// ONS, monthly deaths 2015 of areas: 14 sheets, of which the second has the figures.
TEST(Xls, AWorkbookOfAnAgency) {
  LACUNA_NEEDS_SHARED("instances/day2/Monthly2015Mortality.xls");
  std::ifstream file(lacuna::testing::shared_data("instances/day2/Monthly2015Mortality.xls"),
                     std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const auto grids = read_workbook(bytes, "m.xls");
  ASSERT_TRUE(grids) << grids.error().text();
  for (const Grid& grid : *grids) {
    SCOPED_TRACE(grid.name);
    EXPECT_FALSE(grid.rows.empty());
    for (const auto& row : grid.rows)
      EXPECT_EQ(row.size(), grid.rows.front().size());
  }
}

}  // namespace
}  // namespace lacuna::formats
