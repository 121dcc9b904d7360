// SPDX-License-Identifier: Apache-2.0
#include "data/files/wrong_format.h"

#include <gtest/gtest.h>

#include "data/files/csv.h"
#include "data/files/text_encoding.h"
#include "data/files/toml_document.h"

namespace lacuna::files {
namespace {

using namespace std::string_literals;

std::string said_of(const std::string& bytes) {
  return or_wrong_format({ErrorCode::kBadField, "the error", "f:1:1"}, bytes, "f").text();
}

TEST(OtherFormat, IsNamedByItsFirstBytes) {
  for (const auto& [bytes, name] :
       {std::pair{"PK\x03\x04 and so on"s, "workbook"},
        std::pair{"\xD0\xCF\x11\xE0\xA1"s, ".xls"},
        std::pair{"<stata_dta><header>"s, "Stata"},
        std::pair{"\x72\x02\x01"s, "Stata"},
        std::pair{"$FL2@(#) SPSS"s, "SPSS"},
        std::pair{"%PDF-1.7"s, "PDF"},
        std::pair{std::string(12, '\0') + "\xC2\xEA\x81\x60\xB3", "SAS"},
        std::pair{"\xEF\xBB\xBF"
                  "CHARSET=\"ANSI\";"s,
                  "PX"},
        std::pair{"<html>"s, "web page"}}) {
    const std::string said = said_of(bytes);
    EXPECT_TRUE(said.starts_with("f: this is a")) << said;
    EXPECT_NE(said.find(name), std::string::npos) << said;
    EXPECT_NE(said.find("save the table as .csv"), std::string::npos) << said;
  }
}

TEST(OtherFormat, LeavesErrorsOfTextAsTheyAre) {
  for (const char* text : {"", "a;b\n1;2\n", "[input]\n", "P", "\xEF\xBB\xBF"})
    EXPECT_EQ(said_of(text), "f:1:1: the error") << text;
}

TEST(OtherFormat, IsNamedByEveryReaderOfText) {
  const std::string book = "PK\x03\x04\x14\x81\xFF\xFE";
  const auto csv = CsvFile::parse(book, "t.csv", ';');
  const auto toml = TomlDocument::parse(book, "t.toml");
  const auto turned = to_utf8(book, Encoding::kWindows1252, "t.csv");
  ASSERT_FALSE(csv);
  ASSERT_FALSE(toml);
  ASSERT_FALSE(turned);
  for (const Error& error : {csv.error(), toml.error(), turned.error()})
    EXPECT_NE(error.text().find("workbook"), std::string::npos) << error.text();
}

std::string own(const std::string& text) {
  const auto tree = JsonTree::parse(text, "f.json");
  return tree ? own_json(tree->root()) : "?";
}

TEST(OwnJson, IsToldByItsFormat) {
  EXPECT_EQ(own(R"({"format":"lacuna-certificate-2","release":[]})"), "a certificate");
  EXPECT_EQ(own(R"({"format":"lacuna-public-1","cells":[]})"), "a public file");
  EXPECT_EQ(own(R"({"cells":[],"format":"lacuna-problem-1"})"), "a table");
  EXPECT_EQ(own(R"({"notice":"","run":{},"release":[]})"), "a result of lacuna protect");
  for (const char* text : {"[]", "1", "{}", R"({"format":2})", R"({"format":"other"})"})
    EXPECT_EQ(own(text), "") << text;
}

}  // namespace
}  // namespace lacuna::files
