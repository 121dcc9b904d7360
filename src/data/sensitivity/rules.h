// SPDX-License-Identifier: Apache-2.0
// The primary rules: which cells may not be published as they are. Definitions of the thesis,
// chapter 2, with contributions c_1 >= c_2 >= ... of a cell of value C = sum c_i:
//   minimum frequency (2.1.1): fewer than a prespecified number of contributors;
//   (n,k)-dominance (2.1.2):   c_1 + ... + c_n > (k/100) C;
//   (p,q) prior-posterior:     q sum_{i >= 3} c_i < p c_1                                     (2.1)
//   p%:                        (p,q) with q = 100;
//   coalitions of r:           q sum_{i >= r+2} c_i < p c_1.
// Negative contributions count by their absolute values, C by the sum of those. All decisions are
// made in integers and rationals. A waiver takes a contributor off the list of those to protect,
// not off the list of those who may attack (docs/sensitivity.md).
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <span>

#include "lacuna/sensitivity.h"
#include "lacuna/tabulation.h"

namespace lacuna::sensitivity {

struct FrequencyRule {
  std::int64_t minimum = 3;
  FrequencyCount counts = FrequencyCount::kContributors;
};
struct DominanceRule {
  std::int32_t n = 1;
  mpq_class k = 100;  // percent
};
struct PriorPosteriorRule {
  mpq_class p = 10;   // percent
  mpq_class q = 100;  // percent; 100 is the p% rule
  std::int32_t coalition = 1;
};
struct RequestRule {
  mpq_class share = 0;       // percent of the cell
  std::int64_t minimum = 0;  // contributors
};

// Contributors of a cell who put together what they know.
struct Insiders {
  std::span<const std::size_t> listed;  // indices into facts.largest
  Wide unlisted = 0;                    // what those contribute who are not among the largest,
  std::int64_t num_unlisted = 0;        // ... and how many these are
  std::int64_t size() const { return static_cast<std::int64_t>(listed.size()) + num_unlisted; }
};

std::int64_t frequency(const CellFacts& facts, FrequencyCount counts);

bool frequency_unsafe(const CellFacts& facts, const FrequencyRule& rule);
bool dominance_unsafe(const CellFacts& facts, const DominanceRule& rule);
bool prior_posterior_unsafe(const CellFacts& facts, const PriorPosteriorRule& rule);
// A contributor that asked for protection holds more than the share, or is one of too few.
bool request_unsafe(const CellFacts& facts, const RequestRule& rule);
bool zero_unsafe(const CellFacts& facts);  // value 0, but someone contributed

// The best attack on a contribution: c_t is to be estimated, and all that hides it is the sum of
// the contributions that are neither c_t nor the attackers' own.
struct Estimate {
  Wide target = 0;
  Wide rest = 0;
};
// By the r largest other contributors; nothing if nobody needs protection.
std::optional<Estimate> best_estimate(const CellFacts& facts, std::int32_t coalition);
// By these contributors.
std::optional<Estimate> estimate_by(const CellFacts& facts, const Insiders& insiders);

// Smallest distances that an attacker's bounds of the cell must keep, in units
// (docs/sensitivity.md).
mpq_class prior_posterior_level(const Estimate& estimate,
                                const PriorPosteriorRule& rule,
                                LevelFormula formula);
mpq_class dominance_level(const CellFacts& facts, const DominanceRule& rule);
// The same for contributors of the cell: what they do not know of it is the sum of the others, and
// n less their number of these may not dominate it.
mpq_class dominance_level_inside(const CellFacts& facts,
                                 const DominanceRule& rule,
                                 const Insiders& insiders);

Wide largest_sum(const CellFacts& facts, std::int32_t n);  // of absolute values
Wide own_sum(const CellFacts& facts, const Insiders& insiders);
bool are_all(const CellFacts& facts, const Insiders& insiders);

}  // namespace lacuna::sensitivity
