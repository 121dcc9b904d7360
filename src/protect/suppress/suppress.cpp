// SPDX-License-Identifier: Apache-2.0
// Complete suppression from problem to pattern: a start pattern from the heuristics, then branch
// and cut on each connected part.
#include "lacuna/suppress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/base/throttle.h"
#include "core/base/work.h"
#include "judge/presolve/merged.h"
#include "lacuna/lp.h"
#include "protect/start/construct.h"
#include "protect/suppress/bound_proof.h"
#include "protect/suppress/explain.h"
#include "protect/suppress/guided_rounding.h"
#include "protect/suppress/part_list.h"
#include "protect/suppress/part_solver.h"
#include "protect/suppress/start.h"
#include "protect/suppress/tuning.h"
#include "protect/suppress/work_shares.h"
#include "protect/suppression_model/pattern_requirements.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna {
namespace {

// Readings when a run began.
struct RunBegin {
  std::chrono::steady_clock::time_point clock = std::chrono::steady_clock::now();
  std::int64_t work = work_done();
  std::int64_t touches = base::touches_so_far();  // the same, more exactly
};

// Of the parts that are done.
struct SolvedParts {
  double cost = 0, bound = 0;
  bool complete = true, all_optimal = true, infeasible = false;
};

// A start, which ties no part to another; then the best pattern of one part after the other.
class Suppression {
 public:
  Suppression(std::shared_ptr<const Problem> problem,
              const SuppressOptions& options,
              suppression::Outside outside,
              const RunContext& run)
      : problem_(std::move(problem)),
        options_(options),
        run_(run),
        parts_(*problem_, std::move(outside), options.max_withheld >= 0),
        shares_(problem_, options_, parts_, begin_.work, run_),
        rounding_(problem_, parts_.always(), options_.engine) {}

  // What has been proven of each part, to be written down when the search is done.
  const std::vector<suppression::BoundProof::Part>& proven_parts() const { return proven_; }

  Result<SuppressResult> run_all() {
    LACUNA_RETURN_IF_ERROR(find_start());
    withhold_always();
    for (std::size_t p = 0; p < parts_.count(); ++p) {
      suppression::PartResult part = solve(p);
      if (options_.prove_bound)
        remember_bound(p, part);
      LACUNA_RETURN_IF_ERROR(take(p, std::move(part)));
    }
    finish();
    return std::move(result_);
  }

 private:
  enum class Stage : std::uint8_t { kStart, kTree };
  struct QuickPattern {
    bool asked = false;
    std::optional<Draft> pattern;
  };

  // ---- the start

  Status find_start() {
    if (options_.minimum_width > 0)
      return ok_status();
    if (options_.effort == Effort::kFast || !parts_.are_small()) {
      LACUNA_TRY(start_, pattern_by_itself(Stage::kStart, run_));
    } else {
      LACUNA_TRY(start_,
                 find_pattern(suppression::StartKind::kForTree,
                              Stage::kStart,
                              with_work(run_, shares_.of_start())));
      if (!start_ && options_.earlier().empty()) {
        LACUNA_TRY(start_, pattern_by_itself(Stage::kStart, run_));
      }
    }
    if (start_)
      result_.start_cost =
          parts_.outside().weight + suppression_model::withheld_weight(problem_->table(), *start_);
    result_.start_seconds = seconds();
    return ok_status();
  }

  // None if the construction leaves needs unmet. Its witnesses are good for more than this pattern.
  Result<std::optional<Draft>> find_pattern(suppression::StartKind kind,
                                            Stage stage,
                                            const RunContext& run) {
    suppression::SuppressStart start(problem_, options_, parts_.all(), parts_.always(), kind, run);
    start.sizes = parts_.outside().sizes;
    start.resumes = stage == Stage::kStart;
    if (stage == Stage::kStart) {
      start.on_safe = [this](double weight) { report_start(parts_.outside().weight + weight); };
      if (options_.on_pattern)
        start.on_stage = [this](
                             const Draft& draft, const auto& evidence, SuppressStage::Name name) {
          options_.on_pattern(draft, evidence, {name, base::touches_so_far() - begin_.touches});
        };
    }
    LACUNA_TRY(suppression::StartPattern found, start.find());
    std::move(
        found.witnesses.begin(), found.witnesses.end(), std::back_inserter(result_.witnesses));
    return std::move(found.draft);
  }

  // What the quick effort finds.
  Result<std::optional<Draft>> pattern_by_itself(Stage stage, const RunContext& run) {
    quick_.asked = true;
    return find_pattern(
        suppression::StartKind::kByItself, stage, with_work(run, shares_.of_quick_start()));
  }

  // The same for one part; it is asked when the first part takes long.
  std::optional<suppression::PartPattern> quick_pattern(std::size_t p, const RunContext& run) {
    if (!quick_.asked) {
      if (auto found = pattern_by_itself(Stage::kTree, run))
        quick_.pattern = *std::move(found);
    }
    if (!quick_.pattern)
      return std::nullopt;
    return rounding_.pattern_of(parts_.cells(p), *quick_.pattern);
  }

  // ---- one part

  suppression::PartTask task_of(std::size_t p) {
    suppression::PartTask task;
    task.cells = parts_.cells(p);
    task.offset = parts_.settled_weight();
    if (options_.max_withheld >= 0)
      task.max_withheld = options_.max_withheld - parts_.settled_cells();
    if (start_)
      task.start = rounding_.pattern_of(parts_.cells(p), *start_);
    task.sizes = parts_.outside().sizes;
    if (start_ && task.max_withheld >= 0 && parts_.size_of(task.start->cells) > task.max_withheld)
      task.start.reset();
    return task;
  }

  suppression::PartResult solve(std::size_t p) {
    suppression::PartTask task = task_of(p);
    const bool from_start = options_.effort == Effort::kFast || !options_.earlier().empty();
    if (!from_start && options_.minimum_width == 0) {
      task.round = [this, p](const std::vector<double>& guess, const RunContext& run) {
        return rounding_.round(parts_.cells(p), guess, run);
      };
      task.other_start = [this, p](const RunContext& run) { return quick_pattern(p, run); };
      task.other_start_at = work_done() + shares_.before_quick();
    }
    task.on_change = [this, p](double cost, double bound) { report(p, cost, bound); };
    if (!from_start && options_.on_pattern) {
      task.on_pattern = [this, p](const suppression::PartPattern& better, const auto& witnesses) {
        hand_out(p, better, witnesses);
      };
    }
    return suppression::solve_part(problem_, options_, std::move(task), shares_.for_tree());
  }

  Status take(std::size_t p, suppression::PartResult part) {
    const bool keeps_earlier = !options_.earlier().empty() && start_;  // the tree is for the bound
    if (keeps_earlier)
      part.why = part.why == StopReason::kOptimal ? StopReason::kWork : part.why;
    if (keeps_earlier || is_at_the_expense_of_cells(p, part)) {
      part.best = rounding_.pattern_of(parts_.cells(p), *start_);
      part.witnesses.clear();
    }
    result_.counts.nodes += part.counts.nodes;
    result_.counts.cuts += part.counts.cuts;
    result_.counts.attacker_lps += part.counts.attacker_lps;
    result_.counts.master_lps += part.counts.master_lps;
    solved_.bound += part.bound;
    solved_.all_optimal = solved_.all_optimal && part.why == StopReason::kOptimal;
    solved_.infeasible = solved_.infeasible || part.why == StopReason::kInfeasible;
    if (!part.best && part.why != StopReason::kInfeasible) {
      LACUNA_TRY(part.best, last_resort(p));
    }
    solved_.complete = solved_.complete && part.best.has_value();
    if (!part.best)
      return ok_status();
    solved_.cost += part.best->cost;
    for (const CellId cell : part.best->cells)
      result_.draft.withhold(cell);
    std::copy(part.witnesses.begin(), part.witnesses.end(), std::back_inserter(result_.witnesses));
    return ok_status();
  }

  void remember_bound(std::size_t p, const suppression::PartResult& part) {
    suppression::BoundProof::Part proven;
    proven.cells = parts_.cells(p);
    double always = 0;
    for (const CellId cell : proven.cells)
      always += parts_.always()[static_cast<std::size_t>(cell.value)]
                    ? problem_->table().cell(cell).weight
                    : 0;
    proven.bound = part.bound - always;
    if (part.why == StopReason::kOptimal && part.best)
      proven.best = part.best->cells;
    proven_.push_back(std::move(proven));
  }

  // The quick effort counts cells, too; what the bound finds by the way counts weight alone.
  bool is_at_the_expense_of_cells(std::size_t p, const suppression::PartResult& part) const {
    if (options_.effort != Effort::kFast || !start_ || !part.best ||
        part.why == StopReason::kOptimal || part.why == StopReason::kGapReached)
      return false;
    return parts_.size_of(part.best->cells) >
           parts_.size_of(rounding_.pattern_of(parts_.cells(p), *start_).cells);
  }

  Draft all_that_may_be_withheld() const {
    std::vector<CellId> cells;
    for (std::int32_t c = 0; c < problem_->table().num_cells(); ++c) {
      if (parts_.always()[static_cast<std::size_t>(c)] ||
          may_be_withheld(problem_->table().cell(CellId{c})))
        cells.push_back(CellId{c});
    }
    return Draft::withholding(cells);
  }

  // All that may be withheld is: every safe pattern is a part of it. Whether it is one the audit
  // will say.
  Result<std::optional<suppression::PartPattern>> last_resort(std::size_t p) const {
    if (options_.max_withheld >= 0)
      return std::optional<suppression::PartPattern>();
    if (options_.minimum_width == 0)
      return std::optional<suppression::PartPattern>(
          rounding_.pattern_of(parts_.cells(p), all_that_may_be_withheld()));
    RunContext unhurried = run_;  // what is owed when the limit has struck
    unhurried.deadline = std::chrono::steady_clock::time_point::max();
    unhurried.work_end = kNoWorkLimit;
    LACUNA_TRY(const Draft all, suppression::largest_pattern(problem_, options_, unhurried));
    return std::optional<suppression::PartPattern>(rounding_.pattern_of(parts_.cells(p), all));
  }

  // ---- what is told on the way

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_.clock).count();
  }

  std::string phase_of(std::size_t p) const {
    if (parts_.count() == 1)
      return "suppress";
    return "suppress, part " + std::to_string(p + 1) + " of " + std::to_string(parts_.count());
  }

  // What the parts before this one came to and what the others began with, now and then.
  void hand_out(std::size_t p,
                const suppression::PartPattern& better,
                std::vector<Displacement> evidence) {
    if (!hand_out_.is_due())
      return;
    Draft draft = result_.draft;
    for (const CellId cell : better.cells)
      draft.withhold(cell);
    for (std::size_t later = p + 1; start_ && later < parts_.count(); ++later) {
      for (const CellId cell : rounding_.pattern_of(parts_.cells(later), *start_).cells)
        draft.withhold(cell);
    }
    evidence.insert(evidence.end(), result_.witnesses.begin(), result_.witnesses.end());
    options_.on_pattern(draft, evidence, {});
    hand_out_.done();
  }

  void report(std::size_t p, double cost, double bound) {
    const double incumbent = parts_.settled_weight() + solved_.cost + cost;
    const double proven = parts_.settled_weight() + solved_.bound + std::max(bound, 0.0);
    if (result_.trace.empty() || result_.trace.back().incumbent != incumbent ||
        result_.trace.back().bound != proven)
      result_.trace.push_back({seconds(), incumbent, proven, work_done()});
    if (run_.on_progress)
      run_.on_progress({phase_of(p), proven / incumbent, incumbent, proven});
  }

  // Before there is a tree, and a bound.
  void report_start(double weight) {
    if (!result_.trace.empty() && weight >= result_.trace.back().incumbent)
      return;
    result_.trace.push_back({seconds(), weight, parts_.settled_weight(), work_done()});
    if (run_.on_progress)
      run_.on_progress({"start", 0, weight, std::nan("")});
  }

  void withhold_always() {
    for (std::size_t c = 0; c < parts_.always().size(); ++c) {
      if (parts_.always()[c])
        result_.draft.withhold(CellId{static_cast<std::int32_t>(c)});
    }
  }

  void finish() {
    result_.complete = solved_.complete;
    if (solved_.complete && options_.on_pattern)
      options_.on_pattern(result_.draft, result_.witnesses, {});
    result_.cost = parts_.outside().weight +
                   suppression_model::withheld_weight(problem_->table(), result_.draft);
    result_.bound = std::min(parts_.settled_weight() + solved_.bound, result_.cost);
    if (solved_.all_optimal)
      result_.bound = result_.cost;
    if (solved_.infeasible)
      result_.why = StopReason::kInfeasible;
    else if (solved_.all_optimal)
      result_.why = StopReason::kOptimal;
    else if (run_.stop.stop_requested())
      result_.why = StopReason::kCancelled;
    else if (result_.cost - result_.bound <= options_.gap * result_.cost)
      result_.why = StopReason::kGapReached;
    else
      result_.why = ended_by(run_);
  }

  std::shared_ptr<const Problem> problem_;
  const SuppressOptions& options_;
  const RunContext& run_;
  RunBegin begin_{};
  suppression::PartList parts_;
  suppression::WorkShares shares_;
  suppression::GuidedRounding rounding_;
  std::optional<Draft> start_;
  QuickPattern quick_;
  SolvedParts solved_;
  std::vector<suppression::BoundProof::Part> proven_;
  base::Throttle hand_out_{start::ConstructOptions().seconds_between};
  SuppressResult result_;
};

// Parallel cells as one, for all that follows. Where an earlier release is to be kept, or widths
// are asked of single cells, every cell has its own say.
std::optional<presolve::MergedProblem> merged_for(const Problem& problem,
                                                  const SuppressOptions& options,
                                                  const RunContext& run) {
  if (!options.earlier().empty() || options.minimum_width > 0)
    return std::nullopt;
  return presolve::MergedProblem::make(problem, {}, run);
}

suppression::Outside outside_of(const Problem& problem, const presolve::MergedProblem& merged) {
  suppression::Outside outside;
  outside.sizes = merged.sizes();
  const std::vector<bool> always = presolve::always_withheld(problem);
  for (std::size_t c = 0; c < always.size(); ++c) {
    outside.weight += always[c] ? problem.table().cells()[c].weight : 0;
    outside.cells += always[c] ? 1 : 0;
  }
  return outside;
}

// What a log may take: as much work as the search, and where the search came to its time limit, a
// share of its time on top.
RunContext run_of_log(const RunContext& run, const RunBegin& begin) {
  RunContext own = run;
  own.work_end = kNoWorkLimit;
  own = with_work(own, std::max(suppression::kTuning.proof.least_work, work_done() - begin.work));
  const auto now = std::chrono::steady_clock::now();
  const auto share = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      (now - begin.clock) * suppression::kTuning.proof.share_of_time);
  if (own.deadline - now < share)
    own.deadline = now + share;
  return own;
}

// The log of the bound, once the search is over: what the search did is not changed by it.
void prove_bound(const std::shared_ptr<const Problem>& problem,
                 const presolve::MergedProblem* merged,
                 const SuppressOptions& options,
                 const std::vector<suppression::BoundProof::Part>& parts,
                 const RunBegin& begin,
                 const RunContext& run,
                 SuppressResult& result) {
  if (!options.prove_bound || !result.complete)
    return;
  const RunContext own = run_of_log(run, begin);
  suppression::BoundProof proof(problem, merged, options);
  for (const auto& part : parts)
    proof.prove(part, own);
  auto log = std::make_shared<BoundLog>(proof.finish());
  if (bound::check(*problem, *log))
    result.bound_log = std::move(log);
}

// Complete suppression of the smaller problem, told in cells of the given one.
Result<SuppressResult> suppress_merged(const std::shared_ptr<const Problem>& problem,
                                       const presolve::MergedProblem& merged,
                                       SuppressOptions options,
                                       const RunContext& run) {
  options.start = merged.classes_of(options.start);
  options.start_evidence = merged.reduce(options.start_evidence);
  if (options.on_pattern) {
    options.on_pattern = [&problem, &merged, tell = options.on_pattern](
                             const Draft& draft, const auto& evidence, const auto& stage) {
      tell(merged.expand(*problem, draft), merged.expand(evidence), stage);
    };
  }
  const RunBegin begin;
  Suppression search(merged.problem_ptr(), options, outside_of(*problem, merged), run);
  LACUNA_TRY(SuppressResult found, search.run_all());
  prove_bound(problem, &merged, options, search.proven_parts(), begin, run, found);
  found.draft = merged.expand(*problem, found.draft);
  found.witnesses = merged.expand(found.witnesses);
  found.cost = suppression_model::withheld_weight(problem->table(), found.draft);
  found.bound = found.why == StopReason::kOptimal ? found.cost : std::min(found.bound, found.cost);
  return found;
}

Result<SuppressResult> suppress_single(const std::shared_ptr<const Problem>& problem,
                                       const SuppressOptions& options,
                                       const RunContext& run) {
  const RunBegin begin;
  Suppression search(problem, options, {}, run);
  LACUNA_TRY(SuppressResult found, search.run_all());
  prove_bound(problem, nullptr, options, search.proven_parts(), begin, run, found);
  return found;
}

Status explained(const std::shared_ptr<const Problem>& problem,
                 const SuppressOptions& options,
                 const RunContext& run) {
  LACUNA_TRY(const std::optional<suppression::Explanation> why,
             suppression::explain_infeasibility(problem, options, run));
  if (why)
    return to_error(*problem, *why);
  return ok_status();
}

// Is a level asked of a cell that cannot move, whatever is withheld?
bool asks_of_fixed_cells(const Problem& problem) {
  std::vector<bool> movable(static_cast<std::size_t>(problem.table().num_cells()), false);
  for (const auto& part : suppression_model::parts_with_needs(problem)) {
    for (const CellId cell : part)
      movable[static_cast<std::size_t>(cell.value)] = true;
  }
  return std::any_of(
      problem.requirements().begin(), problem.requirements().end(), [&](const Requirement& need) {
        const bool asked = need.upper > 0 || need.lower > 0 || need.sliding > 0;
        return asked && !movable[static_cast<std::size_t>(need.cell.value)];
      });
}

// What the parts cannot see: a limit that is below what is always withheld, and cells that cannot
// move at all and yet are asked for a level or a width.
Status check_before(const std::shared_ptr<const Problem>& problem,
                    const SuppressOptions& options,
                    const RunContext& run) {
  const std::vector<bool> always = presolve::always_withheld(*problem);
  const bool too_many = options.max_withheld >= 0 &&
                        std::count(always.begin(), always.end(), true) > options.max_withheld;
  if (!too_many && options.minimum_width <= 0 && !asks_of_fixed_cells(*problem))
    return ok_status();
  return explained(problem, options, run);
}

}  // namespace

Status SuppressOptions::validate() const {
  LACUNA_RETURN_IF_ERROR(MethodOptions::validate());
  if (preferred && (max_withheld >= 0 || minimum_width > 0)) {
    return Error{ErrorCode::kUnsupported,
                 "an earlier release cannot be kept together with a limit on withheld cells or a "
                 "minimum width",
                 "--prefer"};
  }
  return check_ranges(static_cast<const SuppressSettings&>(*this));
}

Result<SuppressResult> suppress(const std::shared_ptr<const Problem>& problem,
                                const SuppressOptions& options,
                                const RunContext& given) {
  const RunContext run =
      with_effort(with_helpers(given), options.effort, problem->table().num_cells());
  LACUNA_RETURN_IF_ERROR(options.validate());
  if (auto engine = make_lp_solver(options.engine); !engine)
    return engine.error();
  LACUNA_RETURN_IF_ERROR(check_before(problem, options, run));
  const auto merged = merged_for(*problem, options, run);
  auto found = merged ? suppress_merged(problem, *merged, options, run)
                      : suppress_single(problem, options, run);
  if (!found || found->why == StopReason::kInfeasible)
    LACUNA_RETURN_IF_ERROR(explained(problem, options, run));
  return found;
}

}  // namespace lacuna
