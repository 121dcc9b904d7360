// SPDX-License-Identifier: Apache-2.0
#include "protect/common/attacker_flow.h"

#include <algorithm>
#include <limits>

#include "base/index.h"
#include "lacuna/tolerance.h"

namespace lacuna::inline common {
namespace {

std::vector<FlowArc> arcs_by_cell(const SuppressModel& model, const Network& network) {
  std::vector<FlowArc> arcs(at(model.num_cells()));
  const auto ground = static_cast<std::int32_t>(network.nodes.size());
  for (const NetworkArc& arc : network.arcs) {
    const std::int32_t cell = model.local(arc.cell);
    if (cell >= 0)
      arcs[at(cell)] = {arc.from < 0 ? ground : arc.from, arc.to < 0 ? ground : arc.to};
  }
  return arcs;
}

}  // namespace

AttackerFlow::AttackerFlow(const SuppressModel& model, const Network& network)
    : model_(model),
      flow_(static_cast<std::int32_t>(network.nodes.size()) + 1,
            arcs_by_cell(model, network),
            std::numeric_limits<double>::infinity()) {}

AttackerSolver::Answer AttackerFlow::push(const Target& target,
                                          const Capacities& capacities,
                                          const RunContext&) {
  ++solves_;
  last_ = target;
  capacities.write(up_, down_);
  const FlowArc& own = flow_.arc(target.cell);
  const FlowEnding ending = flow_.push(
      target.sign > 0 ? own.to : own.from,
      target.sign > 0 ? own.from : own.to,
      target.cell,
      target.own,
      tol::kNegligible,
      [&](std::int32_t cell, bool forward) { return forward ? up_[at(cell)] : down_[at(cell)]; });
  moves_.clear();
  dual_.clear();
  for (const std::int32_t cell : flow_.used())
    moves_.emplace_back(cell, flow_.flow(cell));
  moves_.emplace_back(target.cell, target.sign * flow_.total());
  if (ending != FlowEnding::kBlocked) {  // the cell's own bound is what stops it
    dual_.emplace_back(target.cell, target.sign);
  } else {
    for (std::int32_t cell = 0; cell < model_.num_cells(); ++cell) {
      const FlowArc& arc = flow_.arc(cell);
      const bool leaves = flow_.reached(arc.from);
      if (leaves != flow_.reached(arc.to) && cell != target.cell)
        dual_.emplace_back(cell, leaves ? 1 : -1);
    }
  }
  return answer(true, flow_.total());
}

}  // namespace lacuna::inline common
