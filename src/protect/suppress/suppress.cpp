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
#include "protect/suppress/explain.h"
#include "protect/suppress/guided_rounding.h"
#include "protect/suppress/part_solver.h"
#include "protect/suppress/start.h"
#include "protect/suppress/tuning.h"
#include "protect/suppression_model/pattern_requirements.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna {
namespace {

// What a problem with parallel cells as one does not say of the given one.
struct Outside {
  double weight = 0;                // of what is withheld whatever we do
  std::int64_t cells = 0;           // how many they are
  std::vector<std::int32_t> sizes;  // cells that a cell stands for besides these; empty: one
};

class Suppression {
 public:
  Suppression(std::shared_ptr<const Problem> problem,
              const SuppressOptions& options,
              Outside outside,
              const RunContext& run)
      : problem_(std::move(problem)),
        options_(options),
        outside_(std::move(outside)),
        run_(run),
        begin_(std::chrono::steady_clock::now()),
        work_begin_(work_done()),
        touches_begin_(base::touches_so_far()),
        always_(presolve::always_withheld(*problem_)),
        rounding_(problem_, always_, options_.engine) {}

  Result<SuppressResult> run_all() {
    list_parts();
    LACUNA_RETURN_IF_ERROR(find_start());
    withhold_always();
    bool all_optimal = true;
    bool complete = true;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (parts_.size() > 1)
        phase_ = "suppress, part " + std::to_string(p + 1) + " of " + std::to_string(parts_.size());
      suppression::PartResult part = solve(p);
      if (!options_.earlier().empty() && start_) {  // the tree is for the bound
        part.best = rounding_.pattern_of(parts_[p], *start_);
        part.witnesses.clear();
        part.why = part.why == StopReason::kOptimal ? StopReason::kWork : part.why;
      }
      if (is_at_the_expense_of_cells(p, part)) {
        part.best = rounding_.pattern_of(parts_[p], *start_);
        part.witnesses.clear();
      }
      result_.counts.nodes += part.counts.nodes;
      result_.counts.cuts += part.counts.cuts;
      result_.counts.attacker_lps += part.counts.attacker_lps;
      result_.counts.master_lps += part.counts.master_lps;
      done_bound_ += part.bound;
      all_optimal = all_optimal && part.why == StopReason::kOptimal;
      infeasible_ = infeasible_ || part.why == StopReason::kInfeasible;
      if (!part.best && part.why != StopReason::kInfeasible) {
        LACUNA_TRY(part.best, last_resort(p));
      }
      complete = complete && part.best.has_value();
      if (!part.best)
        continue;
      done_cost_ += part.best->cost;
      for (const CellId cell : part.best->cells)
        result_.draft.withhold(cell);
      std::copy(
          part.witnesses.begin(), part.witnesses.end(), std::back_inserter(result_.witnesses));
    }
    finish(complete, all_optimal);
    return std::move(result_);
  }

 private:
  static std::size_t at(CellId cell) { return static_cast<std::size_t>(cell.value); }

  void list_parts() {
    parts_ = suppression_model::parts_with_needs(*problem_);
    if (options_.max_withheld >= 0 && parts_.size() > 1) {  // the limit ties the parts together
      std::vector<CellId> all;
      for (const auto& part : parts_)
        all.insert(all.end(), part.begin(), part.end());
      std::sort(all.begin(), all.end());
      parts_.assign(1, std::move(all));
    }
    std::vector<bool> in_part(always_.size(), false);
    for (const auto& part : parts_) {
      for (const CellId cell : part)
        in_part[at(cell)] = true;
    }
    outside_weight_ = outside_.weight;
    outside_count_ = outside_.cells;
    for (std::size_t c = 0; c < always_.size(); ++c) {
      if (!always_[c] || in_part[c])
        continue;
      outside_weight_ += problem_->table().cells()[c].weight;
      outside_count_ += size_of(CellId{static_cast<std::int32_t>(c)});
    }
  }

  std::int32_t size_of(CellId cell) const {
    return outside_.sizes.empty() ? 1 : outside_.sizes[at(cell)];
  }

  std::int64_t size_of(const suppression::PartPattern& pattern) const {
    std::int64_t size = 0;
    for (const CellId cell : pattern.cells)
      size += size_of(cell);
    return size;
  }

  Status find_start() {
    if (options_.minimum_width > 0)
      return ok_status();
    if (options_.effort == Effort::kFast || !parts_are_small()) {
      LACUNA_RETURN_IF_ERROR(find_start_by_itself(run_));
    } else {
      LACUNA_RETURN_IF_ERROR(
          find(suppression::StartKind::kForTree, with_work(run_, work_of_start())));
      if (!start_ && options_.earlier().empty())
        LACUNA_RETURN_IF_ERROR(find_start_by_itself(run_));
    }
    if (start_)
      result_.start_cost =
          outside_.weight + suppression_model::withheld_weight(problem_->table(), *start_);
    result_.start_seconds = seconds();
    return ok_status();
  }

  Status find(suppression::StartKind kind, const RunContext& run) {
    suppression::SuppressStart start(problem_, options_, parts_, always_, kind, run);
    start.sizes = outside_.sizes;
    start.resumes = !in_tree_;
    if (!in_tree_)
      start.on_safe = [this](double weight) { report_start(outside_.weight + weight); };
    if (options_.on_pattern && !in_tree_)
      start.on_stage = [this](const Draft& draft, const auto& evidence, SuppressStage::Name name) {
        options_.on_pattern(draft, evidence, {name, base::touches_so_far() - touches_begin_});
      };
    LACUNA_TRY(suppression::StartPattern found, start.find());
    start_ = std::move(found.draft);
    std::move(found.witnesses.begin(),
              found.witnesses.end(),
              std::back_inserter(result_.witnesses));  // good for more than this pattern
    return ok_status();
  }

  Status find_start_by_itself(const RunContext& run) {
    asked_quick_ = true;
    const double share = suppression::kTuning.start.pattern_share;
    return find(suppression::StartKind::kByItself,
                with_work(run, static_cast<std::int64_t>(share * quick_work())));
  }

  bool parts_are_small() const {
    return std::all_of(parts_.begin(), parts_.end(), [](const std::vector<CellId>& part) {
      return part.size() <= suppression::kTuning.start.quick_cells;
    });
  }

  // What may be done before the tree, if the work is limited at all.
  std::int64_t most_before_tree() const {
    return run_.work_end == kNoWorkLimit
               ? kNoWorkLimit
               : static_cast<std::int64_t>(suppression::kTuning.start.most_work *
                                           static_cast<double>(run_.work_end - work_begin_));
  }

  std::int64_t work_of_start() const {
    const auto& tuning = suppression::kTuning.start;
    return std::min(
        most_before_tree(),
        tuning.least_work + tuning.work_per_cell * std::int64_t{problem_->table().num_cells()});
  }

  // All the work that the quick effort has, alone or within a longer one: there it may go on for
  // longer where flats find what the tree does not.
  double quick_work() const {
    if (options_.effort == Effort::kFast)
      return static_cast<double>(run_.work_end - work_begin_);
    const std::int64_t longer =
        parts_are_small() && suppression_model::any_has_few_leaves(
                                 problem_, parts_, always_, options_.minimum_width)
            ? suppression::kTuning.start.flats_longer
            : 1;
    return static_cast<double>(std::min(most_before_tree(), longer * work_of_fast()));
  }

  std::int64_t work_of_fast() const {
    return effort_work(Effort::kFast, problem_->table().num_cells());
  }

  std::int64_t work_before_quick() const {
    return static_cast<std::int64_t>(
        suppression::kTuning.start.tree_first *
        static_cast<double>(std::min(most_before_tree(), work_of_fast())));
  }

  // What the quick effort finds, for this part; it is asked when the first part takes long.
  std::optional<suppression::PartPattern> quick_pattern(std::size_t p, const RunContext& run) {
    if (!asked_quick_) {
      const std::optional<Draft> before = std::exchange(start_, std::nullopt);
      const Status found = find_start_by_itself(run);
      if (found && start_)
        quick_ = std::move(start_);
      start_ = before;
    }
    if (!quick_)
      return std::nullopt;
    return rounding_.pattern_of(parts_[p], *quick_);
  }

  // The quick effort counts cells, too; what the bound finds by the way counts weight alone.
  bool is_at_the_expense_of_cells(std::size_t p, const suppression::PartResult& part) const {
    if (options_.effort != Effort::kFast || !start_ || !part.best ||
        part.why == StopReason::kOptimal || part.why == StopReason::kGapReached)
      return false;
    return size_of(*part.best) > size_of(rounding_.pattern_of(parts_[p], *start_));
  }

  Draft all_that_may_be_withheld() const {
    std::vector<CellId> cells;
    for (std::int32_t c = 0; c < problem_->table().num_cells(); ++c) {
      if (always_[static_cast<std::size_t>(c)] ||
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
          rounding_.pattern_of(parts_[p], all_that_may_be_withheld()));
    RunContext unhurried = run_;  // what is owed when the limit has struck
    unhurried.deadline = std::chrono::steady_clock::time_point::max();
    unhurried.work_end = kNoWorkLimit;
    LACUNA_TRY(const Draft all, suppression::largest_pattern(problem_, options_, unhurried));
    return std::optional<suppression::PartPattern>(rounding_.pattern_of(parts_[p], all));
  }

  // A quick bound takes a share of what the pattern took.
  RunContext work_for_bound() const {
    if (options_.effort != Effort::kFast)
      return run_;
    const auto& tuning = suppression::kTuning.part;
    return with_work(
        run_, std::max((work_done() - work_begin_) / tuning.quick_bound_share, tuning.quick_bound));
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  suppression::PartResult solve(std::size_t p) {
    in_tree_ = true;
    suppression::PartTask task;
    task.cells = parts_[p];
    task.offset = outside_weight_;
    if (options_.max_withheld >= 0)
      task.max_withheld = options_.max_withheld - outside_count_;
    if (start_)
      task.start = rounding_.pattern_of(parts_[p], *start_);
    task.sizes = outside_.sizes;
    if (start_ && task.max_withheld >= 0 && size_of(*task.start) > task.max_withheld)
      task.start.reset();
    if (options_.minimum_width == 0) {
      task.round = [this, p](const std::vector<double>& guess, const RunContext& run) {
        return rounding_.round(parts_[p], guess, run);
      };
    }
    task.on_change = [this](double cost, double bound) { report(cost, bound); };
    if (options_.effort == Effort::kFast || !options_.earlier().empty()) {
      task.round = nullptr;
    } else if (options_.minimum_width == 0) {
      task.other_start = [this, p](const RunContext& run) { return quick_pattern(p, run); };
      task.other_start_at = work_done() + work_before_quick();
    }
    if (options_.on_pattern && options_.effort != Effort::kFast && options_.earlier().empty()) {
      task.on_pattern = [this, p](const suppression::PartPattern& better, const auto& witnesses) {
        hand_out(p, better, witnesses);
      };
    }
    return suppression::solve_part(problem_, options_, std::move(task), work_for_bound());
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
    for (std::size_t later = p + 1; start_ && later < parts_.size(); ++later) {
      for (const CellId cell : rounding_.pattern_of(parts_[later], *start_).cells)
        draft.withhold(cell);
    }
    evidence.insert(evidence.end(), result_.witnesses.begin(), result_.witnesses.end());
    options_.on_pattern(draft, evidence, {});
    hand_out_.done();
  }

  void report(double cost, double bound) {
    const double incumbent = outside_weight_ + done_cost_ + cost;
    const double proven = outside_weight_ + done_bound_ + std::max(bound, 0.0);
    if (result_.trace.empty() || result_.trace.back().incumbent != incumbent ||
        result_.trace.back().bound != proven)
      result_.trace.push_back({seconds(), incumbent, proven, work_done()});
    if (run_.on_progress)
      run_.on_progress({phase_, proven / incumbent, incumbent, proven});
  }

  // Before there is a tree, and a bound.
  void report_start(double weight) {
    if (!result_.trace.empty() && weight >= result_.trace.back().incumbent)
      return;
    result_.trace.push_back({seconds(), weight, outside_weight_, work_done()});
    if (run_.on_progress)
      run_.on_progress({"start", 0, weight, std::nan("")});
  }

  void withhold_always() {
    for (std::size_t c = 0; c < always_.size(); ++c) {
      if (always_[c])
        result_.draft.withhold(CellId{static_cast<std::int32_t>(c)});
    }
  }

  void finish(bool complete, bool all_optimal) {
    result_.complete = complete;
    if (complete && options_.on_pattern)
      options_.on_pattern(result_.draft, result_.witnesses, {});
    result_.cost =
        outside_.weight + suppression_model::withheld_weight(problem_->table(), result_.draft);
    result_.bound = std::min(outside_weight_ + done_bound_, result_.cost);
    if (all_optimal)
      result_.bound = result_.cost;
    if (infeasible_)
      result_.why = StopReason::kInfeasible;
    else if (all_optimal)
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
  Outside outside_;
  const RunContext& run_;
  std::chrono::steady_clock::time_point begin_;
  std::int64_t work_begin_;     // reading of work_done()
  std::int64_t touches_begin_;  // the same, more exactly
  bool in_tree_ = false;
  std::vector<bool> always_;  // withheld whatever we do, by cell
  suppression::GuidedRounding rounding_;
  std::vector<std::vector<CellId>> parts_;
  std::optional<Draft> start_;
  std::optional<Draft> quick_;  // of the quick effort, once it was asked
  bool asked_quick_ = false;
  double outside_weight_ = 0;  // withheld, but of no part: nobody can doubt their values
  std::int64_t outside_count_ = 0;
  double done_cost_ = 0, done_bound_ = 0;
  bool infeasible_ = false;
  std::string phase_ = "suppress";
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

Outside outside_of(const Problem& problem, const presolve::MergedProblem& merged) {
  Outside outside;
  outside.sizes = merged.sizes();
  const std::vector<bool> always = presolve::always_withheld(problem);
  for (std::size_t c = 0; c < always.size(); ++c) {
    outside.weight += always[c] ? problem.table().cells()[c].weight : 0;
    outside.cells += always[c] ? 1 : 0;
  }
  return outside;
}

// Complete suppression of the smaller problem, told in cells of the given one.
Result<SuppressResult> suppress_merged(const Problem& problem,
                                       const presolve::MergedProblem& merged,
                                       SuppressOptions options,
                                       const RunContext& run) {
  options.start = merged.classes_of(options.start);
  options.start_evidence = merged.reduce(options.start_evidence);
  if (options.on_pattern) {
    options.on_pattern = [&problem, &merged, tell = options.on_pattern](
                             const Draft& draft, const auto& evidence, const auto& stage) {
      tell(merged.expand(problem, draft), merged.expand(evidence), stage);
    };
  }
  LACUNA_TRY(
      SuppressResult found,
      Suppression(merged.problem_ptr(), options, outside_of(problem, merged), run).run_all());
  found.draft = merged.expand(problem, found.draft);
  found.witnesses = merged.expand(found.witnesses);
  found.cost = suppression_model::withheld_weight(problem.table(), found.draft);
  found.bound = found.why == StopReason::kOptimal ? found.cost : std::min(found.bound, found.cost);
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
  auto found = merged ? suppress_merged(*problem, *merged, options, run)
                      : Suppression(problem, options, {}, run).run_all();
  if (!found || found->why == StopReason::kInfeasible)
    LACUNA_RETURN_IF_ERROR(explained(problem, options, run));
  return found;
}

}  // namespace lacuna
