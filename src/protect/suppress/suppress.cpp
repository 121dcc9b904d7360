// SPDX-License-Identifier: Apache-2.0
// Complete suppression from problem to pattern: a start pattern from the heuristics, then branch
// and cut on each connected part.
#include "lacuna/suppress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "heuristic/construct.h"
#include "heuristic/proof_repair.h"
#include "lacuna/audit.h"
#include "lacuna/lp.h"
#include "protect/suppress/demands.h"
#include "protect/suppress/explain.h"
#include "protect/suppress/model.h"
#include "protect/suppress/part_solver.h"
#include "protect/suppress/program_routes.h"

namespace lacuna {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The quick effort counts cells, too: each costs so many medians of the weights besides its own.
constexpr double kEachCell = 1.5;
constexpr double kWorthTrying = 1.0 / 5000;  // of the cost, saved by a trial

class Suppression {
  using Duration = std::chrono::steady_clock::duration;

 public:
  Suppression(std::shared_ptr<const Problem> problem,
              const SuppressOptions& options,
              const RunContext& run)
      : problem_(std::move(problem)),
        options_(options),
        run_(run),
        begin_(std::chrono::steady_clock::now()) {}

  Result<SuppressResult> run_all() {
    list_parts();
    LACUNA_RETURN_IF_ERROR(start());
    std::vector<bool> withheld = always_;
    bool all_optimal = true;
    bool complete = true;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (parts_.size() > 1)
        phase_ = "suppress, part " + std::to_string(p + 1) + " of " + std::to_string(parts_.size());
      PartResult part = solve(p);
      if (!options_.preferred.empty() && start_) {  // the tree is for the bound
        part.best = pattern_of(parts_[p], *start_);
        part.witnesses.clear();
        part.why = part.why == StopReason::kOptimal ? StopReason::kLimit : part.why;
      }
      if (is_at_the_expense_of_cells(p, part)) {
        part.best = pattern_of(parts_[p], *start_);
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
        withheld[at(cell)] = true;
      std::copy(
          part.witnesses.begin(), part.witnesses.end(), std::back_inserter(result_.witnesses));
    }
    finish(withheld, complete, all_optimal);
    return std::move(result_);
  }

 private:
  static std::size_t at(CellId cell) { return static_cast<std::size_t>(cell.value); }

  void list_parts() {
    parts_ = parts_with_needs(*problem_);
    if (options_.max_withheld >= 0 && parts_.size() > 1) {  // the limit ties the parts together
      std::vector<CellId> all;
      for (const auto& part : parts_)
        all.insert(all.end(), part.begin(), part.end());
      std::sort(all.begin(), all.end());
      parts_.assign(1, std::move(all));
    }
    always_ = always_withheld(*problem_);
    std::vector<bool> in_part(always_.size(), false);
    for (const auto& part : parts_) {
      for (const CellId cell : part)
        in_part[at(cell)] = true;
    }
    for (std::size_t c = 0; c < always_.size(); ++c) {
      if (!always_[c] || in_part[c])
        continue;
      outside_weight_ += problem_->table.cells()[c].weight;
      ++outside_count_;
    }
  }

  Status start() {
    if (options_.minimum_width > 0)
      return ok_status();
    if (!options_.preferred.empty()) {
      LACUNA_TRY(const bool kept, keep_preferred());
      if (kept)
        return ok_status();
    }
    LACUNA_TRY(Constructed found,
               construct_pattern(*problem_, start_options(quick_price()), start_time(1)));
    if (!found.complete && !run_.should_stop())
      LACUNA_RETURN_IF_ERROR(complete_by_programs(found));
    if (options_.effort == Effort::kFast && found.complete)
      LACUNA_RETURN_IF_ERROR(improve_further(found));
    if (!found.complete && !run_.should_stop() && !tree_finds_patterns())
      LACUNA_RETURN_IF_ERROR(complete(problem_, found, start_time(2)));
    result_.witnesses = std::move(found.witnesses);  // good for more than this pattern
    if (found.complete) {
      start_ = std::move(found.draft);
      result_.start_cost = withheld_weight(problem_->table, *start_);
    }
    result_.start_seconds = seconds();
    return ok_status();
  }

  // What a cell costs besides its weight, with the quick effort.
  double quick_price() const {
    std::vector<double> weights;
    for (const Cell& cell : problem_->table.cells())
      weights.push_back(cell.weight);
    return kEachCell * median(std::move(weights));
  }

  ConstructOptions start_options(double each_cell) const {
    constexpr double kKept = 1.0 / 1024;  // of the weight: cells of an earlier release
    ConstructOptions construct;
    construct.engine = options_.engine;
    construct.withheld = options_.start;
    construct.evidence = options_.start_evidence;
    construct.on_pattern = options_.on_pattern;
    constexpr std::int32_t kFewRounds = 2;
    if (tree_finds_patterns() && !any_part_has_few_leaves() && options_.preferred.empty())
      construct.max_rounds = kFewRounds;
    if (options_.effort != Effort::kFast && options_.preferred.empty())
      return construct;
    for (const Cell& cell : problem_->table.cells())
      construct.costs.push_back(cell.weight);
    if (options_.effort == Effort::kFast) {
      for (double& cost : construct.costs)
        cost += each_cell;
    }
    for (const CellId cell : options_.preferred) {
      construct.costs[at(cell)] *= kKept;
      construct.withheld.push_back(cell);
    }
    return construct;
  }

  // What the quick effort wants little of: cells and their weight, neither at the other's expense.
  struct Measure {
    double cells = 0, weight = 0;
  };

  Measure measure(const Constructed& found) const {
    Measure result;
    for (const CellEntry& entry : found.draft.entries()) {
      if (always_[at(entry.cell)])
        continue;
      ++result.cells;
      result.weight += problem_->table.cell(entry.cell).weight;
    }
    return result;
  }

  // The quick effort counts cells, too; what the bound finds by the way counts weight alone.
  bool is_at_the_expense_of_cells(std::size_t p, const PartResult& part) const {
    if (options_.effort != Effort::kFast || !start_ || !part.best ||
        part.why == StopReason::kOptimal || part.why == StopReason::kGapReached)
      return false;
    return part.best->cells.size() > pattern_of(parts_[p], *start_).cells.size();
  }

  // What a cell costs if weight counts three times as much as number.
  static double balanced_price(const Measure& found) {
    return found.cells == 0 ? 0 : found.weight / found.cells / 3;
  }

  // Small tables are done long before the time is. Iterated local search (Lourenco, Martin and
  // Stuetzle 2003): a round of improvement at false prices, then improvement at the true ones, from
  // the best pattern so far.
  Status improve_further(Constructed& found) const {
    constexpr int kIdleTrials = 40;
    constexpr int kLeast = 1000, kPerCell = 2;  // milliseconds
    constexpr std::int32_t kFalseRounds = 2;
    constexpr double kFalse = 1;  // prices are raised by up to this share
    RunContext trial = start_time(1);
    const std::chrono::milliseconds enough(kLeast + kPerCell * problem_->table.num_cells());
    trial.deadline = std::min(begin_ + (trial.deadline - begin_) / 2,
                              std::chrono::steady_clock::now() + Duration(enough));
    const double price =
        options_.preferred.empty() ? balanced_price(measure(found)) : quick_price();
    const ConstructOptions base = trial_options(price);
    found.cost = cost_at(base.costs, found);
    for (int idle = 0; idle < kIdleTrials && !trial.should_stop(); ++idle) {
      ++trial.seed;
      ConstructOptions construct = base;
      for (std::size_t c = 0; c < construct.costs.size(); ++c)
        construct.costs[c] *= 1 + kFalse * fixed_noise(static_cast<std::int32_t>(c), trial.seed);
      construct.max_rounds = kFalseRounds;
      LACUNA_TRY(Constructed other, construct_from(found, std::move(construct), trial));
      if (!other.complete)
        continue;
      LACUNA_TRY(other, construct_from(other, base, trial));
      if (!other.complete || !(other.cost < found.cost))
        continue;
      if (other.cost < found.cost * (1 - kWorthTrying))
        idle = 0;
      found = std::move(other);
    }
    return ok_status();
  }

  ConstructOptions trial_options(double price) const {
    constexpr std::int32_t kTrueRounds = 6;
    ConstructOptions construct = start_options(price);
    construct.on_pattern = nullptr;  // it need not be better
    construct.max_rounds = kTrueRounds;
    return construct;
  }

  Result<Constructed> construct_from(const Constructed& found,
                                     ConstructOptions construct,
                                     const RunContext& run) const {
    construct.withheld.clear();
    for (const CellEntry& entry : found.draft.entries())
      construct.withheld.push_back(entry.cell);
    construct.evidence = found.witnesses;
    return construct_pattern(*problem_, construct, run);
  }

  double cost_at(const std::vector<double>& costs, const Constructed& found) const {
    double total = 0;
    for (const CellEntry& entry : found.draft.entries())
      total += costs[at(entry.cell)];
    return total;
  }

  static double median(std::vector<double> numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
  }

  // Is the earlier release with the sensitive cells of today still safe?
  Result<bool> keep_preferred() {
    Draft draft = Draft::withholding_primaries(problem_->table);
    for (const Requirement& need : problem_->requirements)
      draft.withhold(need.cell);
    for (const CellId cell : options_.preferred) {
      if (may_be_withheld(problem_->table.cell(cell)))
        draft.withhold(cell);
    }
    AuditOptions verdicts;
    verdicts.intervals = false;
    verdicts.engine = options_.engine;
    RunContext quiet = start_time(1);
    quiet.on_progress = nullptr;
    LACUNA_TRY(AuditReport report, Auditor(problem_).audit(draft, verdicts, quiet));
    if (report.verdict != Verdict::kProtected)
      return false;
    start_ = std::move(draft);
    result_.witnesses = std::move(report.witnesses);
    result_.start_cost = withheld_weight(problem_->table, *start_);
    result_.start_seconds = seconds();
    return true;
  }

  // What the construction left unmet is left to the proofs of exposure.
  Status complete(const std::shared_ptr<const Problem>& problem,
                  Constructed& found,
                  const RunContext& run) const {
    ProofRepairOptions repair;
    repair.engine = options_.engine;
    repair.hints = found.witnesses;
    LACUNA_TRY(RepairedDraft repaired, repair_by_proofs(problem, found.draft, repair, run));
    found.complete = repaired.complete;
    found.draft = std::move(repaired.draft);
    return ok_status();
  }

  // Where everything hangs together routes are searched by linear programs. Whether these met the
  // needs is for the audit to say.
  Status complete_by_programs(Constructed& found) const {
    Draft draft = found.draft;
    const RunContext run = start_time(2);
    for (const std::vector<CellId>& part : parts_) {
      const SuppressModel model(problem_, part, always_, options_);
      const std::vector<std::int32_t> needs = needs_behind(model, found.unmet);
      if (needs.empty())
        continue;
      if (!ProgramRoutes::are_quick(model))
        return ok_status();
      std::vector<bool> withheld;
      for (std::int32_t j = 0; j < model.num_columns(); ++j)
        withheld.push_back(draft.state(model.cell(model.cell_of(j))) != CellState::kExact);
      if (!ProgramRoutes(model, options_.engine).complete(needs, withheld, run))
        return ok_status();
      for (std::int32_t j = 0; j < model.num_columns(); ++j) {
        if (withheld[static_cast<std::size_t>(j)])
          draft.withhold(model.cell(model.cell_of(j)));
      }
    }
    AuditOptions verdicts;
    verdicts.intervals = false;
    verdicts.engine = options_.engine;
    verdicts.only = found.unmet;
    LACUNA_TRY(AuditReport report, Auditor(problem_).audit(draft, verdicts, start_time(3)));
    if (report.verdict != Verdict::kProtected)
      return ok_status();
    found.complete = true;
    found.draft = std::move(draft);
    std::move(
        report.witnesses.begin(), report.witnesses.end(), std::back_inserter(found.witnesses));
    return ok_status();
  }

  std::vector<std::int32_t> needs_behind(const SuppressModel& model,
                                         const std::vector<std::int32_t>& requirements) const {
    // Requirements are sorted by cell and attacker, their indices ascend.
    const auto place = [&](std::int32_t index) {
      const Requirement& asked = problem_->requirements[static_cast<std::size_t>(index)];
      return std::pair(asked.cell, asked.attacker);
    };
    std::vector<std::int32_t> needs;
    for (std::size_t n = 0; n < model.needs().size(); ++n) {
      const Need& need = model.needs()[n];
      const std::pair sought(model.cell(need.cell), need.attacker);
      const auto found =
          std::lower_bound(requirements.begin(),
                           requirements.end(),
                           sought,
                           [&](std::int32_t index, const auto& key) { return place(index) < key; });
      if (need.column < 0 && found != requirements.end() && place(*found) == sought)
        needs.push_back(static_cast<std::int32_t>(n));
    }
    return needs;
  }

  // Dives find patterns where attacker problems are quick; elsewhere the start has to.
  bool tree_finds_patterns() const {
    constexpr std::size_t kQuickCells = 10'000;
    return options_.effort != Effort::kFast &&
           std::all_of(parts_.begin(), parts_.end(), [](const std::vector<CellId>& part) {
             return part.size() <= kQuickCells;
           });
  }

  bool any_part_has_few_leaves() const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const std::vector<CellId>& part) {
      return SuppressModel(problem_, part, always_, options_).has_few_leaves();
    });
  }

  // The start may take some thirds of the time; what is left belongs to the bound. Without a limit
  // larger tables get more.
  RunContext start_time(int thirds) const {
    RunContext part = run_;
    part.log = nullptr;  // its stages are of no interest to users
    if (options_.effort == Effort::kFast) {
      part.deadline = std::min(part.deadline, begin_ + quick_start() * (thirds + 3) / 4);
      if (run_.deadline != std::chrono::steady_clock::time_point::max())
        part.deadline =
            std::min(part.deadline, begin_ + (run_.deadline - begin_) * (thirds + 2) / 4);
      return part;
    }
    if (run_.deadline != std::chrono::steady_clock::time_point::max()) {
      part.deadline = begin_ + (run_.deadline - begin_) * thirds / 3;
      return part;
    }
    constexpr int kCellsPerSecond = 500;
    constexpr int kLeastSeconds = 15;
    const int seconds = kLeastSeconds + problem_->table.num_cells() / kCellsPerSecond;
    part.deadline = begin_ + std::chrono::seconds(seconds) * (thirds == 1 ? 1 : 3);
    return part;
  }

  // The quick effort: half a minute for a table of some ten thousand cells, two minutes for some
  // ten thousand more, and growing slowly from there; bound and audit come out of the same time.
  Duration quick_start() const {
    constexpr double kSmall = 20, kLarge = 80;  // seconds
    constexpr double kSmallCells = 30'000, kCellsPerSecond = 250, kHugeCellsPerSecond = 3000;
    const double cells = problem_->table.num_cells();
    const double more = std::max(0.0, cells - kSmallCells);
    const double seconds = std::min(kSmall + more / kCellsPerSecond, kLarge) +
                           std::max(0.0, cells - 4 * kSmallCells) / kHugeCellsPerSecond;
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
  }

  // All that may be withheld is: every safe pattern is a part of it.
  Result<std::optional<PartPattern>> last_resort(std::size_t p) const {
    if (options_.max_withheld >= 0)
      return std::optional<PartPattern>();
    RunContext unhurried = run_;  // what is owed when the limit has struck
    unhurried.deadline = std::chrono::steady_clock::time_point::max();
    LACUNA_TRY(const Draft all, largest_pattern(problem_, options_, unhurried));
    return std::optional<PartPattern>(pattern_of(parts_[p], all));
  }

  // A quick bound takes no longer than the pattern did; without a limit of the user the default
  // effort stops after a while.
  RunContext time_for_bound() const {
    constexpr std::chrono::seconds kQuick{2};
    constexpr std::chrono::minutes kDefault{5};
    const auto now = std::chrono::steady_clock::now();
    RunContext part = run_;
    if (options_.effort == Effort::kFast)
      part.deadline = std::min(part.deadline, now + std::max<Duration>((now - begin_) / 4, kQuick));
    else if (options_.effort == Effort::kDefault)
      part.deadline = std::min(part.deadline, begin_ + kDefault);
    return part;
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  PartPattern pattern_of(const std::vector<CellId>& part, const Draft& draft) const {
    PartPattern pattern;
    for (const CellId cell : part) {
      if (!always_[at(cell)] && draft.state(cell) == CellState::kExact)
        continue;
      pattern.cells.push_back(cell);
      pattern.cost += problem_->table.cell(cell).weight;
    }
    return pattern;
  }

  // Guided by the master: what it wants withheld is cheap, what it has given up is dear.
  std::optional<PartPattern> round(const std::vector<CellId>& part,
                                   const std::vector<double>& guess,
                                   const RunContext& run) const {
    constexpr double kWorthTaking = 0.7;
    constexpr double kGivenUp = 1000;
    ConstructOptions construct;
    construct.engine = options_.engine;
    construct.improve = false;
    for (const Cell& cell : problem_->table.cells())
      construct.costs.push_back(cell.weight);
    for (const CellId cell : part) {
      const double share = guess[at(cell)];
      construct.costs[at(cell)] *= share < 0 ? kGivenUp : 1.001 - share;
      if (share > kWorthTaking)
        construct.withheld.push_back(cell);
    }
    const auto rough = construct_pattern(*problem_, construct, run);
    if (!rough || run.should_stop())
      return std::nullopt;
    const auto found = improved(*rough, run);
    if (!found)
      return std::nullopt;
    return pattern_of(part, found->draft);
  }

  // The same pattern cleaned up at the true weights.
  std::optional<Constructed> improved(const Constructed& rough, const RunContext& run) const {
    ConstructOptions construct;
    construct.engine = options_.engine;
    construct.max_rounds = 2;
    for (const CellEntry& entry : rough.draft.entries())
      construct.withheld.push_back(entry.cell);
    auto made = construct_pattern(*problem_, construct, run);
    if (!made)
      return std::nullopt;
    Constructed found = std::move(made).value();
    if (!found.complete && (!complete(problem_, found, run) || !found.complete))
      return std::nullopt;
    return found;
  }

  PartResult solve(std::size_t p) {
    PartTask task;
    task.cells = parts_[p];
    task.offset = outside_weight_;
    if (options_.max_withheld >= 0)
      task.max_withheld = options_.max_withheld - outside_count_;
    if (start_)
      task.start = pattern_of(parts_[p], *start_);
    if (start_ && task.max_withheld >= 0 && std::ssize(task.start->cells) > task.max_withheld)
      task.start.reset();
    if (options_.minimum_width == 0) {
      task.round = [this, p](const std::vector<double>& guess, const RunContext& run) {
        return round(parts_[p], guess, run);
      };
    }
    task.on_change = [this](double cost, double bound) { report(cost, bound); };
    if (options_.effort == Effort::kFast || !options_.preferred.empty()) {
      task.max_nodes = 0;
      task.round = nullptr;
    }
    return solve_part(problem_, options_, std::move(task), time_for_bound());
  }

  void report(double cost, double bound) {
    const double incumbent = outside_weight_ + done_cost_ + cost;
    const double proven = outside_weight_ + done_bound_ + std::max(bound, 0.0);
    if (result_.trace.empty() || result_.trace.back().incumbent != incumbent ||
        result_.trace.back().bound != proven)
      result_.trace.push_back({seconds(), incumbent, proven});
    if (run_.on_progress)
      run_.on_progress({phase_, proven / incumbent, incumbent, proven});
  }

  void finish(const std::vector<bool>& withheld, bool complete, bool all_optimal) {
    result_.complete = complete;
    for (std::size_t c = 0; c < withheld.size(); ++c) {
      if (withheld[c])
        result_.draft.withhold(CellId{static_cast<std::int32_t>(c)});
    }
    result_.cost = withheld_weight(problem_->table, result_.draft);
    result_.bound = std::min(outside_weight_ + done_bound_, result_.cost);
    if (all_optimal)
      result_.bound = result_.cost;
    if (infeasible_)
      result_.why = StopReason::kInfeasible;
    else if (all_optimal)
      result_.why = StopReason::kOptimal;
    else if (run_.stop.stop_requested())
      result_.why = StopReason::kCancelled;
    else if (result_.cost - result_.bound <= options_.relative_gap * result_.cost)
      result_.why = StopReason::kGapReached;
    else
      result_.why = StopReason::kLimit;
  }

  std::shared_ptr<const Problem> problem_;
  const SuppressOptions& options_;
  const RunContext& run_;
  std::chrono::steady_clock::time_point begin_;
  std::vector<std::vector<CellId>> parts_;
  std::vector<bool> always_;  // withheld whatever we do, by cell
  std::optional<Draft> start_;
  double outside_weight_ = 0;  // withheld, but of no part: nobody can doubt their values
  std::int64_t outside_count_ = 0;
  double done_cost_ = 0, done_bound_ = 0;
  bool infeasible_ = false;
  std::string phase_ = "suppress";
  SuppressResult result_;
};

Status explained(const std::shared_ptr<const Problem>& problem,
                 const SuppressOptions& options,
                 const RunContext& run) {
  LACUNA_TRY(const std::optional<Explanation> why, explain_infeasibility(problem, options, run));
  if (why)
    return to_error(*problem, *why);
  return ok_status();
}

// Is a level asked of a cell that cannot move, whatever is withheld?
bool asks_of_fixed_cells(const Problem& problem) {
  std::vector<bool> movable(static_cast<std::size_t>(problem.table.num_cells()), false);
  for (const auto& part : parts_with_needs(problem)) {
    for (const CellId cell : part)
      movable[static_cast<std::size_t>(cell.value)] = true;
  }
  return std::any_of(
      problem.requirements.begin(), problem.requirements.end(), [&](const Requirement& need) {
        const bool asked = need.upper > 0 || need.lower > 0 || need.sliding > 0;
        return asked && !movable[static_cast<std::size_t>(need.cell.value)];
      });
}

// What the parts cannot see: a limit that is below what is always withheld, and cells that cannot
// move at all and yet are asked for a level or a width.
Status check_before(const std::shared_ptr<const Problem>& problem,
                    const SuppressOptions& options,
                    const RunContext& run) {
  const std::vector<bool> always = always_withheld(*problem);
  const bool too_many = options.max_withheld >= 0 &&
                        std::count(always.begin(), always.end(), true) > options.max_withheld;
  if (!too_many && options.minimum_width <= 0 && !asks_of_fixed_cells(*problem))
    return ok_status();
  return explained(problem, options, run);
}

}  // namespace

Status SuppressOptions::validate() const {
  if (!(relative_gap >= 0 && relative_gap < 1))
    return Error{ErrorCode::kBadOption, "the gap must be at least 0 and less than 1", "--gap"};
  if (!(minimum_width >= 0 && std::isfinite(minimum_width)))
    return Error{ErrorCode::kBadOption, "the width must be a percentage >= 0", "--minimum-width"};
  if (max_withheld < -1)
    return Error{
        ErrorCode::kBadOption, "the number of cells must not be negative", "--max-withheld"};
  return ok_status();
}

Result<SuppressResult> suppress(const std::shared_ptr<const Problem>& problem,
                                const SuppressOptions& options,
                                const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(options.validate());
  if (auto engine = make_lp_solver(options.engine); !engine)
    return engine.error();
  LACUNA_RETURN_IF_ERROR(check_before(problem, options, run));
  auto found = Suppression(problem, options, run).run_all();
  if (!found || found->why == StopReason::kInfeasible)
    LACUNA_RETURN_IF_ERROR(explained(problem, options, run));
  return found;
}

}  // namespace lacuna
