// SPDX-License-Identifier: Apache-2.0
// First half of a tabulation: records to leaves. A leaf is a combination of the texts of all
// dimensions in one record; each thread has its own reader, whose leaves are merged afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "data/tabulate/code_reader.h"
#include "data/tabulate/largest_records.h"
#include "data/tabulate/read_plan.h"
#include "data/tabulate/repeated_records.h"
#include "data/tabulate/shares.h"
#include "data/tabulate/text_table.h"
#include "data/tabulate/top_list.h"
#include "data/tabulate/troubles.h"
#include "lacuna/records.h"
#include "lacuna/result.h"
#include "lacuna/tabulate_options.h"
#include "lacuna/units.h"

namespace lacuna::tabulation {

struct LeafSums {
  Wide value = 0;
  Wide absolute = 0;  // of single records; of use where each is a contributor
  Wide weight = 0;
  std::int64_t records = 0;
  std::uint64_t key = 0;  // of records that count, modulo m
};

struct Dropped {  // records left out of all tables; those for their codes the code reader counts
  std::int64_t records = 0;  // all of them
  std::int64_t without_value = 0, without_respondent = 0, repeated = 0;
  std::int64_t own_respondents = 0;  // not left out: respondents nobody knows, one for each record
};

class RecordReader {
 public:
  RecordReader(const ReadPlan& plan, RespondentTable& respondents);

  // Adds the records of a block that has been split. What is wrong with single records is noted and
  // read on. Errors: too many codes.
  Status add(const RecordSource& source, const RecordBlock& block);
  const Troubles& troubles() const { return troubles_; }

  // Above what the plan has if records need more and the plan leaves it open; the sums are then of
  // no use.
  int value_decimals_needed() const { return value_decimals_needed_; }
  int weight_decimals_needed() const { return weight_decimals_needed_; }

  // Results.
  const CodeReader& codes() const { return codes_; }
  std::uint32_t num_leaves() const { return keys_.size(); }
  KeyTable::Key key_of_leaf(std::uint32_t leaf) const { return keys_.keys()[leaf]; }
  const LeafSums& sums(std::uint32_t leaf) const { return sums_[leaf]; }
  const TopLists& top() const { return top_; }  // of anonymous records
  ShareLists& shares() { return shares_; }
  const LargestRecords& largest_records() const { return largest_records_; }
  std::vector<std::uint64_t>& record_keys() { return record_keys_; }
  std::uint64_t num_records() const { return num_records_; }
  const Dropped& dropped() const { return dropped_; }
  std::vector<RecordMark>& marks() { return marks_; }  // of all records, if they must be unique
  // Of records that the plan has under watch: number and place.
  const std::vector<std::pair<std::uint64_t, std::string>>& watched() const { return watched_; }
  bool any_negative() const { return any_negative_; }

 private:
  struct Pending {  // a record of the block at hand
    KeyTable::Key key = 0;
    Units amount = 0;
    Units weight = 0;
    Units plain = 0;  // the amount without the weight
    std::uint64_t record_key = 0;
    std::uint32_t leaf = 0;
    std::uint32_t flags = 0;
  };
  Result<bool> read_record(const RecordPlace& place, Pending& pending);
  Use read_repeated(const RecordPlace& place);
  Use read_amount(const RecordPlace& place, Pending& pending);
  Use read_value(const RecordPlace& place, Units& amount);
  Use read_weight(const RecordPlace& place, Pending& pending);
  Use read_record_key(const RecordPlace& place, std::uint64_t& key);
  bool read_number(const RecordPlace& place,
                   std::size_t column,
                   const NumberFormat& format,
                   bool open,
                   int& needed,
                   Units& number);
  Use read_respondent(const RecordPlace& place);
  void note(const RecordPlace& place,
            std::size_t column,
            TroubleKind kind,
            std::string what,
            std::string remedy,
            std::string alone);
  std::uint32_t read_flags(const RecordPlace& place) const;
  void add_to_leaf(const Pending& pending);

  const ReadPlan& plan_;
  RespondentTable& respondents_;
  CodeReader codes_;
  KeyTable keys_;
  std::vector<LeafSums> sums_;
  TopLists top_;
  ShareLists shares_;
  LargestRecords largest_records_;
  std::vector<std::uint64_t> record_keys_;
  std::vector<RespondentTable::Query> queries_;  // of the block at hand
  RespondentTable::Memory memory_;
  std::vector<Pending> pending_;
  std::vector<std::string> tagged_;  // texts of the queries, where holdings and respondents meet
                                     // or some of these are not known
  int value_decimals_needed_ = 0;
  int weight_decimals_needed_ = 0;
  std::uint64_t num_records_ = 0;
  Dropped dropped_;
  Troubles troubles_;
  std::vector<RecordMark> marks_;
  std::vector<std::pair<std::uint64_t, std::string>> watched_;
  bool any_negative_ = false;
};

}  // namespace lacuna::tabulation
