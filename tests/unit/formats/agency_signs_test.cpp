// SPDX-License-Identifier: Apache-2.0
#include "data/formats/agency_signs.h"

#include <gtest/gtest.h>

#include "core/base/random.h"
#include "data/formats/code_pages.h"
#include "data/formats/number_field.h"

namespace lacuna::formats {
namespace {

std::string plain(std::string_view text, char mark = '.') {
  return plain_decimal(text, mark).value_or("none");
}

TEST(NumberField, NumbersStandAsTheyAreWritten) {
  EXPECT_EQ(plain("0"), "0");
  EXPECT_EQ(plain("007"), "7");
  EXPECT_EQ(plain("1.50"), "1.50");
  EXPECT_EQ(plain(".5"), "0.5");
  EXPECT_EQ(plain("5."), "5");
  EXPECT_EQ(plain("+7"), "7");
  EXPECT_EQ(plain("-0.0"), "0.0");
  EXPECT_EQ(plain("-12,5", ','), "-12.5");
}

TEST(NumberField, ExponentsAreMultipliedOut) {
  EXPECT_EQ(plain("1.5E3"), "1500");
  EXPECT_EQ(plain("1.5e+1"), "15");
  EXPECT_EQ(plain("-1.25E-3"), "-0.00125");
  EXPECT_EQ(plain("12E0"), "12");
  EXPECT_EQ(plain("0.05E1"), "0.5");
  // As long as a number may be, and longer.
  const std::string digits(40, '7');
  EXPECT_EQ(plain(digits + "e20"), digits + std::string(20, '0'));
  EXPECT_EQ(plain(digits + "7e20"), "none");
}

TEST(NumberField, EverythingElseIsNoNumber) {
  for (const char* text : {"",
                           "-",
                           ".",
                           "1,5",
                           "1 000",
                           "e5",
                           "1e",
                           "1e5.0",
                           "0x10",
                           "nan",
                           "inf",
                           "1e99",
                           "1-2",
                           "--1",
                           "1234567890123456789012345678901234567890123456789"
                           "0123456789012"})
    EXPECT_EQ(plain(text), "none") << text;
}

TEST(AgencySigns, EveryEntryHasItsSource) {
  for (const AgencySign& sign : agency_signs()) {
    EXPECT_FALSE(sign.agency.empty() || sign.sign.empty() || sign.said.empty()) << sign.sign;
    EXPECT_GT(sign.source.size(), 10U) << sign.sign;
  }
  for (const AgencyFlag& flag : agency_flags())
    EXPECT_FALSE(flag.agency.empty() || flag.said.empty() || flag.source.empty()) << flag.flag;
}

TEST(AgencySigns, OneSignMeansWhatEachAgencySays) {
  std::string readings;
  for (const AgencySign& sign : meanings_of(" ... "))
    readings +=
        std::string(sign.agency) + "=" + std::to_string(static_cast<int>(sign.meaning)) + " ";
  EXPECT_EQ(readings,
            "Destatis=1 Insee=1 Statistics Canada=2 Stats NZ=2 Statistics Norway=1 Statistics "
            "Denmark=1 Statistics Finland=0 Swiss FSO=1 ");
  EXPECT_TRUE(meanings_of("..........").empty());
  EXPECT_EQ(signs_of("Eurostat").size(), 4U);
  EXPECT_GT(signs_of("").size(), 80U);
}

TEST(AgencySigns, OnlyFlagsOfConfidentialityAreThat) {
  const auto is_confidential = [](std::string_view flag) {
    bool any = false;
    for (const AgencyFlag& entry : flags_of(flag))
      any = any || (entry.agency == "Eurostat" && entry.confidential);
    return any;
  };
  for (const char* flag : {"c", "C", "N", "P"})
    EXPECT_TRUE(is_confidential(flag)) << flag;
  for (const char* flag : {"b", "d", "e", "f", "i", "m", "n", "p", "r", "s", "u", "z"})
    EXPECT_FALSE(is_confidential(flag)) << flag;
}

TEST(AgencySigns, WordsAreReadWithTheCautiousMeaningFirst) {
  EXPECT_EQ(meaning_of_words("withheld for confidentiality"), SignMeaning::kWithheld);
  EXPECT_EQ(meaning_of_words("Data not available or confidential"), SignMeaning::kWithheld);
  EXPECT_EQ(meaning_of_words("Tieto on salassapitosäännön alainen"), SignMeaning::kWithheld);
  EXPECT_EQ(meaning_of_words("Geheimhaltung"), SignMeaning::kWithheld);
  EXPECT_EQ(meaning_of_words("Not applicable"), SignMeaning::kNotApplicable);
  EXPECT_EQ(meaning_of_words("Uppgift saknas"), SignMeaning::kAbsent);
  EXPECT_EQ(meaning_of_words("Magnitude nil"), SignMeaning::kZero);
  EXPECT_FALSE(has_known_words(".."));
  EXPECT_FALSE(has_known_words(""));
}

std::string split(std::string_view text) {
  const FlaggedText parts = split_flag(text);
  EXPECT_EQ(
      join_flag(parts, parts.number).size() + (text.size() - join_flag(parts, parts.number).size()),
      text.size());
  return parts.number + "|" + parts.flag +
         (parts.bracketed ? "|" + std::string(1, parts.bracket) : "") +
         (parts.before ? "|before" : "");
}

TEST(FlaggedText, FlagsStandBehindNumbers) {
  EXPECT_EQ(split("429780 e"), "429780|e");
  EXPECT_EQ(split("1 234 (p)"), "1 234|p|(");
  EXPECT_EQ(split("12.3*"), "12.3|*");
  EXPECT_EQ(split("12.3 bep"), "12.3|bep");
  EXPECT_EQ(split("12 p@C"), "12|p@C");
  EXPECT_EQ(split("-1,234.5 [r]"), "-1,234.5|r|[");
  EXPECT_EQ(split("7 [r][e]"), "7|r e|[");
  EXPECT_EQ(split("1.2E5 e"), "1.2E5|e");
  EXPECT_EQ(split("5e"), "5|e");
  EXPECT_EQ(split("3\xC2\xB2"), "3|\xC2\xB2");
  EXPECT_EQ(split("\xE2\x88\x92"
                  "3 p"),
            "\xE2\x88\x92"
            "3|p");
}

TEST(FlaggedText, OrBefore) {
  EXPECT_EQ(split("r 17"), "17|r|before");
  EXPECT_EQ(split("(p) 17"), "17|p|(|before");
}

TEST(FlaggedText, AndBehindSigns) {
  EXPECT_EQ(split(": c"), ":|c");
  EXPECT_EQ(split(":(c)"), ":|c|(");
  EXPECT_EQ(split(".. p"), "..|p");
  EXPECT_EQ(split(": @C"), ":|@C");
}

TEST(FlaggedText, WhatHasNoFlagStaysWhole) {
  for (const char* text : {"123",
                           "-4.5",
                           "(123)",
                           "",
                           ":",
                           "..",
                           "-",
                           "c",
                           "(D)",
                           "<5",
                           "A01",
                           "2019M01",
                           "see note 3",
                           "12 of 13",
                           "5 or more",
                           "12345678901234567890",
                           "1.2E5"})
    EXPECT_EQ(split(text), std::string(text) + "|") << text;
}

TEST(FlaggedText, TheWayBackGivesTheSameText) {
  base::Random random(43);
  const std::vector<std::string> numbers{"1", "12.5", "1 234", "-3", ":", "..", "0.10"};
  const std::vector<std::string> flags{"e", "bp", "*", "(p)", "[r][e]", "@C", "\xE2\x80\xA0"};
  for (int round = 0; round < 200; ++round) {
    const auto pick = [&](const std::vector<std::string>& from) {
      return from[static_cast<std::size_t>(
          random.between(0, static_cast<std::int64_t>(from.size()) - 1))];
    };
    const std::string text = pick(numbers) + (random.chance(1, 2) ? " " : "") + pick(flags);
    const FlaggedText parts = split_flag(text);
    EXPECT_FALSE(parts.flag.empty()) << text;
    EXPECT_EQ(join_flag(parts, parts.number), text);
  }
}

TEST(CodePages, NamesAreKnownInTheirSpellings) {
  for (const char* name : {"utf-8",
                           "UTF8",
                           "iso-8859-1",
                           "ISO8859-1",
                           "iso_8859-15",
                           "Windows-1252",
                           "cp1250",
                           "ANSI",
                           "ibm850",
                           "cp437"})
    EXPECT_TRUE(is_code_page(name)) << name;
  EXPECT_FALSE(is_code_page("ebcdic"));
}

TEST(CodePages, BytesBecomeTheirCharacters) {
  const auto read = [](std::string_view bytes, std::string_view name) {
    const auto text = from_code_page(bytes, name, "a.px");
    return text ? *text : text.error().text();
  };
  EXPECT_EQ(read("\xE4\x80", "iso-8859-1"), "ä€");
  EXPECT_EQ(read("\xA4", "iso-8859-15"), "€");
  EXPECT_EQ(read("\xB1", "iso-8859-2"), "ą");
  EXPECT_EQ(read("\xC6", "windows-1251"), "Ж");
  EXPECT_EQ(read("\x84", "cp850"), "ä");
  EXPECT_EQ(read("\xE0", "windows-1257"), "ą");
  EXPECT_EQ(read("ab\n\x81", "windows-1252"),
            "a.px:2:1: windows-1252 has no such character: convert the file to UTF-8, or correct "
            "the name of its code page");
  EXPECT_EQ(read("a", "ebcdic").substr(0, 80),
            "a.px: the code page 'ebcdic' is not known: convert the file to UTF-8 (known are ");
}

}  // namespace
}  // namespace lacuna::formats
