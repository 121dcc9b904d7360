// SPDX-License-Identifier: Apache-2.0
// The codes of a row of fields: each different text of a dimension is looked at once, by the rules
// for missing and wrong codes, and has a small number; the numbers of all dimensions make a key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/tabulate/read_plan.h"
#include "data/tabulate/text_table.h"
#include "data/tabulate/troubles.h"
#include "lacuna/records.h"
#include "lacuna/result.h"

namespace lacuna::tabulation {

// A text for a message: its beginning, in quotes.
std::string quoted(std::string_view text);
// Of UTF-8.
std::size_t count_characters(std::string_view text);
// Characters of a code of a dimension by digits.
std::size_t length_of_levels(const DimensionSpec& spec);

struct RecordPlace {  // of the record at hand
  const RecordSource& source;
  const RecordBlock& block;
  std::size_t record = 0;
  std::size_t num_columns = 0;

  std::uint64_t number() const { return block.first + record; }  // rises with the records
  std::string_view field(std::size_t column) const {
    return block.fields[record * num_columns + column];
  }
  Error error(std::size_t column, std::string message) const {
    return {ErrorCode::kBadField, std::move(message), source.where(block, record, column)};
  }
  // What is wrong with the record, which is not used then.
  template <class Describe>
  void note(Troubles& troubles,
            std::size_t column,
            TroubleKind kind,
            std::string_view text,
            Describe&& describe) const {
    troubles.note(source, block, record, column, kind, text, std::forward<Describe>(describe));
  }
};

enum class Use : std::uint8_t { kCounts, kDropped, kTrouble };  // of a record

class CodeReader {
 public:
  explicit CodeReader(const ReadPlan& plan)
      : plan_(plan),
        texts_(plan.bits.size()),
        meaning_(plan.bits.size()),
        number_(plan.bits.size()),
        text_of_(plan.bits.size()),
        missing_number_(plan.bits.size(), CodeTable::kNone),
        without_code_(plan.bits.size()),
        unknown_(plan.bits.size()) {}

  // The key of codes that have all been seen before and count; else false.
  bool read_known(const RecordPlace& place, KeyTable::Key& key) const {
    KeyTable::Key known = 0;
    for (std::size_t d = 0; d < texts_.size(); ++d) {
      const auto& columns = plan_.dimension_columns[d];
      if (columns.size() != 1)
        return false;
      const std::uint32_t id = texts_[d].find_short(place.field(columns.front()));
      if (id == CodeTable::kNone || meaning_[d][id] > Meaning::kMissing)
        return false;
      known = known << plan_.bits[d] | number_[d][id];
    }
    key = known;
    return true;
  }

  // The key of the record's codes. Errors: more codes than a key can hold.
  Result<Use> read(const RecordPlace& place, KeyTable::Key& key, Troubles& troubles);

  const CodeTable& texts(std::size_t dimension) const { return texts_[dimension]; }
  // Its records are left out.
  bool is_dropped(std::size_t dimension, std::uint32_t text) const {
    return meaning_[dimension][text] > Meaning::kMissing;
  }
  // Records left out for a dimension: without a code, or with one that is not there.
  std::int64_t without_code(std::size_t dimension) const { return without_code_[dimension]; }
  std::int64_t of_unknown_code(std::size_t dimension) const { return unknown_[dimension]; }
  bool is_missing(std::size_t dimension, std::uint32_t text) const {
    return meaning_[dimension][text] == Meaning::kMissing;
  }
  std::uint32_t text_of_key(KeyTable::Key key, std::size_t dimension) const;

 private:
  // From kUnknown on, records are left out.
  enum class Meaning : std::uint8_t { kCode, kMissing, kUnknown, kDropped, kTrouble };
  std::string_view dimension_text(const RecordPlace& place, std::size_t dimension);
  Status number_text(std::size_t dimension);
  // Notes what is wrong, once for every record.
  Meaning classify(const RecordPlace& place,
                   std::size_t dimension,
                   std::string_view text,
                   Troubles& troubles) const;
  Meaning without_code(const RecordPlace& place,
                       std::size_t dimension,
                       std::size_t column,
                       std::string_view text,
                       Troubles& troubles) const;
  bool is_missing_text(std::size_t dimension, std::string_view field) const;
  bool has_bad_text(const RecordPlace& place, std::size_t dimension, Troubles& troubles) const;
  std::optional<TroubleKind> unknown_kind(std::size_t dimension, std::string_view text) const;
  void note_unknown(const RecordPlace& place,
                    std::size_t dimension,
                    TroubleKind kind,
                    std::string_view text,
                    Troubles& troubles) const;

  const ReadPlan& plan_;
  std::vector<CodeTable> texts_;
  std::vector<std::vector<Meaning>> meaning_;
  // Keys have numbers of texts that count alone: how many others there are nobody knows.
  std::vector<std::vector<std::uint32_t>> number_, text_of_;  // of a text, and the other way round
  std::vector<std::uint32_t> missing_number_;                 // kNone: there is none yet
  std::vector<std::int64_t> without_code_, unknown_;          // records left out, by dimension
  std::string joined_;
};

}  // namespace lacuna::tabulation
