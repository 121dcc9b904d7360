// SPDX-License-Identifier: Apache-2.0
// What large statistical agencies write in place of a number, and flags behind numbers. Each entry
// names the publication of the agency that says so. The same sign means different things in
// different houses ("." is unknown in Destatis' tables and not applicable in Eurostat's old ones):
// `meanings_of` gives all of them, and nobody chooses here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/formats/grid.h"

namespace lacuna::formats {

struct AgencySign {
  std::string_view agency;  // "Eurostat"
  std::string_view sign;    // ":"
  SignMeaning meaning = SignMeaning::kAbsent;
  std::string_view said;    // in the agency's words, in English
  std::string_view source;  // the page that says so
};
std::span<const AgencySign> agency_signs();

// All entries of the sign, whatever the agency; blanks around it do not count.
std::vector<AgencySign> meanings_of(std::string_view sign);
// Those of one agency; empty agency: all.
std::vector<AgencySign> signs_of(std::string_view agency);

// What a letter or sign behind a number says, by agency.
struct AgencyFlag {
  std::string_view agency;
  std::string_view flag;  // "e", "(p)", "*"
  bool confidential = false;
  std::string_view said;
  std::string_view source;
};
std::span<const AgencyFlag> agency_flags();
std::vector<AgencyFlag> flags_of(std::string_view flag);  // without brackets, in its case

// What the words with which a file explains a sign mean: "withheld for confidentiality", "not
// applicable", in the languages of the agencies above. Absent if no word is known.
SignMeaning meaning_of_words(std::string_view said);
bool has_known_words(std::string_view said);

// A number with a flag behind (or before) it: "429780 e", "1 234 (p)", "12.3*", "r 17", ": c".
struct FlaggedText {
  std::string number;      // as written, without the flag: "1 234"; or a sign: ":"
  std::string flag;        // without brackets: "p"; several together as they stand: "bep"
  bool bracketed = false;  // "(p)" or "[p]"
  bool before = false;     // "r 17"
  std::string between;     // blanks between number and flag, to write it again
  char bracket = '\0';     // '(' or '['
};
// Text without a flag has its number alone; text that has no number and is no sign has its all in
// `number`. "(123)" is a negative number of bookkeepers, not a flag, and stays as it is.
FlaggedText split_flag(std::string_view text);
// The way back, with another number.
std::string join_flag(const FlaggedText& flagged, std::string_view number);

}  // namespace lacuna::formats
