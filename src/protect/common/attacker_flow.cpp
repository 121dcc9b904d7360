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
            std::numeric_limits<double>::infinity()),
      moves_(at(model.num_cells())),
      dual_(at(model.num_cells())) {}

AttackerSolver::Answer AttackerFlow::push(const Target& target,
                                          std::span<const double> up,
                                          std::span<const double> down,
                                          const RunContext&) {
  ++solves_;
  last_ = target;
  const FlowArc& own = flow_.arc(target.cell);
  const FlowEnding ending = flow_.push(
      target.sign > 0 ? own.to : own.from,
      target.sign > 0 ? own.from : own.to,
      target.cell,
      target.own,
      tol::kNegligible,
      [&](std::int32_t cell, bool forward) { return forward ? up[at(cell)] : down[at(cell)]; });
  std::fill(moves_.begin(), moves_.end(), 0.0);
  std::fill(dual_.begin(), dual_.end(), 0.0);
  for (const std::int32_t cell : flow_.used())
    moves_[at(cell)] = flow_.flow(cell);
  moves_[at(target.cell)] = target.sign * flow_.total();
  if (ending != FlowEnding::kBlocked) {  // the cell's own bound is what stops it
    dual_[at(target.cell)] = target.sign;
  } else {
    for (std::int32_t cell = 0; cell < model_.num_cells(); ++cell) {
      const FlowArc& arc = flow_.arc(cell);
      const bool leaves = flow_.reached(arc.from);
      if (leaves != flow_.reached(arc.to) && cell != target.cell)
        dual_[at(cell)] = leaves ? 1 : -1;
    }
  }
  return {true, flow_.total(), dual_, moves_};
}

}  // namespace lacuna::inline common
