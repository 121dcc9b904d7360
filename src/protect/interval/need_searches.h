// SPDX-License-Identifier: Apache-2.0
// The attacker's problems of all needs for other methods (judge/attacker/repair_simplex.h): each
// search starts where the last one of its need and direction ended. Needs are spread over lanes;
// one thread at a time may ask for the needs of a lane.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "judge/attacker/repair_simplex.h"
#include "protect/interval/model.h"

namespace lacuna::interval {

class NeedSearches {
 public:
  explicit NeedSearches(const Model& model);
  NeedSearches(const NeedSearches&) = delete;
  NeedSearches& operator=(const NeedSearches&) = delete;

  std::size_t num_lanes() const { return lanes_.size(); }
  const std::vector<std::size_t>& needs_of(std::size_t lane) const { return lanes_[lane]; }

  struct Answer {
    bool trusted = false;  // false: given up, the rest says nothing
    double reach = 0;      // at most the level that was asked for
    // Until the next question of this need: what gets so far, by cell of the attacker's problem,
    // and the cut that says that nothing gets farther.
    std::span<const attacker::CellAmount> moves;
    std::span<const attacker::Multiplier> multipliers;
  };
  // Can the need's cell move by `level` towards `sign` within the slacks (by end, at most `most`)?
  Answer ask(std::size_t need,
             int sign,
             double level,
             std::span<const double> slacks,
             std::span<const double> most,
             const RunContext& run);

 private:
  const Model& model_;
  attacker::RepairNet net_;
  std::vector<std::vector<std::size_t>> lanes_;
  std::vector<attacker::RepairScratch> scratch_;  // by lane
  std::vector<attacker::AttackerWarm> solvers_;   // by need
};

}  // namespace lacuna::interval
