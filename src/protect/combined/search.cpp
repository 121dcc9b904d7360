// SPDX-License-Identifier: Apache-2.0
#include "protect/combined/search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/work.h"
#include "protect/combined/tuning.h"

namespace lacuna::combined {
namespace {

double width(const Point& point, std::size_t cell) {
  return point.z[2 * cell] + point.z[2 * cell + 1];
}

}  // namespace

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
         std::any_of(prices_.conditional_need.begin(),
                     prices_.conditional_need.end(),
                     [](std::int32_t need) { return need >= 0; });
}

RunContext Search::part_of_work(const RunContext& run) {
  return base::share_of_work(run, kTuning.search.heuristic_share);
}

// Slacks that meet the requirements, as a solution; limits that the heuristic does not know are
// seen to by the relaxation with exactly these cells open.
void Search::offer_slacks(std::vector<double> z, const RunContext& run) {
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
    // Where no slack is known a width may be there without its cell being open.
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

NodeOutcome Search::work_on(Node& node, std::size_t, const RunContext& run) {
  apply(node);
  for (Depth depth = Depth::kQuick;; depth = Depth::kFull) {
    Point point;
    const Solved solved = relaxation_.solve(depth, cutoff(), run, point);
    if (solved.status == LpStatus::kInfeasible)
      return {};
    if (solved.status != LpStatus::kOptimal)
      return {true, -1, 0};  // not settled
    node.bound = std::max(node.bound, solved.cost);
    if (node.bound >= cutoff())
      return {};
    const std::int32_t cell = branching_cell(point);
    if (cell >= 0)
      return {true, cell, point.x[static_cast<std::size_t>(cell)]};
    if (depth == Depth::kFull) {
      if (!solved.all_met)
        return {true, -1, 0};  // stopped
      for (double& x : point.x)
        x = std::round(x);
      offer(point);
      return {};
    }
  }
}

branching::NodeFate Search::merge(Node& node, NodeOutcome outcome) {
  if (!outcome.split)
    return branching::NodeFate::kDone;
  if (outcome.cell < 0)
    return branching::NodeFate::kEnds;  // stopped, or an LP without answer: the node stays open
  const bool first = outcome.value > 0.5;
  Node other = node;
  other.fixed.emplace_back(outcome.cell, !first);
  tree_.open(std::move(other));
  node.fixed.emplace_back(outcome.cell, first);
  tree_.go_on_with(std::move(node));
  return branching::NodeFate::kDone;
}

// What was pruned may cost no more than the cutoff.
void Search::after_batch(const RunContext& run) {
  tree_.prune(cutoff());
  raise_bound(std::min({result_.cost, cutoff(), tree_.bound()}));
  if (run.on_progress)
    run.on_progress({"branch and cut", 0, result_.cost, result_.bound});
}

void Search::tree(const RunContext& run) {
  Node root;
  root.bound = result_.bound;
  tree_.go_on_with(std::move(root));
  tree_.run(*this, -1, run);
  if (tree_.nothing_open() && !result_.found)
    result_.why = StopReason::kInfeasible;
}

void Search::raise_bound(double bound) {
  result_.bound = std::max(result_.bound, bound);
}

SearchResult Search::run(std::vector<double> slacks, double bound, const RunContext& run) {
  shut_.assign(prices_.fixed.size(), false);
  raise_bound(bound);
  offer_slacks(std::move(slacks), run);
  offer_slacks(heuristic_.scale_slopes({}, prices_.choice, part_of_work(run)), run);
  if (result_.found)
    relaxation_.tighten_slacks(result_.cost);
  Point point;
  const Solved root = relaxation_.solve(Depth::kQuick, cutoff(), run, point);
  if (root.status == LpStatus::kInfeasible) {
    // With intervals at hand the slacks are cut to what could cost less, and an LP without a point
    // says no more than that there is nothing cheaper; it is no proof, as its numbers are rounded.
    result_.why = result_.found ? ended_by(run) : StopReason::kInfeasible;
    return result_;
  }
  raise_bound(root.cost);  // of the last LP that was solved
  if (root.status == LpStatus::kOptimal) {
    if (!reached()) {
      const RunContext part = part_of_work(run);
      offer_slacks(heuristic_.scale_slopes(point.z, prices_.choice, part), part);
      if (!reached() && result_.found)
        offer_slacks(heuristic_.close_intervals(result_.best.z, part), part);
    }
    if (!reached()) {
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
  if (result_.why == StopReason::kWork) {
    result_.why = gap_.why(result_.cost, result_.bound, run);
    if (tree_.begun() && tree_.nothing_open())
      result_.bound = gap_.settled(result_.cost, result_.bound);
  }
  return result_;
}

}  // namespace lacuna::combined
