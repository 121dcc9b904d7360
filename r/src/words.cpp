// SPDX-License-Identifier: Apache-2.0
#include "words.h"

#include <array>
#include <utility>

#include "core/base/call_words.h"

namespace lacuna::r {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Sections and keys that have another name as an argument, or none.
constexpr std::array<Pair, 7> kSections{{{"[[dimension]]", "dimVar"},
                                         {"[[rule]]", "rules"},
                                         {"[[attacker]]", "attackers"},
                                         {"[[table]]", "tables"},
                                         {"[columns]", "the call"},
                                         {"[input]", "the call"},
                                         {"[weights]", "costs"}}};
constexpr std::array<Pair, 9> kKeys{{{"value", "numVar"},
                                     {"frequency", "freqVar"},
                                     {"respondent", "contributorVar"},
                                     {"holding", "holdingVar"},
                                     {"request", "requestVar"},
                                     {"waiver", "waiverVar"},
                                     {"dimensions", "dimVar"},
                                     {"records", "data"},
                                     {"table", "data"}}};

class WordsOfR : public base::CallWords {
 public:
  WordsOfR() : CallWords(kSections, kKeys, " = ") {}

 private:
  // true is TRUE, ["a", "b"] is c("a", "b").
  std::string value(const std::string& text) const override {
    if (text == "true" || text == "false")
      return text == "true" ? "TRUE" : "FALSE";
    if (text.starts_with('[') && text.ends_with(']'))
      return "c(" + text.substr(1, text.size() - 2) + ")";
    return text;
  }

  std::string dimension_key(const base::NamedSetting& named) const override {
    return named.name == "missing"
               ? "hier_missing() of its hierarchy"
               : argument(named.name == "total" ? "totcode" : named.name, named.value);
  }
};

}  // namespace

std::string with_options(std::string_view message) {
  return base::spelled(message, [words = WordsOfR()](const base::NamedSetting& named) {
    return words.word_beside_files(named);
  });
}

std::string with_arguments(std::string_view message) {
  return base::spelled(
      message, [words = WordsOfR()](const base::NamedSetting& named) { return words.word(named); });
}

Error with_arguments(Error error) {
  error.message = with_arguments(error.message);
  error.where = with_arguments(error.where);
  return error;
}

}  // namespace lacuna::r
