// SPDX-License-Identifier: Apache-2.0
#include "data/formats/recognise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "support/small_books.h"
#include "support/test_data.h"

namespace lacuna::formats {
namespace {

using namespace std::string_view_literals;

TEST(Recognise, TextsByHowTheyBegin) {
  for (const auto& [text, format] : std::initializer_list<std::pair<std::string_view, Format>>{
           {"CHARSET=\"ANSI\";\nAXIS-VERSION=\"2010\";\n", Format::kPx},
           {"\xEF\xBB\xBFTITLE=\"t\";\nSTUB=\"a\";\nDATA=\n1 2;\n", Format::kPx},
           {"TITLE=\"a job of TOML\"\n[input]\n", Format::kUnknown},
           {"freq,unit,geo\\TIME_PERIOD\t2010 \t2011 \nA,NR,AT\t1 \t2 \n", Format::kEurostatTsv},
           {"unit,geo\\time\t2010\n", Format::kEurostatTsv},
           {"path\\to\\it\tvalue\n", Format::kUnknown},
           {"DATAFLOW,FREQ,OBS_VALUE\nX,A,1\n", Format::kSdmxCsv},
           {"\"STRUCTURE\";\"STRUCTURE_ID\";\"ACTION\";\"OBS_VALUE\"\n", Format::kSdmxCsv},
           {"STRUCTURE,region,value\n", Format::kUnknown},
           {R"({"version":"2.0","class":"dataset","id":["a"],"size":[1],"value":[1]})",
            Format::kJsonStat},
           {R"({"dataset":{"dimension":{},"value":[1]}})", Format::kJsonStat},
           {R"({"meta":{"schema":"x"},"data":{"structures":[],"dataSets":[]}})", Format::kSdmxJson},
           {R"({"header":{},"dataSets":[],"structure":{}})", Format::kSdmxJson},
           {R"({"format":"lacuna-problem-1","class":"dataset"})", Format::kJson},
           {R"({"a":"dataSets"})", Format::kJson},
           {"<!DOCTYPE html><html></html>", Format::kHtml},
           {"<?xml version=\"1.0\"?><Workbook "
            "xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\">",
            Format::kSpreadsheetXml},
           {"<?xml version=\"1.0\"?><m xmlns=\"http://www.sdmx.org/resources\">", Format::kSdmxXml},
           {"<a>1</a>", Format::kXml},
           {"<5,12\n", Format::kUnknown},
           {"[input]\ntable = \"t.csv\"\n", Format::kUnknown},
           {"a,b\n1,2\n", Format::kUnknown},
           {"", Format::kUnknown}})
    EXPECT_EQ(recognise(text), format) << text;
}

TEST(Recognise, BytesByTheirSigns) {
  const std::string sas("\0\0\0\0\0\0\0\0\0\0\0\0\xC2\xEA\x81\x60\xB3\x14\x11\xCF"sv);
  std::string catalogue = sas;
  catalogue[15] = '\x63';
  const std::string old_stata = "\x72\x02\x01" + std::string(200, '\0');
  std::string dbase("\x03\x7A\x0B\x10\0\0\0\0\x41\0"sv);
  dbase.resize(70, '\0');
  dbase[64] = '\x0D';
  for (const auto& [bytes, format] : std::initializer_list<std::pair<std::string, Format>>{
           {sas, Format::kSas7bdat},
           {catalogue, Format::kSasCatalog},
           {"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!000", Format::kSasXport},
           {"<stata_dta><header>", Format::kStata},
           {old_stata, Format::kStata},
           {"$FL2@(#)", Format::kSpss},
           {"$FL3@(#)", Format::kSpss},
           {std::string(456, '0') + "SPSSPORT" + std::string(80, 'Z'), Format::kSpssPortable},
           {dbase, Format::kDbf},
           {"PAR1...", Format::kParquet},
           {"ARROW1...", Format::kArrow},
           {"%PDF-1.4", Format::kPdf},
           {std::string("\0\1\0\0Standard ACE DB"sv), Format::kAccess},
           {std::string("X\n\0\0\0\3\0"sv), Format::kRds},
           {std::string(257, 'a') + "ustar  ", Format::kTar}})
    EXPECT_EQ(recognise(bytes), format) << format_name(format);
}

TEST(Recognise, ArchivesByTheirMembers) {
  using lacuna::testing::zipped;
  lacuna::testing::SmallBook book;
  book.sheets = {{"S", ""}};
  EXPECT_EQ(recognise(book.bytes()), Format::kXlsx);
  EXPECT_EQ(recognise(std::string_view(book.bytes()).substr(0, 300)), Format::kXlsx);
  EXPECT_EQ(recognise(zipped({{"xl/workbook.bin", ""}, {"xl/a.xml", ""}})), Format::kXlsb);
  EXPECT_EQ(recognise(zipped({{"word/document.xml", ""}})), Format::kWord);
  EXPECT_EQ(recognise(zipped({{"table.csv", "a"}})), Format::kZip);
  EXPECT_EQ(recognise(zipped({{"content.xml", ""}, {"META-INF/manifest.xml", ""}})), Format::kOds);
  EXPECT_EQ(recognise(lacuna::testing::small_xls("", {})), Format::kXls);
  EXPECT_EQ(recognise(lacuna::testing::ole("EncryptedPackage", "")), Format::kEncryptedWorkbook);
  EXPECT_EQ(recognise(lacuna::testing::ole("WordDocument", "")), Format::kOle);
}

// "<a>1</a>" packed by gzip.
TEST(Recognise, LooksThroughPacking) {
  const std::string gzip(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xb3\x49\xb4\x33\xb4\xd1\x4f\xb4\x03\x00\x68\x28\xdb\x0c\x08\x00\x00\x00"sv);
  EXPECT_EQ(recognise(gzip), Format::kXml);
  EXPECT_EQ(recognise(std::string_view(gzip).substr(0, 12)), Format::kUnknown);
}

TEST(Recognise, EveryFormatHasANameAndARemedyOrAReader) {
  EXPECT_EQ(format_name(Format::kUnknown), "");
  for (int i = 1; i <= static_cast<int>(Format::kImage); ++i) {
    const auto format = static_cast<Format>(i);
    EXPECT_NE(format_name(format), "") << i;
    EXPECT_EQ(is_read(format), i < static_cast<int>(Format::kXlsb)) << i;
  }
  EXPECT_EQ(not_read(Format::kPdf, "a.pdf").text(),
            "a.pdf: this is a PDF file, which is not read: ask its publisher for the table as .csv "
            "or .xlsx");
}

TEST(Recognise, FilesOfOthers) {
  LACUNA_NEEDS_SHARED("instances/day2");
  for (const auto& [name, format] : {std::pair{"Monthly2015Mortality.xls", Format::kXls},
                                     {"TAB004.px", Format::kPx},
                                     {"sample.dta", Format::kStata},
                                     {"sample.sas7bdat", Format::kSas7bdat},
                                     {"sample.sav", Format::kSpss},
                                     {"tour_occ_arn2.tsv", Format::kEurostatTsv},
                                     {"sdmx_AT.csv", Format::kSdmxCsv},
                                     {"ons_weekly_2017.csv", Format::kUnknown},
                                     {"nomis_long.csv.xz", Format::kUnknown},
                                     {"c_14.toml", Format::kUnknown}}) {
    std::ifstream file(lacuna::testing::shared_data(std::string("instances/day2/") + name),
                       std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(recognise(bytes), format) << name;
  }
}

}  // namespace
}  // namespace lacuna::formats
