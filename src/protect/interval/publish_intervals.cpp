// SPDX-License-Identifier: Apache-2.0
// Interval publication from problem to draft: model, cutting planes, exact ends.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/base/grace_period.h"
#include "core/base/work.h"
#include "judge/bound/check_bound.h"
#include "protect/interval/bound_proof.h"
#include "protect/interval/cutting_planes.h"
#include "protect/interval/exact_witness.h"
#include "protect/interval/parallel_intervals.h"
#include "protect/interval/publish.h"
#include "protect/interval/tuning.h"

namespace lacuna {
namespace {

using interval::CuttingPlanes;
using interval::Ends;
using interval::LoopResult;
using interval::Model;
using interval::SafeEnds;

Error unattainable(const Problem& problem, std::int32_t index) {
  const Requirement& requirement = problem.requirements()[static_cast<std::size_t>(index)];
  return Error{ErrorCode::kCannotProtect,
               "no intervals can give the cell its protection levels: what is published or already "
               "known leaves too little room",
               problem.table().label(requirement.cell)};
}

// The ends that the witnesses of each requirement use.
std::vector<std::vector<std::size_t>> supports(const Model& model,
                                               std::span<const interval::Goal> goals,
                                               const LoopResult& found) {
  std::vector<std::vector<std::size_t>> support(model.problem->requirements().size());
  for (std::size_t d = 0; d < found.witnesses.size(); ++d) {
    const auto need = static_cast<std::size_t>(goals[d].need);
    auto& ends = support[static_cast<std::size_t>(model.needs[need].requirement)];
    for (const auto& [cell, amount] : found.witnesses[d])
      ends.push_back(attacker::end_of(cell, amount > 0 ? 1 : -1));
  }
  return support;
}

double exact_cost(const Model& model, const Ends& ends) {
  return interval::cost_of(model, interval::draft_of(model, ends, 0));
}

// Ends that hold the exact witnesses, if that costs no more than rounding may.
Ends rounded_ends(const Model& model,
                  const LoopResult& found,
                  std::span<const Displacement> witnesses) {
  Ends ends = round_up(model, found.safe.z);
  Ends wider = holding(witnesses, model, ends);
  const double most = found.cost + interval::rounding_cost(model, ends);
  return exact_cost(model, wider) <= std::max(most, exact_cost(model, ends)) ? wider : ends;
}

// From safe points in floating point to exact ends, now and then while the loop goes on, so that
// there is something to release whenever it is stopped.
class Publisher {
 public:
  Publisher(const std::shared_ptr<const Problem>& problem,
            const IntervalOptions& options,
            const Model& model,
            const RunContext& run)
      : problem_(problem), options_(options), model_(model), run_(run) {}

  void start_with(std::vector<Displacement> exact) {
    ready_.ends = holding(exact, model_, round_up(model_, model_.least));
    ready_.witnesses = std::move(exact);
    ready_.cost = exact_cost(model_, ready_.ends);
  }

  // Of a point on the way.
  Status consider(std::span<const interval::Goal> goals, const LoopResult& found) {
    const std::int64_t now = work_done();
    const bool pays = found.cost < ready_.cost * (1 - interval::kTuning.publish.worth);
    if (!pays || now - last_ < interval::kTuning.publish.apart * last_took_)
      return ok_status();
    LACUNA_RETURN_IF_ERROR(finish(goals, found, run_));
    last_ = work_done();
    last_took_ = last_ - now;
    return ok_status();
  }

  // Exact ends of a safe point, if the run allows it and they cost no more than what is ready.
  Status finish(std::span<const interval::Goal> goals,
                const LoopResult& found,
                const RunContext& run) {
    if (run.should_stop() || found.witnesses.size() != goals.size())
      return ok_status();
    SafeEnds other;
    other.witnesses = exact_witnesses(model_, goals, found.witnesses, found.safe, run);
    if (run.should_stop())
      return ok_status();
    other.ends = rounded_ends(model_, found, other.witnesses);
    LACUNA_TRY(other.is_confirmed, confirm(supports(model_, goals, found), run, other));
    other.cost = exact_cost(model_, other.ends);
    if (other.is_confirmed && other.cost <= ready_.cost)
      ready_ = std::move(other);
    return ok_status();
  }

  // What is ready, or else everything that may be hidden, with the cautious audit of its own.
  Result<SafeEnds> take(const RunContext& graced, const RunContext& brief) {
    const std::vector<std::vector<std::size_t>> none(problem_->requirements().size());
    if (std::isfinite(ready_.cost) && !ready_.is_confirmed) {
      LACUNA_TRY(ready_.is_confirmed, confirm(none, graced, ready_));
    }
    if (!ready_.is_confirmed && !brief.should_stop()) {
      ready_.ends = round_up(model_, model_.most);
      LACUNA_TRY(ready_.is_confirmed, confirm(none, brief, ready_));
    }
    return std::move(ready_);
  }

 private:
  Result<bool> confirm(const std::vector<std::vector<std::size_t>>& support,
                       const RunContext& run,
                       SafeEnds& ready) const {
    return confirm_exactly(problem_,
                           model_,
                           {support.begin(), support.end()},
                           options_.interval_digits,
                           options_.engine,
                           run,
                           ready.ends,
                           ready.witnesses);
  }

  const std::shared_ptr<const Problem>& problem_;
  const IntervalOptions& options_;
  const Model& model_;
  const RunContext& run_;
  SafeEnds ready_;
  std::int64_t last_ = 0, last_took_ = 0;  // work: at the end of the last finish, and its own
};

// The log of the bound, once the search is over, for as much work as that took.
std::shared_ptr<const BoundLog> log_of_bound(const interval::BoundTask& task,
                                             std::int64_t work_before,
                                             const RunContext& run) {
  RunContext own = interval::brief_run(run, work_before);
  if (!run.braked()) {
    own.work_end = kNoWorkLimit;
    own = with_work(own, std::max(interval::kTuning.publish.least_proof, work_done() - work_before));
  }
  auto log = interval::prove_bound(task, own);
  return log && bound::check(task.given, *log) ? std::make_shared<const BoundLog>(*std::move(log))
                                               : nullptr;
}

// Ends are whole units, the bound is for any real ends: what rounding costs is no gap.
StopReason ending(const IntervalResult& result,
                  const Model& model,
                  double found,
                  const Ends& ends,
                  const RunContext& run) {
  const double exact = exact_cost(model, ends);
  const bool missed = exact > found + interval::rounding_cost(model, ends);
  const bool coarser = result.cost > exact;  // by digits
  const bool ended = (result.why == StopReason::kGapReached && missed) ||
                     (result.why == StopReason::kOptimal && (missed || coarser));
  return ended ? ended_by(run) : result.why;
}

// What the model is made of, if that is a smaller problem than the given one.
struct Smaller {
  const Problem* given = nullptr;
  const presolve::MergedProblem* merged = nullptr;
};

Result<IntervalResult> publish_single_cells(const std::shared_ptr<const Problem>& problem,
                                            const IntervalOptions& options,
                                            const Smaller& smaller,
                                            const RunContext& run) {
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t work_before = work_done();
  LACUNA_TRY(Model model, interval::make_model(*problem, options));
  model.keeps_slopes = options.prove_bound;
  Publisher publisher(problem, options, model, run);
  interval::LoopOptions loop_options;
  loop_options.gap = options.gap;
  loop_options.keep_cuts = options.prove_bound;
  const CuttingPlanes* planes = nullptr;
  Status trouble = ok_status();
  loop_options.on_better = [&](const LoopResult& better) {
    if (trouble)
      trouble = publisher.consider(planes->goals(), better);
  };
  loop_options.engine = options.engine;
  loop_options.threads = run.threads;
  LACUNA_TRY(const auto loop, CuttingPlanes::make(model, loop_options));
  planes = loop.get();
  if (interval::StartMoves first = loop->start(run); first.complete)
    publisher.start_with(std::move(first.exact));
  const LoopResult found =
      loop->run(base::share_of_work(run, interval::kTuning.publish.loop_share));
  LACUNA_RETURN_IF_ERROR(trouble);
  if (found.unattainable >= 0)
    return unattainable(*problem, found.unattainable);
  LACUNA_RETURN_IF_ERROR(
      publisher.finish(loop->goals(), found, interval::brief_run(run, work_before)));
  LACUNA_TRY(
      SafeEnds ready,
      publisher.take(
          base::run_with_grace(run, begin, run.braked(), std::chrono::seconds(10)),
          run.braked() ? interval::brief_run(run, work_before) : base::run_with_grace(run, begin)));
  IntervalResult result;
  result.why = found.why;
  result.counts = loop->counts();
  result.complete = ready.is_confirmed;
  if (!result.complete && run.stop.stop_requested())
    result.why = StopReason::kCancelled;
  result.draft = interval::draft_of(model, ready.ends, options.interval_digits);
  result.cost = interval::cost_of(model, result.draft);
  result.bound = std::min(found.bound, result.cost);  // the master's last digits are rounding
  result.witnesses = std::move(ready.witnesses);
  result.why = ending(result, model, found.cost, ready.ends, run);
  if (options.prove_bound) {
    const std::vector<interval::Cut> cuts = loop->take_cuts();
    const Problem& given = smaller.given != nullptr ? *smaller.given : *problem;
    result.bound_log =
        log_of_bound({given, smaller.merged, model, cuts, options.engine}, work_before, run);
  }
  return result;
}

// The intervals of classes, for each of their cells.
Result<IntervalResult> publish_parallel_cells(const Problem& problem,
                                              const interval::ParallelIntervals& parallel,
                                              const IntervalOptions& options,
                                              const RunContext& run) {
  LACUNA_TRY(IntervalResult result,
             publish_single_cells(parallel.problem_ptr(),
                                  parallel.options(),
                                  {&problem, &parallel.merged()},
                                  run));
  LACUNA_TRY(const Model model, interval::make_model(problem, options));
  const Ends ends = parallel.expand(problem, result.draft);
  result.draft = interval::draft_of(model, ends, options.interval_digits);
  result.cost = interval::cost_of(model, result.draft);
  result.bound = std::min(result.bound, result.cost);
  result.witnesses = parallel.merged().expand(result.witnesses);
  if (result.why == StopReason::kOptimal && result.cost > exact_cost(model, ends))  // by digits
    result.why = ended_by(run);
  return result;
}

}  // namespace

Result<IntervalResult> publish_intervals(const std::shared_ptr<const Problem>& problem,
                                         const IntervalOptions& options,
                                         const RunContext& given) {
  const RunContext run = with_helpers(given);
  if (const auto parallel = interval::ParallelIntervals::make(*problem, options, run)) {
    // What no intervals can meet is explained in terms of the problem itself.
    if (auto found = publish_parallel_cells(*problem, *parallel, options, run))
      return found;
  }
  return publish_single_cells(problem, options, {}, run);
}

}  // namespace lacuna
