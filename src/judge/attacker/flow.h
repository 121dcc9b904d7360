// SPDX-License-Identifier: Apache-2.0
// The attacker's problem where the equations are nodes and the cells arcs (core/table/network.h): a
// displacement is a circulation, and the cell moves by what flows back from one end of its arc to
// the other over the remaining arcs, whose capacities are the slacks (Cox 1980; Kelly, Golden,
// Assad 1992). Augmenting along shortest paths (core/flow/largest_flow.h) gives short
// displacements, integral ones in integers, and the nodes reached at the end are the smaller side
// of a smallest cut whose indicator is the proof: no LP, and in integers nothing to round.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/flow/largest_flow.h"
#include "core/table/network.h"
#include "judge/attacker/solver.h"

namespace lacuna::attacker {

// In whatever numbers, with cells as the caller counts them.
template <class Amount>
class NetworkSearch {
 public:
  // `index_of(CellId)`: below `cells`, or -1 for an arc that is not there. The network must outlive
  // the search.
  template <class IndexOf>
  NetworkSearch(const table::Network& network,
                std::size_t cells,
                const IndexOf& index_of,
                Amount no_limit);

  // Moves the cell towards the sign by at most `most`, `slack(cell, sign)` being how far others may
  // move; steps of at most `zero` do not count.
  template <class Slack>
  flow::FlowEnding push(std::int32_t cell, int sign, Amount most, Amount zero, const Slack& slack);
  Amount reach() const { return reach_; }

  // add(cell, amount) for each but the cell itself; some may be zero.
  template <class Add>
  void moves(const Add& add) const {
    for (const std::int32_t arc : flow_.used())
      add(arc, flow_.flow(arc));
  }
  // After kEndless: add(cell, 1 or -1) for each that moves with the cell for ever.
  template <class Add>
  void ray(const Add& add) const {
    for (const flow::FlowStep& step : flow_.path())
      add(step.arc, step.forward ? 1 : -1);
  }
  // After kBlocked: add(cell, d) for each but the cell itself, d being 1 or -1.
  template <class Add>
  void cut(const Add& add) const;
  // The same as multipliers: add(equation, g) for nodes where within(node) says so. The nodes
  // reached have potential 1, the others 0, moved so that the ground, which has no equation, stands
  // at 0; what hangs together without the ground and without the cell has no say.
  template <class Within, class Add>
  void cut(const Within& within, const Add& add) const;

  const flow::FlowArc& arc(std::int32_t cell) const { return flow_.arc(cell); }
  std::int32_t ground() const { return static_cast<std::int32_t>(network_.nodes.size()); }

 private:
  template <class IndexOf>
  static std::vector<flow::FlowArc> arcs_of(const table::Network& network,
                                            std::size_t cells,
                                            const IndexOf& index_of);

  const table::Network& network_;
  Amount no_limit_;
  std::int32_t cells_, cell_ = -1;
  Amount reach_{};
  flow::LargestFlow<Amount> flow_;  // arcs by cell; the last node is the ground
};

template <class Amount>
template <class IndexOf>
std::vector<flow::FlowArc> NetworkSearch<Amount>::arcs_of(const table::Network& network,
                                                          std::size_t cells,
                                                          const IndexOf& index_of) {
  std::vector<flow::FlowArc> arcs(cells);
  const auto ground = static_cast<std::int32_t>(network.nodes.size());
  for (const table::NetworkArc& arc : network.arcs) {
    const std::int32_t cell = index_of(arc.cell);
    if (cell >= 0)
      arcs[static_cast<std::size_t>(cell)] = {arc.from < 0 ? ground : arc.from,
                                              arc.to < 0 ? ground : arc.to};
  }
  return arcs;
}

template <class Amount>
template <class IndexOf>
NetworkSearch<Amount>::NetworkSearch(const table::Network& network,
                                     std::size_t cells,
                                     const IndexOf& index_of,
                                     Amount no_limit)
    : network_(network),
      no_limit_(no_limit),
      cells_(static_cast<std::int32_t>(cells)),
      flow_(ground() + 1, arcs_of(network, cells, index_of), no_limit) {}

template <class Amount>
template <class Slack>
flow::FlowEnding NetworkSearch<Amount>::push(
    std::int32_t cell, int sign, Amount most, Amount zero, const Slack& slack) {
  cell_ = cell;
  const flow::FlowArc& own = flow_.arc(cell);
  if (own.from == own.to) {  // the cell stands in no equation that others share
    flow_.forget();
    reach_ = most;
    return most == no_limit_ ? flow::FlowEnding::kEndless : flow::FlowEnding::kLimit;
  }
  const flow::FlowEnding ending =
      flow_.push(sign > 0 ? own.to : own.from,
                 sign > 0 ? own.from : own.to,
                 cell,
                 most,
                 zero,
                 [&](std::int32_t arc, bool forward) { return slack(arc, forward ? 1 : -1); });
  reach_ = flow_.total();
  return ending;
}

template <class Amount>
template <class Add>
void NetworkSearch<Amount>::cut(const Add& add) const {
  for (std::int32_t cell = 0; cell < cells_; ++cell) {
    const flow::FlowArc& arc = flow_.arc(cell);
    const bool leaves = flow_.reached(arc.from);
    if (leaves != flow_.reached(arc.to) && cell != cell_)
      add(cell, leaves ? 1 : -1);
  }
}

template <class Amount>
template <class Within, class Add>
void NetworkSearch<Amount>::cut(const Within& within, const Add& add) const {
  const int of_ground = flow_.reached(ground()) ? 1 : 0;
  for (std::int32_t node = 0; node < ground(); ++node) {
    const auto n = static_cast<std::size_t>(node);
    if (!within(node))
      continue;
    const int potential = (flow_.reached(node) ? 1 : 0) - of_ground;
    if (potential != 0)
      add(network_.nodes[n], potential * network_.node_sign[n]);
  }
}

class AttackerFlow : public AttackerSolver {
 public:
  explicit AttackerFlow(const AttackerProblem& problem);  // a network

  Answer push(const Query& query, const Slacks& slacks, const RunContext& run) override;

 private:
  template <class Slack>
  Answer push_within(const Query& query, const Slack& slack);

  const AttackerProblem& problem_;
  NetworkSearch<double> search_;
  std::vector<RealSlack> listed_;
};

}  // namespace lacuna::attacker
