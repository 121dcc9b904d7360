// SPDX-License-Identifier: Apache-2.0
#include "io/status_word.h"

#include <array>
#include <vector>

#include "base/nearest.h"
#include "base/text.h"
#include "io/position.h"

namespace lacuna::inline io {
namespace {

struct StatusWord {
  std::string_view word;
  CellStatus status;
};
constexpr std::size_t kFirstLong = 20;  // the words from here on are worth suggesting
constexpr std::array<StatusWord, 35> kWords{{
    {"s", CellStatus::kFree},
    {"u", CellStatus::kPrimary},
    {"z", CellStatus::kPublished},
    {"m", CellStatus::kWithheld},
    {"k", CellStatus::kKnown},
    {"p", CellStatus::kPublished},
    {"e", CellStatus::kFree},  // empty cells of tau-ARGUS
    {"a", CellStatus::kPrimary},
    {"b", CellStatus::kPrimary},
    {"d", CellStatus::kWithheld},
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
    {"published", CellStatus::kPublished},
    {"protected", CellStatus::kPublished},
    {"withheld", CellStatus::kWithheld},
    {"secondary", CellStatus::kWithheld},
    {"known", CellStatus::kKnown},
    {"confidential", CellStatus::kPrimary},
    {"sensitive", CellStatus::kPrimary},
    {"empty", CellStatus::kFree},
    {"suppressed", CellStatus::kWithheld},
}};

}  // namespace

std::optional<CellStatus> status_of_word(std::string_view text, const StatusWords& own) {
  const std::string word = lower_case(text);
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
  return "the status " + in_quotes(text) +
         " is none of s, u, p, m, e, a, b, d, v, c, TRUE, FALSE, 1, 0" +
         did_you_mean(lower_case(text), words) +
         "; words of your own go into [status_words] of the job";
}

char status_letter(CellStatus status) {
  constexpr std::array<std::pair<CellStatus, char>, 5> kLetters{{{CellStatus::kFree, 's'},
                                                                 {CellStatus::kPrimary, 'u'},
                                                                 {CellStatus::kWithheld, 'm'},
                                                                 {CellStatus::kPublished, 'z'},
                                                                 {CellStatus::kKnown, 'k'}}};
  for (const auto& [known, letter] : kLetters) {
    if (known == status)
      return letter;
  }
  return '?';
}

}  // namespace lacuna::inline io
