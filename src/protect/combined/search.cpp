// SPDX-License-Identifier: Apache-2.0
#include "protect/combined/search.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>

#include "base/work.h"
#include "protect/combined/tuning.h"

namespace lacuna::inline combined {
namespace {

double width(const Point& point, std::size_t cell) {
  return point.z[2 * cell] + point.z[2 * cell + 1];
}

}  // namespace

double Search::cutoff() const {
  const double gap = std::max(relative_gap_, kTuning.rounding);
  return std::isfinite(result_.cost) ? result_.cost * (1 - gap) : kLpInfinity;
}

bool Search::closed() const {
  return result_.found && result_.bound >= cutoff();
}

bool Search::is_choice(std::size_t cell) const {
  return prices_.choice[cell] && !shut_[cell] &&
         model_.problem->table().cells()[cell].status != CellStatus::kPrimary;
}

double Search::cost_of(const Point& point) const {
  double total = model_.cost(point.z);
  for (std::size_t c = 0; c < prices_.fixed.size(); ++c) {
    if (prices_.choice[c] && point.x[c] > 0.5)
      total += prices_.fixed[c];
  }
  return total;
}

void Search::offer(const Point& point) {
  const double cost = cost_of(point);
  if (cost >= result_.cost)
    return;
  result_.cost = cost;
  result_.best = point;
  result_.found = true;
}

void Search::open_all() {
  for (std::size_t c = 0; c < shut_.size(); ++c) {
    if (prices_.choice[c] && model_.problem->table().cells()[c].status != CellStatus::kPrimary)
      relaxation_.set_range(static_cast<std::int32_t>(c), 0, shut_[c] ? 0 : 1);
  }
  applied_.clear();
}

void Search::apply(const Node& node) {
  for (const std::int32_t cell : applied_)
    relaxation_.set_range(cell, 0, shut_[static_cast<std::size_t>(cell)] ? 0 : 1);
  applied_.clear();
  for (const auto& [cell, open] : node.fixed) {
    relaxation_.set_range(cell, open ? 1 : 0, open ? 1 : 0);
    applied_.push_back(cell);
  }
}

// The best intervals with exactly these cells open; cells that stay shut are given up.
bool Search::try_pattern(const std::vector<bool>& open, const RunContext& run) {
  for (std::size_t c = 0; c < open.size(); ++c) {
    if (is_choice(c))
      relaxation_.set_range(static_cast<std::int32_t>(c), open[c] ? 1 : 0, open[c] ? 1 : 0);
  }
  Point point;
  const Solved solved = relaxation_.solve(Depth::kFull, cutoff(), run, point);
  const bool good = solved.status == LpStatus::kOptimal && solved.all_met;
  if (good) {
    for (std::size_t c = 0; c < open.size(); ++c) {
      if (is_choice(c) && point.x[c] > 0.5 && width(point, c) == 0)
        point.x[c] = 0;
    }
    offer(point);
  }
  return good;
}

bool Search::has_limits() const {
  const auto positive = [](auto value) { return value > 0; };
  return prices_.most_intervals >= 0 ||
         std::any_of(prices_.least_width.begin(), prices_.least_width.end(), positive) ||
         std::any_of(prices_.conditional_goal.begin(),
                     prices_.conditional_goal.end(),
                     [](std::int32_t goal) { return goal >= 0; });
}

RunContext Search::part_of_work(const RunContext& run) {
  return share_of_work(run, kTuning.search.heuristic_share);
}

// Rooms that meet the requirements, as a solution; limits that the heuristic does not know are seen
// to by the relaxation with exactly these cells open.
void Search::offer_rooms(std::vector<double> z, const RunContext& run) {
  if (z.empty())
    return;
  Point point;
  point.x.assign(shut_.size(), 0);
  for (std::size_t c = 0; c < shut_.size(); ++c)
    point.x[c] = prices_.choice[c] && (!is_choice(c) || z[2 * c] + z[2 * c + 1] > 0) ? 1 : 0;
  point.z = std::move(z);
  if (!has_limits()) {
    offer(point);
    return;
  }
  std::vector<bool> open(shut_.size(), false);
  for (std::size_t c = 0; c < open.size(); ++c)
    open[c] = point.x[c] > 0;
  try_pattern(open, run);
  open_all();
}

// Opening the cell alone would pass what the best solution costs.
void Search::fix_by_reduced_cost(double bound) {
  if (!result_.found)
    return;
  const std::vector<double> reduced = relaxation_.reduced_costs();
  for (std::size_t c = 0; c < shut_.size(); ++c) {
    if (is_choice(c) && bound + reduced[c] > result_.cost * (1 + kTuning.search.integral))
      shut_[c] = true;
  }
  open_all();
}

std::int32_t Search::branching_cell(const Point& point) const {
  std::int32_t best = -1;
  double score = 0;
  for (std::size_t c = 0; c < shut_.size(); ++c) {
    if (!is_choice(c))
      continue;
    double away = std::min(point.x[c], 1 - point.x[c]);
    // Where no room is known a width may be there without its cell being open.
    if (point.x[c] <= kTuning.search.integral && width(point, c) > kTuning.search.integral)
      away = std::max(away, width(point, c) / (1 + width(point, c)) / 2);
    if (away <= kTuning.search.integral)
      continue;
    const double own = away * (prices_.fixed[c] + kTuning.search.integral);
    if (own > score) {
      score = own;
      best = static_cast<std::int32_t>(c);
    }
  }
  return best;
}

// True if the node has to be split on `cell`, whose value there is `value`.
bool Search::process(Node& node, const RunContext& run, std::int32_t& cell, double& value) {
  ++nodes_;
  apply(node);
  for (Depth depth = Depth::kQuick;; depth = Depth::kFull) {
    Point point;
    const Solved solved = relaxation_.solve(depth, cutoff(), run, point);
    if (solved.status == LpStatus::kInfeasible)
      return false;
    if (solved.status != LpStatus::kOptimal) {
      cell = -1;
      return true;  // not settled
    }
    node.bound = std::max(node.bound, solved.cost);
    if (node.bound >= cutoff())
      return false;
    cell = branching_cell(point);
    if (cell >= 0) {
      value = point.x[static_cast<std::size_t>(cell)];
      return true;
    }
    if (depth == Depth::kFull) {
      if (!solved.all_met)
        return true;  // stopped
      for (double& x : point.x)
        x = std::round(x);
      offer(point);
      return false;
    }
  }
}

void Search::tree(const RunContext& run) {
  const auto worse = [](const Node& a, const Node& b) { return a.bound > b.bound; };
  std::priority_queue<Node, std::vector<Node>, decltype(worse)> open(worse);
  std::optional<Node> current = Node{{}, result_.bound};
  const auto update_bound = [&] {
    double least = std::min(result_.cost, cutoff());  // what was pruned may cost no more than that
    if (current)
      least = std::min(least, current->bound);
    if (!open.empty())
      least = std::min(least, open.top().bound);
    result_.bound = std::max(result_.bound, least);
  };
  while (!run.should_stop()) {
    if (!current) {
      if (open.empty() || open.top().bound >= cutoff())
        break;
      current = open.top();
      open.pop();
    }
    std::int32_t cell = -1;
    double value = 0;
    const bool split = process(*current, run, cell, value);
    if (split && cell < 0)
      break;  // stopped, or an LP without answer: the node stays open
    if (split) {
      Node other = *current;
      const bool first = value > 0.5;
      current->fixed.emplace_back(cell, first);
      other.fixed.emplace_back(cell, !first);
      open.push(std::move(other));
    } else {
      current.reset();
    }
    update_bound();
    if (run.on_progress)
      run.on_progress({"branch and cut", 0, result_.cost, result_.bound});
    if (closed())
      break;
  }
  if (!current && (open.empty() || open.top().bound >= cutoff())) {
    result_.bound =
        result_.found ? std::max(result_.bound, std::min(result_.cost, cutoff())) : result_.bound;
    result_.why = !result_.found      ? StopReason::kInfeasible
                  : relative_gap_ > 0 ? StopReason::kGapReached
                                      : StopReason::kOptimal;
    if (result_.found && relative_gap_ == 0)
      result_.bound = result_.cost;
  }
}

void Search::raise_bound(double bound) {
  result_.bound = std::max(result_.bound, bound);
}

SearchResult Search::run(std::vector<double> rooms, double bound, const RunContext& run) {
  shut_.assign(prices_.fixed.size(), false);
  raise_bound(bound);
  offer_rooms(std::move(rooms), run);
  offer_rooms(heuristic_.scale_slopes({}, prices_.choice, part_of_work(run)), run);
  if (result_.found)
    relaxation_.tighten_rooms(result_.cost);
  Point point;
  const Solved root = relaxation_.solve(Depth::kQuick, cutoff(), run, point);
  if (root.status == LpStatus::kInfeasible) {
    // With intervals at hand the rooms are cut to what could cost less, and an LP without a point
    // says no more than that there is nothing cheaper; it is no proof, as its numbers are rounded.
    result_.why = result_.found ? ended_by(run) : StopReason::kInfeasible;
    return result_;
  }
  raise_bound(root.cost);  // of the last LP that was solved
  if (root.status == LpStatus::kOptimal) {
    if (!closed()) {
      const RunContext part = part_of_work(run);
      offer_rooms(heuristic_.scale_slopes(point.z, prices_.choice, part), part);
      if (!closed() && result_.found)
        offer_rooms(heuristic_.close_intervals(result_.best.z, part), part);
    }
    if (!closed()) {
      const Solved again = relaxation_.solve(Depth::kQuick, cutoff(), run, point);
      if (again.status == LpStatus::kOptimal) {
        result_.bound = std::max(result_.bound, again.cost);
        fix_by_reduced_cost(again.cost);
        if (result_.found)
          relaxation_.tighten_by_reduced_costs(again.cost, result_.cost);
        tree(run);
      } else if (again.status == LpStatus::kInfeasible && !result_.found) {
        result_.why = StopReason::kInfeasible;
      }
    }
  }
  if (result_.why == StopReason::kWork && closed()) {
    const bool met = result_.cost - result_.bound <= kTuning.rounding * result_.cost;
    result_.why = met ? StopReason::kOptimal : StopReason::kGapReached;
  }
  if (result_.why == StopReason::kWork)
    result_.why = ended_by(run);
  return result_;
}

}  // namespace lacuna::inline combined
