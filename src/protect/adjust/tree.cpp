// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/tree.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "lacuna/tolerance.h"

namespace lacuna::adjustment {

Tree::Tree(const Part& part, AdjustNorm norm, const TreeOptions& options)
    : solver_(part, norm, options),
      root_(solver_),
      open_({branching::NodeOrder::kLeastBound, solver_.options().batch}) {}

double Tree::bound() const {
  if (!root_.begun())
    return 0;
  const double least = root_.passed() ? open_.bound() : root_.node().bound;
  return std::max(0.0, std::min(least, cost()));
}

bool Tree::gap_closed() const {
  return has_incumbent() && solver_.gap().reached(cost(), bound());
}

bool Tree::decide_by_multipliers(Senses& senses,
                                 const Point& point,
                                 const InteriorPoint& method) const {
  for (std::size_t s = 0; s < senses.size(); ++s) {
    if (senses[s] != Sense::kUndecided)
      continue;
    const std::int32_t cell = method.part().sensitive[s];
    const bool up_closed = method.bound_if(cell, Sense::kUp, point) >= solver_.cutoff();
    const bool down_closed = method.bound_if(cell, Sense::kDown, point) >= solver_.cutoff();
    if (up_closed && down_closed)
      return false;
    if (up_closed)
      senses[s] = Sense::kDown;
    else if (down_closed)
      senses[s] = Sense::kUp;
  }
  return true;
}

// All senses decided: the exact problem of this pattern (and of its mirror image) bounds the node.
void Tree::finish_leaf(const Node& node,
                       InteriorPoint& full,
                       NodeOutcome& outcome,
                       const RunContext& run) const {
  PointOptions exact;
  exact.precision = solver_.options().pruning_share * solver_.options().gap * 0.1;
  exact.cutoff = solver_.cutoff();
  double least = kInfinity;
  for (const Senses& senses :
       {node.senses, solver_.is_symmetric() ? solver_.mirrored(node.senses) : node.senses}) {
    const Point point = solver_.solve_plain(full, senses, exact, run);
    outcome.steps += point.steps;
    ++outcome.relaxations;
    least = std::min(least, std::max(point.bound, node.bound));
    if (!solver_.is_symmetric())
      break;
  }
  outcome.candidates.push_back(node.senses);
  outcome.closed_bound = std::min(outcome.closed_bound, least);
}

NodeOutcome Tree::work_on(Node& node, std::size_t lane, const RunContext& run) {
  InteriorPoint& full = solver_.worker(lane);
  NodeOutcome outcome;
  if (node.bound >= solver_.cutoff()) {
    outcome.closed_bound = node.bound;
    return outcome;
  }
  if (!any_open(node.senses)) {
    finish_leaf(node, full, outcome, run);
    return outcome;
  }
  Node here = node;
  if (here.form && here.depth - here.renewed >= solver_.options().renew_depth) {
    here.form = root_.make_form(here.senses, run);
    here.renewed = here.depth;
  }
  InteriorPoint dense(here.form ? here.form->part : solver_.reachable(),
                      solver_.norm(),
                      here.form ? make_dense_system(here.form->form) : nullptr);
  InteriorPoint& method = here.form ? dense : full;
  PointOptions options;
  options.precision = solver_.options().gap * 0.05;
  options.cutoff = solver_.cutoff();
  const Point point = here.form ? dense.solve(here.senses, options, run)
                                : solver_.solve_plain(full, here.senses, options, run);
  outcome.steps += point.steps;
  ++outcome.relaxations;
  here.bound = std::max(here.bound, point.bound);
  if (!here.form && here.bound < solver_.cutoff())
    here.bound =
        std::max(here.bound,
                 point.bound + root_.extra_of_blocks(here.senses, point, kTuning.block.nodes, run));
  Senses senses = here.senses;
  if (here.bound >= solver_.cutoff() || !decide_by_multipliers(senses, point, method)) {
    outcome.closed_bound = std::max(here.bound, solver_.cutoff());
    return outcome;
  }
  if (root_.search()) {  // in turn from this relaxation and from the best table
    base::Random random(run.seed + static_cast<std::uint64_t>(node.number));
    const bool from_best = node.number % 2 == 1 && solver_.best().found();
    const Senses rounded =
        from_best ? solver_.best().senses
                  : nearer_sides(solver_.part(), of_sensitive(point.v, method.part()), senses);
    const auto moves = static_cast<std::int64_t>(senses.size()) * (from_best ? 8 : 2);
    outcome.candidates.push_back(
        root_.search()->improve(rounded, moves, random, with_work(run, kTuning.sense.work)));
  }
  branch(here, std::move(senses), point, method, full, outcome, run);
  return outcome;
}

// Open cells by falling product of the estimated raises of the bound; those in the middle of
// their interval first.
std::vector<std::int32_t> Tree::best_to_branch(const Senses& senses,
                                               const Point& point,
                                               InteriorPoint& method,
                                               std::size_t count) const {
  std::vector<std::pair<double, std::int32_t>> open;
  for (std::size_t s = 0; s < senses.size(); ++s) {
    if (senses[s] != Sense::kUndecided)
      continue;
    const PartCell& cell = sensitive_cell(solver_.part(), s);
    const PartCell& shown = sensitive_cell(method.part(), s);
    const double v = point.v[method.part().sensitive[s]];
    const double up = std::max(0.0, cell.up - v);
    const double down = std::max(0.0, v + cell.down);
    const double loss = solver_.norm() == AdjustNorm::kL2 ? shown.weight * up * down
                                                          : shown.weight * std::min(up, down);
    open.push_back({-loss, static_cast<std::int32_t>(s)});
  }
  std::sort(open.begin(), open.end());
  open.resize(std::min(open.size(), kTuning.tree.most_estimates));
  for (auto& [score, s] : open) {
    const PartCell& cell = sensitive_cell(solver_.part(), static_cast<std::size_t>(s));
    const std::int32_t i = method.part().sensitive[static_cast<std::size_t>(s)];
    const double give = std::max(method.compliance(i), tol::kRounding);
    const double up = std::max(0.0, cell.up - point.v[i]);
    const double down = std::max(0.0, point.v[i] + cell.down);
    score = -(up * up / give) * (down * down / give);
  }
  std::sort(open.begin(), open.end());
  std::vector<std::int32_t> best;
  for (std::size_t i = 0; i < std::min(open.size(), std::max<std::size_t>(1, count)); ++i)
    best.push_back(open[i].second);
  return best;
}

void Tree::branch(const Node& node,
                  Senses senses,
                  const Point& point,
                  InteriorPoint& method,
                  InteriorPoint& full,
                  NodeOutcome& outcome,
                  const RunContext& run) const {
  const auto child_of = [&](std::int32_t s, Sense sense, double bound) {
    Node child = node;
    child.senses = senses;
    if (s >= 0)
      child.senses[static_cast<std::size_t>(s)] = sense;
    child.bound = std::max(node.bound, bound);
    child.depth = node.depth + 1;
    return child;
  };
  if (!any_open(senses)) {
    finish_leaf(child_of(-1, Sense::kUndecided, node.bound), full, outcome, run);
    return;
  }
  const int tried = node.depth <= solver_.options().tried_depth ? solver_.options().tried
                                                                : solver_.options().tried / 3;
  const auto choices =
      best_to_branch(senses, point, method, static_cast<std::size_t>(std::max(1, tried)));
  PointOptions trial;
  trial.precision = solver_.options().gap;
  trial.cutoff = solver_.cutoff();
  double best_score = -1;
  std::vector<Node> best;
  for (const std::int32_t s : choices) {
    std::vector<Node> pair;
    double score = 1;
    for (const Sense sense : {Sense::kUp, Sense::kDown}) {
      Node child = child_of(s, sense, node.bound);
      if (choices.size() > 1) {
        const Point tested = node.form ? method.solve(child.senses, trial, run)
                                       : solver_.solve_plain(full, child.senses, trial, run);
        outcome.steps += tested.steps;
        ++outcome.relaxations;
        child.bound = std::max(child.bound, tested.bound);
      }
      score *= std::max(child.bound - node.bound, tol::kDual * node.bound);
      if (child.bound < solver_.cutoff())
        pair.push_back(std::move(child));
      else
        outcome.closed_bound = std::min(outcome.closed_bound, child.bound);
    }
    if (pair.size() < 2) {  // one side is closed: no branch is needed
      outcome.children = std::move(pair);
      return;
    }
    if (score <= best_score)
      continue;
    best_score = score;
    best = std::move(pair);
  }
  outcome.children = std::move(best);
}

void Tree::run(std::int64_t more_nodes, const RunContext& run) {
  if (!root_.passed()) {
    root_.run(run);
    if (!root_.passed())
      return;
    open_.open(root_.node());
  }
  if (solver_.is_large()) {
    given_up_ = true;
    return;
  }
  if (!gap_closed())
    open_.run(*this, more_nodes, run);
}

void Tree::before_merge(std::size_t, const RunContext& run) {
  unfinished_ = run.should_stop();  // half-done work proves nothing
  candidates_.clear();
}

branching::NodeFate Tree::merge(Node&, NodeOutcome outcome) {
  if (unfinished_)
    return branching::NodeFate::kReturns;
  open_.close(outcome.closed_bound);
  solver_.count(outcome.steps, outcome.relaxations);
  for (Node& child : outcome.children)
    open_.open(std::move(child));
  candidates_.insert(candidates_.end(), outcome.candidates.begin(), outcome.candidates.end());
  return branching::NodeFate::kDone;
}

void Tree::after_batch(const RunContext& run) {
  if (!unfinished_)
    solver_.evaluate(candidates_, solver_.options().start_precision, run);
}

}  // namespace lacuna::adjustment
