// SPDX-License-Identifier: Apache-2.0
// Controlled tabular adjustment from problem to published table: parts, a search for each, and the
// rounding of what it found.
// First: clang decides once per file whether a number of GMP is one of ours (lacuna/integer.h).
#include "core/base/exact.h"

#include "lacuna/adjust.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "core/base/parallel.h"
#include "core/base/spelling.h"
#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/adjust/dense_work.h"
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
        work_before_(work_done()),
        begin_(std::chrono::steady_clock::now()) {}

  Result<AdjustResult> run_all() {
    LACUNA_TRY(model_, adjustment::build_model(*problem_, options_.norm, options_.senses));
    result_.counts.parts = static_cast<std::int64_t>(model_.parts.size());
    adjustment::TreeOptions tree;
    tree.gap = std::max(options_.gap, tol::kDecision);
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
  // Every part gets a first table, and these are rounded: from there on there is something to
  // publish whatever comes. Then every part gets its first nodes, and the part with the widest gap
  // is worked on, again and again. Of the work a share is kept for the last rounding.
  void search() {
    base::for_each_lane(run_, trees_.size(), [&](std::size_t p) { trees_[p]->begin(run_); });
    record();
    rounding_.emplace(problem_->table(), model_, run_);
    round_underway();
    const RunContext search_run = without_last_rounding();
    start_parts(search_run);
    record();
    round_underway();
    while (!search_run.should_stop()) {
      Tree* widest = widest_gap();
      if (infeasible_ || widest == nullptr)
        break;
      widest->run(adjustment::kTuning.search.slice, search_run);
      record();
      round_underway();
    }
    for (const auto& tree : trees_)
      infeasible_ = infeasible_ || tree->proven_infeasible();
  }

  // The last rounding takes as much as the first, and in L1 the vertices.
  RunContext without_last_rounding() const {
    const auto left = static_cast<double>(run_.work_left());
    const double kept = std::max(left * adjustment::kTuning.publish.share_of_work,
                                 1.5 * static_cast<double>(rounding_work_));
    return base::share_of_work(run_, 1 - std::min(0.5, kept / std::max(1.0, left)));
  }

  // None if all are done with.
  Tree* widest_gap() {
    Tree* widest = nullptr;
    double most = 0;
    for (const auto& tree : trees_) {
      if (tree->proven_infeasible())
        infeasible_ = true;
      if (tree->done() || tree->gap_closed() || tree->given_up() || spent(*tree))
        continue;
      const double gap =
          tree->has_incumbent() ? tree->cost() - tree->bound() : adjustment::kInfinity;
      if (widest == nullptr || gap > most) {
        widest = tree.get();
        most = gap;
      }
    }
    return widest;
  }

  // Side by side, each with a share of the work according to its cells.
  void start_parts(const RunContext& run) {
    double cells = 0;
    for (const adjustment::Part& part : model_.parts)
      cells += static_cast<double>(part.cells.size());
    const std::int64_t first = adjustment::kTuning.search.first_nodes;
    const std::int64_t nodes =
        options_.max_nodes >= 0 ? std::min(first, options_.max_nodes) : first;
    base::for_each_lane(run_, trees_.size(), [&](std::size_t p) {
      const double share = static_cast<double>(model_.parts[p].cells.size()) / cells;
      RunContext single = base::share_of_work(run, share);
      single.threads = trees_.size() > 1 ? 1 : run_.threads;
      trees_[p]->run(nodes, single);
    });
  }

  bool all_have_tables() const {
    return std::all_of(
        trees_.begin(), trees_.end(), [](const auto& tree) { return tree->has_incumbent(); });
  }

  // Rounds what has been found since the last time, if that takes a small share of the work so far.
  void round_underway() {
    if (run_.should_stop() || !all_have_tables() || total_cost() >= rounded_cost_)
      return;
    const std::int64_t now = work_done();
    const double allowed = adjustment::kTuning.publish.share_underway *
                           static_cast<double>(now - std::max(work_before_, rounded_at_));
    if (static_cast<double>(rounding_work_) > allowed)
      return;
    rounded_cost_ = total_cost();
    keep(adjustment::publish(
        *problem_, model_, *rounding_, trees_, options_, static_cast<std::int64_t>(allowed), run_));
    rounded_at_ = work_done();
    rounding_work_ = rounded_at_ - now;
  }

  // The later table is the better one, but for what its rounding costs.
  void keep(std::optional<adjustment::Published> published) {
    if (published && published->digits == 0)
      whole_bound_ = std::max(whole_bound_, published->bound);
    const double tolerance = adjustment::kTuning.publish.share_of_gap * options_.gap;
    if (published && (!published_ || published->cost <= published_->cost * (1 + tolerance)))
      published_ = std::move(published);
  }

  // Of tables with the decimals that are published, where that is more than any table's.
  double published_bound() const { return std::max(total_bound(), whole_bound_); }

  // Why nothing could be rounded, and what would do: the fewest more decimals that would.
  std::string why_not_rounded() {
    const bool whole = problem_->table().decimals() == 0;
    std::string text =
        "the adjusted table could not be rounded so that every equation and every "
        "requirement holds";
    if (!adjustment::keeps_units(problem_->table(), options_))
      return text + "; allow more decimals";
    if (whole)
      text = "no table of whole numbers was found that adds up and keeps every level";
    AdjustOptions finer = options_;
    for (int more = 1; more <= adjustment::kTuning.publish.most_digits; ++more) {
      finer.decimals = problem_->table().decimals() + more;
      if (finer.decimals > TableBuilder::kMaxDecimals || run_.braked())
        break;
      if (adjustment::publish(*problem_, model_, *rounding_, trees_, finer, kNoWorkLimit, run_))
        return text + "; " + base::named_option("decimals", std::to_string(finer.decimals)) +
               " would work";
    }
    return text + ", nor one with more decimals; ask for lower levels";
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
                             ? std::max(options_.gap, tol::kRounding) * point.incumbent /
                                   std::max(point.incumbent - point.bound, tol::kRounding)
                             : 0;
      run_.on_progress({"adjust", std::min(1.0, gap), point.incumbent, point.bound});
    }
  }

  Status finish() {
    result_.bound = total_bound();
    result_.why = ended_by(run_);
    if (!all_have_tables())
      return ok_status();
    keep(adjustment::publish(*problem_, model_, *rounding_, trees_, options_, kNoWorkLimit, run_));
    if (!published_ && run_.should_stop())
      return ok_status();
    if (!published_) {
      result_.reason = why_not_rounded();
      return ok_status();
    }
    LACUNA_RETURN_IF_ERROR(draw_up(*published_));
    result_.complete = true;
    result_.cost = published_->cost;
    result_.bound = std::min(published_bound(), result_.cost);
    const double gap = result_.cost - result_.bound;
    if (gap <= tol::kObjective * result_.cost)
      result_.why = StopReason::kOptimal;
    else if (gap <= options_.gap * result_.cost)
      result_.why = StopReason::kGapReached;
    return ok_status();
  }

  Status draw_up(const adjustment::Published& published) {
    result_.decimals = problem_->table().decimals() + published.digits;
    Wide factor = 1;
    for (int d = 0; d < published.digits; ++d)
      factor *= 10;
    for (std::size_t c = 0; c < published.moves.size(); ++c) {
      if (!model_.free[c])
        continue;
      const CellId cell{static_cast<std::int32_t>(c)};
      const Wide shown = problem_->table().value(cell) * factor + published.moves[c];
      if (shown > kMaxUnits || shown < -kMaxUnits) {
        return Error{
            ErrorCode::kOptionValue, "the numbers of the table do not fit 62 bits", "--decimals"};
      }
      result_.draft.publish_adjusted(cell, static_cast<Units>(shown));
    }
    result_.draft.set_adjusted(true);
    return ok_status();
  }

  std::shared_ptr<const Problem> problem_;
  AdjustOptions options_;
  const RunContext& run_;
  std::int64_t work_before_;
  std::chrono::steady_clock::time_point begin_;
  adjustment::Model model_;
  std::vector<std::unique_ptr<Tree>> trees_;
  std::optional<adjustment::ExactRounding> rounding_;
  std::optional<adjustment::Published> published_;
  double whole_bound_ = -adjustment::kInfinity;      // of tables in the units of the table
  double rounded_cost_ = adjustment::kInfinity;      // of the tables that were rounded last,
  std::int64_t rounded_at_ = 0, rounding_work_ = 0;  // when, and what that took
  AdjustResult result_;
  bool infeasible_ = false;
};

}  // namespace

Status AdjustOptions::validate() const {
  LACUNA_RETURN_IF_ERROR(MethodOptions::validate());
  if (senses == SenseRule::kDown)
    return Error{ErrorCode::kOptionConflict,
                 "adjust moves sensitive cells freely or up, not down",
                 "--senses"};
  return check_ranges(static_cast<const AdjustSettings&>(*this));
}

Result<AdjustResult> adjust(const std::shared_ptr<const Problem>& problem,
                            const AdjustOptions& options,
                            const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(options.validate());
  if (options.decimals >= 0 && options.decimals < problem->table().decimals())
    return Error{ErrorCode::kOptionValue, "the table itself has more decimals", "--decimals"};
  adjustment::fix_block_sizes();
  AdjustOptions own = options;
  if (own.gap == 0)
    own.gap = adjustment::TreeOptions{}.gap;
  return Adjustment(problem, own, with_helpers(run)).run_all();
}

std::span<const std::string_view> enum_names(AdjustNorm) {
  static constexpr std::array<std::string_view, 2> kNames{"l1", "l2"};
  return kNames;
}

}  // namespace lacuna
