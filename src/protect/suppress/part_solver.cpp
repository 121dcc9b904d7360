// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/part_solver.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/base/index.h"
#include "lacuna/tolerance.h"
#include "protect/suppress/tuning.h"

namespace lacuna::suppression {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class PartSolver {
 public:
  PartSolver(const std::shared_ptr<const Problem>& problem,
             const SuppressOptions& options,
             PartTask task,
             const RunContext& run)
      : problem_(problem),
        options_(options),
        task_(std::move(task)),
        run_(run),
        given_(presolve::always_withheld(*problem)),
        always_(given_),
        cells_(task_.cells) {
    result_.best = task_.start;
  }

  PartResult solve() {
    while (true) {
      part_ = std::make_unique<PartModel>(part_of(cells_));
      if (task_.max_withheld >= 0 && part_->always_size() > task_.max_withheld) {
        result_.why = result_.best ? StopReason::kOptimal : StopReason::kInfeasible;
        result_.bound = best_cost();
        return std::move(result_);
      }
      TreeResult tree = branch_and_cut(part_->model(), options_, tree_task(), run_);
      add_counts(tree.counts);
      take_pattern(tree);
      const double bound = tree.bound + part_->always_weight();
      result_.bound = std::max(result_.bound, std::min(bound, best_cost()));
      result_.why = tree.why;
      if (!tree.restart)
        return std::move(result_);
      shrink(tree);
    }
  }

 private:
  double best_cost() const { return result_.best ? result_.best->cost : kInfinity; }

  PartModel part_of(std::vector<CellId> cells) const {
    return PartModel(
        problem_, std::move(cells), always_, task_.sizes, options_.minimum_width, run_);
  }

  std::int64_t size_of(const std::vector<CellId>& cells) const {
    if (task_.sizes.empty())
      return std::ssize(cells);
    std::int64_t size = 0;
    for (const CellId cell : cells)
      size += task_.sizes[base::at(cell)];
    return size;
  }

  TreeTask tree_task() {
    TreeTask tree;
    tree.known_cost = best_cost() - part_->always_weight();
    tree.offset = task_.offset + part_->always_weight();
    limit(tree, *part_);
    tree.may_join = true;
    tree.begun_at = begun_at_;
    tree.cuts = restricted_cuts();
    if (result_.best)
      tree.known = part_->columns_of(result_.best->cells);
    if (task_.round) {
      tree.round = [this](const std::vector<double>& x, const RunContext& run) {
        return round(x, run);
      };
    }
    if (task_.other_start) {
      tree.other_start_at = task_.other_start_at;
      tree.other_start = [this](const RunContext& run) { return other_start(run); };
    }
    tree.on_change = [this](double cost, double bound, std::int64_t) {
      const double fixed = part_->always_weight();
      if (task_.on_change)
        task_.on_change(cost + fixed, std::max(result_.bound, bound + fixed));
    };
    if (task_.on_pattern) {
      tree.on_pattern = [this](const ColumnPattern& columns, const auto& witnesses) {
        task_.on_pattern(part_->pattern_of(columns), part_->expand(witnesses));
      };
    }
    return tree;
  }

  std::optional<ColumnPattern> round(const std::vector<double>& x, const RunContext& run) {
    const auto guided = round_by_construction(x, run);
    take_if_better(guided);
    const auto near = search_near(x, run);
    if (near)
      return near;
    return guided ? part_->columns_of(guided->cells) : std::nullopt;
  }

  void limit(TreeTask& tree, const PartModel& part) const {
    tree.column_sizes = part.column_sizes();
    if (task_.max_withheld >= 0)
      tree.max_withheld = task_.max_withheld - part.always_size();
  }

  void take_if_better(const std::optional<PartPattern>& pattern) {
    const bool allowed =
        pattern && (task_.max_withheld < 0 || size_of(pattern->cells) <= task_.max_withheld);
    if (!allowed || pattern->cost >= best_cost())
      return;
    result_.best = *pattern;
    result_.witnesses.clear();
  }

  std::optional<ColumnPattern> other_start(const RunContext& run) {
    const auto ask = std::exchange(task_.other_start, nullptr);
    const std::optional<PartPattern> pattern = ask(run);
    take_if_better(pattern);
    return pattern ? part_->columns_of(pattern->cells) : std::nullopt;
  }

  // Cells that are not columns are withheld anyway or not worth withholding.
  std::optional<PartPattern> round_by_construction(const std::vector<double>& x,
                                                   const RunContext& run) const {
    std::vector<double> guess(always_.size(), -1);
    for (const CellId cell : cells_) {
      const std::int32_t column = part_->column_of(cell);
      if (always_[base::at(cell)] || column == PartModel::kAlways)
        guess[base::at(cell)] = 1;
      else if (column >= 0)
        guess[base::at(cell)] = x[base::at(column)];
    }
    return task_.round(guess, run);
  }

  // Branch and cut among the cells that the master or the best pattern withholds (relaxation
  // induced neighbourhood search; Danna, Rothberg, Le Pape 2005): a small problem of the same kind.
  std::optional<ColumnPattern> search_near(const std::vector<double>& x, const RunContext& run) {
    if (!result_.best || run.should_stop())
      return std::nullopt;
    std::vector<bool> wanted = always_;
    for (const CellId cell : result_.best->cells)
      wanted[base::at(cell)] = true;
    std::vector<CellId> near;
    for (const CellId cell : cells_) {
      const std::int32_t column = part_->column_of(cell);
      if (wanted[base::at(cell)] || column == PartModel::kAlways ||
          (column >= 0 && x[base::at(column)] > tol::kViolation))
        near.push_back(cell);
    }
    if (near.size() * kTuning.part.near_whole > cells_.size() * kTuning.part.near_share)
      return std::nullopt;  // nearly the problem itself
    const PartModel small = part_of(std::move(near));
    TreeTask task;
    task.known_cost = best_cost() - small.always_weight();
    limit(task, small);
    task.max_nodes = kTuning.part.near_nodes;
    task.may_restart = false;
    const TreeResult tree = branch_and_cut(small.model(), options_, std::move(task), run);
    add_counts(tree.counts);
    return tree.best ? part_->columns_of(small.pattern_of(*tree.best).cells) : std::nullopt;
  }

  void take_pattern(TreeResult& tree) {
    if (!tree.best || tree.cost + part_->always_weight() >= best_cost())
      return;
    result_.best = part_->pattern_of(*tree.best);
    result_.witnesses = part_->expand(std::move(tree.witnesses));
  }

  // The settled columns leave the model; the cuts wait for the next one.
  void shrink(TreeResult& tree) {
    for (const Decision& decision : tree.settled) {
      for (const CellId cell : part_->cells_of(decision.column)) {
        if (decision.withheld)
          always_[base::at(cell)] = true;
        else if (!always_[base::at(cell)])
          cells_.erase(std::lower_bound(cells_.begin(), cells_.end(), cell));
      }
    }
    cuts_ = std::move(tree.cuts);
    before_ = std::move(part_);
  }

  std::vector<suppression_model::Cut> restricted_cuts() {
    std::vector<suppression_model::Cut> cuts;
    for (const suppression_model::SharedCut& cut : std::exchange(cuts_, {})) {
      if (auto kept = restricted(*cut))
        cuts.push_back(*std::move(kept));
    }
    before_.reset();
    return cuts;
  }

  // A cut of the model before, over the columns of this one: its columns are settled, or parts of
  // these.
  std::optional<suppression_model::Cut> restricted(const suppression_model::Cut& cut) const {
    if (cut.family == suppression_model::CutFamily::kLimit)
      return std::nullopt;  // made anew
    suppression_model::Cut kept;
    kept.family = cut.family;
    kept.rhs = cut.rhs;
    kept.speaks_for = cells_of_needs(cut.speaks_for);
    std::map<std::int32_t, double> values;
    for (std::size_t k = 0; k < cut.columns.size(); ++k) {
      const std::int32_t column = part_->column_of(leader(cut.columns[k]));
      if (column == PartModel::kAlways)
        kept.rhs -= cut.values[k];
      else if (column >= 0)
        values[column] += cut.values[k];
    }
    double least = 0;
    for (const auto& [column, value] : values) {
      if (value == 0)
        continue;
      kept.columns.push_back(column);
      kept.values.push_back(value);
      least += std::min(value, 0.0);
    }
    if (least >= kept.rhs)
      return std::nullopt;             // holds anyway
    for (double& value : kept.values)  // all columns are 0 or 1
      value = std::min(value, kept.rhs - least);
    return kept;
  }

  // Sensitive cells of the model before, in this one; none if some need is not asked any more.
  std::vector<std::int32_t> cells_of_needs(const std::vector<std::int32_t>& before) const {
    std::vector<std::int32_t> now;
    for (const std::int32_t cell : before) {
      now.push_back(part_->local_of(before_->some_cell_of(cell)));
      if (now.back() < 0)
        return {};
    }
    std::sort(now.begin(), now.end());
    now.erase(std::unique(now.begin(), now.end()), now.end());
    return now;
  }

  // A cell that the column before was for.
  CellId leader(std::int32_t column) const {
    const std::vector<CellId> cells = before_->cells_of(column);
    const auto own = std::find_if(
        cells.begin(), cells.end(), [&](CellId cell) { return !given_[base::at(cell)]; });
    return own == cells.end() ? cells.front() : *own;
  }

  void add_counts(const SuppressCounts& counts) {
    result_.counts.nodes += counts.nodes;
    result_.counts.cuts += counts.cuts;
    result_.counts.attacker_lps += counts.attacker_lps;
    result_.counts.master_lps += counts.master_lps;
  }

  std::shared_ptr<const Problem> problem_;
  const SuppressOptions& options_;
  PartTask task_;
  const RunContext& run_;
  std::vector<bool> given_;   // withheld whatever we do, by cell
  std::vector<bool> always_;  // and settled at that
  std::vector<CellId> cells_;
  std::unique_ptr<PartModel> part_;
  std::vector<suppression_model::SharedCut> cuts_;  // of the model before
  std::unique_ptr<PartModel> before_;
  PartResult result_;
  std::int64_t begun_at_ = work_done();
};

}  // namespace

PartResult solve_part(const std::shared_ptr<const Problem>& problem,
                      const SuppressOptions& options,
                      PartTask task,
                      const RunContext& run) {
  return PartSolver(problem, options, std::move(task), run).solve();
}

}  // namespace lacuna::suppression
