// SPDX-License-Identifier: Apache-2.0
// Everything that is wrong with the records, of all columns in one go: per column and kind of
// trouble how many records have it, the first few of them, and what to write in the job. A user who
// finds one trouble per run needs as many runs as there are kinds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lacuna/records.h"
#include "lacuna/result.h"

namespace lacuna::tabulation {

enum class TroubleKind : std::uint8_t {
  kNoCode,
  kUnknownCode,
  kTotalCode,  // of a given dimension, above the lowest level
  kTotalName,
  kControlCharacter,
  kLongerCode,
  kShorterCode,
  kEmptyValue,
  kNoNumber,
  kMoreDecimals,
  kNegativeValue,
  kNegativeWeight,
  kTooLarge,
  kNoRespondent,
  kNoKey,
  kBadKey,
  kRepeated,
};

struct TroubleText {
  std::string what;    // "have no code of dimension sex", after the number of records
  std::string remedy;  // the key to write; may be empty
  Error alone;         // of a record that is the only one with any trouble; without a place
};

// What to write where a text stands for no code, or for one that is not wanted.
std::string remedy_of_missing_code();
std::string remedy_of_unknown_code();

class Troubles {
 public:
  static constexpr std::size_t kShown = 3;

  // One record. `text` is shown if it is not empty; a name of a respondent never is. `describe`
  // returns a TroubleText, and is called for the first record of a column and kind alone.
  template <class Describe>
  void note(const RecordSource& source,
            const RecordBlock& block,
            std::size_t record,
            std::size_t column,
            TroubleKind kind,
            std::string_view text,
            Describe&& describe) {
    Found& found = found_[{column, kind}];
    if (++found.records == 1)
      found.text = describe();
    if (wants(found, text))
      found.examples.push_back(
          {block.first + record, std::string(text), source.where(block, record, column)});
    if (last_ != block.first + record || records_ == 0)
      ++records_;
    last_ = block.first + record;
  }

  bool any() const { return records_ > 0; }
  // Puts beside records that are there already where they are: pairs of their numbers, and places
  // of first ones by number.
  void name_firsts(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& repeated,
                   const std::map<std::uint64_t, std::string>& places);
  void add(const Troubles& other);
  // The only one as it is; of several the place of the first, then a line for each column and kind.
  Error error(const std::vector<std::string>& columns, std::uint64_t all_records) const;

 private:
  struct Example {
    std::uint64_t at = 0;  // rises with the records of a file
    std::string text;      // in quotes; may be empty
    std::string where;
    std::string first{};  // of a record that is there already: where
  };
  struct Found {
    std::int64_t records = 0;
    TroubleText text;
    std::vector<Example> examples;
  };
  static bool wants(const Found& found, std::string_view text);
  static std::string line_of(const std::string& column, const Found& found);

  std::map<std::pair<std::size_t, TroubleKind>, Found> found_;
  std::uint64_t records_ = 0;  // with any trouble
  std::uint64_t last_ = 0;     // of these
};

}  // namespace lacuna::tabulation
