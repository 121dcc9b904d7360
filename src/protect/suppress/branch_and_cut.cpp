// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/branch_and_cut.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>

#include "core/base/index.h"
#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/suppress/tuning.h"
#include "protect/suppression_model/cuts/rounded.h"
#include "protect/suppression_model/dual_ascent.h"

namespace lacuna::suppression {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
                        std::span<const double> x,
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

}  // namespace

BranchAndCut::BranchAndCut(const suppression_model::SuppressModel& model,
                           const SuppressOptions& options,
                           TreeTask task)
    : model_(model),
      options_(options),
      task_(std::move(task)),
      separator_(model, options.engine, kTuning.tree.slots),
      check_(model, options),
      slots_(kTuning.tree.slots),
      tree_({branching::NodeOrder::kLeastBound, kTuning.tree.slots, kTuning.tree.starts}),
      pseudo_(model.num_columns()),
      if_withheld_(base::at(model.num_columns()), -kInfinity),
      if_published_(base::at(model.num_columns()), -kInfinity),
      lower_(base::at(model.num_columns()), 0),
      upper_(base::at(model.num_columns()), 1),
      groups_(model, options) {
  for (std::size_t s = 0; s < kTuning.tree.slots; ++s) {
    slots_[s].master = std::make_unique<suppression_model::Master>(model, options.engine);
    slots_[s].lane = s;
  }
  if (!task_.lower.empty())
    lower_ = task_.lower;
  if (!task_.upper.empty())
    upper_ = task_.upper;
  constexpr double kWhole = 0.999;  // whole weights: better means better by one
  (model.integral_weights() ? gap_.step : gap_.rounding) =
      model.integral_weights() ? kWhole : tol::kDual;
  gap_.gap = options.gap;
  gap_.offset = task_.offset;
  result_.cost = task_.known_cost;
  if (task_.known)
    inner_.assign(task_.known->begin(), task_.known->end());
}

TreeResult BranchAndCut::run(const RunContext& run) {
  if (task_.max_withheld >= 0) {
    if (auto row = pool_.add(limit_on_cells(task_.column_sizes, task_.max_withheld)))
      pool_.make_row(row);
  }
  for (suppression_model::Cut& cut : task_.cuts) {
    if (auto row = pool_.add(std::move(cut)))
      pool_.make_row(row);
  }
  climb(run);
  const Root root = cut_root(run);
  if (root == Root::kRestart)
    prepare_restart();
  else if (root == Root::kUnfinished && task_.max_nodes != 0 && !gap_reached())
    tree_.run(*this, task_.max_nodes, run);
  result_.bound = gap_.settled(result_.cost, std::min(bound(), result_.cost));
  result_.why = result_.bound == kInfinity ? StopReason::kInfeasible
                                           : gap_.why(result_.cost, result_.bound, run);
  if (result_.why != StopReason::kOptimal && in_vain())
    result_.why = StopReason::kGapReached;
  result_.counts.nodes = tree_.done();
  result_.counts.cuts = pool_.total();
  result_.counts.attacker_lps = separator_.attacker_lps();
  for (const Slot& slot : slots_)
    result_.counts.master_lps += slot.master->solves();
  return result_;
}

// First rows of a large master, and a bound that does not wait for it.
void BranchAndCut::climb(const RunContext& run) {
  if (model_.num_cells() < kTuning.tree.climb_cells)
    return;
  suppression_model::DualAscent ascent(model_, options_.engine);
  ascent.climb(base::share_of_work(run, kTuning.tree.climb_share));
  const double bound = ascent.bound();  // it takes a look at every column
  root_bound_ = std::max(root_bound_, bound);
  for (std::int32_t j = 0; j < model_.num_columns(); ++j)
    if_withheld_[base::at(j)] = bound + std::max(ascent.reduced_costs()[base::at(j)], 0.0);
  fix_globally();
  for (const suppression_model::Cut& cut : ascent.cuts()) {
    if (auto row = pool_.add(cut))
      pool_.make_row(row);
  }
  report();
}

double BranchAndCut::bound() const {
  double open = root_bound_;
  if (tree_.begun())
    open = gap_.settled(result_.cost, std::max(root_bound_, tree_.bound()));
  return model_.integral_weights() && std::isfinite(open) ? std::ceil(open - tol::kIntegrality)
                                                          : open;
}

bool BranchAndCut::gap_reached() const {
  return in_vain() || gap_.reached(result_.cost, bound());
}

bool BranchAndCut::offer(const ColumnPattern& pattern, std::vector<Displacement> witnesses) {
  double cost = 0;
  std::int64_t count = 0;
  for (std::size_t j = 0; j < pattern.size(); ++j) {
    cost += pattern[j] ? model_.weights()[j] : 0;
    count += pattern[j] && !task_.column_sizes.empty() ? task_.column_sizes[j] : 0;
  }
  if (cost >= result_.cost || (task_.max_withheld >= 0 && count > task_.max_withheld))
    return false;
  result_.cost = cost;
  result_.best = pattern;
  result_.witnesses = std::move(witnesses);
  if (task_.on_pattern)
    task_.on_pattern(*result_.best, result_.witnesses);
  fix_globally();
  tree_.prune(cutoff());
  return true;
}

// A root LP with bound b and reduced cost r says that patterns with x_j = 1 cost at least b + r.
void BranchAndCut::learn_from_root(const suppression_model::Master& master) {
  for (std::int32_t j = 0; j < model_.num_columns(); ++j) {
    const double reduced = master.reduced_costs()[base::at(j)];
    const double here = std::min(lower_[base::at(j)] * reduced, upper_[base::at(j)] * reduced);
    if_withheld_[base::at(j)] =
        std::max(if_withheld_[base::at(j)], master.bound() - here + reduced);
    if_published_[base::at(j)] = std::max(if_published_[base::at(j)], master.bound() - here);
  }
  fix_globally();
}

void BranchAndCut::fix_globally() {
  settled_ = 0;
  for (std::int32_t j = 0; j < model_.num_columns(); ++j) {
    if (lower_[base::at(j)] != upper_[base::at(j)]) {
      if (if_withheld_[base::at(j)] >= cutoff())
        upper_[base::at(j)] = 0;
      else if (if_published_[base::at(j)] >= cutoff())
        lower_[base::at(j)] = 1;
    }
    settled_ += lower_[base::at(j)] == upper_[base::at(j)] ? 1 : 0;
  }
}

void BranchAndCut::try_rounding(const std::vector<double>& x, const RunContext& run) {
  if (!task_.round || run.should_stop())
    return;
  RunContext share = with_work(  // of the work so far, so that rounding never takes over
      run,
      std::max((work_done() - begin_) / kTuning.tree.rounding_share,
               kTuning.tree.shortest_rounding));
  share.log = nullptr;
  if (const auto pattern = task_.round(x, share))
    offer(*pattern, {});
}

// A pattern of another origin, which is asked for once the tree has taken so long.
void BranchAndCut::try_other_start(const RunContext& run) {
  if (!task_.other_start || work_done() < task_.other_start_at || run.should_stop())
    return;
  const auto ask = std::exchange(task_.other_start, nullptr);
  if (const auto pattern = ask(run))
    offer(*pattern, {});
}

void BranchAndCut::report() const {
  if (task_.on_change) {
    task_.on_change(result_.cost, bound(), static_cast<std::int64_t>(tree_.open_nodes()));
  }
}

// Did the last rounds close less than this share of the gap?
bool BranchAndCut::has_stalled(const std::vector<double>& history,
                               std::size_t rounds,
                               double share) const {
  if (history.size() <= rounds)
    return false;
  const double gap =
      std::isfinite(result_.cost) ? result_.cost - root_bound_ : std::abs(root_bound_);
  return history.back() - history[history.size() - 1 - rounds] < share * gap;
}

bool BranchAndCut::restart_pays() const {
  return task_.may_restart && settled_ >= kTuning.tree.worth_restart &&
         settled_ * kTuning.tree.restart_share >= model_.num_columns();
}

void BranchAndCut::prepare_restart() {
  result_.restart = true;
  for (std::int32_t j = 0; j < model_.num_columns(); ++j) {
    if (lower_[base::at(j)] == upper_[base::at(j)])
      result_.settled.push_back({j, lower_[base::at(j)] > 0});
  }
  result_.cuts = pool_.rows();
}

// In-out separation (Ben-Ameur and Neto 2007; Fischetti and Salvagnin 2010): asked between the
// master's point and one that nothing cuts off, attackers give constraints that are of use for more
// than the corner where the master is now. If they have nothing to say there, that point is the one
// to look back from, and they are asked at the corner.
std::vector<suppression_model::Cut> BranchAndCut::cuts_on_the_way(const std::vector<double>& x,
                                                                  const RunContext& run) {
  suppression_model::Separator::Limits limits;
  limits.cuts = kTuning.tree.root_cuts;
  if (!inner_.empty() && !is_integer(x)) {
    std::vector<double> between = x;
    for (std::size_t j = 0; j < between.size(); ++j)
      between[j] += kTuning.tree.inward * (inner_[j] - between[j]);
    auto cuts = separator_.from_attackers_all_lanes(between, limits, run);
    if (!cuts.empty())
      return cuts;
    inner_ = std::move(between);
  }
  limits.bridges = kTuning.tree.root_bridges;
  return separator_.from_attackers_all_lanes(x, limits, run);
}

// Cheap cuts first; attacker problems when these run out.
std::vector<suppression_model::SharedCut> BranchAndCut::root_cuts(const std::vector<double>& x,
                                                                  const RunContext& run) {
  std::vector<suppression_model::Cut> cuts = separator_.from_equations(x);
  keep_most_violated(cuts, x, kTuning.tree.equation_cuts);
  std::vector<suppression_model::SharedCut> rows = pool_.violated(x, kTuning.tree.pool_cuts);
  if (cuts.size() + rows.size() < kTuning.tree.few_cuts) {
    auto more = cuts_on_the_way(x, run);
    std::move(more.begin(), more.end(), std::back_inserter(cuts));
  }
  if (rounds_) {
    auto more =
        suppression_model::rounded_cuts(slots_[0].master->rows(), x, kTuning.tree.rounded_cuts);
    std::move(more.begin(), more.end(), std::back_inserter(cuts));
  }
  for (suppression_model::Cut& cut : cuts) {
    if (auto row = pool_.add(std::move(cut)))
      rows.push_back(row);
  }
  if (!rows.empty() || !is_integer(x) || run.should_stop())
    return rows;
  const PatternCheck::Outcome verdict = check_.check(pattern_of(x), run);
  if (passes(verdict.verdict))
    offer(pattern_of(x), verdict.witnesses);
  for (const suppression_model::Cut& cut : verdict.cuts) {
    if (auto row = pool_.add(cut))
      rows.push_back(row);
  }
  return rows;
}

BranchAndCut::Root BranchAndCut::cut_root(const RunContext& run) {
  suppression_model::Master& master = *slots_[0].master;
  master.match(pool_.rows());
  std::vector<double> history;  // bounds of the rounds
  bool rounded = false;
  while (true) {
    for (std::int32_t j = 0; j < model_.num_columns(); ++j)
      master.set_bounds(j, lower_[base::at(j)], upper_[base::at(j)]);
    const suppression_model::Master::Outcome outcome = master.solve(run);
    if (outcome == suppression_model::Master::Outcome::kStopped)
      return Root::kStopped;
    if (outcome == suppression_model::Master::Outcome::kInfeasible) {
      root_bound_ = result_.cost;  // nothing better; infinite if there is nothing at all
      return Root::kSolved;
    }
    root_bound_ = std::max(root_bound_, master.bound());
    learn_from_root(master);
    try_other_start(run);
    report();
    if (root_bound_ >= cutoff() || gap_reached())
      return Root::kSolved;
    const std::vector<double> x = master.x();
    history.push_back(root_bound_);
    const std::vector<suppression_model::SharedCut> rows = root_cuts(x, run);
    if (run.should_stop())
      return Root::kStopped;
    if (root_bound_ >= cutoff())
      return Root::kSolved;
    if (rows.empty() ||
        (!is_integer(x) &&
         has_stalled(history, kTuning.tree.stall_rounds, kTuning.tree.worth_rounds))) {
      if (!strengthen(run))
        break;
      history.clear();
    }
    const bool slow = has_stalled(history, kTuning.tree.stall_rounds / 2, kTuning.tree.slow);
    if (slow && !rounded) {
      rounded = true;
      try_rounding(x, run);
    }
    std::unordered_set<const suppression_model::Cut*> tight;
    master.add_tight_rows(tight);
    pool_.age(tight);
    for (const suppression_model::SharedCut& row : rows)
      pool_.make_row(row);
    if (slow && restart_pays())
      return Root::kRestart;
    master.match(pool_.rows());
  }
  return open_root(run);
}

// What is tried where the root has come to an end, each as long as it pays: rounding sums of rows,
// then inequalities over several needs. Parts that are done soon never come here.
bool BranchAndCut::strengthen(const RunContext& run) {
  const std::int64_t done = work_done() - task_.begun_at;
  if (!task_.may_join || done < kTuning.groups.least_work || run.should_stop())
    return false;
  const double gap =
      std::isfinite(result_.cost) ? result_.cost - root_bound_ : std::abs(root_bound_);
  const bool paid = root_bound_ - stalled_at_ >= kTuning.groups.worth_turn * gap;
  stalled_at_ = root_bound_;
  if (!std::exchange(tried_rounding_, true)) {
    rounds_ = true;
    return true;
  }
  if (joins_ == 0)
    rounds_ = paid;
  idle_joins_ = joins_ == 0 || paid ? 0 : idle_joins_ + 1;
  if (!groups_.applies() || idle_joins_ >= kTuning.groups.idle_turns ||
      joined_work_ * kTuning.groups.share > done)
    return false;
  ++joins_;
  const std::int64_t before = work_done();
  const bool found =
      join_needs(std::max(done / kTuning.groups.turn_share, kTuning.groups.shortest), run);
  joined_work_ += work_done() - before;
  return found;
}

bool BranchAndCut::join_needs(std::int64_t work_of_one, const RunContext& run) {
  const std::optional<ColumnPattern>& known = result_.best ? result_.best : task_.known;
  const std::vector<suppression_model::Cut> cuts =
      groups_.search(point_of(*slots_[0].master), {lower_, upper_, known}, work_of_one, run);
  for (const suppression_model::Cut& cut : cuts) {
    if (auto row = pool_.add(cut))
      pool_.make_row(row);
  }
  return !cuts.empty() && !run.should_stop();
}

// The last ways to do without a tree, then its first node.
BranchAndCut::Root BranchAndCut::open_root(const RunContext& run) {
  const suppression_model::Master& master = *slots_[0].master;
  const auto start = std::make_shared<const suppression_model::Master::Start>(master.start());
  try_rounding(master.x(), run);
  dive({}, slots_[0], run);
  if (run.should_stop())
    return Root::kStopped;
  if (root_bound_ >= cutoff())
    return Root::kSolved;
  if (restart_pays())
    return Root::kRestart;
  Node root;
  root.bound = root_bound_;
  root.start = start;
  tree_.open(std::move(root));
  return Root::kUnfinished;
}

// Withholds a share of the fractional columns, the largest first.
bool BranchAndCut::fix_most_certain(suppression_model::Master& master) const {
  std::vector<std::pair<double, std::int32_t>> open;
  for (std::int32_t j = 0; j < model_.num_columns(); ++j) {
    const double x = master.x()[base::at(j)];
    if (!tol::is_integer(x))
      open.emplace_back(1 - x, j);
    else if (x > 0.5 && master.lower(j) != master.upper(j))
      master.set_bounds(j, 1, 1);
  }
  std::sort(open.begin(), open.end());
  open.resize((open.size() + kTuning.tree.dive_steps - 1) / kTuning.tree.dive_steps);
  for (const auto& [doubt, column] : open)
    master.set_bounds(column, 1, 1);
  return !open.empty();
}

// Follows the master down until it has decided on every column.
void BranchAndCut::dive(const Node& from, Slot& slot, const RunContext& run) {
  suppression_model::Master& master = *slot.master;
  master.match(pool_.rows());
  apply_path(from, master);
  if (from.start)
    master.begin_at(*from.start);
  NodeResult found;
  while (!run.should_stop()) {
    if (master.solve(run) != suppression_model::Master::Outcome::kSolved ||
        master.bound() >= cutoff())
      break;
    if (separate(slot, found, kTuning.tree.node_rounds, run))
      continue;
    if (!found.patterns.empty())
      break;
    if (!fix_most_certain(master))
      break;
  }
  separator_.share_witnesses();
  if (found.patterns.empty() && !run.should_stop() && !master.x().empty())
    try_rounding(master.x(), run);
  found.children.clear();
  put_together(std::move(found));
}

void BranchAndCut::before_merge(std::size_t lanes, const RunContext&) {
  std::unordered_set<const suppression_model::Cut*> tight;
  for (std::size_t s = 0; s < lanes; ++s)
    slots_[s].master->add_tight_rows(tight);
  pool_.age(tight);
  separator_.share_witnesses();
}

branching::NodeFate BranchAndCut::merge(Node& node, NodeResult result) {
  if (!result.finished) {
    node.bound = std::max(node.bound, result.bound);
    return branching::NodeFate::kReturns;
  }
  put_together(std::move(result));
  return branching::NodeFate::kDone;
}

void BranchAndCut::after_batch(const RunContext& run) {
  tree_.prune(cutoff());
  if (++batches_ % kTuning.tree.round_every == 0 && !tree_.nothing_open())
    dive(tree_.best(), slots_[0], run);
  report();
}

void BranchAndCut::put_together(NodeResult result) {
  if (result.undecided)
    tree_.close(result.bound);
  for (const auto& seen : result.observations)
    pseudo_.record(seen.column, seen.withheld, seen.distance, seen.gain);
  for (suppression_model::Cut& cut : result.cuts) {
    if (auto row = pool_.add(std::move(cut)))
      pool_.make_row(row);
  }
  for (const ColumnPattern& pattern : result.patterns)
    offer(pattern, result.witnesses);
  for (Node& child : result.children) {
    if (child.bound < cutoff())
      tree_.open(std::move(child));
    else
      tree_.close(child.bound);
  }
}

void BranchAndCut::apply_path(const Node& node, suppression_model::Master& master) const {
  for (std::int32_t j = 0; j < model_.num_columns(); ++j)
    master.set_bounds(j, lower_[base::at(j)], upper_[base::at(j)]);
  for (const Path* path = node.path.get(); path != nullptr; path = path->above.get()) {
    for (const Decision& decision : path->decisions) {
      const double value = decision.withheld ? 1 : 0;
      master.set_bounds(decision.column, value, value);
    }
  }
}

// Adds violated cuts to the slot's master; false if there are none.
bool BranchAndCut::separate(Slot& slot,
                            NodeResult& result,
                            std::size_t round,
                            const RunContext& run) {
  const std::vector<double>& x = slot.master->x();
  std::vector<suppression_model::SharedCut> rows = pool_.violated(x, kTuning.tree.pool_cuts);
  std::vector<suppression_model::Cut> cuts = separator_.from_equations(x);
  keep_most_violated(cuts, x, kTuning.tree.pool_cuts);
  const bool whole = is_integer(x);
  if (rows.empty() && cuts.empty() && (whole || round < kTuning.tree.node_rounds)) {
    suppression_model::Separator::Limits limits;
    limits.cuts = kTuning.tree.node_cuts;
    cuts = separator_.from_attackers(slot.lane, x, limits, run);
  }
  std::unordered_set<std::size_t> mine;
  for (const suppression_model::Cut& cut : result.cuts)
    mine.insert(suppression_model::hash_of(cut));
  for (suppression_model::Cut& cut : cuts) {
    if (!mine.insert(suppression_model::hash_of(cut)).second)
      continue;
    rows.push_back(std::make_shared<const suppression_model::Cut>(cut));
    result.cuts.push_back(std::move(cut));
  }
  if (rows.empty() && whole && !run.should_stop()) {
    PatternCheck::Outcome verdict = check_.check(pattern_of(x), run);
    if (passes(verdict.verdict)) {
      result.patterns.push_back(pattern_of(x));
      result.witnesses = std::move(verdict.witnesses);
    }
    for (suppression_model::Cut& cut : verdict.cuts) {
      rows.push_back(std::make_shared<const suppression_model::Cut>(cut));
      result.cuts.push_back(std::move(cut));
    }
  }
  slot.master->add(rows);
  return !rows.empty();
}

NodeResult BranchAndCut::work_on(Node& node, std::size_t lane, const RunContext& all) {
  const RunContext run = base::share_of_work(all, 1.0 / static_cast<double>(tree_.in_batch()));
  Slot& slot = slots_[lane];
  NodeResult result;
  result.bound = node.bound;
  suppression_model::Master& master = *slot.master;
  master.match(pool_.rows());
  apply_path(node, master);
  if (node.start)
    master.begin_at(*node.start);
  double before = -kInfinity;
  for (std::size_t round = 0;; ++round) {
    const suppression_model::Master::Outcome outcome = master.solve(run);
    if (outcome == suppression_model::Master::Outcome::kInfeasible) {
      result.bound = kInfinity;
      return result;
    }
    if (outcome == suppression_model::Master::Outcome::kStopped) {
      result.finished = false;
      return result;
    }
    result.bound = std::max(result.bound, master.bound());
    if (round == 0 && node.column >= 0) {
      result.observations.push_back({node.column,
                                     node.withheld,
                                     node.distance,
                                     std::max(0.0, master.bound() - node.parent_bound)});
    }
    if (result.bound >= cutoff())
      return result;
    if (run.should_stop()) {
      result.finished = false;
      return result;
    }
    const bool whole = is_integer(master.x());
    const double gap = std::isfinite(result_.cost) ? result_.cost - result.bound : kInfinity;
    const bool slow = round > 0 && master.bound() - before < kTuning.tree.worth_node_round * gap;
    if (!whole && (round >= 4 * kTuning.tree.node_rounds || slow))
      break;
    before = master.bound();
    if (!separate(slot, result, round, run))
      break;
  }
  if (!result.patterns.empty() && is_integer(master.x()))
    return result;  // solved: the pattern is the best below this node
  branch(node, slot, result, run);
  return result;
}

std::vector<Decision> BranchAndCut::fix_by_reduced_costs(
    const suppression_model::Master& master) const {
  std::vector<Decision> fixed;
  for (std::int32_t j = 0; j < model_.num_columns(); ++j) {
    if (master.lower(j) == master.upper(j))
      continue;
    const double reduced = master.reduced_costs()[base::at(j)];
    if (reduced > 0 && master.bound() + reduced >= cutoff())
      fixed.push_back({j, false});
    else if (reduced < 0 && master.bound() - reduced >= cutoff())
      fixed.push_back({j, true});
  }
  return fixed;
}

// The bound after fixing one column, without new cuts; infinite if that is infeasible.
std::optional<double> BranchAndCut::probe(Slot& slot,
                                          std::int32_t column,
                                          bool withheld,
                                          const suppression_model::Master::Start& start,
                                          const RunContext& run) {
  suppression_model::Master& master = *slot.master;
  const double value = withheld ? 1 : 0;
  master.set_bounds(column, value, value);
  const suppression_model::Master::Outcome outcome = master.solve(run);
  const double bound =
      outcome == suppression_model::Master::Outcome::kInfeasible ? kInfinity : master.bound();
  master.set_bounds(column, lower_[base::at(column)], upper_[base::at(column)]);
  master.begin_at(start);
  if (outcome == suppression_model::Master::Outcome::kStopped)
    return std::nullopt;
  return bound;
}

// Reliability branching: columns with little history are probed.
std::int32_t BranchAndCut::choose_column(Slot& slot, NodeResult& result, const RunContext& run) {
  suppression_model::Master& master = *slot.master;
  const std::vector<double> x = master.x();
  const double here = master.bound();
  std::vector<std::pair<double, std::int32_t>> candidates;
  for (std::int32_t j = 0; j < model_.num_columns(); ++j) {
    if (!tol::is_integer(x[base::at(j)]))
      candidates.emplace_back(-pseudo_.score(j, x[base::at(j)]), j);
  }
  if (candidates.empty())
    return -1;
  std::sort(candidates.begin(), candidates.end());
  const suppression_model::Master::Start start = master.start();
  std::int32_t best = candidates.front().second;
  double best_score = -1;
  std::size_t probed = 0;
  for (const auto& [negative, column] : candidates) {
    double score = -negative;
    if (!pseudo_.reliable(column) && probed < kTuning.tree.candidates) {
      ++probed;
      const auto zero = probe(slot, column, false, start, run);
      const auto one = probe(slot, column, true, start, run);
      if (!zero || !one)
        break;
      const double gain_zero = std::min(*zero, cutoff()) - here;
      const double gain_one = std::min(*one, cutoff()) - here;
      if (std::isfinite(gain_zero))
        result.observations.push_back(
            {column, false, x[base::at(column)], std::max(0.0, gain_zero)});
      if (std::isfinite(gain_one))
        result.observations.push_back(
            {column, true, 1 - x[base::at(column)], std::max(0.0, gain_one)});
      score = std::max(gain_zero, tol::kIntegrality) * std::max(gain_one, tol::kIntegrality);
    }
    if (score > best_score) {
      best_score = score;
      best = column;
    }
  }
  return best;
}

void BranchAndCut::branch(const Node& node, Slot& slot, NodeResult& result, const RunContext& run) {
  suppression_model::Master& master = *slot.master;
  const std::vector<double> x = master.x();
  const double here = master.bound();
  std::vector<Decision> fixed = fix_by_reduced_costs(master);
  const auto start = std::make_shared<const suppression_model::Master::Start>(master.start());
  const std::int32_t column = choose_column(slot, result, run);
  if (column < 0) {  // whole, and the audit could not tell
    result.undecided = true;
    return;
  }
  for (const bool withheld : {false, true}) {
    auto path = std::make_shared<Path>();
    path->above = node.path;
    path->decisions = fixed;
    path->decisions.push_back({column, withheld});
    Node child;
    child.bound = result.bound;
    child.path = std::move(path);
    child.start = start;
    child.column = column;
    child.withheld = withheld;
    child.distance = withheld ? 1 - x[base::at(column)] : x[base::at(column)];
    child.parent_bound = here;
    result.children.push_back(std::move(child));
  }
}

}  // namespace lacuna::suppression
