// SPDX-License-Identifier: Apache-2.0
#include "data/infer/status_word.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/confidential.h"
#include "core/base/nearest.h"
#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/files/position.h"

namespace lacuna::infer {
namespace {

struct StatusWord {
  std::string_view word;
  CellStatus status;
};
constexpr std::size_t kFirstLong = 20;  // the words from here on are worth suggesting
constexpr std::array<StatusWord, 38> kWords{{
    {"s", CellStatus::kFree},
    {"u", CellStatus::kPrimary},
    {"z", CellStatus::kMustPublish},
    {"m", CellStatus::kSecondary},
    {"k", CellStatus::kKnown},
    {"p", CellStatus::kMustPublish},
    {"e", CellStatus::kFree},  // empty cells of tau-ARGUS
    {"a", CellStatus::kPrimary},
    {"b", CellStatus::kPrimary},
    {"d", CellStatus::kSecondary},
    {"v", CellStatus::kFree},
    {"c", CellStatus::kPrimary},
    {"x", CellStatus::kPrimary},
    {"1", CellStatus::kPrimary},
    {"0", CellStatus::kFree},
    {"t", CellStatus::kPrimary},
    {"f", CellStatus::kFree},
    {"yes", CellStatus::kPrimary},
    {"no", CellStatus::kFree},
    {"na", CellStatus::kFree},
    {"true", CellStatus::kPrimary},
    {"false", CellStatus::kFree},
    {"free", CellStatus::kFree},
    {"safe", CellStatus::kFree},
    {"primary", CellStatus::kPrimary},
    {"unsafe", CellStatus::kPrimary},
    {"published", CellStatus::kMustPublish},
    {"protected", CellStatus::kMustPublish},
    {"withheld", CellStatus::kSecondary},
    {"secondary", CellStatus::kSecondary},
    {"known", CellStatus::kKnown},
    {"confidential", CellStatus::kPrimary},
    {"sensitive", CellStatus::kPrimary},
    {"empty", CellStatus::kFree},
    {"suppressed", CellStatus::kSecondary},
    {"open", CellStatus::kFree},
    {"public", CellStatus::kFree},
    {"secret", CellStatus::kPrimary},
}};

std::string_view meaning_of(CellStatus status) {
  switch (status) {
    case CellStatus::kFree:
      return "free";
    case CellStatus::kPrimary:
      return "unsafe";
    case CellStatus::kSecondary:
      return "withheld";
    case CellStatus::kMustPublish:
      return "must be published";
    case CellStatus::kKnown:
      return "known to everyone";
  }
  return "";
}

// A word as it is, where nothing in it could be taken for the sentence around it.
std::string shown(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return word.size() <= 20 && std::all_of(word.begin(), word.end(), plain) ? word
                                                                           : base::in_quotes(word);
}

// Each word with how often it is there; blanks last, and not more words than one can read.
template <class Say>
std::string listed(const WordCounts& words, const Say& say) {
  constexpr std::size_t kMost = 12;
  std::string text;
  std::size_t told = 0;
  const auto tell = [&](const auto& entry) {
    if (++told <= kMost)
      text +=
          (text.empty() ? "" : ", ") + say(entry.first) + " (" + std::to_string(entry.second) + ")";
  };
  for (const auto& entry : words) {
    if (!entry.first.empty())
      tell(entry);
  }
  if (const auto blank = words.find(""); blank != words.end())
    tell(*blank);
  return told > kMost ? text + ", and " + std::to_string(told - kMost) + " more" : text;
}

}  // namespace

std::optional<CellStatus> status_of_word(std::string_view text, const StatusWords& own) {
  const std::string word = base::lower_case(text);
  if (const auto at = own.find(word); at != own.end())
    return at->second;
  if (text.empty())
    return CellStatus::kFree;
  for (const StatusWord& known : kWords) {
    if (known.word == word)
      return known.status;
  }
  return std::nullopt;
}

std::string unknown_status(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = kFirstLong; i < kWords.size(); ++i)
    words.push_back(kWords[i].word);
  return "the status " + base::strange_field_in_quotes(text) +
         " is not one of s, u, p, m, e, a, b, d, v, c, TRUE, FALSE, 1, 0" +
         base::did_you_mean(base::lower_case(text), words) + "; words of your own go into " +
         base::named_section("[status_words]") + base::words_of_files(" of the job");
}

std::string bare_name(std::string_view name) {
  std::string bare;
  for (const char c : base::lower_case(name)) {
    if (c != '_' && c != '.' && c != '-' && c != ' ')
      bare += c;
  }
  return bare;
}

StatusWords status_words_of(std::string_view column) {
  const std::string name = bare_name(column);
  if (name != "confstatus" && name != "obsconf")
    return {};
  StatusWords words{
      {"f", CellStatus::kFree}, {"d", CellStatus::kSecondary}, {"s", CellStatus::kSecondary}};
  for (const char code : std::string_view("abcegmnopqrtw"))
    words.emplace(std::string(1, code), CellStatus::kPrimary);
  return words;
}

std::string status_reading(std::string_view column,
                           const WordCounts& words,
                           const StatusWords& own) {
  return "status from column " + base::in_quotes(column) + ": " +
         listed(words, [&](const std::string& word) {
           const auto status = status_of_word(word, own);
           if (!status)
             return base::strange_field_in_quotes(word) + " = not known";
           return (word.empty() ? "empty" : shown(word)) + " = " + std::string(meaning_of(*status));
         });
}

std::string counted_words(const WordCounts& words) {
  return listed(words, [](const std::string& word) {
    return word.empty() ? std::string("empty") : base::strange_field_in_quotes(word);
  });
}

char status_letter(CellStatus status) {
  constexpr std::array<std::pair<CellStatus, char>, 5> kLetters{{{CellStatus::kFree, 's'},
                                                                 {CellStatus::kPrimary, 'u'},
                                                                 {CellStatus::kSecondary, 'm'},
                                                                 {CellStatus::kMustPublish, 'z'},
                                                                 {CellStatus::kKnown, 'k'}}};
  for (const auto& [known, letter] : kLetters) {
    if (known == status)
      return letter;
  }
  return '?';
}

}  // namespace lacuna::infer
