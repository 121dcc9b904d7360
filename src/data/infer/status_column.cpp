// SPDX-License-Identifier: Apache-2.0
#include "data/infer/status_column.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "core/base/text.h"

namespace lacuna::infer {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 14> kStatusNames{"status",
                                                        "statusvar",
                                                        "sdcstatus",
                                                        "issecretprim",
                                                        "issecret",
                                                        "primary",
                                                        "sensitive",
                                                        "confidential",
                                                        "confidentiality",
                                                        "conf",
                                                        "confstatus",
                                                        "obsconf",
                                                        "secret",
                                                        "unsafe"};
// Names that leave open, of what.
constexpr std::array<std::string_view, 2> kOpenNames{"status", "statusvar"};
constexpr std::array<std::string_view, 2> kFlagNames{"flag", "flags"};
// Of SDMX and Eurostat, and never about confidentiality.
constexpr std::array<std::string_view, 5> kOtherNames{
    "freq", "obsstatus", "obsflag", "obsflags", "timeformat"};

bool is_one_of(const std::string& name, Names names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Column {
 public:
  Column(const std::string& name, const WordCounts& words)
      : own_(status_words_of(name)), words_(words) {}

  template <class Is>
  bool all(const Is& is) const {
    return std::all_of(
        words_.begin(), words_.end(), [&](const auto& word) { return is(word.first); });
  }
  template <class Is>
  bool any(const Is& is) const {
    return !all([&](const std::string& word) { return !is(word); });
  }
  bool has(const std::string& word) const { return words_.contains(word); }

  bool is_known() const {
    return all([&](const std::string& word) { return status_of_word(word, own_).has_value(); });
  }
  bool marks_some() const {
    return any([&](const std::string& word) {
      const auto status = status_of_word(word, own_);
      return status == CellStatus::kPrimary || status == CellStatus::kSecondary;
    });
  }
  // Letters of this list, in capital or small ones; blanks too.
  bool is_of(std::string_view letters) const {
    return all([&](const std::string& word) {
      return word.empty() ||
             (word.size() == 1 && letters.find(base::lower_case(word)) != std::string_view::npos);
    });
  }
  bool is_capital() const {
    return all([](const std::string& word) {
      return word.empty() || std::isupper(static_cast<unsigned char>(word.front())) != 0;
    });
  }
  bool is_of_words() const {  // unsafe, TRUE, withheld, ...: no letter that could mean all sorts
    return is_known() && all([](const std::string& word) { return word.size() != 1; });
  }

 private:
  const StatusWords own_;
  const WordCounts& words_;
};

// What leaves no doubt under whatever name: words, A B D V of business statistics, c and blanks.
bool is_plain(const Column& column) {
  const bool business = column.is_of("abcdv") && column.is_capital() && column.has("V");
  const bool only_c = column.is_of("c") && column.has("");
  return column.is_of_words() || business || only_c;
}

// Letters of tau-ARGUS and of JJ files, which give every cell one.
bool is_of_argus(const Column& column) {
  return column.is_of("suzmkpex") && !column.has("") && (column.has("s") || column.has("S"));
}

bool fits_named(const std::string& name, const Column& column) {
  if (!is_one_of(name, kOpenNames))
    return column.is_known();  // is_secret, CONF_STATUS, ...
  const bool marked = column.has("u") || column.has("U") || column.has("m") || column.has("M") ||
                      column.has("x") || column.has("X");
  const bool letters = column.is_of("suzmkpex") && marked;
  const bool business = column.is_of("abcdv") && (column.has("v") || column.has("V"));
  return is_plain(column) || letters || is_of_argus(column) || business || column.is_of("10") ||
         column.is_of("tf");
}

}  // namespace

bool is_status_name(const std::string& bare_name) {
  return is_one_of(bare_name, kStatusNames);
}

StatusFit status_fit(const std::string& name, const WordCounts& words, bool numeric) {
  const Column column(name, words);
  const bool named = is_status_name(name);
  if (numeric) {
    const bool says_it = named || name.starts_with("is");
    return says_it && words.size() > 1 && column.is_known() && column.marks_some()
               ? StatusFit::kStatus
               : StatusFit::kNone;
  }
  const bool other = is_one_of(name, kOtherNames);
  const bool flag = is_one_of(name, kFlagNames);
  const StatusFit doubt =
      column.is_known() || other || flag || named ? StatusFit::kUnclear : StatusFit::kNone;
  if (other || words.size() < 2)  // a constant says nothing of a cell
    return words.size() == 1 && words.begin()->first.empty() ? StatusFit::kNone : doubt;
  const bool fits =
      named ? fits_named(name, column) : is_plain(column) || (!flag && is_of_argus(column));
  return fits && (column.marks_some() || (named && !column.has(""))) ? StatusFit::kStatus : doubt;
}

}  // namespace lacuna::infer
