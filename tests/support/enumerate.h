// SPDX-License-Identifier: Apache-2.0
// Every pattern of withheld cells of a tiny problem, judged by the oracle: what is safe, and what
// is the cheapest. Withholding more never narrows an interval, so a requirement that fails while
// the cells of X are withheld fails while any part of X is, and one that holds goes on to hold with
// more; such X are made as large or as small as they go and remembered, and most patterns need no
// attacker problem at all.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/suppress.h"
#include "protect/suppression_model/pattern_requirements.h"

namespace lacuna::testing {

class PatternEnumeration {
 public:
  using Mask = std::uint32_t;  // bit k: the k-th candidate is withheld

  PatternEnumeration(const Problem& problem, const SuppressOptions& options);

  // Cells that a pattern may publish or withhold, ascending.
  const std::vector<CellId>& candidates() const { return candidates_; }
  bool is_small(std::size_t most = kMostCandidates) const { return candidates_.size() <= most; }

  Draft draft_of(Mask mask) const;
  double cost_of(Mask mask) const;
  bool is_safe(Mask mask);

  std::vector<Mask> safe_patterns();  // all of them
  std::optional<Mask> cheapest();     // nothing if no pattern is safe
  std::int32_t fewest_withheld();     // cells of a safe pattern, -1 if there is none
  std::int64_t attacked() const { return attacked_; }  // patterns put to the oracle

  static constexpr std::size_t kMostCandidates = 12;

 private:
  struct Judged {  // what is known of one requirement
    suppression_model::PatternRequirement requirement;
    Mask own = 0;             // the candidate it is about, if it is conditional
    std::vector<Mask> holds;  // here and with more withheld
    std::vector<Mask> fails;  // here and with less
  };
  bool is_met(Judged& judged, Mask mask);
  bool attack(const Judged& judged, Mask mask);  // true if the requirement holds
  std::int32_t count_withheld(Mask mask) const;

  const Problem& problem_;
  SuppressOptions options_;
  std::vector<CellId> fixed_;
  std::vector<CellId> candidates_;
  std::vector<Judged> requirements_;
  std::int64_t attacked_ = 0;
};

}  // namespace lacuna::testing
