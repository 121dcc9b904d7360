// SPDX-License-Identifier: Apache-2.0
// Separation in networks by largest flows (Dinic 1970): the cell moves by what flows back from one
// end of its arc to the other over the remaining arcs, whose capacities are the rooms. The nodes
// reached in the last search are one side of a smallest cut.
#include <algorithm>
#include <cmath>

#include "lacuna/lp.h"
#include "lacuna/tolerance.h"
#include "protect/interval/separator.h"

namespace lacuna::inline interval {
namespace {

class FlowSeparator final : public Separator {
 public:
  explicit FlowSeparator(const Model& model) : model_(model), network_(*model.network) {
    const std::size_t nodes = network_.nodes.size() + 1;
    ground_ = nodes - 1;
    arc_of_.assign(model.movable.size(), -1);
    std::vector<std::size_t> degree(nodes + 1, 0);
    for (const NetworkArc& arc : network_.arcs) {
      arc_of_[static_cast<std::size_t>(arc.cell.value)] = static_cast<std::int32_t>(arcs_.size());
      arcs_.push_back({node(arc.from), node(arc.to), arc.cell.value});
      ++degree[node(arc.from) + 1];
      ++degree[node(arc.to) + 1];
    }
    for (std::size_t n = 1; n <= nodes; ++n)
      degree[n] += degree[n - 1];
    start_ = degree;
    at_node_.resize(degree.back());
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      at_node_[degree[arcs_[a].from]++] = {a, true};
      at_node_[degree[arcs_[a].to]++] = {a, false};
    }
    flow_.assign(arcs_.size(), 0);
    depth_.assign(nodes, -1);
    next_.assign(nodes, 0);
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
    own_ = static_cast<std::size_t>(own);
    const Arc& arc = arcs_[own_];
    const std::size_t source = question.sign > 0 ? arc.to : arc.from;
    const std::size_t sink = question.sign > 0 ? arc.from : arc.to;
    const double limit = std::min(question.level, rooms_[end_of(question.cell, question.sign)]);
    double flow = source == sink ? limit : 0;
    bool blocked = false;
    zero_ = tol::kDecision * std::max(question.level, tol::kDecision);
    while (!blocked && flow < limit) {
      blocked = !search(source, sink);
      if (!blocked)
        flow += push_all(source, sink, limit - flow);
    }
    answer.reach = flow;
    answer.move = moved(question, flow);
    if (blocked)
      answer.multipliers = cut(components_[source == ground_ ? sink : source]);
    for (const std::size_t a : touched_)
      flow_[a] = 0;
    touched_.clear();
    return answer;
  }

 private:
  struct Arc {
    std::size_t from, to;
    std::int32_t cell;
  };
  struct Way {
    std::size_t arc;
    bool forward;
  };

  std::size_t node(std::int32_t n) const { return n < 0 ? ground_ : static_cast<std::size_t>(n); }

  // Nodes that hang together without the ground, which has no equation.
  void find_components() {
    components_.assign(depth_.size(), -1);
    std::int32_t count = 0;
    for (std::size_t root = 0; root < ground_; ++root) {
      if (components_[root] >= 0)
        continue;
      components_[root] = count;
      std::vector<std::size_t> queue{root};
      for (std::size_t head = 0; head < queue.size(); ++head) {
        for (std::size_t i = start_[queue[head]]; i < start_[queue[head] + 1]; ++i) {
          const std::size_t other = other_end(at_node_[i]);
          if (other != ground_ && components_[other] < 0) {
            components_[other] = count;
            queue.push_back(other);
          }
        }
      }
      ++count;
    }
  }

  std::size_t other_end(const Way& way) const {
    return way.forward ? arcs_[way.arc].to : arcs_[way.arc].from;
  }

  double residual(const Way& way) const {
    const double used = flow_[way.arc];
    return way.forward ? rooms_[end_of(arcs_[way.arc].cell, 1)] - used
                       : rooms_[end_of(arcs_[way.arc].cell, -1)] + used;
  }

  bool search(std::size_t source, std::size_t sink) {
    std::fill(depth_.begin(), depth_.end(), -1);
    depth_[source] = 0;
    queue_.assign(1, source);
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const std::size_t at = queue_[head];
      for (std::size_t i = start_[at]; i < start_[at + 1]; ++i) {
        if (at_node_[i].arc == own_)
          continue;
        const std::size_t next = other_end(at_node_[i]);
        if (depth_[next] >= 0 || residual(at_node_[i]) <= zero_)
          continue;
        depth_[next] = depth_[at] + 1;
        queue_.push_back(next);
      }
    }
    return depth_[sink] >= 0;
  }

  // A blocking flow along the layers of the last search, at most `most`.
  double push_all(std::size_t source, std::size_t sink, double most) {
    std::copy(start_.begin(), start_.end() - 1, next_.begin());
    double total = 0;
    path_.clear();
    std::size_t at = source;
    while (total < most) {
      if (at == sink) {
        total += push_path(most - total);
        path_.clear();
        at = source;
        continue;
      }
      bool advanced = false;
      for (; next_[at] < start_[at + 1]; ++next_[at]) {
        const Way& way = at_node_[next_[at]];
        const std::size_t next = other_end(way);
        if (way.arc != own_ && depth_[next] == depth_[at] + 1 && residual(way) > zero_) {
          path_.push_back(way);
          at = next;
          advanced = true;
          break;
        }
      }
      if (advanced)
        continue;
      if (path_.empty())
        break;
      const Way back = path_.back();
      path_.pop_back();
      at = back.forward ? arcs_[back.arc].from : arcs_[back.arc].to;
      ++next_[at];
    }
    return total;
  }

  double push_path(double most) {
    double amount = most;
    for (const Way& way : path_)
      amount = std::min(amount, residual(way));
    for (const Way& way : path_) {
      if (flow_[way.arc] == 0)
        touched_.push_back(way.arc);
      flow_[way.arc] += way.forward ? amount : -amount;
    }
    return amount;
  }

  Move moved(const Probe& question, double flow) {
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    Move move;
    if (flow > 0)
      move.emplace_back(question.cell, question.sign * flow);
    for (const std::size_t a : touched_) {
      if (std::abs(flow_[a]) > 0)
        move.emplace_back(arcs_[a].cell, flow_[a]);
    }
    std::sort(move.begin(), move.end());
    return move;
  }

  // Reached nodes have potential 1, the others 0, moved so that the ground stands at 0.
  std::vector<std::pair<EquationId, double>> cut(std::int32_t component) const {
    const double ground = depth_[ground_] >= 0 ? 1 : 0;
    std::vector<std::pair<EquationId, double>> multipliers;
    for (std::size_t n = 0; n < ground_; ++n) {
      const double potential = (depth_[n] >= 0 ? 1 : 0) - ground;
      if (potential != 0 && components_[n] == component)
        multipliers.emplace_back(network_.nodes[n], potential * network_.node_sign[n]);
    }
    return multipliers;
  }

  const Model& model_;
  const Network& network_;
  std::size_t ground_ = 0, own_ = 0;
  double zero_ = 0;  // capacity below this is none
  std::vector<Arc> arcs_;
  std::vector<std::int32_t> arc_of_;  // by cell
  std::vector<std::size_t> start_;    // by node, into at_node_
  std::vector<Way> at_node_;
  std::vector<std::int32_t> components_, depth_;
  std::vector<std::size_t> next_, queue_, touched_;
  std::vector<Way> path_;
  std::vector<double> rooms_, flow_;
};

}  // namespace

std::unique_ptr<Separator> make_flow_separator(const Model& model) {
  return std::make_unique<FlowSeparator>(model);
}

}  // namespace lacuna::inline interval
