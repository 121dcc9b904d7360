// SPDX-License-Identifier: Apache-2.0
#include "attack/flow.h"

#include <algorithm>

#include "attack/touches.h"
#include "base/check.h"
#include "base/rational.h"
#include "base/work.h"

namespace lacuna::inline attack {
namespace {

constexpr Wide kNoLimit = Wide{1} << 100U;

Wide wide_limit(Units limit) {
  return limit == kUnboundedAbove ? kNoLimit : Wide{limit};
}

std::vector<FlowArc> arcs_by_free_cell(const AttackView& view, const Network& network) {
  std::vector<FlowArc> arcs(view.free_cells().size());
  const auto ground = static_cast<std::int32_t>(network.nodes.size());
  for (const NetworkArc& arc : network.arcs) {
    const std::int32_t free = view.free_index(arc.cell);
    if (free >= 0)
      arcs[static_cast<std::size_t>(free)] = {arc.from < 0 ? ground : arc.from,
                                              arc.to < 0 ? ground : arc.to};
  }
  return arcs;
}

}  // namespace

FlowSearch::FlowSearch(const AttackView& view, const Network& network)
    : view_(view),
      network_(network),
      ground_(static_cast<std::int32_t>(network.nodes.size())),
      part_(network.nodes.size() + 1, -1),
      flow_(ground_ + 1, arcs_by_free_cell(view, network), kNoLimit) {
  count_work(kAttackTouches.flow_node * (std::ssize(network.nodes) + std::ssize(network.arcs)));
  for (const NetworkArc& arc : network.arcs) {
    const std::int32_t free = view.free_index(arc.cell);
    if (free < 0)
      continue;
    part_[static_cast<std::size_t>(flow_.arc(free).from)] = view.free_cell(free).part;
    part_[static_cast<std::size_t>(flow_.arc(free).to)] = view.free_cell(free).part;
  }
}

Displacement FlowSearch::moved(std::int32_t free, Wide amount, Direction direction) const {
  std::vector<std::pair<CellId, Wide>> moves{
      {view_.free_cell(free).cell, amount * sign(direction)}};
  for (const std::int32_t arc : flow_.used()) {
    if (flow_.flow(arc) != 0)
      moves.emplace_back(view_.free_cell(arc).cell, flow_.flow(arc));
  }
  std::sort(moves.begin(), moves.end());
  Displacement witness;
  for (const auto& [cell, move] : moves) {
    witness.cells.push_back(cell);
    witness.moves.push_back(to_integer(move));
  }
  return witness;
}

Displacement FlowSearch::path_ray(std::int32_t free, Direction direction) const {
  std::vector<std::pair<CellId, int>> moves{{view_.free_cell(free).cell, sign(direction)}};
  for (const FlowStep& step : flow_.path())
    moves.emplace_back(view_.free_cell(step.arc).cell, step.forward ? 1 : -1);
  std::sort(moves.begin(), moves.end());
  Displacement ray;
  for (const auto& [cell, move] : moves) {
    ray.cells.push_back(cell);
    ray.moves.emplace_back(move);
  }
  return ray;
}

// The nodes reached have potential 1, the others 0, moved so that the ground, which has no
// equation, stands at 0; a node's multiplier is its potential times the sign of its equation. Nodes
// of other parts have no say.
Multipliers FlowSearch::cut(std::int32_t part) const {
  const bool with_ground = flow_.reached(ground_);
  count_work(kAttackTouches.flow_node * std::ssize(network_.nodes));
  Multipliers proof;
  for (std::size_t n = 0; n < network_.nodes.size(); ++n) {
    if (part_[n] != part)
      continue;
    const bool reached = flow_.reached(static_cast<std::int32_t>(n));
    const int potential = (reached ? 1 : 0) - (with_ground ? 1 : 0);
    if (potential == 0)
      continue;
    proof.equations.push_back(network_.nodes[n]);
    proof.values.emplace_back(potential * network_.node_sign[n]);
  }
  return proof;
}

Reach FlowSearch::push(std::int32_t free, Direction direction, Units stop) {
  const FlowArc& own = flow_.arc(free);
  const bool up = direction == Direction::kHigh;
  const Units room = view_.free_cell(free).room.toward(sign(direction));
  const Wide limit = wide_limit(std::min(room, stop));
  FlowEnding ending = FlowEnding::kLimit;
  Wide flow = limit;
  if (own.from == own.to) {  // the cell stands in no equation that others share
    ending = limit == kNoLimit ? FlowEnding::kEndless : FlowEnding::kLimit;
    flow_.forget();
  } else {
    ending = flow_.push(up ? own.to : own.from,
                        up ? own.from : own.to,
                        free,
                        limit,
                        Wide{0},
                        [&](std::int32_t arc, bool forward) {
                          const Room& rooms = view_.free_cell(arc).room;
                          return wide_limit(forward ? rooms.up : rooms.down);
                        });
    flow = flow_.total();
  }
  Reach reach;
  reach.unbounded = ending == FlowEnding::kEndless;
  if (reach.unbounded)
    reach.witness = path_ray(free, direction);
  else if (flow > 0)
    reach.witness = moved(free, flow, direction);
  if (ending == FlowEnding::kBlocked)
    reach.proof = cut(view_.free_cell(free).part);
  else if (!reach.unbounded && flow == room)
    reach.proof = Multipliers{};  // the cell's own bounds say it
  return reach;
}

}  // namespace lacuna::inline attack
