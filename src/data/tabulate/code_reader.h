// SPDX-License-Identifier: Apache-2.0
// The codes of a row of fields: each different text of a dimension is looked at once, by the rules
// for missing and wrong codes, and has a small number; the numbers of all dimensions make a key.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/tabulate/read_plan.h"
#include "data/tabulate/text_table.h"
#include "lacuna/records.h"
#include "lacuna/result.h"

namespace lacuna::tabulation {

struct RecordPlace {  // of the record at hand
  const RecordSource& source;
  const RecordBlock& block;
  std::size_t record = 0;
  std::size_t num_columns = 0;

  std::string_view field(std::size_t column) const {
    return block.fields[record * num_columns + column];
  }
  Error error(std::size_t column, std::string message) const {
    return {ErrorCode::kBadField, std::move(message), source.where(block, record, column)};
  }
};

class CodeReader {
 public:
  explicit CodeReader(const ReadPlan& plan)
      : plan_(plan), texts_(plan.bits.size()), meaning_(plan.bits.size()) {}

  // The key of codes that have all been seen before and count; else false.
  bool read_known(const RecordPlace& place, KeyTable::Key& key) const {
    KeyTable::Key known = 0;
    for (std::size_t d = 0; d < texts_.size(); ++d) {
      const auto& columns = plan_.dimension_columns[d];
      if (columns.size() != 1)
        return false;
      const std::uint32_t id = texts_[d].find_short(place.field(columns.front()));
      if (id == CodeTable::kNone || meaning_[d][id] == Meaning::kDropped)
        return false;
      known = known << plan_.bits[d] | id;
    }
    key = known;
    return true;
  }

  // The key of the record's codes; false if the record is to be dropped.
  Result<bool> read(const RecordPlace& place, KeyTable::Key& key);

  const CodeTable& texts(std::size_t dimension) const { return texts_[dimension]; }
  bool is_dropped(std::size_t dimension, std::uint32_t text) const {
    return meaning_[dimension][text] == Meaning::kDropped;
  }
  bool is_missing(std::size_t dimension, std::uint32_t text) const {
    return meaning_[dimension][text] == Meaning::kMissing;
  }
  std::uint32_t text_of_key(KeyTable::Key key, std::size_t dimension) const;

 private:
  enum class Meaning : std::uint8_t { kCode, kMissing, kDropped };
  std::string_view dimension_text(const RecordPlace& place, std::size_t dimension);
  Result<Meaning> classify(const RecordPlace& place,
                           std::size_t dimension,
                           std::string_view text) const;
  bool is_missing_text(std::size_t dimension, std::string_view field) const;
  Status check_code(const RecordPlace& place, std::size_t dimension, std::string_view text) const;

  const ReadPlan& plan_;
  std::vector<CodeTable> texts_;
  std::vector<std::vector<Meaning>> meaning_;
  std::string joined_;
};

}  // namespace lacuna::tabulation
