// SPDX-License-Identifier: Apache-2.0
#include "data/formats/px.h"

#include <gtest/gtest.h>

#include "data/files/file.h"
#include "support/grid_text.h"
#include "support/test_data.h"

namespace lacuna::formats {
namespace {

using testing::grid_text;
using testing::joined;
using testing::signs_text;
using testing::trees_text;

constexpr std::string_view kHead =
    "CHARSET=\"ANSI\";\nAXIS-VERSION=\"2013\";\nCODEPAGE=\"utf-8\";\nMATRIX=\"T1\";\n"
    "DECIMALS=1;\nTITLE=\"Sales\";\n";

std::string file(std::string_view rest) {
  return std::string(kHead) + std::string(rest);
}

Grid read(std::string_view text) {
  const auto grid = read_px(text, "a.px");
  EXPECT_TRUE(grid) << grid.error().text();
  return grid ? *grid : Grid{};
}

std::string error_of(std::string_view text) {
  const auto grid = read_px(text, "a.px");
  return grid ? "no error" : grid.error().text();
}

TEST(Px, ARowPerCellAndTheLastVariableIsFastest) {
  const Grid grid =
      read(file("STUB=\"r\";\nHEADING=\"c\";\nVALUES(\"r\")=\"a\",\"b\";\n"
                "VALUES(\"c\")=\"x\",\"y\";\nDATA=\n1 2.50 \n-3 4e2 \n;\n"));
  EXPECT_EQ(grid_text(grid), "r:d|c:d|value:v\na|x|1\na|y|2.50\nb|x|-3\nb|y|400");
  EXPECT_EQ(grid.name, "T1");
  EXPECT_EQ(grid.decimals, 1);
  EXPECT_EQ(joined(grid.titles), "Sales\n");
  EXPECT_TRUE(grid.notes.empty());
  EXPECT_EQ(grid.place(3, 2), "a.px, cell b | y, column value");
}

TEST(Px, CodesHaveTheirLabelsBesideThem) {
  const Grid grid =
      read(file("STUB=\"r\";VALUES(\"r\")=\"Nor\"\n\"th\",\"South\";"
                "CODES(\"r\")=\"N\",\"S\";DATA=1 2;"));
  EXPECT_EQ(grid_text(grid), "r:d|r label:l|value:v\nN|North|1\nS|South|2");
}

TEST(Px, VariablesOfTimeAndOfContents) {
  const Grid grid = read(
      file("CONTVARIABLE=\"what\";STUB=\"year\";HEADING=\"what\";TIMEVAL(\"year\")=TLIST(A1,"
           "\"2019\"-\"2020\");VALUES(\"what\")=\"imports\",\"exports\";UNITS(\"imports\")=\"t\";"
           "UNITS(\"exports\")=\"EUR\";DATA=1 2 3 4;"));
  EXPECT_EQ(
      grid_text(grid),
      "year:t|what:m|value:v\n2019|imports|1\n2019|exports|2\n2020|imports|3\n2020|exports|4");
  EXPECT_EQ(joined(grid.notes), "the values of 'what' have different units (2)\n");
}

TEST(Px, PeriodsOfTlistAreShownAsPxShowsThem) {
  const Grid months =
      read(file("STUB=\"t\";TIMEVAL(\"t\")=TLIST(M1,\"201911\"-\"202002\");DATA=1 2 3 4;"));
  EXPECT_EQ(grid_text(months), "t:t|value:v\n2019M11|1\n2019M12|2\n2020M01|3\n2020M02|4");
  const Grid listed =
      read(file("STUB=\"t\";TIMEVAL(\"t\")=TLIST(Q1),\"20194\",\"20201\";DATA=1 2;"));
  EXPECT_EQ(grid_text(listed), "t:t|value:v\n2019Q4|1\n2020Q1|2");
}

TEST(Px, SignsMeanWhatTheFileSays) {
  const Grid grid = read(
      file("STUB=\"r\";VALUES(\"r\")=\"a\",\"b\",\"c\",\"d\",\"e\";DATASYMBOL1=\"not applicable\";"
           "DATASYMBOL2=\"withheld for confidentiality\";DATASYMBOLSUM=\"not available\";"
           "DATA=\".\" \"..\" ... \"-\" \".......\";"));
  EXPECT_EQ(grid_text(grid), "r:d|value:v\na|.\nb|..\nc|...\nd|-\ne|.......");
  EXPECT_EQ(signs_text(grid),
            "- zero\n. not applicable (not applicable)\n.. withheld (withheld for "
            "confidentiality)\n... absent\n....... absent (not available)\n");
  ASSERT_EQ(grid.notes.size(), 1U);
  EXPECT_EQ(grid.notes[0].substr(0, 119),
            "the sign '...' is not explained by the file (no DATASYMBOL3) and was read as: no "
            "figure (Destatis: data will be availab");
}

TEST(Px, EliminationNamesTheTotalAndHierarchiesTheTree) {
  const Grid grid =
      read(file("STUB=\"r\",\"s\",\"t\";VALUES(\"r\")=\"All\",\"a\",\"b\",\"b1\",\"b2\";"
                "CODES(\"r\")=\"T\",\"A\",\"B\",\"B1\",\"B2\";VALUES(\"s\")=\"total\",\"men\";"
                "VALUES(\"t\")=\"x\";ELIMINATION(\"t\")=YES;ELIMINATION(\"s\")=\"total\";"
                "ELIMINATION(\"r\")=\"All\";"
                "HIERARCHIES(\"r\")=\"T\",\"T\":\"A\",\"T\":\"B\",\"B\":\"B1\",\n\"B\":\"B2\";"
                "DATA=1 2 3 4 5 6 7 8 9 10;"));
  EXPECT_EQ(trees_text(grid), "r: T = A B\nr: B = B1 B2\ns: total =\n");
}

TEST(Px, ATotalWithPartsOutsideTheFileIsNone) {
  const Grid grid =
      read(file("STUB=\"r\";VALUES(\"r\")=\"T\",\"a\",\"b\";"
                "HIERARCHIES(\"r\")=\"T\",\"T\":\"a\",\"T\":\"b\",\"b\":\"b1\",\"x\":\"b\";"
                "ELIMINATION(\"r\")=\"none\";DATA=3 1 2;"));
  EXPECT_EQ(trees_text(grid), "r: T = a b\n");
  EXPECT_EQ(
      joined(grid.notes),
      "HIERARCHIES of 'r' has 2 pairs with codes that are not in the file: their parents are left "
      "out as totals\nELIMINATION of 'r' names 'none', which is not one of its values\n");
}

TEST(Px, RowsWithKeysAndThoseLeftOutAreZeros) {
  const Grid grid = read(file(
      "STUB=\"r\",\"s\";HEADING=\"c\";VALUES(\"r\")=\"North\",\"South\";"
      "CODES(\"r\")=\"N\",\"S\";VALUES(\"s\")=\"m\",\"w\";VALUES(\"c\")=\"x\",\"y\";"
      "KEYS(\"r\")=CODES;KEYS(\"s\")=VALUES;DATA=\n\"S\",\"m\",1 \"..\" \n\"N\",\"w\",3 4\n;"));
  EXPECT_EQ(
      grid_text(grid),
      "r:d|r label:l|s:d|c:d|value:v\nN|North|m|x|0\nN|North|m|y|0\nN|North|w|x|3\nN|North|w|y|4\n"
      "S|South|m|x|1\nS|South|m|y|..\nS|South|w|x|0\nS|South|w|y|0");
  EXPECT_EQ(grid.notes[0], "4 cells are in no row of DATA: with KEYS these are zeros");
}

TEST(Px, OtherLanguagesAreLeftOut) {
  const Grid grid =
      read(file("LANGUAGE=\"sv\";LANGUAGES=\"sv\",\"en\";TITLE[en]=\"Other\";STUB[\"sv\"]=\"r\";"
                "STUB[en]=\"q\";VALUES(\"r\")=\"a\";VALUES[en](\"q\")=\"b\";DATA=1;"));
  EXPECT_EQ(grid_text(grid), "r:d|value:v\na|1");
  EXPECT_EQ(joined(grid.notes), "texts in other languages are left out (en)\n");
}

TEST(Px, NotesSourcesAndNotesOfCells) {
  const Grid grid = read(
      file("UNITS=\"tons\";SOURCE=\"Office#of data\";NOTEX=\"Read \"\n\"this\";STUB=\"r\";"
           "VALUES(\"r\")=\"a\",\"b\";CELLNOTE(\"b\")=\"revised\";VALUENOTE(\"r\",\"a\")=\"new\";"
           "DATANOTECELL(\"b\")=\"r\";DATA=1 2;"));
  EXPECT_EQ(joined(grid.footnotes), "Source: Office of data\nRead this\nb: revised\nr, a: new\n");
  EXPECT_EQ(grid.unit, "tons");
  EXPECT_EQ(grid_text(grid), "r:d|value:v|DATANOTECELL:o\na|1|\nb|2|r");
}

TEST(Px, AttributesBecomeColumns) {
  const Grid grid =
      read(file("STUB=\"r\";VALUES(\"r\")=\"a\",\"b\";ATTRIBUTE-ID=\"OBS_STATUS\",\"CONF_STATUS\";"
                "ATTRIBUTES=\"A\",\"F\";ATTRIBUTES(\"b\")=\"P\",\"C\";DATA=1 2;"));
  EXPECT_EQ(grid_text(grid), "r:d|value:v|OBS_STATUS:o|CONF_STATUS:c\na|1|A|F\nb|2|P|C");
}

TEST(Px, CodePagesAndWhatIsNotAsTheySay) {
  const auto with = [](const std::string& page, const std::string& text) {
    return "CHARSET=\"ANSI\";" + page + "STUB=\"r\";VALUES(\"r\")=\"" + text + "\";DATA=1;";
  };
  EXPECT_EQ(read(with("CODEPAGE=\"windows-1252\";", "\xC5land\x96")).rows[0][0], "Åland–");
  EXPECT_EQ(read(with("CODEPAGE=\"iso-8859-1\";", "\x80")).rows[0][0], "€");
  EXPECT_EQ(read(with("CODEPAGE=\"iso-8859-2\";", "\xB1")).rows[0][0], "ą");
  EXPECT_EQ(read("\xEF\xBB\xBF" + with("CODEPAGE=\"utf-8\";", "å")).rows[0][0], "å");
  const Grid mended = read(with("CODEPAGE=\"windows-1252\";", "å"));
  EXPECT_EQ(mended.rows[0][0], "å");
  EXPECT_EQ(joined(mended.notes),
            "CODEPAGE says 'windows-1252', but the file is UTF-8 and was read as that\n");
  EXPECT_EQ(read(with("", "\xE5")).rows[0][0], "å");
  EXPECT_EQ(error_of(with("CODEPAGE=\"utf-8\";", "\xE5")),
            "a.px:1:55: this byte is not UTF-8 text, as which CODEPAGE has it");
  EXPECT_EQ(error_of(with("CODEPAGE=\"klingon\";", "\xE5")).substr(0, 44),
            "a.px: the code page 'klingon' is not known: ");
}

TEST(Px, WhatConfidentialWouldChangeIsSaid) {
  const Grid grid = read(file("CONFIDENTIAL=1;STUB=\"r\";VALUES(\"r\")=\"a\";DATA=1;"));
  EXPECT_EQ(
      grid.notes[0],
      "CONFIDENTIAL is '1': programs that show the file alter small values, and here they are "
      "read as they stand in it");
}

TEST(Px, ErrorsNameThePlace) {
  const std::string two = "STUB=\"r\";VALUES(\"r\")=\"a\",\"b\";";
  const auto at = [](std::string_view rest) {
    return error_of("CHARSET=\"ANSI\";\n" + std::string(rest));
  };
  EXPECT_EQ(at(two + "\nDATA=1;"),
            "a.px:3:7: DATA has 1 cells, but the variables have 2 combinations");
  EXPECT_EQ(at(two + "\nDATA=1 2\n3;"),
            "a.px:4:1: DATA has more cells than the 2 of the variables");
  EXPECT_EQ(at(two + "\nDATA=1 \"x\";"),
            "a.px:3:8: 'x' is neither a number nor a sign of PX (one to "
            "six dots, or "
            "a dash)");
  EXPECT_EQ(at(two + "\nDATA=1 2"), "a.px:3:9: DATA has no ';' at its end: the file is not whole");
  EXPECT_EQ(at(two), "a.px:2:30: the file ends without DATA: it is not a whole PX file");
  EXPECT_EQ(at("DATA=1;"),
            "a.px:2:6: the file names no variable: neither STUB nor HEADING is there");
  EXPECT_EQ(at("STUB=\"r\";\nDATA=1;"),
            "a.px:3:6: the variable 'r' has no VALUES: the file does not say what its cells are");
  EXPECT_EQ(at("STUB=\"r\",\"r\";VALUES(\"r\")=\"a\";DATA=1;"),
            "a.px:2:1: the variable 'r' is named twice");
  EXPECT_EQ(at("STUB=\"r\";\nVALUES(\"r\")=\"a\",\"b\";CODES(\"r\")=\"1\";DATA=1;"),
            "a.px:3:1: the variable 'r' has 2 VALUES and 1 CODES: there must be as many");
  EXPECT_EQ(at("STUB=\"r\";\nVALUES(\"r\")=\"a\",\"a\";DATA=1 2;"),
            "a.px:3:1: the variable 'r' has the code 'a' twice");
  EXPECT_EQ(at("STUB=\"r\nDATA=1;"), "a.px:2:6: the quotation mark is not closed");
  EXPECT_EQ(at("STUB\"r\";"), "a.px:2:5: behind STUB stands no '='");
  EXPECT_EQ(at("STUB(\"r\"=1;"), "a.px:2:9: the bracket behind STUB is not closed");
  EXPECT_EQ(at("STUB[en=1;"), "a.px:2:5: the bracket of the language is not closed");
  EXPECT_EQ(at("STUB=\"r\""), "a.px:2:1: STUB has no ';' at its end");
  EXPECT_EQ(at("=1;"), "a.px:2:1: a keyword such as STUB is expected here");
}

TEST(Px, ErrorsOfKeysTreesAndNotes) {
  const std::string two = "STUB=\"r\";VALUES(\"r\")=\"a\",\"b\";";
  const auto at = [](std::string_view rest) {
    return error_of("CHARSET=\"ANSI\";\n" + std::string(rest));
  };
  const std::string keys = two + "KEYS(\"r\")=VALUES;";
  EXPECT_EQ(at(keys + "\nDATA=\"z\" 1;"), "a.px:3:6: 'z' is not one of the values of 'r'");
  EXPECT_EQ(at(keys + "\nDATA=\"a\";"), "a.px:3:9: the last row of DATA has too few cells");
  EXPECT_EQ(at(keys + "\nDATA=\"a\" 1\n\"a\" 2;"), "a.px:4:1: the row of these keys occurs twice");
  EXPECT_EQ(
      at(two + "KEYS(\"r\")=BOTH;\nDATA=1;"),
      "a.px:3:6: KEYS must say CODES or VALUES for each variable of STUB, and does not for 'r'");
  EXPECT_EQ(at(two + "\nHIERARCHIES(\"r\")=\"a\"-\"b\";DATA=1 2;"),
            "a.px:3:18: HIERARCHIES has pairs, a parent and its child");
  EXPECT_EQ(at(two + "\nDATANOTECELL(\"q\")=\"r\";DATA=1 2;"),
            "a.px:3:1: DATANOTECELL must name a value or \"*\" of each variable");
  EXPECT_EQ(at("STUB=\"t\";\nTIMEVAL(\"t\")=TLIST(A1,\"2020\"-\"2010\");DATA=1;"),
            "a.px:3:23: the periods of TLIST are out of order");
  EXPECT_EQ(at("STUB=\"t\";\nTIMEVAL(\"t\")=\"2020\";DATA=1;"),
            "a.px:3:1: TIMEVAL begins with TLIST(A1), TLIST(M1) and the like");
}

TEST(Px, ASmallFileAsksForNoLargeMemory) {
  std::string values;
  for (int i = 0; i < 300; ++i)
    values += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\"";
  std::string text = "CHARSET=\"ANSI\";STUB=\"a\",\"b\";HEADING=\"c\",\"d\";";
  for (const char* name : {"a", "b", "c", "d"})
    text += "VALUES(\"" + std::string(name) + "\")=" + values + ";";
  EXPECT_NE(error_of(text + "DATA=1;").find("more than 16777216 combinations"), std::string::npos);
  text = "CHARSET=\"ANSI\";STUB=\"a\",\"b\",\"c\";VALUES(\"a\")=" + values +
         ";VALUES(\"b\")=" + values +
         ";VALUES(\"c\")=\"1\",\"2\",\"3\",\"4\",\"5\";KEYS(\"a\")=VALUES;KEYS(\"b\")=VALUES;KEYS("
         "\"c\")=VALUES;";
  EXPECT_NE(error_of(text + "DATA=\"1\" \"2\" \"3\" 7;").find("rows for very few of the 450000"),
            std::string::npos);
}

TEST(Px, IsKnownByItsFirstEntry) {
  EXPECT_TRUE(is_px("CHARSET=\"ANSI\";\n"));
  EXPECT_TRUE(is_px("\xEF\xBB\xBF\r\nAXIS-VERSION=\"2013\";"));
  EXPECT_TRUE(is_px("TITLE[en]=\"x\";"));
  EXPECT_FALSE(is_px("TITLE,a,b\n"));
  EXPECT_FALSE(is_px("title = \"toml\"\n"));
  EXPECT_FALSE(is_px(""));
}

TEST(Px, AFileOfStatisticsSweden) {
  LACUNA_NEEDS_SHARED("instances/day2/TAB004.px");
  const Grid grid =
      read(files::read_file(testing::shared_data("instances/day2/TAB004.px").string()).value());
  EXPECT_EQ(grid.rows.size(), 14U * 11 * 28);
  EXPECT_EQ(grid.columns[5].role, ColumnRole::kLabel);
  EXPECT_EQ(grid.rows[0].back(), "296860");
  EXPECT_EQ(grid.titles[0], "Total air emissions by sector, greenhouse gas, contents and year");
}

}  // namespace
}  // namespace lacuna::formats
