// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/part_solver.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/index.h"
#include "lacuna/tolerance.h"
#include "protect/common/demands.h"
#include "protect/suppress/tuning.h"

namespace lacuna::inline suppression {
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
        always_(always_withheld(*problem)),
        cells_(task_.cells) {
    result_.best = task_.start;
  }

  PartResult solve() {
    while (true) {
      model_ = std::make_unique<SuppressModel>(problem_, cells_, always_, options_.minimum_width);
      TreeResult tree = BranchAndCut(*model_, options_, tree_task()).run(run_);
      add_counts(tree.counts);
      take_pattern(tree);
      const double bound = tree.bound + model_->always_withheld_weight();
      result_.bound = std::max(result_.bound, std::min(bound, best_cost()));
      result_.why = tree.why;
      if (!tree.restart)
        return std::move(result_);
      shrink(tree);
    }
  }

 private:
  double best_cost() const { return result_.best ? result_.best->cost : kInfinity; }

  TreeTask tree_task() {
    TreeTask tree;
    tree.known_cost = best_cost() - model_->always_withheld_weight();
    tree.offset = task_.offset + model_->always_withheld_weight();
    if (task_.max_withheld >= 0)
      tree.max_columns = task_.max_withheld - model_->always_withheld();
    tree.cuts = std::move(cuts_);
    if (result_.best)
      tree.known = columns_of(result_.best->cells);
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
      const double fixed = model_->always_withheld_weight();
      if (task_.on_change)
        task_.on_change(cost + fixed, std::max(result_.bound, bound + fixed));
    };
    if (task_.on_pattern) {
      tree.on_pattern = [this](const ColumnPattern& columns, const auto& witnesses) {
        task_.on_pattern(pattern_of(columns), witnesses);
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
    return guided ? columns_of(guided->cells) : std::nullopt;
  }

  void take_if_better(const std::optional<PartPattern>& pattern) {
    const bool allowed =
        pattern && (task_.max_withheld < 0 || std::ssize(pattern->cells) <= task_.max_withheld);
    if (!allowed || pattern->cost >= best_cost())
      return;
    result_.best = *pattern;
    result_.witnesses.clear();
  }

  std::optional<ColumnPattern> other_start(const RunContext& run) {
    const auto ask = std::exchange(task_.other_start, nullptr);
    const std::optional<PartPattern> pattern = ask(run);
    take_if_better(pattern);
    return pattern ? columns_of(pattern->cells) : std::nullopt;
  }

  // Cells that are not columns are withheld anyway or not worth withholding.
  std::optional<PartPattern> round_by_construction(const std::vector<double>& x,
                                                   const RunContext& run) const {
    std::vector<double> guess(always_.size(), -1);
    for (std::int32_t i = 0; i < model_->num_cells(); ++i) {
      const std::int32_t column = model_->column_of(i);
      guess[at(model_->cell(i))] = column < 0 ? 1 : x[static_cast<std::size_t>(column)];
    }
    return task_.round(guess, run);
  }

  // Branch and cut among the cells that the master or the best pattern withholds (relaxation
  // induced neighbourhood search; Danna, Rothberg, Le Pape 2005): a small problem of the same kind.
  std::optional<ColumnPattern> search_near(const std::vector<double>& x, const RunContext& run) {
    if (!result_.best || run.should_stop())
      return std::nullopt;
    std::vector<bool> wanted(always_.size(), false);
    for (const CellId cell : result_.best->cells)
      wanted[at(cell)] = true;
    std::vector<CellId> near;
    for (std::int32_t i = 0; i < model_->num_cells(); ++i) {
      const std::int32_t column = model_->column_of(i);
      const CellId cell = model_->cell(i);
      if (column < 0 || wanted[at(cell)] || x[static_cast<std::size_t>(column)] > tol::kViolation)
        near.push_back(cell);
    }
    if (near.size() * kTuning.part.near_whole >
        static_cast<std::size_t>(model_->num_cells()) * kTuning.part.near_share)
      return std::nullopt;  // nearly the problem itself
    const SuppressModel small(problem_, std::move(near), always_, options_.minimum_width);
    TreeTask task;
    task.known_cost = best_cost() - small.always_withheld_weight();
    if (task_.max_withheld >= 0)
      task.max_columns = task_.max_withheld - small.always_withheld();
    task.max_nodes = kTuning.part.near_nodes;
    task.may_restart = false;
    const TreeResult tree = BranchAndCut(small, options_, std::move(task)).run(run);
    add_counts(tree.counts);
    if (!tree.best)
      return std::nullopt;
    std::vector<CellId> cells;
    for (std::int32_t i = 0; i < small.num_cells(); ++i) {
      const std::int32_t column = small.column_of(i);
      if (column < 0 || (*tree.best)[static_cast<std::size_t>(column)])
        cells.push_back(small.cell(i));
    }
    return columns_of(cells);
  }

  std::optional<ColumnPattern> columns_of(const std::vector<CellId>& cells) const {
    ColumnPattern pattern(static_cast<std::size_t>(model_->num_columns()), false);
    for (const CellId cell : cells) {
      const std::int32_t local = model_->local(cell);
      if (local < 0)
        return std::nullopt;
      if (model_->column_of(local) >= 0)
        pattern[static_cast<std::size_t>(model_->column_of(local))] = true;
    }
    return pattern;
  }

  void take_pattern(TreeResult& tree) {
    if (!tree.best || tree.cost + model_->always_withheld_weight() >= best_cost())
      return;
    result_.best = pattern_of(*tree.best);
    result_.witnesses = std::move(tree.witnesses);
  }

  PartPattern pattern_of(const ColumnPattern& columns) const {
    PartPattern pattern;
    pattern.cost = model_->always_withheld_weight();
    for (std::int32_t i = 0; i < model_->num_cells(); ++i) {
      const std::int32_t column = model_->column_of(i);
      if (column >= 0 && !columns[static_cast<std::size_t>(column)])
        continue;
      pattern.cells.push_back(model_->cell(i));
      pattern.cost += column < 0 ? 0 : model_->weights()[static_cast<std::size_t>(column)];
    }
    return pattern;
  }

  // The settled columns leave the model, and the cuts with them.
  void shrink(const TreeResult& tree) {
    std::vector<std::int8_t> state(static_cast<std::size_t>(model_->num_columns()), kOpen);
    for (const Decision& decision : tree.settled) {
      const CellId cell = model_->cell(model_->cell_of(decision.column));
      state[static_cast<std::size_t>(decision.column)] = decision.withheld ? kOne : kZero;
      if (decision.withheld)
        always_[at(cell)] = true;
      else
        cells_.erase(std::lower_bound(cells_.begin(), cells_.end(), cell));
    }
    std::vector<std::int32_t> renumbered;
    std::int32_t next = 0;
    for (const std::int8_t each : state)
      renumbered.push_back(each == kOpen ? next++ : -1);
    cuts_.clear();
    for (const SharedCut& cut : tree.cuts) {
      if (auto kept = restricted(*cut, state, renumbered))
        cuts_.push_back(*std::move(kept));
    }
  }

  static std::optional<Cut> restricted(const Cut& cut,
                                       const std::vector<std::int8_t>& state,
                                       const std::vector<std::int32_t>& renumbered) {
    if (cut.family == CutFamily::kLimit)
      return std::nullopt;  // made anew
    Cut kept;
    kept.family = cut.family;
    kept.rhs = cut.rhs;
    for (std::size_t k = 0; k < cut.columns.size(); ++k) {
      const auto column = static_cast<std::size_t>(cut.columns[k]);
      if (state[column] == kOne)
        kept.rhs -= cut.values[k];
      if (state[column] != kOpen)
        continue;
      kept.columns.push_back(renumbered[column]);
      kept.values.push_back(cut.values[k]);
    }
    double least = 0;
    for (const double value : kept.values)
      least += std::min(value, 0.0);
    if (least >= kept.rhs)
      return std::nullopt;  // holds anyway
    return kept;
  }

  void add_counts(const SuppressCounts& counts) {
    result_.counts.nodes += counts.nodes;
    result_.counts.cuts += counts.cuts;
    result_.counts.attacker_lps += counts.attacker_lps;
    result_.counts.master_lps += counts.master_lps;
  }

  static constexpr std::int8_t kZero = 0, kOne = 1, kOpen = 2;

  std::shared_ptr<const Problem> problem_;
  const SuppressOptions& options_;
  PartTask task_;
  const RunContext& run_;
  std::vector<bool> always_;
  std::vector<CellId> cells_;
  std::vector<Cut> cuts_;
  std::unique_ptr<SuppressModel> model_;
  PartResult result_;
};

}  // namespace

PartResult solve_part(const std::shared_ptr<const Problem>& problem,
                      const SuppressOptions& options,
                      PartTask task,
                      const RunContext& run) {
  return PartSolver(problem, options, std::move(task), run).solve();
}

}  // namespace lacuna::inline suppression
