// SPDX-License-Identifier: Apache-2.0
// First half of a tabulation: records to leaves. A leaf is a combination of the texts of all
// dimensions in one record; each thread has its own reader, whose leaves are merged afterwards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hmac.h"
#include "lacuna/records.h"
#include "lacuna/result.h"
#include "lacuna/tabulate_options.h"
#include "lacuna/units.h"
#include "tabulate/largest_records.h"
#include "tabulate/number.h"
#include "tabulate/text_table.h"
#include "tabulate/top_list.h"

namespace lacuna::inline tabulation {

// The columns of a dimension with several columns become one text, with this between them.
inline constexpr char kLevelSeparator = '\x1F';

struct ReadPlan {  // the options, with columns by number
  static constexpr std::size_t kNoColumn = ~std::size_t{0};
  static Result<ReadPlan> make(const TabulateOptions& options);

  const TabulateOptions* options = nullptr;
  std::vector<std::string> columns;                         // to select from the source
  std::vector<std::vector<std::size_t>> dimension_columns;  // per dimension, each column once
  std::vector<unsigned> bits;                               // of a leaf key, per dimension
  std::size_t value = kNoColumn;
  std::size_t weight = kNoColumn;
  std::size_t respondent = kNoColumn;
  std::size_t holding = kNoColumn;
  std::size_t request = kNoColumn;
  std::size_t waiver = kNoColumn;
  std::size_t key = kNoColumn;  // of the record, or what it is made from
  NumberFormat value_format;
  NumberFormat weight_format;
  std::optional<Hmac> key_maker;  // if keys are made

  bool anonymous() const { return respondent == kNoColumn && holding == kNoColumn; }
  bool has_keys() const { return key != kNoColumn; }
  bool keeps_records() const { return has_keys() && value != kNoColumn; }
  int decimals() const { return value_format.decimals + weight_format.decimals; }
};

struct LeafSums {
  Wide value = 0;
  Wide absolute = 0;  // of single records; of use where each is a contributor
  Wide weight = 0;
  std::int64_t records = 0;
  std::uint64_t key = 0;  // of records that count, modulo m
};

struct RecordShare {  // what one record adds to its leaf; the flags are those of Share
  std::uint32_t leaf_and_flags = 0;
  std::uint32_t respondent = 0;
  Units amount = 0;
  static constexpr std::uint32_t kFlagBits = 2;
};

class RecordReader {
 public:
  RecordReader(const ReadPlan& plan, RespondentTable& respondents);

  // Adds the records of a block that has been split. `number` counts blocks in file order.
  Status add(const RecordSource& source, const RecordBlock& block, std::uint64_t number);

  // Above what the plan has if records need more and the plan leaves it open; the sums are then of
  // no use.
  int value_decimals_needed() const { return value_decimals_needed_; }
  int weight_decimals_needed() const { return weight_decimals_needed_; }

  // Results.
  const CodeTable& texts(std::size_t dimension) const { return texts_[dimension]; }
  bool is_dropped(std::size_t dimension, std::uint32_t text) const {
    return meaning_[dimension][text] == Meaning::kDropped;
  }
  bool is_missing(std::size_t dimension, std::uint32_t text) const {
    return meaning_[dimension][text] == Meaning::kMissing;
  }
  std::uint32_t num_leaves() const { return keys_.size(); }
  std::uint32_t text_of_leaf(std::uint32_t leaf, std::size_t dimension) const;
  const LeafSums& sums(std::uint32_t leaf) const { return sums_[leaf]; }
  const TopLists& top() const { return top_; }  // of anonymous records
  std::vector<std::vector<RecordShare>>& shares() { return shares_; }
  const LargestRecords& largest_records() const { return largest_records_; }
  std::vector<std::uint64_t>& record_keys() { return record_keys_; }
  std::uint64_t num_records() const { return num_records_; }
  std::uint64_t num_dropped() const { return num_dropped_; }
  bool any_negative() const { return any_negative_; }

 private:
  enum class Meaning : std::uint8_t { kCode, kMissing, kDropped };
  struct Place {  // of the record at hand, for messages
    const RecordSource& source;
    const RecordBlock& block;
    std::size_t record;
  };
  struct Pending {  // a record of the block at hand
    KeyTable::Key key = 0;
    Units amount = 0;
    Units weight = 0;
    Units plain = 0;  // the amount without the weight
    std::uint64_t record_key = 0;
    std::uint32_t leaf = 0;
    std::uint32_t flags = 0;
  };
  Error error(const Place& place, std::size_t column, std::string message) const;
  Result<bool> read_key(const Place& place, KeyTable::Key& key);
  std::string_view dimension_text(const Place& place, std::size_t dimension);
  Result<Meaning> classify(const Place& place, std::size_t dimension, std::string_view text) const;
  bool is_missing_text(std::size_t dimension, std::string_view field) const;
  Status check_code(const Place& place, std::size_t dimension, std::string_view text) const;
  Result<bool> read_amount(const Place& place, Pending& pending);
  Result<std::uint64_t> read_record_key(const Place& place) const;
  Status read_number(const Place& place,
                     std::size_t column,
                     const NumberFormat& format,
                     bool open,
                     int& needed,
                     Units& number) const;
  Status read_respondent(const Place& place, std::uint64_t number);
  std::uint32_t read_flags(const Place& place) const;
  void add_to_leaf(const Pending& pending);
  std::string_view field(const Place& place, std::size_t column) const {
    return place.block.fields[place.record * plan_.columns.size() + column];
  }

  const ReadPlan& plan_;
  RespondentTable& respondents_;
  std::vector<CodeTable> texts_;
  std::vector<std::vector<Meaning>> meaning_;
  KeyTable keys_;
  std::vector<LeafSums> sums_;
  TopLists top_;
  std::vector<std::vector<RecordShare>> shares_;
  LargestRecords largest_records_;
  std::vector<std::uint64_t> record_keys_;
  std::vector<RespondentTable::Query> queries_;  // of the block at hand
  std::vector<Pending> pending_;
  std::vector<std::string> tagged_;  // texts of the queries, where holdings and respondents meet
  std::string joined_;
  int value_decimals_needed_ = 0;
  int weight_decimals_needed_ = 0;
  std::uint64_t num_records_ = 0;
  std::uint64_t num_dropped_ = 0;
  bool any_negative_ = false;
};

}  // namespace lacuna::inline tabulation
