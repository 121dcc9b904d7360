// SPDX-License-Identifier: Apache-2.0
// The cells that hold several leaves of one respondent. With S the respondent's leaves and M_d(a)
// those of S whose code of dimension d is a or below it, the cell (a_1, ..., a_n) holds
//   M_1(a_1) & ... & M_n(a_n)
// of them. Sets are words of bits; the dimensions are gone through one after the other, and a
// prefix of codes that holds fewer than two leaves is left at once. The number of contributors of a
// cell c is then, with |c| the leaves of the respondent r in c,
//   sum over leaves l of c of contributors(l)  -  sum over r with |c| >= 2 of (|c| - 1),
// so that the many cells that hold one leaf of a respondent need not be visited for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/tabulate/roll_up.h"
#include "data/tabulate/shares.h"

namespace lacuna::tabulation {

class SharedCells {
 public:
  static constexpr std::size_t kMostLeaves = 64;
  struct Found {
    std::uint32_t cell = 0;
    std::uint32_t leaves = 0;  // how many of the respondent's, at least two
    std::uint32_t flags = 0;   // of these together
    Units amount = 0;          // likewise
    bool fits = true;          // the amount is within kMaxUnits
  };
  explicit SharedCells(const CellIndex& index);

  void prefetch(std::uint32_t leaf) const {
    __builtin_prefetch(index_.leaf_codes.data() + leaf * sets_.size());
  }
  // `own`: one entry per leaf, from 2 to kMostLeaves. Valid until the next call.
  std::span<const Found> of(std::span<const LeafShare> own);

 private:
  using Key = KeyTable::Key;
  using Leaves = std::uint64_t;  // a set: bit i is the i-th of `own`
  struct Prefix {                // codes of the first dimensions, or one code
    Key key = 0;
    Leaves leaves = 0;
  };
  struct Sets {  // of one dimension; lists have room for one more than there can be
    std::vector<Leaves> of_code;
    std::vector<std::int32_t> touched;  // codes with a leaf
    std::size_t num_touched = 0;
    std::vector<Prefix> groups;  // codes with two leaves or more
    std::size_t num_groups = 0;
    std::vector<std::uint32_t> above_start;  // per code, and one more: of what is above it
    std::vector<std::int32_t> above;
    std::span<const std::int32_t> above_of(std::int32_t code) const {
      const auto at = static_cast<std::size_t>(code);
      return {above.data() + above_start[at], above_start[at + 1] - above_start[at]};
    }
  };
  void group(std::size_t d);
  void clear(std::size_t d);
  void lengthen(std::size_t d);
  void lengthen_by_members(std::size_t d, const Prefix& prefix);
  void make_room(std::size_t more);
  void add_up(std::span<const LeafShare> own);

  const CellIndex& index_;
  std::vector<Sets> sets_;                    // per dimension
  std::vector<const std::int32_t*> members_;  // the codes of each leaf at hand
  std::vector<Prefix> prefixes_;
  std::vector<Prefix> longer_;  // with room
  std::size_t num_prefixes_ = 0;
  std::size_t num_longer_ = 0;
  std::vector<Found> found_;
};

}  // namespace lacuna::tabulation
