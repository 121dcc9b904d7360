// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/flow.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "judge/attack/touches.h"

namespace lacuna::attack {
namespace {

constexpr Wide kNoLimit = Wide{1} << 100U;

Wide wide_limit(Units limit) {
  return limit == kUnboundedAbove ? kNoLimit : Wide{limit};
}

}  // namespace

FlowSearch::FlowSearch(const AttackView& view, const table::Network& network)
    : view_(view),
      network_(network),
      part_(network.nodes.size() + 1, -1),
      flow_(
          network,
          view.free_cells().size(),
          [&](CellId cell) { return view.free_index(cell); },
          kNoLimit) {
  base::count_work(kAttackTouches.flow_node *
                   (std::ssize(network.nodes) + std::ssize(network.arcs)));
  for (const table::NetworkArc& arc : network.arcs) {
    const std::int32_t free = view.free_index(arc.cell);
    if (free < 0)
      continue;
    part_[static_cast<std::size_t>(flow_.arc(free).from)] = view.free_cell(free).part;
    part_[static_cast<std::size_t>(flow_.arc(free).to)] = view.free_cell(free).part;
  }
}

Displacement FlowSearch::moved(std::vector<std::pair<CellId, Wide>> moves) {
  std::sort(moves.begin(), moves.end());
  Displacement witness;
  for (const auto& [cell, move] : moves) {
    witness.cells.push_back(cell);
    witness.moves.push_back(base::to_integer(move));
  }
  return witness;
}

// Nodes of other parts have no say.
Multipliers FlowSearch::cut(std::int32_t part) const {
  base::count_work(kAttackTouches.flow_node * std::ssize(network_.nodes));
  Multipliers proof;
  flow_.cut([&](std::int32_t node) { return part_[static_cast<std::size_t>(node)] == part; },
            [&](EquationId equation, int multiplier) {
              proof.equations.push_back(equation);
              proof.values.emplace_back(multiplier);
            });
  return proof;
}

Reach FlowSearch::push(std::int32_t free, Direction direction, Units stop) {
  const Units slack = view_.free_cell(free).slack.toward(sign(direction));
  const flow::FlowEnding ending =
      flow_.push(free,
                 sign(direction),
                 wide_limit(std::min(slack, stop)),
                 Wide{0},
                 [&](std::int32_t each, int side) {
                   return wide_limit(view_.free_cell(each).slack.toward(side));
                 });
  std::vector<std::pair<CellId, Wide>> moves;
  const auto add = [&](std::int32_t each, Wide move) {
    if (move != 0)
      moves.emplace_back(view_.free_cell(each).cell, move);
  };
  Reach reach;
  reach.unbounded = ending == flow::FlowEnding::kEndless;
  if (reach.unbounded) {
    add(free, sign(direction));
    flow_.ray(add);
    reach.witness = moved(std::move(moves));
  } else if (flow_.reach() > 0) {
    add(free, flow_.reach() * sign(direction));
    flow_.moves(add);
    reach.witness = moved(std::move(moves));
  }
  if (ending == flow::FlowEnding::kBlocked)
    reach.proof = cut(view_.free_cell(free).part);
  else if (!reach.unbounded && flow_.reach() == slack)
    reach.proof = Multipliers{};  // the cell's own bounds say it
  return reach;
}

}  // namespace lacuna::attack
