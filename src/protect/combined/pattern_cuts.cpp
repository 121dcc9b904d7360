// SPDX-License-Identifier: Apache-2.0
#include "protect/combined/pattern_cuts.h"

#include <algorithm>
#include <unordered_set>

#include "protect/combined/tuning.h"
#include "protect/suppression_model/cut_pool.h"
#include "protect/suppression_model/lanes.h"
#include "protect/suppression_model/master.h"
#include "protect/suppression_model/pattern_requirements.h"

namespace lacuna::combined {
namespace {

std::shared_ptr<const Problem> at_prices(const Problem& problem, const std::vector<double>& price) {
  auto priced = std::make_shared<Problem>(problem);
  priced->set_weights(price);
  return priced;
}

}  // namespace

PatternCuts::PatternCuts(const Problem& problem,
                         const std::vector<double>& fixed,
                         const std::vector<bool>& allowed,
                         std::string engine)
    : problem_(at_prices(problem, fixed)) {
  options_.engine = std::move(engine);
  const std::vector<bool> always = presolve::always_withheld(*problem_);
  for (std::size_t c = 0; c < always.size(); ++c)
    outside_ += always[c] ? fixed[c] : 0;
  for (auto& cells : suppression_model::parts_with_needs(*problem_)) {
    std::erase_if(cells, [&](CellId cell) {
      const auto c = static_cast<std::size_t>(cell.value);
      return !always[c] && !allowed[c];
    });
    Part part;
    part.model =
        std::make_unique<suppression_model::SuppressModel>(problem_, std::move(cells), always, 0);
    part.separator = std::make_unique<suppression_model::Separator>(
        *part.model, options_.engine, suppression_model::kLanes);
    parts_.push_back(std::move(part));
  }
}

// Cheap ones first; attacker problems when these run out.
std::vector<suppression_model::Cut> PatternCuts::cuts_of(Part& part,
                                                         std::span<const double> x,
                                                         bool thorough,
                                                         const RunContext& run) const {
  std::vector<suppression_model::Cut> cuts = part.separator->from_equations(x);
  if (thorough && cuts.size() < kTuning.pattern.few_cuts) {
    suppression_model::Separator::Limits limits;
    limits.cuts = kTuning.pattern.cuts_of_lane;
    limits.bridges = kTuning.pattern.bridges;
    auto more = part.separator->from_attackers_all_lanes(x, limits, run);
    std::move(more.begin(), more.end(), std::back_inserter(cuts));
  }
  return cuts;
}

std::vector<PatternRow> PatternCuts::find(const std::vector<double>& x,
                                          bool thorough,
                                          const RunContext& run) {
  std::vector<PatternRow> rows;
  for (Part& part : parts_) {
    const suppression_model::SuppressModel& model = *part.model;
    const auto cell_of = [&](std::int32_t column) {
      return model.cell(model.cell_of(column)).value;
    };
    std::vector<double> local(static_cast<std::size_t>(model.num_columns()));
    for (std::int32_t j = 0; j < model.num_columns(); ++j)
      local[static_cast<std::size_t>(j)] = x[static_cast<std::size_t>(cell_of(j))];
    for (const suppression_model::Cut& cut : cuts_of(part, local, thorough, run)) {
      PatternRow row;
      row.least = cut.rhs;
      for (std::size_t k = 0; k < cut.columns.size(); ++k)
        row.terms.emplace_back(cell_of(cut.columns[k]), cut.values[k]);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

PatternCuts::Root PatternCuts::solve_root(Part& part, const RunContext& run) const {
  const suppression_model::SuppressModel& model = *part.model;
  Root root;
  root.if_open.assign(static_cast<std::size_t>(model.num_columns()), 0);
  suppression_model::Master master(model, options_.engine);
  suppression_model::CutPool pool;
  std::vector<double> history;
  while (master.solve(run) == suppression_model::Master::Outcome::kSolved) {
    root.bound = std::max(root.bound, master.bound());
    for (std::size_t j = 0; j < root.if_open.size(); ++j) {
      const double least = master.bound() + std::max(0.0, master.reduced_costs()[j]);
      root.if_open[j] = std::max(root.if_open[j], least);
    }
    history.push_back(root.bound);
    const std::size_t rounds = history.size();
    const bool stalled = rounds > kTuning.pattern.stall_rounds &&
                         history[rounds - 1 - kTuning.pattern.stall_rounds] >
                             root.bound * (1 - kTuning.pattern.worth_rounds);
    const std::vector<double> x = master.x();
    const std::vector<suppression_model::Cut> cuts = cuts_of(part, x, true, run);
    if (cuts.empty() || stalled || run.should_stop())
      break;
    std::unordered_set<const suppression_model::Cut*> tight;
    master.add_tight_rows(tight);
    pool.age(tight);
    for (const suppression_model::Cut& cut : cuts) {
      if (const auto row = pool.add(cut))
        pool.make_row(row);
    }
    master.match(pool.rows());
  }
  return root;
}

std::vector<double> PatternCuts::cost_if_open(const RunContext& run) {
  std::vector<Root> roots;
  double all = outside_;
  for (Part& part : parts_) {
    roots.push_back(solve_root(part, run));
    all += roots.back().bound;
  }
  std::vector<double> cost(problem_->table().cells().size(), 0);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const suppression_model::SuppressModel& model = *parts_[p].model;
    for (std::int32_t j = 0; j < model.num_columns(); ++j) {
      const auto cell = static_cast<std::size_t>(model.cell(model.cell_of(j)).value);
      cost[cell] = all - roots[p].bound + roots[p].if_open[static_cast<std::size_t>(j)];
    }
  }
  return cost;
}

Pattern cheapest_pattern(const Problem& problem,
                         const std::vector<double>& weights,
                         double gap,
                         const std::string& engine,
                         const RunContext& run) {
  SuppressOptions options;
  options.gap = gap;
  options.engine = engine;
  RunContext quiet = run;
  quiet.on_progress = nullptr;
  quiet.log = nullptr;
  Pattern pattern;
  const auto found = suppress(at_prices(problem, weights), options, quiet);
  if (!found)
    return pattern;
  pattern.bound = std::max(0.0, found->bound);
  if (!found->complete)
    return pattern;
  pattern.published_as_interval.assign(problem.table().cells().size(), false);
  for (const CellEntry& entry : found->draft.each())
    pattern.published_as_interval[static_cast<std::size_t>(entry.cell.value)] = true;
  return pattern;
}

}  // namespace lacuna::combined
