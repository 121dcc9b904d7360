// SPDX-License-Identifier: Apache-2.0
// A largest flow from a source to a sink of a network whose arcs carry something in both
// directions, by Dinic (1970): layers of nodes by distance from the source, and shortest paths
// along them until none is left. Amounts are a type of the caller's: whole numbers are exact,
// doubles ignore what is at most `zero`. Only nodes that a search reaches are looked at, so that
// pushes in a large network cost what their surroundings cost. The nodes reached in the last, vain
// search are the smallest source side of all smallest cuts, whatever paths were taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/base/work.h"

namespace lacuna::flow {

struct FlowArc {
  std::int32_t from = 0, to = 0;
};

struct FlowStep {
  std::int32_t arc = -1;
  bool forward = false;
};

enum class FlowEnding : std::uint8_t {
  kLimit,    // all that was asked for
  kBlocked,  // no more: reached() is one side of a smallest cut
  kEndless,  // path() carries any amount
};

template <class Amount>
class LargestFlow {
 public:
  // `no_limit`: the amount that stands for a capacity or a limit without end.
  LargestFlow(std::int32_t nodes, std::vector<FlowArc> arcs, Amount no_limit);

  // From the source to another node, the sink, by at most `limit`, and not over the arc `without`.
  // `slack(arc, forward)`: what the arc carries along and against its direction. Forgets the last
  // push.
  template <class Slack>
  FlowEnding push(std::int32_t source,
                  std::int32_t sink,
                  std::int32_t without,
                  Amount limit,
                  Amount zero,
                  const Slack& slack);

  void forget();  // the last push
  Amount total() const { return total_; }
  Amount flow(std::int32_t arc) const { return flow_[at(arc)]; }   // along the arc
  const std::vector<std::int32_t>& used() const { return used_; }  // arcs that carried something
  bool reached(std::int32_t node) const { return mark_[at(node)] == round_; }
  const std::vector<FlowStep>& path() const { return path_; }  // from the source on
  const FlowArc& arc(std::int32_t arc) const { return arcs_[at(arc)]; }
  std::span<const FlowStep> steps_at(std::int32_t node) const {
    return {steps_.data() + start_[at(node)], start_[at(node) + 1] - start_[at(node)]};
  }
  std::int32_t end_of(const FlowStep& step) const {
    return step.forward ? arcs_[at(step.arc)].to : arcs_[at(step.arc)].from;
  }

 private:
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  template <class Slack>
  Amount residual(const FlowStep& step, const Slack& slack) const;
  template <class Slack>
  FlowEnding push_all(std::int32_t source, std::int32_t sink, Amount limit, const Slack& slack);
  template <class Slack>
  bool make_layers(std::int32_t source, std::int32_t sink, const Slack& slack);
  template <class Slack>
  bool next_path(std::int32_t source, std::int32_t sink, const Slack& slack);

  std::vector<FlowArc> arcs_;
  Amount no_limit_;
  std::vector<std::size_t> start_;  // by node, into steps_
  std::vector<FlowStep> steps_;
  std::vector<Amount> flow_;
  std::vector<std::int32_t> used_;
  std::vector<std::uint8_t> is_used_;
  std::vector<std::int64_t> mark_;  // by node: the round that reached it last
  std::vector<std::int32_t> depth_, queue_;
  std::vector<std::size_t> next_;  // by node: the step to try next
  std::vector<FlowStep> path_;
  std::int64_t round_ = 0;
  std::int64_t looked_at_ = 0;  // steps, in the last push
  std::int32_t without_ = -1;
  Amount total_{}, zero_{};
};

template <class Amount>
LargestFlow<Amount>::LargestFlow(std::int32_t nodes, std::vector<FlowArc> arcs, Amount no_limit)
    : arcs_(std::move(arcs)),
      no_limit_(no_limit),
      start_(at(nodes) + 1, 0),
      steps_(2 * arcs_.size()),
      flow_(arcs_.size(), Amount{}),
      is_used_(arcs_.size(), 0),
      mark_(at(nodes), -1),
      depth_(at(nodes), 0),
      next_(at(nodes), 0) {
  for (const FlowArc& arc : arcs_) {
    ++start_[at(arc.from) + 1];
    ++start_[at(arc.to) + 1];
  }
  for (std::size_t n = 1; n < start_.size(); ++n)
    start_[n] += start_[n - 1];
  std::vector<std::size_t> place(start_.begin(), start_.end() - 1);
  for (std::size_t a = 0; a < arcs_.size(); ++a) {
    steps_[place[at(arcs_[a].from)]++] = {static_cast<std::int32_t>(a), true};
    steps_[place[at(arcs_[a].to)]++] = {static_cast<std::int32_t>(a), false};
  }
}

template <class Amount>
void LargestFlow<Amount>::forget() {
  for (const std::int32_t arc : used_) {
    flow_[at(arc)] = Amount{};
    is_used_[at(arc)] = 0;
  }
  used_.clear();
  path_.clear();
  total_ = Amount{};
}

template <class Amount>
template <class Slack>
Amount LargestFlow<Amount>::residual(const FlowStep& step, const Slack& slack) const {
  const Amount all = slack(step.arc, step.forward);
  if (all == no_limit_)
    return all;
  return step.forward ? all - flow_[at(step.arc)] : all + flow_[at(step.arc)];
}

// Distances from the source, as far as the sink; false if it is cut off.
template <class Amount>
template <class Slack>
bool LargestFlow<Amount>::make_layers(std::int32_t source, std::int32_t sink, const Slack& slack) {
  ++round_;
  mark_[at(source)] = round_;
  depth_[at(source)] = 0;
  next_[at(source)] = start_[at(source)];
  queue_.assign(1, source);
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const std::int32_t node = queue_[head];
    looked_at_ += std::ssize(steps_at(node));
    for (const FlowStep& step : steps_at(node)) {
      const std::int32_t next = end_of(step);
      if (step.arc == without_ || mark_[at(next)] == round_ || !(residual(step, slack) > zero_))
        continue;
      mark_[at(next)] = round_;
      depth_[at(next)] = depth_[at(node)] + 1;
      next_[at(next)] = start_[at(next)];
      if (next == sink)
        return true;
      queue_.push_back(next);
    }
  }
  return false;
}

// A path along the layers, each arc looked at once per round.
template <class Amount>
template <class Slack>
bool LargestFlow<Amount>::next_path(std::int32_t source, std::int32_t sink, const Slack& slack) {
  path_.clear();
  std::int32_t node = source;
  while (node != sink) {
    bool advanced = false;
    ++looked_at_;
    for (; next_[at(node)] < start_[at(node) + 1] && !advanced; ++next_[at(node)]) {
      const FlowStep& step = steps_[next_[at(node)]];
      const std::int32_t next = end_of(step);
      if (step.arc == without_ || !reached(next) || depth_[at(next)] != depth_[at(node)] + 1 ||
          !(residual(step, slack) > zero_))
        continue;
      path_.push_back(step);
      advanced = true;
      break;  // the step is tried again while it carries more
    }
    if (advanced) {
      node = end_of(path_.back());
      continue;
    }
    if (path_.empty())
      return false;
    const FlowStep back = path_.back();
    path_.pop_back();
    node = back.forward ? arcs_[at(back.arc)].from : arcs_[at(back.arc)].to;
    ++next_[at(node)];
  }
  return true;
}

template <class Amount>
template <class Slack>
FlowEnding LargestFlow<Amount>::push(std::int32_t source,
                                     std::int32_t sink,
                                     std::int32_t without,
                                     Amount limit,
                                     Amount zero,
                                     const Slack& slack) {
  constexpr std::int64_t kStep = 8;  // nanoseconds
  forget();
  without_ = without;
  zero_ = zero;
  looked_at_ = 0;
  const FlowEnding ending = push_all(source, sink, limit, slack);
  base::count_work(kStep * looked_at_);
  return ending;
}

template <class Amount>
template <class Slack>
FlowEnding LargestFlow<Amount>::push_all(std::int32_t source,
                                         std::int32_t sink,
                                         Amount limit,
                                         const Slack& slack) {
  while (limit == no_limit_ || limit - total_ > zero_) {
    if (!make_layers(source, sink, slack))
      return FlowEnding::kBlocked;
    while ((limit == no_limit_ || limit - total_ > zero_) && next_path(source, sink, slack)) {
      Amount amount = limit == no_limit_ ? limit : limit - total_;
      for (const FlowStep& step : path_) {
        const Amount left = residual(step, slack);
        if (left != no_limit_ && (amount == no_limit_ || left < amount))
          amount = left;
      }
      if (amount == no_limit_)
        return FlowEnding::kEndless;
      for (const FlowStep& step : path_) {
        if (is_used_[at(step.arc)] == 0)
          used_.push_back(step.arc);
        is_used_[at(step.arc)] = 1;
        flow_[at(step.arc)] += step.forward ? amount : -amount;
      }
      total_ += amount;
    }
  }
  return FlowEnding::kLimit;
}

}  // namespace lacuna::flow
