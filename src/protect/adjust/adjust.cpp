// SPDX-License-Identifier: Apache-2.0
// Controlled tabular adjustment from problem to published table: parts, a search for each, and the
// rounding of what it found.
#include "lacuna/adjust.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "base/owed.h"
#include "base/parallel.h"
#include "lacuna/tolerance.h"
#include "protect/adjust/model.h"
#include "protect/adjust/publish.h"
#include "protect/adjust/tree.h"
#include "protect/adjust/tuning.h"

namespace lacuna {
namespace {

using adjustment::kInfinity;
using adjustment::Tree;

class Adjustment {
 public:
  Adjustment(std::shared_ptr<const Problem> problem,
             const AdjustOptions& options,
             const RunContext& run)
      : problem_(std::move(problem)),
        options_(options),
        run_(run),
        search_run_(run),
        begin_(std::chrono::steady_clock::now()) {
    // The rounding comes after the search: a share of the time is kept for it.
    if (run.deadline != std::chrono::steady_clock::time_point::max()) {
      search_run_.deadline -= (run.deadline - begin_) / adjustment::kTuning.publish.share_of_time;
    }
  }

  Result<AdjustResult> run_all() {
    LACUNA_TRY(model_, adjustment::build_model(*problem_, options_.norm, options_.senses));
    result_.counts.parts = static_cast<std::int64_t>(model_.parts.size());
    adjustment::TreeOptions tree;
    tree.relative_gap = std::max(options_.relative_gap, tol::kDecision);
    tree.engine = options_.engine;
    for (const adjustment::Part& part : model_.parts)
      trees_.push_back(std::make_unique<Tree>(part, options_.norm, tree));
    search();
    count();
    if (infeasible_) {
      result_.why = StopReason::kInfeasible;
      result_.reason =
          "no table within the bounds protects all sensitive cells of a connected part";
      return std::move(result_);
    }
    LACUNA_RETURN_IF_ERROR(finish());
    return std::move(result_);
  }

 private:
  // Every part gets a first table; then the part with the widest gap is worked on, again and again.
  void search() {
    RunContext single = search_run_;
    single.threads = trees_.size() > 1 ? 1 : run_.threads;
    start_parts(single, adjustment::kTuning.search.first_nodes);
    record();
    while (!search_run_.should_stop()) {
      Tree* widest = nullptr;
      double most = 0;
      for (const auto& tree : trees_) {
        if (tree->proven_infeasible())
          infeasible_ = true;
        if (tree->done() || tree->gap_closed() || tree->given_up() || spent(*tree))
          continue;
        const double gap = tree->has_incumbent() ? tree->cost() - tree->bound() : kInfinity;
        if (widest == nullptr || gap > most) {
          widest = tree.get();
          most = gap;
        }
      }
      if (infeasible_ || widest == nullptr)
        break;
      widest->run(adjustment::kTuning.search.slice, search_run_);
      record();
    }
    for (const auto& tree : trees_)
      infeasible_ = infeasible_ || tree->proven_infeasible();
  }

  void start_parts(const RunContext& run, std::int64_t nodes) {
    for_each_lane(run_, trees_.size(), [&](std::size_t p) {
      trees_[p]->run(options_.max_nodes >= 0 ? std::min(nodes, options_.max_nodes) : nodes, run);
    });
  }

  bool spent(const Tree& tree) const {
    return options_.max_nodes >= 0 && tree.nodes() >= options_.max_nodes;
  }

  void count() {
    for (const auto& tree : trees_) {
      result_.counts.nodes += tree->nodes();
      result_.counts.relaxations += tree->relaxations();
      result_.counts.iterations += tree->steps();
    }
  }

  double total_cost() const {
    double sum = 0;
    for (const auto& tree : trees_)
      sum += tree->cost();
    return sum;
  }
  double total_bound() const {
    double sum = 0;
    for (const auto& tree : trees_)
      sum += tree->bound();
    return sum;
  }

  void record() {
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const TracePoint point{seconds, total_cost(), total_bound(), work_done()};
    result_.trace.push_back(point);
    if (run_.on_progress) {
      const double gap = std::isfinite(point.incumbent) && point.incumbent > 0
                             ? std::max(options_.relative_gap, tol::kRounding) * point.incumbent /
                                   std::max(point.incumbent - point.bound, tol::kRounding)
                             : 0;
      run_.on_progress({"adjust", std::min(1.0, gap), point.incumbent, point.bound});
    }
  }

  Status finish() {
    result_.bound = total_bound();
    result_.why = ended_by(run_);
    for (const auto& tree : trees_) {
      if (!tree->has_incumbent())
        return ok_status();
    }
    // What was found is worth its rounding even after the limit.
    const RunContext owed = owed_run(run_, begin_);
    const auto published = adjustment::publish(*problem_, model_, trees_, options_, owed);
    if (!published && owed.should_stop()) {
      result_.why = StopReason::kCancelled;
      return ok_status();
    }
    if (!published) {
      result_.reason =
          "the adjusted table could not be rounded so that every equation and every "
          "requirement holds; allow more decimals";
      return ok_status();
    }
    LACUNA_RETURN_IF_ERROR(draw_up(*published));
    result_.complete = true;
    result_.cost = published->cost;
    result_.bound = std::min(result_.bound, result_.cost);
    const double gap = result_.cost - result_.bound;
    if (gap <= tol::kObjective * result_.cost)
      result_.why = StopReason::kOptimal;
    else if (gap <= options_.relative_gap * result_.cost)
      result_.why = StopReason::kGapReached;
    return ok_status();
  }

  Status draw_up(const adjustment::Published& published) {
    result_.decimals = problem_->table.decimals() + published.digits;
    Wide factor = 1;
    for (int d = 0; d < published.digits; ++d)
      factor *= 10;
    for (std::size_t c = 0; c < published.moves.size(); ++c) {
      if (!model_.free[c])
        continue;
      const CellId cell{static_cast<std::int32_t>(c)};
      const Wide shown = problem_->table.value(cell) * factor + published.moves[c];
      if (shown > kMaxUnits || shown < -kMaxUnits) {
        return Error{
            ErrorCode::kBadOption, "the numbers of the table do not fit 62 bits", "--decimals"};
      }
      result_.draft.publish_adjusted(cell, static_cast<Units>(shown));
    }
    result_.draft.set_adjusted(true);
    return ok_status();
  }

  std::shared_ptr<const Problem> problem_;
  AdjustOptions options_;
  const RunContext& run_;
  RunContext search_run_;
  std::chrono::steady_clock::time_point begin_;
  adjustment::Model model_;
  std::vector<std::unique_ptr<Tree>> trees_;
  AdjustResult result_;
  bool infeasible_ = false;
};

}  // namespace

Status AdjustOptions::validate() const {
  if (!(relative_gap >= 0 && relative_gap < 1))
    return Error{ErrorCode::kBadOption, "the gap must be at least 0 and below 1", "--gap"};
  if (decimals < -1 || decimals > TableBuilder::kMaxDecimals)
    return Error{ErrorCode::kBadOption, "decimals must be from 0 to 18", "--decimals"};
  return ok_status();
}

Result<AdjustResult> adjust(const std::shared_ptr<const Problem>& problem,
                            const AdjustOptions& options,
                            const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(options.validate());
  if (options.decimals >= 0 && options.decimals < problem->table.decimals())
    return Error{ErrorCode::kBadOption, "the table itself has more decimals", "--decimals"};
  return Adjustment(problem, options, with_helpers(run)).run_all();
}

std::span<const std::string_view> enum_names(AdjustNorm) {
  static constexpr std::array<std::string_view, 2> kNames{"l1", "l2"};
  return kNames;
}

}  // namespace lacuna
