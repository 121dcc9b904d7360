// SPDX-License-Identifier: Apache-2.0
// All cuts known, and which of them are rows of the master. A row that was slack for a number of
// solves leaves the master but stays in the pool, where it is looked up before any attacker problem
// is solved; the pool forgets the oldest beyond its size.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_set>
#include <vector>

#include "protect/suppression_model/cuts/cut.h"

namespace lacuna::suppression_model {

class CutPool {
 public:
  // The cut, shared, if it is new; else null.
  SharedCut add(Cut cut);
  // Cuts that are not rows and that x violates, the most violated first.
  std::vector<SharedCut> violated(std::span<const double> x, std::size_t most) const;

  const std::vector<SharedCut>& rows() const { return rows_; }
  void make_row(const SharedCut& cut);
  // Rows that are not among the tight ones grow older; the old ones leave.
  void age(const std::unordered_set<const Cut*>& tight);

  std::int64_t total() const { return total_; }

 private:
  std::deque<SharedCut> cuts_;
  std::unordered_set<std::size_t> hashes_;
  std::vector<SharedCut> rows_;
  std::vector<std::int32_t> idle_;  // solves since a row was last tight
  std::unordered_set<const Cut*> is_row_;
  std::int64_t total_ = 0;
};

std::size_t hash_of(const Cut& cut);

}  // namespace lacuna::suppression_model
