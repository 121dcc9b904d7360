// SPDX-License-Identifier: Apache-2.0
#include "protect/common/attacker_flow.h"

#include <algorithm>

#include "base/index.h"
#include "lacuna/tolerance.h"

namespace lacuna::inline common {
AttackerFlow::AttackerFlow(const SuppressModel& model, const Network& network)
    : model_(model),
      from_(at(model.num_cells()), -1),
      to_(at(model.num_cells()), -1),
      at_node_(network.nodes.size() + 1),
      up_(at(model.num_cells())),
      down_(at(model.num_cells())),
      moves_(at(model.num_cells())),
      dual_(at(model.num_cells())),
      distance_(at_node_.size()),
      next_(at_node_.size()) {
  const auto ground = static_cast<std::int32_t>(network.nodes.size());
  for (const NetworkArc& arc : network.arcs) {
    const std::int32_t cell = model.local(arc.cell);
    if (cell >= 0)
      add_arc(arc.from < 0 ? ground : arc.from, arc.to < 0 ? ground : arc.to, cell);
  }
}

void AttackerFlow::add_arc(std::int32_t from, std::int32_t to, std::int32_t cell) {
  from_[at(cell)] = from;
  to_[at(cell)] = to;
  at_node_[at(from)].push_back({to, cell, true});
  at_node_[at(to)].push_back({from, cell, false});
}

double AttackerFlow::residual(const HalfArc& arc) const {
  const double move = moves_[at(arc.cell)];
  return arc.forward ? up_[at(arc.cell)] - move : down_[at(arc.cell)] + move;
}

bool AttackerFlow::layer(std::int32_t source, std::int32_t sink) {
  std::fill(distance_.begin(), distance_.end(), -1);
  distance_[at(source)] = 0;
  queue_.assign(1, source);
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const std::int32_t node = queue_[head];
    for (const HalfArc& arc : at_node_[at(node)]) {
      if (distance_[at(arc.to)] >= 0 || residual(arc) <= tol::kNegligible)
        continue;
      distance_[at(arc.to)] = distance_[at(node)] + 1;
      queue_.push_back(arc.to);
    }
  }
  return distance_[at(sink)] >= 0;
}

double AttackerFlow::augment(std::int32_t node, std::int32_t sink, double limit) {
  if (node == sink)
    return limit;
  double pushed = 0;
  for (std::size_t& k = next_[at(node)]; k < at_node_[at(node)].size(); ++k) {
    const HalfArc& arc = at_node_[at(node)][k];
    const double room = residual(arc);
    if (room <= tol::kNegligible || distance_[at(arc.to)] != distance_[at(node)] + 1)
      continue;
    const double amount = augment(arc.to, sink, std::min(limit - pushed, room));
    moves_[at(arc.cell)] += arc.forward ? amount : -amount;
    pushed += amount;
    if (pushed >= limit - tol::kNegligible)
      return pushed;
  }
  return pushed;
}

AttackerSolver::Answer AttackerFlow::push(const Target& target,
                                          std::span<const double> up,
                                          std::span<const double> down,
                                          const RunContext&) {
  ++solves_;
  last_ = target;
  std::copy(up.begin(), up.end(), up_.begin());
  std::copy(down.begin(), down.end(), down_.begin());
  up_[at(target.cell)] = 0;
  down_[at(target.cell)] = 0;
  std::fill(moves_.begin(), moves_.end(), 0.0);
  std::int32_t source = to_[at(target.cell)];
  std::int32_t sink = from_[at(target.cell)];
  if (target.sign < 0)
    std::swap(source, sink);
  Answer answer;
  answer.solved = true;
  bool open = true;
  while (answer.value < target.own - tol::kNegligible && (open = layer(source, sink))) {
    std::fill(next_.begin(), next_.end(), std::size_t{0});
    answer.value += augment(source, sink, target.own - answer.value);
  }
  std::fill(dual_.begin(), dual_.end(), 0.0);
  if (open) {  // the cell's own bound is what stops it
    dual_[at(target.cell)] = target.sign;
  } else {
    for (std::size_t i = 0; i < dual_.size(); ++i) {
      const bool leaves = distance_[at(from_[i])] >= 0;
      const bool enters = distance_[at(to_[i])] >= 0;
      dual_[i] = leaves == enters ? 0 : (leaves ? 1 : -1);
    }
    dual_[at(target.cell)] = 0;
  }
  moves_[at(target.cell)] = target.sign * answer.value;
  answer.dual = dual_;
  answer.moves = moves_;
  return answer;
}

}  // namespace lacuna::inline common
