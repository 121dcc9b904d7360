// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/root.h"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.h"
#include "core/base/random.h"
#include "lacuna/tolerance.h"

namespace lacuna::adjustment {

namespace {

using Index = Eigen::Index;

}  // namespace

Vector of_sensitive(const Vector& v, const Part& part) {
  Vector x(static_cast<Index>(part.sensitive.size()));
  for (std::size_t s = 0; s < part.sensitive.size(); ++s)
    x[static_cast<Index>(s)] = v[part.sensitive[s]];
  return x;
}

PointOptions Root::quick_options() const {
  PointOptions quick;
  quick.precision = solver_.options().gap;
  quick.cutoff = solver_.gap().ceiling;
  return quick;
}

void Root::begin(const RunContext& run) {
  solver_.make_first_worker();
  blocks_ = std::make_unique<BlockBound>(solver_.part(), solver_.norm());
  node_.senses = solver_.part().start;
  InteriorPoint& full = solver_.worker(0);
  plain_ = solver_.solve_plain(full, node_.senses, quick_options(), run);
  solver_.count(plain_);
  node_.bound = std::max(0.0, plain_.bound);
  stage_ = Stage::kSenses;
  solver_.evaluate(
      {nearer_sides(solver_.part(), of_sensitive(plain_.v, full.part()), node_.senses)},
      solver_.options().gap,
      run);
  if (!solver_.best().found() && solver_.norm() == AdjustNorm::kL2 &&
      plain_.bound < solver_.gap().ceiling) {
    InteriorPoint straight(
        solver_.reachable(), AdjustNorm::kL1, full.system().clone());  // other sides
    const Point point = straight.solve(node_.senses, PointOptions{}, run);
    solver_.evaluate(
        {nearer_sides(solver_.part(), of_sensitive(point.v, full.part()), node_.senses)},
        solver_.options().gap,
        run);
  }
  solver_.forget_seen();
}

// A stage that the run ends in is not passed.
void Root::pass_stage(const RunContext& run) {
  if (node_.bound >= solver_.cutoff()) {
    stage_ = Stage::kPassed;
  } else if (stage_ == Stage::kSenses) {
    search_senses(run);
    if (!run.should_stop())
      stage_ = Stage::kBlocks;
  } else if (stage_ == Stage::kBlocks) {
    bound_by_blocks(run);
    if (!run.should_stop())
      stage_ = search_ ? Stage::kTighten : Stage::kPassed;
  } else {
    if (solver_.is_large())
      solver_.improve_large(run);
    else
      tighten(run);
    if (!run.should_stop())
      stage_ = Stage::kPassed;
  }
}

void Root::run(const RunContext& run) {
  if (stage_ == Stage::kNone)
    begin(run);
  while (!passed() && !run.should_stop())
    pass_stage(run);
}

// The same search from the relaxation with other luck.
void Root::search_senses(const RunContext& run) {
  solver_.make_workers();
  if (!search_)
    search_ = SenseSearch::make(solver_.part(), solver_.norm(), solver_.part().start);
  if (!search_)
    return;
  const Senses nearer =
      nearer_sides(solver_.part(), of_sensitive(plain_.v, solver_.worker(0).part()), node_.senses);
  const auto count = static_cast<std::int64_t>(solver_.part().sensitive.size());
  std::vector<Senses> candidates(solver_.options().batch);
  base::for_each_lane(run, candidates.size(), [&](std::size_t lane) {
    base::Random luck(run.seed + lane);
    candidates[lane] = search_->improve(
        nearer, kTuning.tree.start_moves * count, luck, with_work(run, kTuning.sense.work));
  });
  solver_.evaluate(candidates, solver_.options().start_precision, run);
}

double Root::extra_of_blocks(const Senses& senses,
                             const Point& point,
                             std::int64_t nodes,
                             const RunContext& run) const {
  const double tolerance =
      kTuning.block.share_of_gap * solver_.options().gap * std::abs(point.bound);
  return blocks_->extra(solver_.reachable(), senses, point.g, nodes, tolerance, run);
}

// What single equations say about senses.
void Root::bound_by_blocks(const RunContext& run) {
  blocks_->choose(
      solver_.reachable(), node_.senses, plain_.g, with_work(run, kTuning.block.work_at_root));
  if (plain_.bound >= solver_.gap().ceiling)
    return;
  const double extra = extra_of_blocks(node_.senses,
                                       plain_,
                                       kTuning.block.nodes_at_root,
                                       with_work(run, kTuning.block.work_at_root));
  node_.bound = std::max(node_.bound, plain_.bound + extra);
}

// All levels alike on both sides: the mirror image of senses has the same relaxation once the
// bounds of the sensitive cells are widened to be symmetric.
bool Root::has_mirror_images() const {
  for (std::size_t s = 0; s < solver_.part().sensitive.size(); ++s) {
    const PartCell& cell = sensitive_cell(solver_.part(), s);
    if (solver_.part().start[s] != Sense::kUndecided || cell.up != cell.down)
      return false;
  }
  return solver_.part().sensitive.size() > 1;
}

std::shared_ptr<const SensitiveForm> Root::make_form(const Senses& senses,
                                                     const RunContext& run) const {
  DiagonalOptions options;
  options.precision = std::max(options.precision, 0.5 * solver_.options().gap);
  auto form = std::make_shared<SensitiveForm>(
      sensitive_form(solver_.part(), *matrix_, senses, options, run));
  if (solver_.is_symmetric()) {
    for (PartCell& cell : form->part.cells) {
      cell.upper = std::max(cell.upper, -cell.lower);
      cell.lower = -cell.upper;
    }
  }
  return form;
}

// By the relaxation seen from the sensitive cells, where there is one and it is the better one.
void Root::tighten(const RunContext& run) {
  if (solver_.norm() == AdjustNorm::kL2 && any_open(solver_.part().start))
    matrix_ = sensitive_matrix(solver_.part(), solver_.worker(0).system(), run);
  if (!matrix_)
    return;
  solver_.set_symmetric(has_mirror_images());
  const auto form = make_form(node_.senses, run);
  InteriorPoint tight(form->part, solver_.norm(), make_dense_system(form->form));
  const Point point = tight.solve(node_.senses, quick_options(), run);
  base::Random random(run.seed);
  const auto count = static_cast<std::int64_t>(solver_.part().sensitive.size());
  solver_.evaluate({search_->improve(nearer_sides(solver_.part(), point.v, node_.senses),
                                     kTuning.tree.tight_moves * count,
                                     random,
                                     with_work(run, kTuning.sense.work))},
                   solver_.options().start_precision,
                   run);
  if (point.bound <= node_.bound || run.should_stop()) {
    solver_.set_symmetric(false);
    return;
  }
  node_.bound = point.bound;
  node_.form = form;
  if (solver_.is_symmetric())  // the mirrored half has the same bounds
    node_.senses[most_expensive()] = Sense::kUp;
}

std::size_t Root::most_expensive() const {
  const auto cost = [&](std::int32_t i) {
    const PartCell& cell = solver_.part().cells[static_cast<std::size_t>(i)];
    return cell.weight * cell.up * cell.up;
  };
  const auto first =
      std::max_element(solver_.part().sensitive.begin(),
                       solver_.part().sensitive.end(),
                       [&](std::int32_t a, std::int32_t b) { return cost(a) < cost(b); });
  return static_cast<std::size_t>(first - solver_.part().sensitive.begin());
}

}  // namespace lacuna::adjustment
