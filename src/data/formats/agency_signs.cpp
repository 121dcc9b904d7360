// SPDX-License-Identifier: Apache-2.0
#include "data/formats/agency_signs.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/text.h"

namespace lacuna::formats {
namespace {

// The publications in which the agencies explain their signs.
constexpr std::string_view kEurostat =
    "Eurostat, Database: flags and special values (code lists Obs_status and Conf_status)";
constexpr std::string_view kUk =
    "UK Government Analysis Function, Using symbols and shorthand in tables; StatsWales, Shorthand "
    "for labelling data values";
constexpr std::string_view kDestatis =
    "Statistisches Bundesamt, Wirtschaft und Statistik: Zeichenerklärung; Statistikportal, "
    "Explanation of symbols";
constexpr std::string_view kInsee = "Insee, publications: signes conventionnels";
constexpr std::string_view kStatCan = "Statistics Canada, Standard table symbols";
constexpr std::string_view kAbs =
    "Australian Bureau of Statistics, Year Book Australia 2003 (1301.0): Symbols and abbreviations";
constexpr std::string_view kStatsNz = "Statistics New Zealand, Standards: Symbols";
constexpr std::string_view kCensus =
    "U.S. Census Bureau, Economic Census: Data Flags; County Business Patterns: why letters appear "
    "instead of numbers";
constexpr std::string_view kBls =
    "U.S. Bureau of Labor Statistics, QCEW: field layouts of CSV data slices (disclosure_code)";
constexpr std::string_view kOecd =
    "OECD, Education at a Glance: Coding of Missing Data; Society at a Glance: conventional signs";
constexpr std::string_view kScb = "Statistics Sweden, Statistical Yearbook: explanation of symbols";
constexpr std::string_view kSsb = "Statistics Norway, StatBank: standard symbols in the tables";
constexpr std::string_view kDst = "Statistics Denmark, StatBank: symbols in tables";
constexpr std::string_view kStatFin = "Statistics Finland, StatFin: symbols used in the tables";
constexpr std::string_view kCbs =
    "Statistics Netherlands, Verklaring der tekens; StatLine: explanation of symbols";
constexpr std::string_view kCso = "CSO Ireland, Statistical Yearbook of Ireland 2021: Symbols";
constexpr std::string_view kBfs = "Swiss Federal Statistical Office, Symbols and abbreviations";
constexpr std::string_view kKsh =
    "KSH Hungary, Statistical Pocketbook 2018: explanation of symbols";

constexpr SignMeaning kHidden = SignMeaning::kWithheld;
constexpr SignMeaning kNone = SignMeaning::kAbsent;
constexpr SignMeaning kNever = SignMeaning::kNotApplicable;
constexpr SignMeaning kNil = SignMeaning::kZero;

constexpr std::array kSigns = std::to_array<AgencySign>({
    {"Eurostat", ":", kNone, "not available", kEurostat},
    {"Eurostat", "c", kHidden, "confidential", kEurostat},
    {"Eurostat", "z", kNever, "not applicable (until 2025)", kEurostat},
    {"Eurostat", "m", kNever, "missing value, data cannot exist", kEurostat},
    {"ONS and other UK offices", "[c]", kHidden, "confidential information", kUk},
    {"ONS and other UK offices", "[x]", kNone, "not available", kUk},
    {"ONS and other UK offices", "[z]", kNever, "not applicable", kUk},
    {"ONS and other UK offices", "[low]", kNone, "low figure that appears as zero", kUk},
    {"ONS and other UK offices", "c", kHidden, "confidential information", kUk},
    {"ONS and other UK offices", "x", kNone, "not available", kUk},
    {"ONS and other UK offices", "z", kNever, "not applicable", kUk},
    {"ONS and other UK offices", "low", kNone, "low figure that appears as zero", kUk},
    {"Destatis", "-", kNil, "no figures (exactly zero)", kDestatis},
    {"Destatis", "–", kNil, "no figures (exactly zero)", kDestatis},
    {"Destatis", ".", kHidden, "numerical value unknown or not to be disclosed", kDestatis},
    {"Destatis", "·", kHidden, "numerical value unknown or not to be disclosed", kDestatis},
    {"Destatis", "...", kNone, "data will be available later", kDestatis},
    {"Destatis", "/", kNone, "numerical value not sufficiently reliable", kDestatis},
    {"Destatis", "x", kNever, "cell blocked for logical reasons", kDestatis},
    {"Destatis", "X", kNever, "cell blocked for logical reasons", kDestatis},
    {"Insee", "///", kNever, "no result by the nature of things", kInsee},
    {"Insee", "s", kHidden, "statistical secrecy", kInsee},
    {"Insee", "nd", kNone, "not available", kInsee},
    {"Insee", "n.d.", kNone, "not available", kInsee},
    {"Insee", "...", kNone, "result not available", kInsee},
    {"Insee", "ns", kNone, "not significant", kInsee},
    {"Insee", "n.s.", kNone, "not significant", kInsee},
    {"Insee", "so", kNever, "not applicable", kInsee},
    {"Insee", "-", kNil, "nil, or below half the unit", kInsee},
    {"Statistics Canada", ".", kNone, "not available for any reference period", kStatCan},
    {"Statistics Canada", "..", kNone, "not available for a specific reference period", kStatCan},
    {"Statistics Canada", "...", kNever, "not applicable", kStatCan},
    {"Statistics Canada",
     "x",
     kHidden,
     "suppressed to meet the confidentiality requirements of the Statistics Act",
     kStatCan},
    {"Statistics Canada", "F", kNone, "too unreliable to be published", kStatCan},
    {"Statistics Canada", "<LOD", kNone, "less than the limit of detection", kStatCan},
    {"ABS", "-", kNil, "nil or rounded to zero (including null cells)", kAbs},
    {"ABS", "—", kNil, "nil or rounded to zero (including null cells)", kAbs},
    {"ABS", "..", kNever, "not applicable", kAbs},
    {"ABS", ". .", kNever, "not applicable", kAbs},
    {"ABS", "na", kNone, "not available", kAbs},
    {"ABS", "n.a.", kNone, "not available", kAbs},
    {"ABS", "np", kHidden, "not for publication", kAbs},
    {"ABS", "n.p.", kHidden, "not for publication", kAbs},
    {"ABS", "nya", kNone, "not yet available", kAbs},
    {"ABS", "n.y.a.", kNone, "not yet available", kAbs},
    {"Stats NZ", "C", kHidden, "confidential", kStatsNz},
    {"Stats NZ", "S", kHidden, "suppressed", kStatsNz},
    {"Stats NZ", "-", kNil, "nil or zero", kStatsNz},
    {"Stats NZ", "--", kNone, "amount too small to be expressed", kStatsNz},
    {"Stats NZ", "..", kNone, "figures not available", kStatsNz},
    {"Stats NZ", "...", kNever, "not applicable", kStatsNz},
    {"US Census Bureau", "D", kHidden, "withheld to avoid disclosing individual data", kCensus},
    {"US Census Bureau", "(D)", kHidden, "withheld to avoid disclosing individual data", kCensus},
    {"US Census Bureau", "S", kNone, "withheld: below publication standards", kCensus},
    {"US Census Bureau", "(S)", kNone, "withheld: below publication standards", kCensus},
    {"US Census Bureau", "N", kNone, "not available", kCensus},
    {"US Census Bureau", "(NA)", kNone, "not available", kCensus},
    {"US Census Bureau", "X", kNever, "not applicable", kCensus},
    {"US Census Bureau", "(X)", kNever, "not applicable", kCensus},
    {"US Census Bureau", "Z", kNone, "less than half the unit shown", kCensus},
    {"US Census Bureau", "(Z)", kNone, "less than half the unit shown", kCensus},
    {"US BLS, QCEW", "N", kHidden, "not disclosed", kBls},
    {"US BLS, QCEW", "ND", kHidden, "not disclosed", kBls},
    {"OECD", "..", kNone, "not available", kOecd},
    {"OECD", "a", kNever, "category not applicable", kOecd},
    {"OECD", "m", kNone, "data not available", kOecd},
    {"OECD", "n", kNil, "data value nil", kOecd},
    {"OECD", "x", kNone, "data included in other categories", kOecd},
    {"Statistics Sweden", ".", kNever, "not applicable", kScb},
    {"Statistics Sweden", "..", kNone, "not available or too uncertain", kScb},
    {"Statistics Sweden", "-", kNil, "nothing to report", kScb},
    {"Statistics Sweden", "–", kNil, "nothing to report", kScb},
    {"Statistics Norway", ".", kNever, "category not applicable", kSsb},
    {"Statistics Norway", "..", kNone, "not available", kSsb},
    {"Statistics Norway", "...", kNone, "not yet available", kSsb},
    {"Statistics Norway", ":", kHidden, "not for publication", kSsb},
    {"Statistics Norway", "-", kNil, "nil", kSsb},
    {"Statistics Denmark", ".", kNever, "category not applicable", kDst},
    {"Statistics Denmark", "..", kHidden, "too uncertain, or confidential", kDst},
    {"Statistics Denmark", "...", kNone, "not available", kDst},
    {"Statistics Denmark", "-", kNil, "nil", kDst},
    {"Statistics Finland", ".", kNever, "category not applicable", kStatFin},
    {"Statistics Finland", "..", kNone, "not available or too uncertain", kStatFin},
    {"Statistics Finland", "...", kHidden, "subject to secrecy", kStatFin},
    {"Statistics Finland", "-", kNil, "magnitude nil", kStatFin},
    {"Statistics Netherlands", ".", kHidden, "unknown, unreliable or secret", kCbs},
    {"Statistics Netherlands", "x", kHidden, "confidential", kCbs},
    {"Statistics Netherlands", "-", kNil, "nil", kCbs},
    {"CSO Ireland", "..", kNone, "not available", kCso},
    {"CSO Ireland", "_", kNil, "absolute zero", kCso},
    {"CSO Ireland", "*", kHidden, "confidential", kCso},
    {"Swiss FSO", "X", kHidden, "not indicated to protect confidentiality", kBfs},
    {"Swiss FSO", "...", kNone, "not (yet) gathered or calculated", kBfs},
    {"Swiss FSO", "*", kNever, "not important or not applicable", kBfs},
    {"Swiss FSO", "-", kNil, "zero", kBfs},
    {"KSH Hungary", "–", kNil, "non-occurrence", kKsh},
    {"KSH Hungary", "..", kNone, "not available", kKsh},
    {"KSH Hungary", "…", kHidden, "confidential", kKsh},
    {"KSH Hungary", "x", kNever, "not applicable", kKsh},
});

constexpr std::array kFlags = std::to_array<AgencyFlag>({
    {"Eurostat", "b", false, "break in time series", kEurostat},
    {"Eurostat", "d", false, "definition differs", kEurostat},
    {"Eurostat", "e", false, "estimated", kEurostat},
    {"Eurostat", "f", false, "forecast", kEurostat},
    {"Eurostat", "i", false, "value imputed by Eurostat or other receiving agencies", kEurostat},
    {"Eurostat", "m", false, "missing value, data cannot exist", kEurostat},
    {"Eurostat", "n", false, "not significant", kEurostat},
    {"Eurostat", "p", false, "provisional", kEurostat},
    {"Eurostat", "r", false, "revised", kEurostat},
    {"Eurostat", "s", false, "Eurostat estimate (until 2025)", kEurostat},
    {"Eurostat", "u", false, "low reliability", kEurostat},
    {"Eurostat", "z", false, "not applicable (until 2025)", kEurostat},
    {"Eurostat", "c", true, "confidential (until 2025)", kEurostat},
    {"Eurostat", "C", true, "confidential", kEurostat},
    {"Eurostat", "N", true, "not for publication", kEurostat},
    {"Eurostat", "P", true, "under non-statistical secrecy arrangements", kEurostat},
    {"ONS and other UK offices", "b", false, "break in time series", kUk},
    {"ONS and other UK offices", "e", false, "estimated", kUk},
    {"ONS and other UK offices", "f", false, "forecast", kUk},
    {"ONS and other UK offices", "p", false, "provisional", kUk},
    {"ONS and other UK offices", "r", false, "revised", kUk},
    {"ONS and other UK offices", "u", false, "low reliability", kUk},
    {"Destatis", "p", false, "provisional", kDestatis},
    {"Destatis", "r", false, "revised", kDestatis},
    {"Destatis", "s", false, "estimated", kDestatis},
    {"Insee", "e", false, "estimated", kInsee},
    {"Insee", "p", false, "provisional", kInsee},
    {"Insee", "r", false, "revised", kInsee},
    {"Statistics Canada", "p", false, "preliminary", kStatCan},
    {"Statistics Canada", "r", false, "revised", kStatCan},
    {"Statistics Canada", "A", false, "data quality: excellent", kStatCan},
    {"Statistics Canada", "B", false, "data quality: very good", kStatCan},
    {"Statistics Canada", "C", false, "data quality: good", kStatCan},
    {"Statistics Canada", "D", false, "data quality: acceptable", kStatCan},
    {"Statistics Canada", "E", false, "use with caution", kStatCan},
    {"Statistics Canada", "*", false, "significantly different from the reference", kStatCan},
    {"ABS", "*", false, "to be used with caution", kAbs},
    {"ABS", "**", false, "sampling variability too high for practical purposes", kAbs},
    {"Stats NZ", "E", false, "early estimate", kStatsNz},
    {"Stats NZ", "P", false, "provisional", kStatsNz},
    {"Stats NZ", "R", false, "revised", kStatsNz},
    {"US Census Bureau", "r", false, "revised", kCensus},
    {"Statistics Netherlands", "*", false, "provisional", kCbs},
    {"Statistics Netherlands", "**", false, "revised provisional", kCbs},
    {"Swiss FSO", "p", false, "provisional", kBfs},
});

struct Words {
  SignMeaning meaning;
  std::array<std::string_view, 30> parts;
};

// Parts of words in small letters, the cautious reading first: who says "not available or secret"
// withholds.
constexpr std::array<Words, 4> kWords{{
    {kHidden, {"confiden",  "konfiden",
               "withheld",  "withhold",
               "suppress",  "disclos",
               "secre",     "geheim",
               "vertraul",  "sekret",
               "fortrolig", "diskretion",
               "salass",    "salattu",
               "salaus",    "tietosuoj",
               "röj",       "segret",
               "riservat",  "tajemnic",
               "tajn",      "not for publication",
               "non pubbl", "secreto",
               "segredo",   "sigilo",
               "anonymi"}},
    {kNever,
     {"not applicable",
      "not relevant",
      "cannot exist",
      "cannot occur",
      "not possible",
      "logical",
      "epäloogi",
      "sans objet",
      "nature des choses",
      "ikke forekomme",
      "inte förekomma",
      "nicht sinnvoll",
      "gesperrt",
      "no procede",
      "van toepassing",
      "ikke relevant",
      "ej relevant"}},
    {kNone, {"not available",   "unavailable",   "missing",        "no data",      "unknown",
             "not yet",         "unreliable",    "uncertain",      "saknas",       "mangler",
             "foreligger ikke", "ei ole saatu",  "non disponible", "nicht verf",   "unbekannt",
             "keine angabe",    "no disponible", "not reported",   "too few",      "onbekend",
             "osäker",          "usikker",       "epävarma",       "not collected"}},
    {kNil, {"nil", "zero", "nothing", "inget", "nichts", "absolut noll"}},
}};

std::optional<SignMeaning> known_words(std::string_view said) {
  const std::string text = base::lower_case(said);
  for (const Words& words : kWords) {
    for (const std::string_view part : words.parts) {
      if (!part.empty() && text.find(part) != std::string::npos)
        return words.meaning;
    }
  }
  return std::nullopt;
}

}  // namespace

std::span<const AgencySign> agency_signs() {
  return kSigns;
}

std::span<const AgencyFlag> agency_flags() {
  return kFlags;
}

std::vector<AgencySign> meanings_of(std::string_view sign) {
  const std::string_view text = base::trimmed(sign);
  std::vector<AgencySign> found;
  for (const AgencySign& entry : kSigns) {
    if (entry.sign == text)
      found.push_back(entry);
  }
  return found;
}

std::vector<AgencySign> signs_of(std::string_view agency) {
  std::vector<AgencySign> found;
  for (const AgencySign& entry : kSigns) {
    if (agency.empty() || entry.agency == agency)
      found.push_back(entry);
  }
  return found;
}

std::vector<AgencyFlag> flags_of(std::string_view flag) {
  std::vector<AgencyFlag> found;
  for (const AgencyFlag& entry : kFlags) {
    if (entry.flag == flag)
      found.push_back(entry);
  }
  return found;
}

bool has_known_words(std::string_view said) {
  return known_words(said).has_value();
}

SignMeaning meaning_of_words(std::string_view said) {
  return known_words(said).value_or(SignMeaning::kAbsent);
}

}  // namespace lacuna::formats
