// SPDX-License-Identifier: Apache-2.0
// The largest records of many cells, by their size without the sampling weight and with what they
// add to the cell, weight included: what the cell key method for magnitudes multiplies its noise
// by. And how far the largest size is from the smallest, without weights as tau-ARGUS has it. The
// order in which records are offered does not matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "lacuna/units.h"

namespace lacuna::tabulation {

struct SizedRecord {
  Units plain = 0;   // the response
  Units amount = 0;  // with its weight
};

class LargestRecords {
 public:
  explicit LargestRecords(int top) : top_(static_cast<std::size_t>(top)) {}

  void resize(std::size_t lists) {
    ends_.resize(lists);
    records_.resize(lists * top_);
  }

  void offer(std::size_t at, const SizedRecord& record) {
    const Units size = record.plain < 0 ? -record.plain : record.plain;
    note_ends(at, size, size);
    insert(at, record);
  }
  void merge(std::size_t at, const LargestRecords& other, std::size_t from) {
    const Ends& ends = other.ends_[from];
    note_ends(at, ends.least, ends.most);
    for (std::size_t i = 0; i < ends.used; ++i)
      insert(at, other.records_[from * top_ + i]);
  }

  std::vector<Units> amounts(std::size_t at) const {
    std::vector<Units> amounts;
    for (std::size_t i = 0; i < ends_[at].used; ++i)
      amounts.push_back(records_[at * top_ + i].amount);
    return amounts;
  }
  Units spread(std::size_t at) const {  // in units of the response
    return ends_[at].any ? ends_[at].most - ends_[at].least : 0;
  }

 private:
  struct Ends {
    Units least = 0, most = 0;
    std::uint8_t used = 0;
    bool any = false;
  };
  void note_ends(std::size_t at, Units least, Units most) {
    Ends& ends = ends_[at];
    ends.least = ends.any ? std::min(ends.least, least) : least;
    ends.most = ends.any ? std::max(ends.most, most) : most;
    ends.any = true;
  }
  void insert(std::size_t at, const SizedRecord& record) {
    SizedRecord* const begin = records_.data() + at * top_;
    std::size_t used = ends_[at].used;
    if (top_ == 0 || (used == top_ && !before(record, begin[used - 1])))
      return;
    if (used < top_)
      ends_[at].used = static_cast<std::uint8_t>(++used);
    std::size_t place = used - 1;
    for (; place > 0 && before(record, begin[place - 1]); --place)
      begin[place] = begin[place - 1];
    begin[place] = record;
  }
  static bool before(const SizedRecord& a, const SizedRecord& b) {
    const auto size = [](Units plain) { return plain < 0 ? -plain : plain; };
    return std::tuple(size(a.plain), a.amount, a.plain) >
           std::tuple(size(b.plain), b.amount, b.plain);
  }
  std::size_t top_;
  std::vector<Ends> ends_;
  std::vector<SizedRecord> records_;
};

}  // namespace lacuna::tabulation
