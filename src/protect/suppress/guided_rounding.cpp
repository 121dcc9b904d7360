// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/guided_rounding.h"

#include "core/base/index.h"
#include "protect/start/proof_repair.h"
#include "protect/suppress/tuning.h"

namespace lacuna::inline suppression {
std::optional<PartPattern> GuidedRounding::round(const std::vector<CellId>& part,
                                                 const std::vector<double>& guess,
                                                 const RunContext& run) const {
  ConstructOptions construct;
  construct.engine = engine_;
  construct.improve = false;
  for (const Cell& cell : problem_->table().cells())
    construct.costs.push_back(cell.weight);
  for (const CellId cell : part) {
    const double share = guess[at(cell)];
    construct.costs[at(cell)] *=
        share < 0 ? kTuning.rounding.given_up : 1 + kTuning.rounding.least_price - share;
    if (share > kTuning.rounding.worth_taking)
      construct.withheld.push_back(cell);
  }
  const auto rough = construct_pattern(*problem_, construct, run);
  if (!rough || run.should_stop())
    return std::nullopt;
  const auto found = improved(*rough, run);
  if (!found)
    return std::nullopt;
  return pattern_of(part, found->draft);
}

// The same pattern cleaned up at the true weights.
std::optional<Constructed> GuidedRounding::improved(const Constructed& rough,
                                                    const RunContext& run) const {
  ConstructOptions construct;
  construct.engine = engine_;
  construct.max_rounds = 2;
  for (const CellEntry& entry : rough.draft.each())
    construct.withheld.push_back(entry.cell);
  auto made = construct_pattern(*problem_, construct, run);
  if (!made)
    return std::nullopt;
  Constructed found = std::move(made).value();
  if (!found.complete && (!complete_by_proofs(problem_, engine_, found, run) || !found.complete))
    return std::nullopt;
  return found;
}

PartPattern GuidedRounding::pattern_of(const std::vector<CellId>& part, const Draft& draft) const {
  PartPattern pattern;
  for (const CellId cell : part) {
    if (!always_[at(cell)] && draft.state(cell) == CellState::kExact)
      continue;
    pattern.cells.push_back(cell);
    pattern.cost += problem_->table().cell(cell).weight;
  }
  return pattern;
}

}  // namespace lacuna::inline suppression
