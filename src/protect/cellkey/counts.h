// SPDX-License-Identifier: Apache-2.0
// Counts: n is published as n + v, v the noise of the row of n for the cell's key. A reader who
// knows the table and no key takes from a published number w the candidates
//   S(w) = { n >= 0 : the row of n has v = w - n for some key },
// and from a number that is left out because it is below t the union of S(w) for w < t. Of a
// weighted count W of n records that is published as P = (n + v) W / n, rounded to a whole number,
//   W = (P + e) n / (n + v),  |e| <= 1/2,
// where the reader knows of n / (n + v) that some n >= 1 and some key give it: a cell with P > 0
// has W within (P -+ 1/2) times the smallest and the largest such ratio. For a row that n takes
// from some count on the ratio goes to 1, so that the first count of the row has the extreme ones.
// P = 0 says nothing of W, because n + v may be 0.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "lacuna/cellkey.h"
#include "lacuna/ptable.h"
#include "lacuna/units.h"

namespace lacuna::cellkey {

class CountNoise {
 public:
  CountNoise(const Ptable& table, std::uint64_t modulus);

  std::int64_t published(std::int64_t count, std::uint64_t key) const {
    return count + table_.noise(count, key, modulus_);
  }
  // S(w), rising; the reference stays valid.
  const std::vector<std::int64_t>& candidates(std::int64_t published);
  std::vector<std::int64_t> candidates_below(std::int64_t least) const;  // of what is left out
  // The range of a weighted count that is published as this number, which is not 0.
  Bounds weighted_range(Units published);
  std::int64_t largest_noise() const { return largest_; }
  // Of the published numbers up to the last row and the noise beyond it, not too many of them.
  std::vector<Posterior> posteriors();
  // Probability that the row of the count leaves it as it is.
  double stays(std::int64_t count) const;

 private:
  struct Ratio {  // n / (n + v)
    std::int64_t count = 1, shown = 1;
    bool operator<(const Ratio& other) const {
      return Wide{count} * other.shown < Wide{other.count} * shown;
    }
  };
  double probability(std::int64_t count, std::int64_t published) const;
  bool reaches(std::int64_t count, std::int64_t published) const;
  void find_ratios();
  const Ptable& table_;
  std::uint64_t modulus_;
  std::int64_t largest_ = 0;
  std::vector<double> stays_;  // by row of the table
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> candidates_;
  std::vector<Ratio> ratios_;  // rising, of the first counts
  Ratio beyond_;               // no larger than that of any other count
};

}  // namespace lacuna::cellkey
