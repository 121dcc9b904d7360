// SPDX-License-Identifier: Apache-2.0
// Separation in networks by largest flows (flow/largest_flow.h): the cell moves by what flows back
// from one end of its arc to the other over the remaining arcs, whose capacities are the rooms. The
// nodes reached in the last search are one side of a smallest cut.
#include <algorithm>
#include <cmath>

#include "flow/largest_flow.h"
#include "lacuna/lp.h"
#include "lacuna/tolerance.h"
#include "protect/interval/separator.h"

namespace lacuna::inline interval {
namespace {

std::vector<FlowArc> arcs_of(const Network& network) {
  std::vector<FlowArc> arcs;
  const auto ground = static_cast<std::int32_t>(network.nodes.size());
  for (const NetworkArc& arc : network.arcs)
    arcs.push_back({arc.from < 0 ? ground : arc.from, arc.to < 0 ? ground : arc.to});
  return arcs;
}

class FlowSeparator final : public Separator {
 public:
  explicit FlowSeparator(const Model& model)
      : network_(*model.network),
        ground_(static_cast<std::int32_t>(network_.nodes.size())),
        arc_of_(model.movable.size(), -1),
        flow_(ground_ + 1, arcs_of(network_), kLpInfinity) {
    for (std::size_t a = 0; a < network_.arcs.size(); ++a)
      arc_of_[static_cast<std::size_t>(network_.arcs[a].cell.value)] = static_cast<std::int32_t>(a);
    find_components();
  }

  void set_rooms(std::span<const double> rooms) override {
    rooms_.assign(rooms.begin(), rooms.end());
  }

  ProbeAnswer probe(const Probe& question, const RunContext& run) override {
    ProbeAnswer answer;
    if (run.should_stop())
      return answer;
    answer.trusted = true;
    const std::int32_t own = arc_of_[static_cast<std::size_t>(question.cell)];
    if (own < 0)  // nothing moves the cell: its own equation says so, and the cut is empty
      return answer;
    const FlowArc& arc = flow_.arc(own);
    const std::int32_t source = question.sign > 0 ? arc.to : arc.from;
    const std::int32_t sink = question.sign > 0 ? arc.from : arc.to;
    const double limit = std::min(question.level, rooms_[end_of(question.cell, question.sign)]);
    answer.reach = limit;
    flow_.forget();
    if (source != sink) {
      const double zero = tol::kDecision * std::max(question.level, tol::kDecision);
      const FlowEnding ending =
          flow_.push(source, sink, own, limit, zero, [&](std::int32_t each, bool forward) {
            return rooms_[end_of(cell_of(each), forward ? 1 : -1)];
          });
      answer.reach = flow_.total();
      if (ending == FlowEnding::kBlocked)
        answer.multipliers = cut(source == ground_ ? sink : source);
    }
    answer.move = moved(question, answer.reach);
    return answer;
  }

 private:
  std::int32_t cell_of(std::int32_t arc) const {
    return network_.arcs[static_cast<std::size_t>(arc)].cell.value;
  }

  // Nodes that hang together without the ground, which has no equation.
  void find_components() {
    component_.assign(static_cast<std::size_t>(ground_), -1);
    for (std::int32_t root = 0; root < ground_; ++root) {
      if (component_[static_cast<std::size_t>(root)] >= 0)
        continue;
      component_[static_cast<std::size_t>(root)] = root;
      std::vector<std::int32_t> queue{root};
      for (std::size_t head = 0; head < queue.size(); ++head) {
        for (const FlowStep& step : flow_.steps_at(queue[head])) {
          const std::int32_t other = flow_.end_of(step);
          if (other == ground_ || component_[static_cast<std::size_t>(other)] >= 0)
            continue;
          component_[static_cast<std::size_t>(other)] = root;
          queue.push_back(other);
        }
      }
    }
  }

  Move moved(const Probe& question, double reach) const {
    Move move;
    if (reach > 0)
      move.emplace_back(question.cell, question.sign * reach);
    for (const std::int32_t arc : flow_.used()) {
      if (flow_.flow(arc) != 0)
        move.emplace_back(cell_of(arc), flow_.flow(arc));
    }
    std::sort(move.begin(), move.end());
    return move;
  }

  // Reached nodes have potential 1, the others 0, moved so that the ground stands at 0.
  std::vector<std::pair<EquationId, double>> cut(std::int32_t within) const {
    const std::int32_t component = component_[static_cast<std::size_t>(within)];
    const double ground = flow_.reached(ground_) ? 1 : 0;
    std::vector<std::pair<EquationId, double>> multipliers;
    for (std::int32_t node = 0; node < ground_; ++node) {
      const auto n = static_cast<std::size_t>(node);
      const double potential = (flow_.reached(node) ? 1 : 0) - ground;
      if (potential != 0 && component_[n] == component)
        multipliers.emplace_back(network_.nodes[n], potential * network_.node_sign[n]);
    }
    return multipliers;
  }

  const Network& network_;
  std::int32_t ground_;
  std::vector<std::int32_t> arc_of_;     // by cell
  LargestFlow<double> flow_;             // arcs as in the network
  std::vector<std::int32_t> component_;  // by node
  std::vector<double> rooms_;
};

}  // namespace

std::unique_ptr<Separator> make_flow_separator(const Model& model) {
  return std::make_unique<FlowSeparator>(model);
}

}  // namespace lacuna::inline interval
