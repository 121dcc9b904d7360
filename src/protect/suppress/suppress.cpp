// SPDX-License-Identifier: Apache-2.0
// Complete suppression from problem to pattern: a start pattern from the heuristics, then branch
// and cut on each connected part.
#include "lacuna/suppress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "heuristic/proof_repair.h"
#include "protect/suppress/branch_and_cut.h"
#include "protect/suppress/demands.h"
#include "protect/suppress/model.h"

namespace lacuna {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Suppression {
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
    std::vector<bool> withheld = always_withheld(*problem_);
    bool all_optimal = true;
    bool complete = true;
    for (std::size_t p = 0; p < models_.size(); ++p) {
      const PartResult part = solve(p);
      result_.counts.nodes += part.counts.nodes;
      result_.counts.cuts += part.counts.cuts;
      result_.counts.attacker_lps += part.counts.attacker_lps;
      result_.counts.master_lps += part.counts.master_lps;
      done_bound_ += part.bound;
      all_optimal = all_optimal && part.why == StopReason::kOptimal;
      if (!part.best) {
        complete = false;
        continue;
      }
      done_cost_ += part.cost;
      std::move(
          part.witnesses.begin(), part.witnesses.end(), std::back_inserter(result_.witnesses));
      for (std::int32_t j = 0; j < models_[p]->num_columns(); ++j) {
        if ((*part.best)[static_cast<std::size_t>(j)])
          withheld[static_cast<std::size_t>(models_[p]->cell(models_[p]->cell_of(j)).value)] = true;
      }
    }
    finish(withheld, complete, all_optimal);
    return std::move(result_);
  }

 private:
  void list_parts() {
    auto parts = parts_with_needs(*problem_);
    if (options_.max_withheld >= 0 && parts.size() > 1) {  // the limit ties the parts together
      std::vector<CellId> all;
      for (const auto& part : parts)
        all.insert(all.end(), part.begin(), part.end());
      std::sort(all.begin(), all.end());
      parts.assign(1, std::move(all));
    }
    for (auto& part : parts)
      models_.push_back(std::make_unique<SuppressModel>(problem_, std::move(part), options_));
    const std::vector<bool> always = always_withheld(*problem_);
    for (std::size_t c = 0; c < always.size(); ++c)
      always_weight_ += always[c] ? problem_->table.cells()[c].weight : 0;
  }

  Status start() {
    ProofRepairOptions repair;
    repair.engine = options_.engine;
    if (options_.minimum_width > 0)
      return ok_status();
    LACUNA_TRY(
        RepairedDraft found,
        repair_by_proofs(problem_, Draft::withholding_primaries(problem_->table), repair, run_));
    if (found.complete)
      start_ = std::move(found.draft);
    return ok_status();
  }

  std::optional<ColumnPattern> columns_of(const SuppressModel& model, const Draft& draft) const {
    ColumnPattern pattern(static_cast<std::size_t>(model.num_columns()), false);
    for (std::int32_t j = 0; j < model.num_columns(); ++j) {
      pattern[static_cast<std::size_t>(j)] =
          draft.state(model.cell(model.cell_of(j))) != CellState::kExact;
    }
    return pattern;
  }

  std::optional<ColumnPattern> round(const SuppressModel& model,
                                     const std::vector<double>& x,
                                     const RunContext& run) const {
    if (options_.minimum_width > 0)
      return std::nullopt;
    std::vector<double> costs;
    for (const Cell& cell : problem_->table.cells())
      costs.push_back(cell.weight);
    Draft draft = Draft::withholding_primaries(problem_->table);
    for (std::int32_t j = 0; j < model.num_columns(); ++j) {
      const CellId cell = model.cell(model.cell_of(j));
      const double share = x[static_cast<std::size_t>(j)];
      costs[static_cast<std::size_t>(cell.value)] *= 1.001 - share;
      if (share > 0.7)
        draft.withhold(cell);
    }
    auto guided = std::make_shared<Problem>(*problem_);
    guided->table = problem_->table.with_weights(costs);
    ProofRepairOptions repair;
    repair.engine = options_.engine;
    const auto found = repair_by_proofs(guided, draft, repair, run);
    if (!found || !found->complete)
      return std::nullopt;
    return columns_of(model, found->draft);
  }

  PartResult solve(std::size_t p) {
    const SuppressModel& model = *models_[p];
    PartTask task;
    if (start_)
      task.start = columns_of(model, *start_);
    task.offset = always_weight_;
    if (options_.max_withheld >= 0)
      task.max_columns = options_.max_withheld - num_always();
    task.round = [this, &model](const std::vector<double>& x, const RunContext& run) {
      return round(model, x, run);
    };
    task.on_change = [this](double cost, double bound, std::int64_t open) {
      report(cost, bound, open);
    };
    return BranchAndCut(model, options_, std::move(task)).run(run_);
  }

  std::int64_t num_always() const {
    const std::vector<bool> always = always_withheld(*problem_);
    return std::count(always.begin(), always.end(), true);
  }

  void report(double cost, double bound, std::int64_t) {
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const double incumbent = always_weight_ + done_cost_ + cost;
    const double proven = always_weight_ + done_bound_ + std::max(bound, 0.0);
    if (result_.trace.empty() || result_.trace.back().incumbent != incumbent ||
        result_.trace.back().bound != proven)
      result_.trace.push_back({seconds, incumbent, proven});
    if (run_.on_progress)
      run_.on_progress({"suppress", proven / incumbent, incumbent, proven});
  }

  void finish(const std::vector<bool>& withheld, bool complete, bool all_optimal) {
    result_.complete = complete;
    for (std::size_t c = 0; c < withheld.size(); ++c) {
      if (withheld[c])
        result_.draft.withhold(CellId{static_cast<std::int32_t>(c)});
    }
    result_.cost = withheld_weight(problem_->table, result_.draft);
    result_.bound = std::min(always_weight_ + done_bound_, result_.cost);
    if (all_optimal)
      result_.bound = result_.cost;
    if (all_optimal)
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
  std::vector<std::unique_ptr<SuppressModel>> models_;
  std::optional<Draft> start_;
  double always_weight_ = 0, done_cost_ = 0, done_bound_ = 0;
  SuppressResult result_;
};

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
  return Suppression(problem, options, run).run_all();
}

}  // namespace lacuna
