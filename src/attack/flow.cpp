// SPDX-License-Identifier: Apache-2.0
#include "attack/flow.h"

#include <algorithm>

#include "base/check.h"
#include "base/rational.h"

namespace lacuna::inline attack {

FlowSearch::FlowSearch(const AttackView& view, const Network& network)
    : view_(view), network_(network), ground_(static_cast<std::int32_t>(network.nodes.size())) {
  const auto free_cells = view.free_cells().size();
  const std::size_t nodes = network.nodes.size() + 1;
  arcs_.resize(free_cells);
  move_.assign(free_cells, 0);
  at_node_.resize(nodes);
  reached_by_.resize(nodes);
  mark_.assign(nodes, 0);
  part_.assign(nodes, -1);
  const auto node = [&](std::int32_t n) { return n < 0 ? ground_ : n; };
  for (const NetworkArc& arc : network.arcs) {
    const std::int32_t free = view.free_index(arc.cell);
    if (free < 0)
      continue;
    arcs_[static_cast<std::size_t>(free)] = {node(arc.from), node(arc.to)};
    part_[static_cast<std::size_t>(node(arc.from))] = view.free_cell(free).part;
    part_[static_cast<std::size_t>(node(arc.to))] = view.free_cell(free).part;
    at_node_[static_cast<std::size_t>(node(arc.from))].push_back(free);
    if (arc.from != arc.to)
      at_node_[static_cast<std::size_t>(node(arc.to))].push_back(free);
  }
}

Units FlowSearch::residual(std::int32_t arc, bool forward) const {
  const Room& room = view_.free_cell(arc).room;
  const Units limit = forward ? room.up : room.down;
  if (limit == kUnboundedAbove)
    return kUnboundedAbove;
  const Wide moved = move_[static_cast<std::size_t>(arc)];
  const Wide left = Wide{limit} - (forward ? moved : -moved);
  // Both rooms together may pass 63 bits; what is left beyond that is never needed at once.
  return left > kMaxUnits ? kMaxUnits : static_cast<Units>(left);
}

bool FlowSearch::find_path(std::int32_t source, std::int32_t sink, std::int32_t without) {
  ++round_;
  reached_.assign(1, source);
  mark_[static_cast<std::size_t>(source)] = round_;
  for (std::size_t head = 0; head < reached_.size(); ++head) {
    const std::int32_t node = reached_[head];
    for (const std::int32_t arc : at_node_[static_cast<std::size_t>(node)]) {
      if (arc == without)
        continue;
      const Arc& ends = arcs_[static_cast<std::size_t>(arc)];
      const bool forward = ends.from == node;
      const std::int32_t next = forward ? ends.to : ends.from;
      if (mark_[static_cast<std::size_t>(next)] == round_ || residual(arc, forward) == 0)
        continue;
      mark_[static_cast<std::size_t>(next)] = round_;
      reached_by_[static_cast<std::size_t>(next)] = {arc, forward};
      if (next == sink)
        return true;
      reached_.push_back(next);
    }
  }
  return false;
}

void FlowSearch::change(std::int32_t arc, Wide amount) {
  Wide& move = move_[static_cast<std::size_t>(arc)];
  if (move == 0)
    touched_.push_back(arc);
  move += amount;
}

Displacement FlowSearch::moved(std::int32_t free, Wide amount, Direction direction) const {
  std::vector<std::pair<CellId, Wide>> moves{
      {view_.free_cell(free).cell, amount * sign(direction)}};
  for (const std::int32_t arc : touched_) {
    const Wide move = move_[static_cast<std::size_t>(arc)];
    if (move != 0)
      moves.emplace_back(view_.free_cell(arc).cell, move);
  }
  std::sort(moves.begin(), moves.end());
  // A move that went back to zero and away again is listed twice.
  moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
  Displacement witness;
  for (const auto& [cell, move] : moves) {
    witness.cells.push_back(cell);
    witness.moves.push_back(to_integer(move));
  }
  return witness;
}

Displacement FlowSearch::path_ray(std::int32_t source,
                                  std::int32_t sink,
                                  std::int32_t free,
                                  Direction direction) const {
  std::vector<std::pair<CellId, int>> moves{{view_.free_cell(free).cell, sign(direction)}};
  for (std::int32_t node = sink; node != source;) {
    const Step& step = reached_by_[static_cast<std::size_t>(node)];
    moves.emplace_back(view_.free_cell(step.arc).cell, step.forward ? 1 : -1);
    const Arc& ends = arcs_[static_cast<std::size_t>(step.arc)];
    node = step.forward ? ends.from : ends.to;
  }
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
  const bool with_ground = mark_[static_cast<std::size_t>(ground_)] == round_;
  Multipliers proof;
  for (std::size_t n = 0; n < network_.nodes.size(); ++n) {
    if (part_[n] != part)
      continue;
    const int potential = (mark_[n] == round_ ? 1 : 0) - (with_ground ? 1 : 0);
    if (potential == 0)
      continue;
    proof.equations.push_back(network_.nodes[n]);
    proof.values.emplace_back(potential * network_.node_sign[n]);
  }
  return proof;
}

Reach FlowSearch::push(std::int32_t free, Direction direction, Units stop) {
  const Arc& own = arcs_[static_cast<std::size_t>(free)];
  const bool up = direction == Direction::kHigh;
  const std::int32_t source = up ? own.to : own.from;
  const std::int32_t sink = up ? own.from : own.to;
  const Units room = view_.free_cell(free).room.toward(sign(direction));
  const Units limit = std::min(room, stop);
  Reach reach;
  Wide flow = 0;
  bool blocked = false;
  while (flow < limit || limit == kUnboundedAbove) {
    if (source == sink) {  // the cell stands in no equation that others share
      round_++;
      if (limit == kUnboundedAbove) {
        reach.witness = path_ray(source, sink, free, direction);
        reach.unbounded = true;
        break;
      }
      flow = limit;
      break;
    }
    if (!find_path(source, sink, free)) {
      blocked = true;
      break;
    }
    Wide amount = limit == kUnboundedAbove ? Wide{kUnboundedAbove} : limit - flow;
    bool endless = limit == kUnboundedAbove;
    for (std::int32_t node = sink; node != source;) {
      const Step& step = reached_by_[static_cast<std::size_t>(node)];
      const Units left = residual(step.arc, step.forward);
      if (left != kUnboundedAbove) {
        amount = std::min<Wide>(amount, left);
        endless = false;
      }
      const Arc& ends = arcs_[static_cast<std::size_t>(step.arc)];
      node = step.forward ? ends.from : ends.to;
    }
    if (endless) {
      reach.witness = path_ray(source, sink, free, direction);
      reach.unbounded = true;
      break;
    }
    for (std::int32_t node = sink; node != source;) {
      const Step& step = reached_by_[static_cast<std::size_t>(node)];
      change(step.arc, step.forward ? amount : -amount);
      const Arc& ends = arcs_[static_cast<std::size_t>(step.arc)];
      node = step.forward ? ends.from : ends.to;
    }
    flow += amount;
  }
  if (!reach.unbounded && flow > 0)
    reach.witness = moved(free, flow, direction);
  if (blocked) {
    reach.proof = cut(view_.free_cell(free).part);
  } else if (!reach.unbounded && flow == room) {
    reach.proof = Multipliers{};  // the cell's own bounds say it
  }
  for (const std::int32_t arc : touched_)
    move_[static_cast<std::size_t>(arc)] = 0;
  touched_.clear();
  return reach;
}

}  // namespace lacuna::inline attack
