// SPDX-License-Identifier: Apache-2.0
#include "data/infer/flag_words.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/confidential.h"
#include "core/base/spelling.h"
#include "core/base/text.h"

namespace lacuna::infer {
namespace {

constexpr std::array<std::string_view, 4> kBlanks{" ", "\t", "\xC2\xA0", "\xE2\x80\xAF"};

constexpr std::array<std::string_view, 34> kMarks{
    "",           "x",           "\xC3\x97", ":",   ": c",          ":c",   ":(c)",   ".",
    "..",         "...",         "c",        "(c)", "(x)",          "*",    "**",     "***",
    "n.a.",       "n.a",         "na",       "n/a", "nan",          "null", "d",      "(d)",
    "s",          "(s)",         "/",        "#",   "\xE2\x80\xA2", "conf", "secret", "withheld",
    "suppressed", "confidential"};

constexpr std::array<std::string_view, 3> kDashes{"-", "\xE2\x80\x93", "\xE2\x80\x94"};

constexpr std::array<std::string_view, 21> kFlagNames{
    "flag",          "flags",      "obs_flag", "conf_status", "obs_conf",   "confidentiality",
    "confidential",  "status",     "state",    "cell_status", "sdc_status", "sdcstatus",
    "suppression",   "suppressed", "withheld", "secret",      "is_secret",  "is_withheld",
    "is_suppressed", "cellstatus", "conf"};

struct FlagSet {
  std::vector<std::string_view> open, withheld;
  bool exact_case;
  bool needs_all;  // no cell may be without a flag
};

const std::vector<FlagSet>& flag_sets() {
  static const std::vector<FlagSet> kSets{
      {{"false", "0", "no", ""}, {"true", "1", "yes"}, false, false},
      {{"V", ""}, {"A", "B", "C", "D"}, true, false},
      {{"published", "free", "safe", "open", ""},
       {"withheld", "primary", "secondary", "unsafe", "secret", "confidential", "suppressed"},
       false,
       false},
      {{"s", "z", "p", "k"}, {"u", "x", "m"}, false, true},  // tau-ARGUS, sdcTable
      // Eurostat's flags of observations: a number with any but c is shown.
      {{"", "b", "d", "e", "f", "n", "p", "r", "s", "u", "z"}, {"c"}, true, false},
  };
  return kSets;
}

bool covers(const FlagSet& set, const std::set<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    const std::string text = set.exact_case ? word : base::lower_case(word);
    return std::find(set.open.begin(), set.open.end(), text) != set.open.end() ||
           std::find(set.withheld.begin(), set.withheld.end(), text) != set.withheld.end();
  });
}

}  // namespace

std::string_view trimmed_field(std::string_view text) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string_view blank : kBlanks) {
      if (text.starts_with(blank)) {
        text.remove_prefix(blank.size());
        changed = true;
      }
      if (text.ends_with(blank)) {
        text.remove_suffix(blank.size());
        changed = true;
      }
    }
  }
  return text;
}

bool is_withheld_mark(std::string_view field) {
  const std::string word = base::lower_case(trimmed_field(field));
  return std::find(kMarks.begin(), kMarks.end(), word) != kMarks.end();
}

bool is_dash(std::string_view field) {
  return std::find(kDashes.begin(), kDashes.end(), trimmed_field(field)) != kDashes.end();
}

bool is_flag_name(std::string_view name) {
  const std::string word = base::lower_case(trimmed_field(name));
  return std::find(kFlagNames.begin(), kFlagNames.end(), word) != kFlagNames.end();
}

Result<FlagWords> FlagWords::of(std::string_view column,
                                const std::set<std::string>& all_words,
                                const StatusWords& own) {
  FlagWords flags;
  flags.own_ = own;
  std::set<std::string> words;
  for (const std::string& word : all_words) {
    if (!own.contains(base::lower_case(word)))
      words.insert(word);
  }
  const bool said_all = std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return word.empty() || is_dash(word);
  });
  if (words.size() < all_words.size() && said_all)
    return flags;
  if (base::lower_case(column).find("conf_status") != std::string::npos) {
    flags.all_but_free_ = true;
    return flags;
  }
  for (const FlagSet& set : flag_sets()) {
    if (!covers(set, words) || (set.needs_all && words.contains("")))
      continue;
    flags.exact_case_ = set.exact_case;
    flags.withheld_.insert(set.withheld.begin(), set.withheld.end());
    return flags;
  }
  std::string known;
  for (const std::string& word : words)
    known += (known.empty() ? "" : ", ") + base::strange_field_in_quotes(word);
  return Error{ErrorCode::kBadField,
               "the flags " + known + " are of no set that is known: A B D V; c; CONF_STATUS; " +
                   "s u x z m; published, withheld; TRUE FALSE; say what they mean (" +
                   base::named_option("means", "FLAG=withheld") +
                   ", =published), or rename the column if it holds something else",
               ""};
}

Result<FlagColumns> find_flags(const files::CsvFile& file,
                               const std::function<bool(std::size_t column)>& is_taken,
                               const StatusWords& own) {
  FlagColumns found;
  for (std::size_t c = 0; c < file.num_columns(); ++c) {
    if (is_taken(c) || !is_flag_name(file.header(c)))
      continue;
    std::set<std::string> words;
    for (std::size_t row = 0; row < file.num_rows(); ++row)
      words.emplace(trimmed_field(file.field(row, c)));
    auto flags = FlagWords::of(file.header(c), words, own);
    if (!flags)
      return Error{ErrorCode::kBadField,
                   "column '" + std::string(file.header(c)) + "': " + flags.error().message,
                   file.where_header()};
    found.emplace_back(c, *std::move(flags));
  }
  return found;
}

bool FlagWords::says_withheld(std::string_view flag) const {
  const std::string_view word = trimmed_field(flag);
  if (const auto said = own_.find(base::lower_case(word)); said != own_.end())
    return said->second == CellStatus::kPrimary || said->second == CellStatus::kSecondary;
  if (all_but_free_)
    return !word.empty() && word != "F" && word != "f";
  return withheld_.contains(exact_case_ ? std::string(word) : base::lower_case(word));
}

}  // namespace lacuna::infer
