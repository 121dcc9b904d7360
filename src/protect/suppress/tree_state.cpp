// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/tree_state.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lacuna/tolerance.h"
#include "protect/suppress/tuning.h"

namespace lacuna::suppression {
namespace {

// At most so many cells withheld, as an inequality over the columns.
suppression_model::Cut limit_on_cells(const std::vector<std::int32_t>& column_sizes,
                                      std::int64_t most) {
  suppression_model::Cut cut;
  cut.family = suppression_model::CutFamily::kLimit;
  for (std::size_t j = 0; j < column_sizes.size(); ++j) {
    if (column_sizes[j] == 0)
      continue;
    cut.columns.push_back(static_cast<std::int32_t>(j));
    cut.values.push_back(-column_sizes[j]);
  }
  cut.rhs = -static_cast<double>(most);
  return cut;
}

branching::GapRule gap_rule(const suppression_model::SuppressModel& model,
                            const SuppressOptions& options,
                            const TreeTask& task) {
  branching::GapRule rule;
  constexpr double kByOne = 0.999;  // integer weights: better means better by one
  (model.integral_weights() ? rule.step : rule.rounding) =
      model.integral_weights() ? kByOne : tol::kDual;
  rule.gap = options.gap;
  rule.offset = task.offset;
  return rule;
}

}  // namespace

bool is_integer(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), tol::is_integer);
}

ColumnPattern pattern_of(const std::vector<double>& x) {
  ColumnPattern pattern;
  for (const double each : x)
    pattern.push_back(each > 0.5);
  return pattern;
}

void keep_most_violated(std::vector<suppression_model::Cut>& cuts,
                        const std::vector<double>& x,
                        std::size_t most) {
  if (cuts.size() <= most)
    return;
  std::stable_sort(cuts.begin(),
                   cuts.end(),
                   [&](const suppression_model::Cut& a, const suppression_model::Cut& b) {
                     return a.violation(x) > b.violation(x);
                   });
  cuts.resize(most);
}

void Cuts::add_rows(std::vector<suppression_model::Cut> cuts) {
  for (suppression_model::Cut& cut : cuts) {
    if (auto row = pool.add(std::move(cut)))
      pool.make_row(row);
  }
}

TreeState::TreeState(const suppression_model::SuppressModel& model,
                     const SuppressOptions& options,
                     TreeTask task)
    : model_(model),
      options_(options),
      task_(std::move(task)),
      columns_(model.num_columns(), task_.lower, task_.upper),
      cuts_{{}, {model, options.engine, kTuning.tree.slots}, {model, options}},
      gap_(gap_rule(model, options, task_)),
      open_({branching::NodeOrder::kLeastBound, kTuning.tree.slots, kTuning.tree.starts}) {
  best_.cost = task_.known_cost;
  if (task_.max_withheld >= 0)
    cuts_.add_rows({limit_on_cells(task_.column_sizes, task_.max_withheld)});
  cuts_.add_rows(std::exchange(task_.cuts, {}));
}

double TreeState::root_gap() const {
  return std::isfinite(best_.cost) ? best_.cost - root_bound_ : std::abs(root_bound_);
}

// (17): with integer weights the bound is rounded up.
double TreeState::bound() const {
  double open = root_bound_;
  if (open_.begun())
    open = gap_.settled(best_.cost, std::max(root_bound_, open_.bound()));
  return model_.integral_weights() && std::isfinite(open) ? std::ceil(open - tol::kIntegrality)
                                                          : open;
}

bool TreeState::gap_reached() const {
  return good_enough() || gap_.reached(best_.cost, bound());
}

void TreeState::raise_root_bound(double bound) {
  root_bound_ = std::max(root_bound_, bound);
}

bool TreeState::offer(const ColumnPattern& pattern, std::vector<Displacement> witnesses) {
  double cost = 0;
  std::int64_t count = 0;
  for (std::size_t j = 0; j < pattern.size(); ++j) {
    cost += pattern[j] ? model_.weights()[j] : 0;
    count += pattern[j] && !task_.column_sizes.empty() ? task_.column_sizes[j] : 0;
  }
  if (cost >= best_.cost || (task_.max_withheld >= 0 && count > task_.max_withheld))
    return false;
  best_ = {pattern, cost, std::move(witnesses)};
  if (task_.on_pattern)
    task_.on_pattern(*best_.pattern, best_.witnesses);
  settle_columns();
  open_.prune(cutoff());
  return true;
}

void TreeState::take(NodeOutcome outcome) {
  if (outcome.undecided)
    open_.close(outcome.bound);
  cuts_.add_rows(std::move(outcome.cuts));
  for (const ColumnPattern& pattern : outcome.patterns)
    offer(pattern, outcome.witnesses);
  for (Node& child : outcome.children) {
    if (child.bound < cutoff())
      open_.open(std::move(child));
    else
      open_.close(child.bound);
  }
}

void TreeState::try_rounding(const std::vector<double>& x, const RunContext& run) {
  if (!task_.round || run.should_stop())
    return;
  RunContext share = with_work(  // of the work so far, so that rounding never takes over
      run,
      std::max((work_done() - begun_at_) / kTuning.tree.rounding_share,
               kTuning.tree.shortest_rounding));
  share.log = nullptr;
  if (const auto pattern = task_.round(x, share))
    offer(*pattern, {});
}

// A pattern of another origin, which is asked for once the tree has taken so long.
void TreeState::try_other_start(const RunContext& run) {
  if (!task_.other_start || work_done() < task_.other_start_at || run.should_stop())
    return;
  const auto ask = std::exchange(task_.other_start, nullptr);
  if (const auto pattern = ask(run))
    offer(*pattern, {});
}

void TreeState::report() const {
  if (task_.on_change)
    task_.on_change(best_.cost, bound(), static_cast<std::int64_t>(open_.open_nodes()));
}

TreeResult TreeState::result(bool restart, const RunContext& run) const {
  TreeResult result;
  result.best = best_.pattern;
  result.cost = best_.cost;
  result.witnesses = best_.witnesses;
  result.bound = gap_.settled(best_.cost, std::min(bound(), best_.cost));
  result.why = result.bound == std::numeric_limits<double>::infinity()
                   ? StopReason::kInfeasible
                   : gap_.why(best_.cost, result.bound, run);
  if (result.why != StopReason::kOptimal && good_enough())
    result.why = StopReason::kGapReached;
  result.counts.nodes = open_.done();
  result.counts.cuts = cuts_.pool.total();
  result.counts.attacker_lps = cuts_.separator.attacker_lps();
  result.restart = restart;
  if (restart) {
    result.settled = columns_.decisions();
    result.cuts = cuts_.pool.rows();
  }
  return result;
}

}  // namespace lacuna::suppression
