// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/integer_table.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/index.h"
#include "lacuna/tolerance.h"
#include "protect/adjust/tuning.h"
#include "protect/pattern/master.h"
#include "protect/round/large.h"

namespace lacuna::adjustment {
namespace {

using pattern::Choice;
using pattern::Pattern;
using pattern::Plan;

class IntegerSearch {
 public:
  IntegerSearch(const Problem& problem,
                const Model& model,
                const std::vector<double>& z,
                double gap,
                const std::string& engine,
                const RunContext& run)
      : problem_(problem),
        table_(problem.table()),
        model_(model),
        z_(z),
        relative_gap_(gap),
        engine_(engine),
        run_(run),
        unit_(std::pow(10.0, -table_.decimals())) {}

  std::optional<IntegerTable> find() {
    for (const Units reach : kTuning.whole.reaches) {
      if (best_ || run_.should_stop())
        break;
      try_near(reach);
    }
    if (best_ && !run_.should_stop())
      try_all();
    return std::move(best_);
  }

 private:
  // The numbers within so many units of the deviation, and as many beyond each level.
  void try_near(Units reach) {
    Plan plan = empty_plan();
    std::size_t movable = 0;
    for (const Part& part : model_.parts) {
      for (const PartCell& cell : part.cells) {
        fill(cell.cell, near(cell.cell, reach), plan);
        if (plan.cells[base::at(cell.cell)].choices.empty())
          return;
      }
      movable += part.cells.size();
    }
    if (movable <= kTuning.whole.most_cells)
      solve(plan, with_work(run_, kTuning.whole.work_near));
    if (!best_ && !run_.should_stop())
      repair(plan);
  }

  // All numbers that a cheaper table can have: what the program then proves holds for every table
  // in these units.
  void try_all() {
    Plan plan = empty_plan();
    std::size_t choices = 0;
    for (const Part& part : model_.parts) {
      for (const PartCell& cell : part.cells) {
        if (!(cell.weight > 0))
          return;
        const double most = best_->cost / cell.weight;
        const double reach = (model_.norm == AdjustNorm::kL2 ? std::sqrt(most) : most) / unit_;
        if (!(reach < static_cast<double>(kTuning.whole.most_choices)))
          return;
        const auto far = static_cast<Units>(std::floor(reach * (1 + tol::kRounding)));
        std::set<Units> moves;
        add_range(-far, far, moves);
        fill(cell.cell, moves, plan);
        choices += plan.cells[base::at(cell.cell)].choices.size();
        if (choices > kTuning.whole.most_choices || plan.cells[base::at(cell.cell)].choices.empty())
          return;
      }
    }
    solve(plan, with_work(run_, kTuning.whole.work_all));
    best_->bound = std::min(bound_, best_->cost);
  }

  static void add_range(Units first, Units last, std::set<Units>& moves) {
    for (Units move = first; move <= last; ++move)
      moves.insert(move);
  }

  std::set<Units> near(CellId cell, Units reach) const {
    std::set<Units> moves;
    const double wanted = z_[base::at(cell)] / unit_;
    if (std::abs(wanted) < static_cast<double>(kMaxUnits)) {
      const auto middle = static_cast<Units>(std::floor(wanted));
      add_range(middle - reach, middle + 1 + reach, moves);
    }
    if (model_.sensitive[base::at(cell)]) {
      const Levels& levels = model_.levels[base::at(cell)];
      add_range(levels.up, levels.up + reach, moves);
      add_range(-levels.down - reach, -levels.down, moves);
    }
    return moves;
  }

  bool allowed(CellId id, Units move) const {
    const Cell& cell = table_.cell(id);
    if (!cell.prior.contains(cell.value + move))
      return false;
    if (!model_.sensitive[base::at(id)])
      return true;
    const Levels& levels = model_.levels[base::at(id)];
    return (levels.may_rise && move >= levels.up) || (levels.may_fall && move <= -levels.down);
  }

  // Cells outside the parts keep their values.
  Plan empty_plan() const {
    Plan plan;
    plan.problem = &problem_;
    for (std::int32_t c = 0; c < table_.num_cells(); ++c)
      plan.cells.push_back(pattern::exact_plan(table_, CellId{c}));
    return plan;
  }

  double price(CellId id, Units move) const {
    const double off = std::abs(static_cast<double>(move)) * unit_;
    return table_.cell(id).weight * (model_.norm == AdjustNorm::kL2 ? off * off : off);
  }

  void fill(CellId id, const std::set<Units>& moves, Plan& plan) const {
    std::vector<Choice>& choices = plan.cells[base::at(id)].choices;
    choices.clear();
    for (const Units move : moves) {
      if (!allowed(id, move))
        continue;
      const Units shown = table_.value(id) + move;
      choices.push_back({Adjusted{shown}, shown, {}, price(id, move), move != 0});
    }
  }

  void solve(const Plan& plan, const RunContext& run) {
    const auto answer = pattern::Master(plan).solve(engine_, relative_gap_, run);
    if (!answer)
      return;
    bound_ = answer->bound;
    if (answer->pattern && pattern::adds_up(plan, *answer->pattern))
      keep(plan, *answer->pattern);
  }

  void repair(const Plan& plan) {
    const auto found = rounding::round_large(plan, {}, 0, run_);
    if (found.complete)
      keep(plan, found.pattern);
  }

  void keep(const Plan& plan, const Pattern& pattern) {
    const double cost = pattern::cost_of(plan, pattern);
    if (best_ && best_->cost <= cost)
      return;
    best_ = IntegerTable{std::vector<Units>(plan.cells.size(), 0), cost, -kInfinity};
    for (std::size_t c = 0; c < plan.cells.size(); ++c) {
      const auto chosen = static_cast<std::size_t>(pattern.choice[c]);
      best_->moves[c] =
          plan.cells[c].choices[chosen].value - table_.value(CellId{static_cast<std::int32_t>(c)});
    }
  }

  const Problem& problem_;
  const Table& table_;
  const Model& model_;
  const std::vector<double>& z_;
  double relative_gap_;
  const std::string& engine_;
  const RunContext& run_;
  double unit_;
  double bound_ = -kInfinity;  // of the last program
  std::optional<IntegerTable> best_;
};

}  // namespace

std::optional<IntegerTable> integer_table(const Problem& problem,
                                          const Model& model,
                                          const std::vector<double>& z,
                                          double gap,
                                          const std::string& engine,
                                          const RunContext& run) {
  return IntegerSearch(problem, model, z, gap, engine, run).find();
}

}  // namespace lacuna::adjustment
