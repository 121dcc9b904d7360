// SPDX-License-Identifier: Apache-2.0
// One cell: which rules say that it is sensitive, why in words, and the levels that follow.
//
// Levels in units, before rounding up (docs/sensitivity.md, equations (1)-(5)):
//   (p,q):      p/100 c_1 - q/100 sum_{i >= r+2} c_i        (3.3) of the thesis, or
//               p/q c_1 - sum_{i >= r+2} c_i                tau-ARGUS; equal for q = 100
//   (n,k):      100/k (c_1 + ... + c_n) - C                 tau-ARGUS
//   frequency, request, by hand: a percentage of |a|        tau-ARGUS
//   zero cells: the level given, upward only                tau-ARGUS
// The first two are multiplied by |a| / C, C being the sum of absolute contributions. The largest
// of the rules that say no counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/sensitivity/options.h"
#include "lacuna/problem.h"

namespace lacuna::sensitivity {

enum class RuleKind : std::uint8_t {
  kFrequency,
  kDominance,
  kPriorPosterior,
  kRequest,
  kZero,
  kManual
};

// What the reason of a cell ends with that was called otherwise by hand than a rule says.
inline constexpr std::string_view kOverruled = ", though a rule calls it unsafe";

struct Hit {  // a rule that says no
  RuleKind kind = RuleKind::kManual;
  std::size_t index = 0;  // into SensitivityRules::dominance or ::prior_posterior
  mpq_class level;        // in units
  Explanation why;
};

struct Levels {
  Units lower = 0, upper = 0, sliding = 0;
  bool operator==(const Levels&) const = default;
};

std::vector<Hit> judge(const CellFacts& facts, const SensitivityRules& rules, int decimals);
Hit manual_hit(const CellFacts& facts, const SensitivityRules& rules, const std::string& where);

// The levels of the cell for everyone who did not contribute to it. `slack_below` is the distance
// to the lower bound: levels that are a mere percentage end there, since nobody can be made to
// believe in less. Errors: a level too large for a table number.
Result<Levels> levels_of(const CellFacts& facts,
                         const std::vector<Hit>& hits,
                         const SensitivityRules& rules,
                         Units slack_below);

// The same for contributors of the cell: what keeps the largest other contribution protected. Never
// more than `outside`, and below the cell no further than what they did not contribute. Nothing if
// there is no other contributor.
std::optional<Levels> levels_inside(const CellFacts& facts,
                                    const std::vector<Hit>& hits,
                                    const SensitivityRules& rules,
                                    const Levels& outside,
                                    const Insiders& insiders);

// `by_hand` levels, scaled to what the contributors do not know of the cell.
std::optional<Levels> manual_levels_inside(const CellFacts& facts,
                                           const Levels& by_hand,
                                           const Insiders& insiders);

}  // namespace lacuna::sensitivity
