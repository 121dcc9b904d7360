// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/tree.h"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.h"
#include "lacuna/tolerance.h"
#include "protect/adjust/tuning.h"
#include "protect/adjust/vertex.h"

namespace lacuna::adjustment {
namespace {

using Index = Eigen::Index;

Sense opposite(Sense sense) {
  return sense == Sense::kUp ? Sense::kDown : Sense::kUp;
}

const PartCell& sensitive_cell(const Part& part, std::size_t s) {
  return part.cells[static_cast<std::size_t>(part.sensitive[s])];
}

bool any_open(const Senses& senses) {
  return std::find(senses.begin(), senses.end(), Sense::kUndecided) != senses.end();
}

}  // namespace

Tree::Tree(const Part& part, AdjustNorm norm, const TreeOptions& options)
    : part_(part),
      norm_(norm),
      options_(options),
      open_({branching::NodeOrder::kLeastBound,
             part.cells.size() > kTuning.tree.large_part ? kTuning.tree.batch_of_large
                                                         : options.batch}) {
  cells_.cells = part.cells;
  cells_.sensitive = part.sensitive;
  cells_.start = part.start;
  if (part.cells.size() > kTuning.tree.large_part)
    options_.batch = kTuning.tree.batch_of_large;
  gap_.pruned = options_.pruning_share * options_.gap;
  gap_.gap = gap_.pruned + tol::kRounding;
  gap_.ceiling = farthest();
}

// What the blocks may leave open all together.
double Tree::block_tolerance(double bound) const {
  return kTuning.block.share_of_gap * options_.gap * std::abs(bound);
}

double Tree::farthest() const {
  double most = 0;
  for (const PartCell& cell : part_.cells) {
    const double reach = std::max(std::abs(cell.lower), std::abs(cell.upper));
    if (cell.weight > 0)
      most += cell.weight * (norm_ == AdjustNorm::kL2 ? reach * reach : reach);
  }
  return most;
}

double Tree::bound() const {
  if (stage_ == Stage::kNone)
    return 0;
  const double least = stage_ == Stage::kNodes ? open_.bound() : root_.bound;
  return std::max(0.0, std::min(least, cost_));
}

bool Tree::gap_closed() const {
  return has_incumbent() && gap_.reached(cost_, bound());
}

// All levels alike on both sides: the mirror image of senses has the same relaxation once the
// bounds of the sensitive cells are widened to be symmetric.
bool Tree::is_symmetric() const {
  for (std::size_t s = 0; s < part_.sensitive.size(); ++s) {
    const PartCell& cell = sensitive_cell(part_, s);
    if (part_.start[s] != Sense::kUndecided || cell.up != cell.down)
      return false;
  }
  return part_.sensitive.size() > 1;
}

std::shared_ptr<const SensitiveForm> Tree::make_form(const Senses& senses,
                                                     const RunContext& run) const {
  DiagonalOptions options;
  options.precision = std::max(options.precision, 0.5 * options_.gap);
  auto form = std::make_shared<SensitiveForm>(sensitive_form(part_, *q_, senses, options, run));
  if (symmetric_) {
    for (PartCell& cell : form->part.cells) {
      cell.upper = std::max(cell.upper, -cell.lower);
      cell.lower = -cell.upper;
    }
  }
  return form;
}

Senses Tree::mirrored(const Senses& senses) const {
  Senses other = senses;
  for (Sense& sense : other)
    sense = sense == Sense::kUndecided ? Sense::kUndecided : opposite(sense);
  return other;
}

Vector Tree::of_sensitive(const Vector& v, const InteriorPoint& method) const {
  Vector x(static_cast<Index>(part_.sensitive.size()));
  for (std::size_t s = 0; s < part_.sensitive.size(); ++s)
    x[static_cast<Index>(s)] = v[method.part().sensitive[s]];
  return x;
}

void Tree::make_workers() {
  while (workers_.size() < options_.batch)
    workers_.push_back(
        std::make_unique<InteriorPoint>(cells_, norm_, workers_.front()->system().clone()));
}

PointOptions Tree::quick_options() const {
  PointOptions quick;
  quick.precision = options_.gap;
  quick.cutoff = gap_.ceiling;
  return quick;
}

void Tree::begin(const RunContext& run) {
  workers_.push_back(std::make_unique<InteriorPoint>(cells_, norm_, make_kkt_system(part_)));
  blocks_ = std::make_unique<BlockBound>(part_, norm_);
  root_.senses = part_.start;
  InteriorPoint& full = *workers_.front();
  plain_ = solve_plain(full, root_.senses, quick_options(), run);
  steps_ += plain_.steps;
  ++relaxations_;
  root_.bound = std::max(0.0, plain_.bound);
  stage_ = Stage::kSenses;
  evaluate({nearer_sides(part_, of_sensitive(plain_.v, full), root_.senses)}, options_.gap, run);
  if (!has_incumbent() && norm_ == AdjustNorm::kL2 && plain_.bound < gap_.ceiling) {
    InteriorPoint straight(cells_, AdjustNorm::kL1, full.system().clone());  // other sides
    const Point point = straight.solve(root_.senses, PointOptions{}, run);
    evaluate({nearer_sides(part_, of_sensitive(point.v, full), root_.senses)}, options_.gap, run);
  }
  seen_.clear();  // they may be asked for again, precisely
}

// What the root has still to go through; a stage that the run ends in is not passed.
void Tree::pass_stage(const RunContext& run) {
  if (root_.bound >= cutoff()) {
    stage_ = Stage::kNodes;
  } else if (stage_ == Stage::kSenses) {
    search_senses(run);
    if (!run.should_stop())
      stage_ = Stage::kBlocks;
  } else if (stage_ == Stage::kBlocks) {
    bound_by_blocks(run);
    if (!run.should_stop())
      stage_ = search_ ? Stage::kTighten : Stage::kNodes;
  } else {
    if (part_.cells.size() > kTuning.tree.large_part)
      improve_large(run);
    else
      tighten_root(run);
    if (!run.should_stop())
      stage_ = Stage::kNodes;
  }
  if (stage_ == Stage::kNodes)
    open_.open(root_);
}

// The same search from the relaxation with other luck.
void Tree::search_senses(const RunContext& run) {
  make_workers();
  if (!search_)
    search_ = SenseSearch::make(part_, norm_, part_.start);
  if (!search_)
    return;
  const Senses nearer =
      nearer_sides(part_, of_sensitive(plain_.v, *workers_.front()), root_.senses);
  const auto count = static_cast<std::int64_t>(part_.sensitive.size());
  std::vector<Senses> candidates(options_.batch);
  base::for_each_lane(run, candidates.size(), [&](std::size_t lane) {
    base::Random luck(run.seed + lane);
    candidates[lane] = search_->improve(
        nearer, kTuning.tree.start_moves * count, luck, with_work(run, kTuning.sense.work));
  });
  evaluate(candidates, options_.start_precision, run);
}

void Tree::bound_by_blocks(const RunContext& run) {
  blocks_->choose(cells_, root_.senses, plain_.g, with_work(run, kTuning.block.work_at_root));
  if (plain_.bound >= gap_.ceiling)
    return;
  const double extra = blocks_->extra(cells_,
                                      root_.senses,
                                      plain_.g,
                                      kTuning.block.nodes_at_root,
                                      block_tolerance(plain_.bound),
                                      with_work(run, kTuning.block.work_at_root));
  root_.bound = std::max(root_.bound, plain_.bound + extra);
}

// By the relaxation seen from the sensitive cells, where there is one and it is the better one.
void Tree::tighten_root(const RunContext& run) {
  if (norm_ == AdjustNorm::kL2 && any_open(part_.start))
    q_ = sensitive_matrix(part_, workers_.front()->system(), run);
  if (!q_)
    return;
  symmetric_ = is_symmetric();
  const auto form = make_form(root_.senses, run);
  InteriorPoint tight(form->part, norm_, make_dense_system(form->form));
  const Point point = tight.solve(root_.senses, quick_options(), run);
  base::Random random(run.seed);
  const auto count = static_cast<std::int64_t>(part_.sensitive.size());
  evaluate({search_->improve(nearer_sides(part_, point.v, root_.senses),
                             kTuning.tree.tight_moves * count,
                             random,
                             with_work(run, kTuning.sense.work))},
           options_.start_precision,
           run);
  if (point.bound <= root_.bound || run.should_stop()) {
    symmetric_ = false;
    return;
  }
  root_.bound = point.bound;
  root_.form = form;
  if (symmetric_)  // the mirrored half has the same bounds
    root_.senses[dearest_sensitive()] = Sense::kUp;
}

std::size_t Tree::dearest_sensitive() const {
  const auto cost = [&](std::int32_t i) {
    const PartCell& cell = part_.cells[static_cast<std::size_t>(i)];
    return cell.weight * cell.up * cell.up;
  };
  const auto first = std::max_element(
      part_.sensitive.begin(), part_.sensitive.end(), [&](std::int32_t a, std::int32_t b) {
        return cost(a) < cost(b);
      });
  return static_cast<std::size_t>(first - part_.sensitive.begin());
}

bool Tree::evaluate(const std::vector<Senses>& candidates,
                    double precision,
                    const RunContext& run) {
  const double before = cost_;
  std::vector<Senses> fresh;
  for (const Senses& senses : candidates) {
    for (const Senses& each : {senses, symmetric_ ? mirrored(senses) : senses}) {
      if (seen_.insert(each).second)
        fresh.push_back(each);
    }
  }
  const double limit = cost_ < kInfinity ? cost_ : gap_.ceiling;
  for (std::size_t first = 0; first < fresh.size(); first += workers_.size()) {
    const std::size_t lanes = std::min(workers_.size(), fresh.size() - first);
    std::vector<Point> points(lanes);
    base::for_each_lane(run, lanes, [&](std::size_t lane) {
      PointOptions exact;
      exact.precision = precision;
      exact.cutoff = limit;
      points[lane] = solve_plain(*workers_[lane], fresh[first + lane], exact, run);
    });
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Point& point = points[lane];
      steps_ += point.steps;
      ++relaxations_;
      const bool usable =
          point.status == PointStatus::kSolved ||
          (point.status == PointStatus::kStalled && point.residual < tol::kRowResidual);
      if (point.status == PointStatus::kStalled && run.should_stop())
        seen_.erase(fresh[first + lane]);  // it has not been looked at to the end
      const double cost = true_cost(part_, norm_, point.v);
      if (!usable || !(cost < cost_))
        continue;
      cost_ = cost;
      incumbent_ = point.v;
      incumbent_senses_ = fresh[first + lane];
      incumbent_multipliers_ = point.g;
    }
  }
  limit_reach();
  return cost_ < before;
}

// The incumbent with the share of its open cells turned around whose multipliers ask for it most:
// the Lagrangian cost of a side is the least of w |z|^p - g z over it.
Senses Tree::turned_by_multipliers(double share) const {
  const auto least = [&](const PartCell& cell, Sense side, double g) {
    std::vector<Column> columns;
    double total = cell_columns(cell, norm_, side, columns);
    for (const Column& column : columns)
      total += column_minimum(column, g);
    return total;
  };
  std::vector<std::pair<double, std::size_t>> wishes;
  for (std::size_t s = 0; s < part_.sensitive.size(); ++s) {
    if (part_.start[s] != Sense::kUndecided)
      continue;
    const PartCell& cell = sensitive_cell(cells_, s);
    const double g = incumbent_multipliers_[part_.sensitive[s]];
    const Sense now = incumbent_senses_[s];
    const double saved = least(cell, now, g) - least(cell, opposite(now), g);
    if (saved > 0)
      wishes.push_back({-saved, s});
  }
  std::sort(wishes.begin(), wishes.end());
  const auto count = static_cast<std::size_t>(share * static_cast<double>(wishes.size()));
  Senses turned = incumbent_senses_;
  for (std::size_t i = 0; i < std::min(wishes.size(), count + 1); ++i)
    turned[wishes[i].second] = opposite(turned[wishes[i].second]);
  return turned;
}

// Turns of many senses at once, half as many after each pair of turns that did not help.
void Tree::improve_large(const RunContext& run) {
  double share = kTuning.tree.first_turned;
  while (has_incumbent() && share > kTuning.tree.least_turned && !run.should_stop()) {
    if (!evaluate({turned_by_multipliers(share), turned_by_multipliers(share / 2)},
                  options_.start_precision,
                  run))
      share /= 4;
  }
}

// A table that costs less than the incumbent moves no cell so far that this cell alone would cost
// more. Only cells without bounds need to be told: their multipliers would have to be exact.
void Tree::limit_reach() {
  if (cost_ == kInfinity)
    return;
  for (std::size_t c = 0; c < part_.cells.size(); ++c) {
    PartCell& cell = cells_.cells[c];
    if (!(cell.weight > 0))
      continue;
    const double share = cost_ / cell.weight;
    const double reach =
        (norm_ == AdjustNorm::kL2 ? std::sqrt(share) : share) + cell.up + cell.down;
    if (std::isinf(part_.cells[c].upper))
      cell.upper = reach;
    if (std::isinf(part_.cells[c].lower))
      cell.lower = -reach;
  }
}

Vector Tree::keep_margins(const Vector& margins, const RunContext& run) const {
  Part inner;
  inner.cells = part_.cells;
  inner.sensitive = part_.sensitive;
  for (std::size_t c = 0; c < inner.cells.size(); ++c) {
    PartCell& cell = inner.cells[c];
    const double margin = margins[static_cast<Index>(c)];
    if (cell.upper - cell.lower > 4 * margin) {
      cell.lower += margin;
      cell.upper -= margin;
    }
    if (cell.sensitive) {
      cell.up = std::min(cell.up + margin, cell.upper);
      cell.down = std::min(cell.down + margin, -cell.lower);
    }
  }
  InteriorPoint method(inner, norm_, workers_.front()->system().clone());
  PointOptions exact;
  exact.precision = options_.start_precision;
  const Point point = method.solve(incumbent_senses_, exact, run);
  return point.residual < tol::kRowResidual ? point.v : incumbent_;
}

bool Tree::decide_by_multipliers(Senses& senses,
                                 const Point& point,
                                 const InteriorPoint& method) const {
  for (std::size_t s = 0; s < senses.size(); ++s) {
    if (senses[s] != Sense::kUndecided)
      continue;
    const std::int32_t cell = method.part().sensitive[s];
    const bool up_closed = method.bound_if(cell, Sense::kUp, point) >= cutoff();
    const bool down_closed = method.bound_if(cell, Sense::kDown, point) >= cutoff();
    if (up_closed && down_closed)
      return false;
    if (up_closed)
      senses[s] = Sense::kDown;
    else if (down_closed)
      senses[s] = Sense::kUp;
  }
  return true;
}

Point Tree::solve_plain(InteriorPoint& full,
                        const Senses& senses,
                        const PointOptions& options,
                        const RunContext& run) const {
  Point point = full.solve(senses, options, run);
  const bool precise =
      point.residual < tol::kRowResidual &&
      (norm_ == AdjustNorm::kL2 ||
       point.value - point.bound <= kTuning.tree.imprecise * std::abs(point.value));
  if (point.status != PointStatus::kStalled || precise ||
      part_.cells.size() > kTuning.tree.large_part || run.should_stop())
    return point;
  const Vertex vertex = least_absolute(
      part_, cells_, senses, options_.engine, with_work(run, kTuning.tree.engine_work));
  if (vertex.status == VertexStatus::kInfeasible) {
    point.status = PointStatus::kCutOff;
    point.bound = kInfinity;
  } else if (norm_ == AdjustNorm::kL2) {
    for (const double distance : {0.01, 100.0}) {  // another start often gets through
      PointOptions again = options;
      again.start = distance;
      Point other = full.solve(senses, again, run);
      if (other.bound > point.bound && other.residual < point.residual)
        point = std::move(other);
      if (point.residual < tol::kRowResidual)
        break;
    }
    if (point.residual >= tol::kRowResidual && vertex.status == VertexStatus::kFound) {
      point.residual = 0;  // a table at least, if not the best one
      point.v = vertex.z;
    }
  } else if (vertex.status == VertexStatus::kFound) {
    point.status = PointStatus::kSolved;
    point.residual = 0;
    point.v = vertex.z;
    if (vertex.bound > point.bound) {
      point.bound = vertex.bound;
      point.g = vertex.g;
    }
  }
  return point;
}

Vector Tree::vertex(const RunContext& run) const {
  if (norm_ != AdjustNorm::kL1 || part_.cells.size() > kTuning.tree.large_part || run.should_stop())
    return incumbent_;
  const Vertex found = least_absolute(part_, part_, incumbent_senses_, options_.engine, run);
  const bool better = found.status == VertexStatus::kFound &&
                      true_cost(part_, norm_, found.z) <= cost_ * (1 + tol::kObjective);
  return better ? found.z : incumbent_;
}

// All senses decided: the exact problem of this pattern (and of its mirror image) bounds the node.
void Tree::finish_leaf(const Node& node,
                       InteriorPoint& full,
                       NodeOutcome& outcome,
                       const RunContext& run) const {
  PointOptions exact;
  exact.precision = options_.pruning_share * options_.gap * 0.1;
  exact.cutoff = cutoff();
  double least = kInfinity;
  for (const Senses& senses : {node.senses, symmetric_ ? mirrored(node.senses) : node.senses}) {
    const Point point = solve_plain(full, senses, exact, run);
    outcome.steps += point.steps;
    ++outcome.relaxations;
    least = std::min(least, std::max(point.bound, node.bound));
    if (!symmetric_)
      break;
  }
  outcome.candidates.push_back(node.senses);
  outcome.closed_bound = std::min(outcome.closed_bound, least);
}

NodeOutcome Tree::work_on(Node& node, std::size_t lane, const RunContext& run) {
  InteriorPoint& full = *workers_[lane];
  NodeOutcome outcome;
  if (node.bound >= cutoff()) {
    outcome.closed_bound = node.bound;
    return outcome;
  }
  if (!any_open(node.senses)) {
    finish_leaf(node, full, outcome, run);
    return outcome;
  }
  Node here = node;
  if (here.form && here.depth - here.renewed >= options_.renew_depth) {
    here.form = make_form(here.senses, run);
    here.renewed = here.depth;
  }
  InteriorPoint dense(here.form ? here.form->part : cells_,
                      norm_,
                      here.form ? make_dense_system(here.form->form) : nullptr);
  InteriorPoint& method = here.form ? dense : full;
  PointOptions options;
  options.precision = options_.gap * 0.05;
  options.cutoff = cutoff();
  const Point point = here.form ? dense.solve(here.senses, options, run)
                                : solve_plain(full, here.senses, options, run);
  outcome.steps += point.steps;
  ++outcome.relaxations;
  here.bound = std::max(here.bound, point.bound);
  if (!here.form && here.bound < cutoff())
    here.bound = std::max(here.bound,
                          point.bound + blocks_->extra(cells_,
                                                       here.senses,
                                                       point.g,
                                                       kTuning.block.nodes,
                                                       block_tolerance(point.bound),
                                                       run));
  Senses senses = here.senses;
  if (here.bound >= cutoff() || !decide_by_multipliers(senses, point, method)) {
    outcome.closed_bound = std::max(here.bound, cutoff());
    return outcome;
  }
  if (search_) {  // in turn from this relaxation and from the best table
    base::Random random(run.seed + static_cast<std::uint64_t>(node.number));
    const bool from_best = node.number % 2 == 1 && has_incumbent();
    const Senses rounded =
        from_best ? incumbent_senses_ : nearer_sides(part_, of_sensitive(point.v, method), senses);
    const auto moves = static_cast<std::int64_t>(senses.size()) * (from_best ? 8 : 2);
    outcome.candidates.push_back(
        search_->improve(rounded, moves, random, with_work(run, kTuning.sense.work)));
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
    const PartCell& cell = sensitive_cell(part_, s);
    const PartCell& shown = sensitive_cell(method.part(), s);
    const double v = point.v[method.part().sensitive[s]];
    const double up = std::max(0.0, cell.up - v);
    const double down = std::max(0.0, v + cell.down);
    const double loss =
        norm_ == AdjustNorm::kL2 ? shown.weight * up * down : shown.weight * std::min(up, down);
    open.push_back({-loss, static_cast<std::int32_t>(s)});
  }
  std::sort(open.begin(), open.end());
  open.resize(std::min(open.size(), kTuning.tree.most_estimates));
  for (auto& [score, s] : open) {
    const PartCell& cell = sensitive_cell(part_, static_cast<std::size_t>(s));
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
  const int tried = node.depth <= options_.tried_depth ? options_.tried : options_.tried / 3;
  const auto choices =
      best_to_branch(senses, point, method, static_cast<std::size_t>(std::max(1, tried)));
  PointOptions trial;
  trial.precision = options_.gap;
  trial.cutoff = cutoff();
  double best_score = -1;
  std::vector<Node> best;
  for (const std::int32_t s : choices) {
    std::vector<Node> pair;
    double score = 1;
    for (const Sense sense : {Sense::kUp, Sense::kDown}) {
      Node child = child_of(s, sense, node.bound);
      if (choices.size() > 1) {
        const Point tested = node.form ? method.solve(child.senses, trial, run)
                                       : solve_plain(full, child.senses, trial, run);
        outcome.steps += tested.steps;
        ++outcome.relaxations;
        child.bound = std::max(child.bound, tested.bound);
      }
      score *= std::max(child.bound - node.bound, tol::kDual * node.bound);
      if (child.bound < cutoff())
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
  if (stage_ == Stage::kNone)
    begin(run);
  while (stage_ != Stage::kNodes && !run.should_stop())
    pass_stage(run);
  if (stage_ != Stage::kNodes)
    return;
  if (part_.cells.size() > kTuning.tree.large_part) {
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
  steps_ += outcome.steps;
  relaxations_ += outcome.relaxations;
  for (Node& child : outcome.children)
    open_.open(std::move(child));
  candidates_.insert(candidates_.end(), outcome.candidates.begin(), outcome.candidates.end());
  return branching::NodeFate::kDone;
}

void Tree::after_batch(const RunContext& run) {
  if (!unfinished_)
    evaluate(candidates_, options_.start_precision, run);
}

}  // namespace lacuna::adjustment
