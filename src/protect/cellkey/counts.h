// SPDX-License-Identifier: Apache-2.0
// Counts: n is published as n + v, v the noise of the row of n for the cell's key. A reader who
// knows the table and no key takes from a published number w the candidates
//   S(w) = { n >= 0 : the row of n has v = w - n for some key }.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "lacuna/ptable.h"
#include "lacuna/units.h"

namespace lacuna::inline cellkeys {

class CountNoise {
 public:
  CountNoise(const Ptable& table, std::uint64_t modulus);

  std::int64_t published(std::int64_t count, std::uint64_t key) const {
    return count + table_.noise(count, key, modulus_);
  }
  // S(w), rising; the reference stays valid.
  const std::vector<std::int64_t>& candidates(std::int64_t published);
  std::int64_t largest_noise() const { return largest_; }
  // Probability that the row of the count leaves it as it is.
  double stays(std::int64_t count) const;

 private:
  bool reaches(std::int64_t count, std::int64_t published) const;
  const Ptable& table_;
  std::uint64_t modulus_;
  std::int64_t largest_ = 0;
  std::vector<double> stays_;  // by row of the table
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> candidates_;
};

}  // namespace lacuna::inline cellkeys
