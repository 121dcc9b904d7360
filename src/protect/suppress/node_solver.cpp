// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/node_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>

#include "core/base/index.h"
#include "lacuna/tolerance.h"
#include "protect/suppress/tuning.h"

namespace lacuna::suppression {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Keeps what is not known to the outcome yet, in it and as rows.
void add_new(std::vector<suppression_model::Cut> cuts,
             NodeOutcome& outcome,
             std::vector<suppression_model::SharedCut>& rows) {
  std::unordered_set<std::size_t> known;
  for (const suppression_model::Cut& cut : outcome.cuts)
    known.insert(suppression_model::hash_of(cut));
  for (suppression_model::Cut& cut : cuts) {
    if (!known.insert(suppression_model::hash_of(cut)).second)
      continue;
    rows.push_back(std::make_shared<const suppression_model::Cut>(cut));
    outcome.cuts.push_back(std::move(cut));
  }
}

}  // namespace

NodeSolver::NodeSolver(TreeState& state, std::size_t lane)
    : state_(state),
      lane_(lane),
      master_(std::make_unique<suppression_model::Master>(state.model(), state.options().engine)) {}

// All cuts that are rows, and the decisions on the path up to the root.
void NodeSolver::begin_at(const Node& node) {
  master_->match(state_.cuts().pool.rows());
  state_.columns().give_to(*master_);
  for (const Path* path = node.path.get(); path != nullptr; path = path->above.get()) {
    for (const Decision& decision : path->decisions) {
      const double value = decision.withheld ? 1 : 0;
      master_->set_bounds(decision.column, value, value);
    }
  }
  if (node.start)
    master_->begin_at(*node.start);
}

// Adds violated cuts to the master; false if there are none. Pool and equations are asked first,
// attacker problems where these have nothing, the audit where nothing cuts off an integer point.
bool NodeSolver::separate(std::size_t round, NodeOutcome& outcome, const RunContext& run) {
  const std::vector<double>& x = master_->x();
  Cuts& known = state_.cuts();
  std::vector<suppression_model::SharedCut> rows = known.pool.violated(x, kTuning.tree.pool_cuts);
  std::vector<suppression_model::Cut> cuts = known.separator.from_equations(x);
  keep_most_violated(cuts, x, kTuning.tree.pool_cuts);
  const bool integer = is_integer(x);
  if (rows.empty() && cuts.empty() && (integer || round < kTuning.tree.node_rounds)) {
    suppression_model::Separator::Limits limits;
    limits.cuts = kTuning.tree.node_cuts;
    cuts = known.separator.from_attackers(lane_, x, limits, run);
  }
  add_new(std::move(cuts), outcome, rows);
  if (rows.empty() && integer && !run.should_stop()) {
    PatternCheck::Outcome verdict = known.check.check(pattern_of(x), run);
    if (passes(verdict.verdict)) {
      outcome.patterns.push_back(pattern_of(x));
      outcome.witnesses = std::move(verdict.witnesses);
    }
    for (suppression_model::Cut& cut : verdict.cuts) {
      rows.push_back(std::make_shared<const suppression_model::Cut>(cut));
      outcome.cuts.push_back(std::move(cut));
    }
  }
  master_->add(rows);
  return !rows.empty();
}

// Withholds a share of the fractional columns, the largest first.
bool NodeSolver::fix_most_certain() {
  std::vector<std::pair<double, std::int32_t>> fractional;
  for (std::int32_t j = 0; j < state_.model().num_columns(); ++j) {
    const double x = master_->x()[base::at(j)];
    if (!tol::is_integer(x))
      fractional.emplace_back(1 - x, j);
    else if (x > 0.5 && master_->lower(j) != master_->upper(j))
      master_->set_bounds(j, 1, 1);
  }
  std::sort(fractional.begin(), fractional.end());
  fractional.resize((fractional.size() + kTuning.tree.dive_steps - 1) / kTuning.tree.dive_steps);
  for (const auto& [doubt, column] : fractional)
    master_->set_bounds(column, 1, 1);
  return !fractional.empty();
}

NodeOutcome NodeSolver::dive(const Node& from, const RunContext& run) {
  begin_at(from);
  NodeOutcome outcome;
  while (!run.should_stop()) {
    if (master_->solve(run) != suppression_model::Master::Outcome::kSolved ||
        master_->bound() >= state_.cutoff())
      break;
    if (separate(kTuning.tree.node_rounds, outcome, run))
      continue;
    if (!outcome.patterns.empty())
      break;
    if (!fix_most_certain())
      break;
  }
  return outcome;
}

bool NodeSolver::is_slow(std::size_t round, double before, double bound) const {
  const double gap = std::isfinite(state_.cost()) ? state_.cost() - bound : kInfinity;
  return round > 0 && master_->bound() - before < kTuning.tree.worth_node_round * gap;
}

NodeOutcome NodeSolver::solve(const Node& node,
                              const PseudoCosts& pseudo_costs,
                              const RunContext& run) {
  NodeOutcome outcome;
  outcome.bound = node.bound;
  begin_at(node);
  double before = -kInfinity;
  for (std::size_t round = 0;; ++round) {
    const suppression_model::Master::Outcome solved = master_->solve(run);
    if (solved == suppression_model::Master::Outcome::kInfeasible) {
      outcome.bound = kInfinity;
      return outcome;
    }
    if (solved == suppression_model::Master::Outcome::kStopped) {
      outcome.finished = false;
      return outcome;
    }
    outcome.bound = std::max(outcome.bound, master_->bound());
    if (round == 0 && node.column >= 0) {
      outcome.observations.push_back({node.column,
                                      node.withheld,
                                      node.distance,
                                      std::max(0.0, master_->bound() - node.parent_bound)});
    }
    if (outcome.bound >= state_.cutoff())
      return outcome;
    if (run.should_stop()) {
      outcome.finished = false;
      return outcome;
    }
    if (!is_integer(master_->x()) &&
        (round >= 4 * kTuning.tree.node_rounds || is_slow(round, before, outcome.bound)))
      break;
    before = master_->bound();
    if (!separate(round, outcome, run))
      break;
  }
  if (outcome.patterns.empty() || !is_integer(master_->x()))
    branch(node, pseudo_costs, outcome, run);
  return outcome;  // with a pattern: it is the best below this node
}

// (16) below the node.
std::vector<Decision> NodeSolver::fix_by_reduced_costs() const {
  std::vector<Decision> fixed;
  for (std::int32_t j = 0; j < state_.model().num_columns(); ++j) {
    if (master_->lower(j) == master_->upper(j))
      continue;
    const double reduced = master_->reduced_costs()[base::at(j)];
    if (reduced > 0 && master_->bound() + reduced >= state_.cutoff())
      fixed.push_back({j, false});
    else if (reduced < 0 && master_->bound() - reduced >= state_.cutoff())
      fixed.push_back({j, true});
  }
  return fixed;
}

// The bound after one decision, without new cuts; infinite if that is infeasible.
std::optional<double> NodeSolver::probe(Decision decision,
                                        const suppression_model::Master::Start& start,
                                        const RunContext& run) {
  const double value = decision.withheld ? 1 : 0;
  master_->set_bounds(decision.column, value, value);
  const suppression_model::Master::Outcome outcome = master_->solve(run);
  const double bound =
      outcome == suppression_model::Master::Outcome::kInfeasible ? kInfinity : master_->bound();
  state_.columns().give_to(*master_, decision.column);
  master_->begin_at(start);
  if (outcome == suppression_model::Master::Outcome::kStopped)
    return std::nullopt;
  return bound;
}

// Reliability branching by the score (19): columns with little history are probed.
std::int32_t NodeSolver::choose_column(const PseudoCosts& pseudo_costs,
                                       NodeOutcome& outcome,
                                       const RunContext& run) {
  const std::vector<double> x = master_->x();
  const double here = master_->bound();
  std::vector<std::pair<double, std::int32_t>> candidates;
  for (std::int32_t j = 0; j < state_.model().num_columns(); ++j) {
    if (!tol::is_integer(x[base::at(j)]))
      candidates.emplace_back(-pseudo_costs.score(j, x[base::at(j)]), j);
  }
  if (candidates.empty())
    return -1;
  std::sort(candidates.begin(), candidates.end());
  const suppression_model::Master::Start start = master_->start();
  std::int32_t best = candidates.front().second;
  double best_score = -1;
  std::size_t probed = 0;
  for (const auto& [negative, column] : candidates) {
    double score = -negative;
    if (!pseudo_costs.reliable(column) && probed < kTuning.tree.candidates) {
      ++probed;
      const auto zero = probe({column, false}, start, run);
      const auto one = probe({column, true}, start, run);
      if (!zero || !one)
        break;
      const double gain_zero = std::min(*zero, state_.cutoff()) - here;
      const double gain_one = std::min(*one, state_.cutoff()) - here;
      const double distance = x[base::at(column)];
      if (std::isfinite(gain_zero))
        outcome.observations.push_back({column, false, distance, std::max(0.0, gain_zero)});
      if (std::isfinite(gain_one))
        outcome.observations.push_back({column, true, 1 - distance, std::max(0.0, gain_one)});
      score = std::max(gain_zero, tol::kIntegrality) * std::max(gain_one, tol::kIntegrality);
    }
    if (score > best_score) {
      best_score = score;
      best = column;
    }
  }
  return best;
}

void NodeSolver::branch(const Node& node,
                        const PseudoCosts& pseudo_costs,
                        NodeOutcome& outcome,
                        const RunContext& run) {
  const std::vector<double> x = master_->x();
  const double here = master_->bound();
  std::vector<Decision> fixed = fix_by_reduced_costs();
  const auto start = std::make_shared<const suppression_model::Master::Start>(master_->start());
  const std::int32_t column = choose_column(pseudo_costs, outcome, run);
  if (column < 0) {  // an integer point, and the audit could not decide
    outcome.undecided = true;
    return;
  }
  for (const bool withheld : {false, true}) {
    auto path = std::make_shared<Path>();
    path->above = node.path;
    path->decisions = fixed;
    path->decisions.push_back({column, withheld});
    Node child;
    child.bound = outcome.bound;
    child.path = std::move(path);
    child.start = start;
    child.column = column;
    child.withheld = withheld;
    child.distance = withheld ? 1 - x[base::at(column)] : x[base::at(column)];
    child.parent_bound = here;
    outcome.children.push_back(std::move(child));
  }
}

}  // namespace lacuna::suppression
