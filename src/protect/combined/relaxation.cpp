// SPDX-License-Identifier: Apache-2.0
#include "protect/combined/relaxation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/work.h"
#include "protect/combined/tuning.h"

namespace lacuna::combined {

using interval::EndRole;
using interval::Model;
using interval::Need;

namespace {

double largest_level(const Model& model) {
  double largest = 0;
  for (const Need& need : model.needs)
    largest = std::max({largest, need.upper, need.lower, need.sliding});
  return largest;
}

// Between the price of a width and that of a cell, which may be far apart.
double price_scale(const Model& model, const Prices& prices) {
  double per_width = 0;
  double per_cell = 0;
  for (std::size_t e = 0; e < model.num_ends(); ++e)
    per_width = std::max(per_width, model.weight[e] * model.price_unit);
  for (const double fixed : prices.fixed)
    per_cell = std::max(per_cell, fixed);
  return per_width > 0 && per_cell > 0 ? std::sqrt(per_width * per_cell)
                                       : std::max({per_width, per_cell, 1.0});
}

// R where no cost is known.
std::vector<double> first_slacks(const Model& model, const Prices& prices) {
  const double useful = model.network ? largest_level(model) : kLpInfinity;
  std::vector<double> slacks(model.num_ends(), 0);
  for (std::size_t e = 0; e < slacks.size(); ++e) {
    if (model.role[e] == EndRole::kPriced)
      slacks[e] = std::min(model.most[e],
                           std::max({useful, prices.least_width[EndId{e}.cell()], model.least[e]}));
  }
  return slacks;
}

}  // namespace

Relaxation::Relaxation(const Model& model, const Prices& prices, int threads)
    : model_(model),
      prices_(prices),
      limits_{first_slacks(model, prices), std::vector<bool>(model.movable.size(), false)},
      rows_(model, columns_, limits_.slacks),
      goals_(model, columns_, threads),
      scale_(price_scale(model, prices)) {}

Result<std::unique_ptr<Relaxation>> Relaxation::make(const Model& model,
                                                     const Prices& prices,
                                                     const std::string& engine,
                                                     int threads) {
  std::unique_ptr<Relaxation> relaxation(new Relaxation(model, prices, threads));
  LACUNA_TRY(relaxation->solver_, make_lp_solver(engine));
  LACUNA_RETURN_IF_ERROR(relaxation->load());
  return relaxation;
}

Status Relaxation::load() {
  LpModel lp;
  add_widths(lp);
  add_choices(lp);
  add_shares(lp);
  add_price_row(lp);
  return solver_->load(lp);
}

double Relaxation::price_of(EndId end) const {
  return model_.weight[end.index] * model_.price_unit;
}

void Relaxation::add_widths(LpModel& lp) {
  columns_.widths.assign(model_.num_ends(), -1);
  for (std::size_t e = 0; e < model_.num_ends(); ++e) {
    if (model_.role[e] == EndRole::kPriced)
      columns_.widths[e] = lp.add_column(model_.least[e],
                                         std::max(limits_.slacks[e], model_.least[e]),
                                         price_of(EndId{e}) / scale_);
  }
}

// With the limits on them.
void Relaxation::add_choices(LpModel& lp) {
  columns_.choices.assign(model_.movable.size(), -1);
  std::vector<std::int32_t> all;
  std::vector<double> intervals;
  for (std::size_t c = 0; c < columns_.choices.size(); ++c) {
    if (!prices_.choice[c])
      continue;
    const CellStatus status = model_.problem->table().cells()[c].status;
    columns_.choices[c] =
        lp.add_column(status == CellStatus::kPrimary ? 1 : 0, 1, prices_.fixed[c] / scale_);
    all.push_back(columns_.choices[c]);
    intervals.push_back(prices_.intervals[c]);
    if (prices_.least_width[c] > 0)
      add_least_width(c, lp);
  }
  if (prices_.most_intervals >= 0) {
    lp.add_row(-kLpInfinity, static_cast<double>(prices_.most_intervals), all, intervals);
  }
}

void Relaxation::add_least_width(std::size_t cell, LpModel& lp) const {
  std::vector<std::int32_t> used;
  std::vector<double> factors;
  for (const int sign : kSigns) {
    if (const std::int32_t width = columns_.width(EndId::of(cell, sign)); width >= 0) {
      used.push_back(width);
      factors.push_back(1);
    }
  }
  used.push_back(columns_.choice(cell));
  factors.push_back(-prices_.least_width[cell]);
  lp.add_row(0, kLpInfinity, used, factors);
}

// How a sliding level is shared out to the two directions.
void Relaxation::add_shares(LpModel& lp) {
  columns_.shares.assign(2 * model_.needs.size(), -1);
  for (std::size_t g = 0; g < model_.needs.size(); ++g) {
    const Need& need = model_.needs[g];
    if (need.sliding == 0)
      continue;
    std::vector<std::int32_t> columns;
    for (const int sign : kSigns) {
      const double level = need.level(sign);
      columns.push_back(lp.add_column(level, std::max(level, need.sliding)));
      columns_.shares[ShareId::of(g, sign).index] = columns.back();
    }
    std::vector<double> values{1, 1};
    const bool conditional = need.requirement < 0;
    if (conditional) {
      columns.push_back(columns_.choice(static_cast<std::size_t>(need.cell)));
      values.push_back(-need.sliding);
    }
    lp.add_row(conditional ? 0 : need.sliding, kLpInfinity, columns, values);
  }
}

// All fixed prices together; set_least_fixed() gives it a bound.
void Relaxation::add_price_row(LpModel& lp) {
  std::vector<std::int32_t> paid;
  std::vector<double> prices;
  for (std::size_t c = 0; c < columns_.choices.size(); ++c) {
    if (columns_.choice(c) >= 0 && prices_.fixed[c] > 0) {
      paid.push_back(columns_.choice(c));
      prices.push_back(prices_.fixed[c] / scale_);
    }
  }
  price_row_ = lp.add_row(-kLpInfinity, kLpInfinity, paid, prices);
}

void Relaxation::set_least_fixed(double cost) {
  solver_->set_row_bounds(price_row_, cost / scale_, kLpInfinity);
}

// Widths of other cells that no solution does without cost something too.
void Relaxation::tighten_slacks(double cost) {
  double needed = model_.forced;
  for (std::size_t e = 0; e < columns_.widths.size(); ++e)
    needed +=
        columns_.width(EndId{e}) >= 0 ? model_.least[e] * model_.weight[e] * model_.price_unit : 0;
  for (std::size_t c = 0; c < columns_.choices.size(); ++c) {
    const bool primary = model_.problem->table().cells()[c].status == CellStatus::kPrimary;
    needed += columns_.choice(c) >= 0 && primary ? prices_.fixed[c] : 0;
  }
  for (std::size_t e = 0; e < columns_.widths.size(); ++e) {
    const double price = price_of(EndId{e});
    if (columns_.width(EndId{e}) < 0 || price <= 0)
      continue;
    limits_.slacks[e] =
        std::min(limits_.slacks[e], model_.least[e] + std::max(0.0, cost - needed) / price);
    limit_width(EndId{e});
  }
}

void Relaxation::tighten_by_reduced_costs(double bound, double cost) {
  const double left = std::max(0.0, cost - bound) * (1 + kTuning.relaxation.satisfied);
  for (std::size_t e = 0; e < last_.reduced_widths.size(); ++e) {
    if (columns_.width(EndId{e}) < 0 || last_.reduced_widths[e] <= 0)
      continue;
    limits_.slacks[e] =
        std::min(limits_.slacks[e], last_.widths[e] + left / last_.reduced_widths[e]);
    limit_width(EndId{e});
  }
}

void Relaxation::limit_width(EndId end) {
  const double least = model_.least[end.index];
  const double most = limits_.closed[end.cell()] ? 0 : std::max(limits_.slacks[end.index], least);
  solver_->set_column_bounds(columns_.width(end), least, most);
}

void Relaxation::set_range(std::int32_t cell, double lower, double upper) {
  const auto c = static_cast<std::size_t>(cell);
  solver_->set_column_bounds(columns_.choice(c), lower, upper);
  limits_.closed[c] = upper <= 0;
  // A cell without an interval has no slack whatever rows have been added so far.
  for (const int sign : kSigns) {
    if (columns_.width(EndId::of(c, sign)) >= 0)
      limit_width(EndId::of(c, sign));
  }
}

Point Relaxation::read(const LpSolution& found) {
  const auto at = [&](std::int32_t column) {
    return found.primal[static_cast<std::size_t>(column)];
  };
  const auto reduced = [&](std::int32_t column) {
    return found.reduced_cost[static_cast<std::size_t>(column)] * scale_;
  };
  Point point;
  point.z.assign(columns_.widths.size(), 0);
  point.x.assign(columns_.choices.size(), 0);
  point.h.assign(columns_.shares.size(), 0);
  last_.reduced_choices.assign(point.x.size(), 0);
  last_.reduced_widths.assign(point.z.size(), 0);
  for (std::size_t e = 0; e < point.z.size(); ++e) {
    if (columns_.widths[e] < 0)
      continue;
    point.z[e] = std::max(0.0, at(columns_.widths[e]));
    last_.reduced_widths[e] = reduced(columns_.widths[e]);
  }
  last_.widths = point.z;
  for (std::size_t c = 0; c < point.x.size(); ++c) {
    if (columns_.choices[c] < 0)
      continue;
    point.x[c] = std::clamp(at(columns_.choices[c]), 0.0, 1.0);
    last_.reduced_choices[c] = reduced(columns_.choices[c]);
  }
  for (std::size_t i = 0; i < point.h.size(); ++i) {
    const ShareId share{i};
    point.h[i] = columns_.share(share) >= 0 ? at(columns_.share(share))
                                            : model_.needs[share.need()].level(share.sign());
  }
  base::count_work(6 * point.z.size());
  idle_.age(found.dual, price_row_ + 1);
  return point;
}

Solved Relaxation::solve(Depth depth, double cutoff, const RunContext& run, Point& point) {
  Solved solved;
  double last_cost = -kLpInfinity;
  int slow = 0;
  while (true) {
    const LpSolution found = solver_->minimize(run);
    solved.status = found.status;
    if (found.status != LpStatus::kOptimal)
      return solved;
    point = read(found);
    solved.cost = found.objective * scale_ + model_.forced;
    if (solved.cost >= cutoff || run.should_stop())
      return solved;
    const double progress = solved.cost - last_cost;
    slow = progress > kTuning.relaxation.progress * std::abs(solved.cost) ? 0 : slow + 1;
    if (depth == Depth::kQuick && slow >= kTuning.relaxation.slow_rounds)
      return solved;
    last_cost = solved.cost;
    std::vector<Row> rows;
    solved.all_met = separate(depth, point, run, rows);
    ++counts_.rounds;
    if (rows.empty())
      return solved;
    solved.all_met = false;
    add(rows);
    if (progress > 0)
      idle_.drop(*solver_, price_row_ + 1);
  }
}

// Cheap rows first; attackers only where there are few of these. True: every goal has a witness.
bool Relaxation::separate(Depth depth,
                          const Point& point,
                          const RunContext& run,
                          std::vector<Row>& rows) {
  rows_.find_links(point, rows);
  if (depth == Depth::kQuick)
    rows_.find_bridges(point, rows);
  rows_.find_in_pool(point, rows);
  if (rows.size() >= kTuning.relaxation.enough_rows)
    return false;
  if (depth == Depth::kQuick)
    find_patterns(point, run, rows);
  GoalProbes::Outcome goals = goals_.ask(depth, point, rows_, run);
  counts_.attacker_lps += goals.asked;
  std::move(goals.rows.begin(), goals.rows.end(), std::back_inserter(rows));
  return goals.all_met;
}

void Relaxation::find_patterns(const Point& point, const RunContext& run, std::vector<Row>& rows) {
  if (patterns_ == nullptr)
    return;
  for (const PatternRow& found : patterns_->find(point.x, true, run)) {
    Row row;
    row.lower = found.least;
    for (const auto& [cell, factor] : found.terms) {
      const std::int32_t column = columns_.choice(static_cast<std::size_t>(cell));
      if (column >= 0)
        row.terms.emplace_back(column, factor);
    }
    rows.push_back(std::move(row));
  }
}

void Relaxation::add(const std::vector<Row>& rows) {
  LpModel model;
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (const Row& row : rows) {
    std::map<std::int32_t, double> merged;
    for (const auto& [column, value] : row.terms)
      merged[column] += value;
    columns.clear();
    values.clear();
    for (const auto& [column, value] : merged) {
      columns.push_back(column);
      values.push_back(value);
    }
    base::count_work(kTuning.relaxation.row_entry * columns.size());
    model.add_row(row.lower, kLpInfinity, columns, values);
    idle_.add();
  }
  counts_.cuts += static_cast<std::int64_t>(rows.size());
  solver_->add_rows(model);
}

}  // namespace lacuna::combined
