// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/guided_rounding.h"

#include "core/base/index.h"
#include "protect/start/proof_repair.h"
#include "protect/suppress/tuning.h"

namespace lacuna::suppression {
std::optional<PartPattern> GuidedRounding::round(const std::vector<CellId>& part,
                                                 const std::vector<double>& guess,
                                                 const RunContext& run) const {
  start::ConstructOptions construct;
  construct.engine = engine_;
  construct.improve = false;
  for (const Cell& cell : problem_->table().cells())
    construct.costs.push_back(cell.weight);
  for (const CellId cell : part) {
    const double share = guess[base::at(cell)];
    construct.costs[base::at(cell)] *=
        share < 0 ? kTuning.rounding.given_up : 1 + kTuning.rounding.least_price - share;
    if (share > kTuning.rounding.worth_taking)
      construct.withheld.push_back(cell);
  }
  const auto rough = start::construct_pattern(*problem_, construct, run);
  if (!rough || run.should_stop())
    return std::nullopt;
  const auto found = improved(*rough, run);
  if (!found)
    return std::nullopt;
  return pattern_of(part, found->draft);
}

// The same pattern cleaned up at the true weights.
std::optional<start::Constructed> GuidedRounding::improved(const start::Constructed& rough,
                                                           const RunContext& run) const {
  start::ConstructOptions construct;
  construct.engine = engine_;
  construct.max_rounds = 2;
  for (const CellEntry& entry : rough.draft.each())
    construct.withheld.push_back(entry.cell);
  auto made = start::construct_pattern(*problem_, construct, run);
  if (!made)
    return std::nullopt;
  start::Constructed found = std::move(made).value();
  if (!found.complete &&
      (!start::complete_by_proofs(problem_, engine_, found, run) || !found.complete))
    return std::nullopt;
  return found;
}

PartPattern GuidedRounding::pattern_of(const std::vector<CellId>& part, const Draft& draft) const {
  PartPattern pattern;
  for (const CellId cell : part) {
    if (!always_[base::at(cell)] && draft.state(cell) == StatementKind::kExact)
      continue;
    pattern.cells.push_back(cell);
    pattern.cost += problem_->table().cell(cell).weight;
  }
  return pattern;
}

}  // namespace lacuna::suppression
