// SPDX-License-Identifier: Apache-2.0
// Workbooks between us and LibreOffice: what it saves is read as it was made, and it opens a
// workbook of which cells were replaced, its own as well, and shows what was written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "data/formats/workbook.h"
#include "data/formats/workbook_edit.h"
#include "support/small_books.h"
#include "support/temporary_folder.h"

namespace lacuna::formats {
namespace {

using lacuna::testing::SmallBook;
using lacuna::testing::UniqueFolder;
using Rows = std::vector<std::vector<std::string>>;

bool has_libreoffice() {
  return std::system("soffice --version > /dev/null 2>&1") == 0;  // NOLINT: no other thread
}

#define LACUNA_NEEDS_LIBREOFFICE                    \
  if (!has_libreoffice() || !reads_xml_workbooks()) \
  GTEST_SKIP() << "want of LibreOffice (soffice) or pugixml: workbooks are not compared with it"

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The file as LibreOffice saves it in another format; empty if it cannot.
std::string converted(const UniqueFolder& folder,
                      const std::string& bytes,
                      const std::string& from,
                      const std::string& to) {
  const std::string name = folder.file("book." + from), out = folder.file("out");
  std::ofstream(name, std::ios::binary) << bytes;
  const std::string filter = to == "csv" ? "'csv:Text - txt - csv (StarCalc):44,34,76,1'" : to;
  const std::string command = "soffice --headless -env:UserInstallation=file://" +
                              folder.file("profile") + " --convert-to " + filter + " --outdir " +
                              out + " " + name + " > /dev/null 2>&1";
  if (std::system(command.c_str()) != 0)  // NOLINT: no other thread
    return "";
  return content(out + "/book." + to);
}

SmallBook sales() {
  SmallBook book;
  book.strings = {"<t>region</t>", "<t>north &amp; west</t>", "<t>south</t>", "<t>all</t>"};
  book.styles =
      "<numFmts count=\"1\"><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd\"/></numFmts>"
      "<fonts count=\"1\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts><fills "
      "count=\"1\"><fill>"
      "<patternFill patternType=\"none\"/></fill></fills><borders count=\"1\"><border/></borders>"
      "<cellStyleXfs count=\"1\"><xf/></cellStyleXfs><cellXfs count=\"3\"><xf numFmtId=\"0\"/>"
      "<xf numFmtId=\"164\" applyNumberFormat=\"1\"/><xf numFmtId=\"2\" "
      "applyNumberFormat=\"1\"/></cellXfs>";
  book.sheets = {
      {"Sales",
       "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" s=\"1\"><v>46342</v></c></row>"
       "<row r=\"2\"><c r=\"A2\" t=\"s\"><v>1</v></c><c r=\"B2\" s=\"2\"><v>12345.25</v></c></row>"
       "<row r=\"3\"><c r=\"A3\" t=\"s\"><v>2</v></c><c r=\"B3\" s=\"2\"><v>700.1</v></c></row>"
       "<row r=\"4\"><c r=\"A4\" t=\"s\"><v>3</v></c><c r=\"B4\" "
       "s=\"2\"><f>B2+B3</f><v>13045.35</v></c></row>"},
      {"Notes", "<row r=\"3\"><c r=\"C3\" t=\"inlineStr\"><is><t>kept</t></is></c></row>"}};
  return book;
}

const Rows kRows{{"region", "2026-11-16"},
                 {"north & west", "12345.25"},
                 {"south", "700.1"},
                 {"all", "13045.35"}};

TEST(LibreOffice, WhatItSavesIsReadAsItWas) {
  LACUNA_NEEDS_LIBREOFFICE;
  const UniqueFolder folder;
  for (const char* format : {"xlsx", "ods", "xls"}) {
    SCOPED_TRACE(format);
    const std::string bytes = converted(folder, sales().bytes(), "xlsx", format);
    const auto grids = read_workbook(bytes, "book");
    ASSERT_TRUE(grids) << grids.error().text();
    ASSERT_EQ(grids->size(), 2U);
    EXPECT_EQ(grids->at(0).name, "Sales");
    EXPECT_EQ(grids->at(0).rows, kRows);
    EXPECT_EQ(grids->at(0).shown_decimals[1], 2);
    EXPECT_EQ(grids->at(1).place(0, 0), "book, sheet Notes, cell C3");
  }
}

TEST(LibreOffice, OpensAWorkbookWithReplacedCells) {
  LACUNA_NEEDS_LIBREOFFICE;
  const UniqueFolder folder;
  const std::string own = sales().bytes();
  for (const std::string& bytes : {own, converted(folder, own, "xlsx", "xlsx")}) {
    const auto edited = edit_workbook(bytes,
                                      std::vector<CellEdit>{{"Sales", 1, 1, "x", false},
                                                            {"Sales", 2, 1, "700.1", true},
                                                            {"Sales", 3, 1, "13045.35", true},
                                                            {"Sales", 2, 2, "note", false}},
                                      "book.xlsx");
    ASSERT_TRUE(edited) << edited.error().text();
    EXPECT_EQ(converted(folder, edited->bytes, "xlsx", "csv"),
              R"("region",2026-11-16,
"north & west","x",
"south",700.10,"note"
"all",13045.35,
)");
  }
}

}  // namespace
}  // namespace lacuna::formats
