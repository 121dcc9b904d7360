// SPDX-License-Identifier: Apache-2.0
#include "protect/combined/relaxation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/parallel.h"
#include "core/base/work.h"
#include "protect/combined/tuning.h"

namespace lacuna::combined {

using interval::EndRole;
using interval::Goal;
using interval::Model;
using interval::Need;

namespace {

double largest_level(const Model& model) {
  double largest = 0;
  for (const Need& need : model.needs)
    largest = std::max({largest, need.upper, need.lower, need.sliding});
  return largest;
}

}  // namespace

Relaxation::Relaxation(const Model& model, const Prices& prices)
    : model_(model), prices_(prices), searches_(model) {
  const double largest = largest_level(model);
  slack_.assign(model.num_ends(), 0);
  for (std::size_t e = 0; e < model.num_ends(); ++e) {
    if (model.role[e] != EndRole::kPriced)
      continue;
    const double useful = model.network ? largest : kLpInfinity;
    slack_[e] =
        std::min(model.most[e], std::max({useful, prices.least_width[e / 2], model.least[e]}));
  }
  shut_.assign(model.movable.size(), false);
}

Result<std::unique_ptr<Relaxation>> Relaxation::make(const Model& model,
                                                     const Prices& prices,
                                                     const std::string& engine,
                                                     int threads) {
  std::unique_ptr<Relaxation> relaxation(new Relaxation(model, prices));
  relaxation->threads_ = threads;
  LACUNA_TRY(relaxation->solver_, make_lp_solver(engine));
  LACUNA_RETURN_IF_ERROR(relaxation->load());
  return relaxation;
}

Status Relaxation::load() {
  LpModel lp;
  set_price_scale();
  add_widths(lp);
  add_choices(lp);
  add_shares(lp);
  add_price_row(lp);
  fixed_rows_ = lp.num_rows();
  pool_.resize(2 * model_.needs.size());
  return solver_->load(lp);
}

// Between the price of a width and that of a cell, which may be far apart.
void Relaxation::set_price_scale() {
  double per_width = 0;
  double per_cell = 0;
  for (std::size_t e = 0; e < model_.num_ends(); ++e)
    per_width = std::max(per_width, model_.weight[e] * model_.price_unit);
  for (const double fixed : prices_.fixed)
    per_cell = std::max(per_cell, fixed);
  price_ = per_width > 0 && per_cell > 0 ? std::sqrt(per_width * per_cell)
                                         : std::max({per_width, per_cell, 1.0});
}

void Relaxation::add_widths(LpModel& lp) {
  z_.assign(model_.num_ends(), -1);
  for (std::size_t e = 0; e < model_.num_ends(); ++e) {
    if (model_.role[e] == EndRole::kPriced)
      z_[e] = lp.add_column(model_.least[e],
                            std::max(slack_[e], model_.least[e]),
                            model_.weight[e] * model_.price_unit / price_);
  }
}

// With the limits on them.
void Relaxation::add_choices(LpModel& lp) {
  x_.assign(model_.movable.size(), -1);
  std::vector<std::int32_t> all;
  std::vector<double> intervals;
  for (std::size_t c = 0; c < x_.size(); ++c) {
    if (!prices_.choice[c])
      continue;
    const CellStatus status = model_.problem->table().cells()[c].status;
    x_[c] = lp.add_column(status == CellStatus::kPrimary ? 1 : 0, 1, prices_.fixed[c] / price_);
    all.push_back(x_[c]);
    intervals.push_back(prices_.intervals[c]);
    if (prices_.least_width[c] > 0)
      add_least_width(c, lp);
  }
  if (prices_.most_intervals >= 0) {
    lp.add_row(-kLpInfinity, static_cast<double>(prices_.most_intervals), all, intervals);
  }
}

void Relaxation::add_least_width(std::size_t cell, LpModel& lp) const {
  const std::int32_t columns[] = {z_[2 * cell], z_[2 * cell + 1], x_[cell]};
  const double values[] = {1, 1, -prices_.least_width[cell]};
  std::vector<std::int32_t> used;
  std::vector<double> factors;
  for (int k = 0; k < 3; ++k) {
    if (columns[k] >= 0) {
      used.push_back(columns[k]);
      factors.push_back(values[k]);
    }
  }
  lp.add_row(0, kLpInfinity, used, factors);
}

// How a sliding level is shared out to the two directions.
void Relaxation::add_shares(LpModel& lp) {
  h_.assign(2 * model_.needs.size(), -1);
  for (std::size_t g = 0; g < model_.needs.size(); ++g) {
    const Need& need = model_.needs[g];
    if (need.sliding == 0)
      continue;
    h_[2 * g] = lp.add_column(need.upper, std::max(need.upper, need.sliding));
    h_[2 * g + 1] = lp.add_column(need.lower, std::max(need.lower, need.sliding));
    const bool conditional = need.requirement < 0;
    std::vector<std::int32_t> columns{h_[2 * g], h_[2 * g + 1]};
    std::vector<double> values{1, 1};
    if (conditional) {
      columns.push_back(x_[static_cast<std::size_t>(need.cell)]);
      values.push_back(-need.sliding);
    }
    lp.add_row(conditional ? 0 : need.sliding, kLpInfinity, columns, values);
  }
}

// All fixed prices together; set_least_fixed() gives it a bound.
void Relaxation::add_price_row(LpModel& lp) {
  std::vector<std::int32_t> paid;
  std::vector<double> prices;
  for (std::size_t c = 0; c < x_.size(); ++c) {
    if (x_[c] >= 0 && prices_.fixed[c] > 0) {
      paid.push_back(x_[c]);
      prices.push_back(prices_.fixed[c] / price_);
    }
  }
  price_row_ = lp.add_row(-kLpInfinity, kLpInfinity, paid, prices);
}

void Relaxation::set_least_fixed(double cost) {
  solver_->set_row_bounds(price_row_, cost / price_, kLpInfinity);
}

void Relaxation::add_to_pool(std::vector<interval::Cut> cuts) {
  for (interval::Cut& cut : cuts) {
    std::erase_if(cut.terms, [&](const auto& term) { return z_[term.first] < 0; });
    const auto g = static_cast<std::size_t>(cut.goal.need);
    auto& same = pool_[2 * g + (cut.goal.sign > 0 ? 0 : 1)];
    const bool known = std::any_of(same.begin(), same.end(), [&](const interval::Cut& other) {
      return other.terms == cut.terms && other.constant == cut.constant;
    });
    if (!known)
      same.push_back(std::move(cut));
  }
}

// Widths of other cells that no solution does without cost something too.
void Relaxation::tighten_slacks(double cost) {
  double needed = model_.forced;
  for (std::size_t e = 0; e < z_.size(); ++e)
    needed += z_[e] >= 0 ? model_.least[e] * model_.weight[e] * model_.price_unit : 0;
  for (std::size_t c = 0; c < x_.size(); ++c) {
    const bool primary = model_.problem->table().cells()[c].status == CellStatus::kPrimary;
    needed += x_[c] >= 0 && primary ? prices_.fixed[c] : 0;
  }
  for (std::size_t e = 0; e < z_.size(); ++e) {
    const double price = model_.weight[e] * model_.price_unit;
    if (z_[e] < 0 || price <= 0)
      continue;
    slack_[e] = std::min(slack_[e], model_.least[e] + std::max(0.0, cost - needed) / price);
    set_slack_bounds(e);
  }
}

void Relaxation::tighten_by_reduced_costs(double bound, double cost) {
  const double left = std::max(0.0, cost - bound) * (1 + kTuning.relaxation.satisfied);
  for (std::size_t e = 0; e < z_.size(); ++e) {
    if (z_[e] < 0 || reduced_width_.empty() || reduced_width_[e] <= 0)
      continue;
    slack_[e] = std::min(slack_[e], last_z_[e] + left / reduced_width_[e]);
    set_slack_bounds(e);
  }
}

void Relaxation::set_slack_bounds(std::size_t e) {
  const double most = shut_[e / 2] ? 0 : std::max(slack_[e], model_.least[e]);
  solver_->set_column_bounds(z_[e], model_.least[e], most);
}

void Relaxation::set_range(std::int32_t cell, double lower, double upper) {
  const auto c = static_cast<std::size_t>(cell);
  solver_->set_column_bounds(x_[c], lower, upper);
  shut_[c] = upper <= 0;
  // A closed cell has no slack whatever rows have been added so far.
  for (const std::size_t e : {2 * c, 2 * c + 1}) {
    if (z_[e] >= 0)
      set_slack_bounds(e);
  }
}

bool Relaxation::read(const LpSolution& found, Point& point) {
  const auto at = [&](std::int32_t column) {
    return found.primal[static_cast<std::size_t>(column)];
  };
  point.z.assign(z_.size(), 0);
  point.x.assign(x_.size(), 0);
  point.h.assign(h_.size(), 0);
  reduced_.assign(x_.size(), 0);
  reduced_width_.assign(z_.size(), 0);
  for (std::size_t e = 0; e < z_.size(); ++e) {
    if (z_[e] < 0)
      continue;
    point.z[e] = std::max(0.0, at(z_[e]));
    reduced_width_[e] = found.reduced_cost[static_cast<std::size_t>(z_[e])] * price_;
  }
  last_z_ = point.z;
  for (std::size_t c = 0; c < x_.size(); ++c) {
    if (x_[c] < 0)
      continue;
    point.x[c] = std::clamp(at(x_[c]), 0.0, 1.0);
    reduced_[c] = found.reduced_cost[static_cast<std::size_t>(x_[c])] * price_;
  }
  for (std::size_t i = 0; i < h_.size(); ++i) {
    point.h[i] = h_[i] >= 0 ? at(h_[i]) : model_.needs[i / 2].level(i % 2 == 0 ? 1 : -1);
  }
  base::count_work(6 * z_.size());
  idle_.age(found.dual, fixed_rows_);
  return true;
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
    read(found, point);
    solved.cost = found.objective * price_ + model_.forced;
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
      idle_.drop(*solver_, fixed_rows_);
  }
}

bool Relaxation::separate(Depth depth,
                          const Point& point,
                          const RunContext& run,
                          std::vector<Row>& rows) {
  find_links(point, rows);
  if (depth == Depth::kQuick)
    find_bridges(point, rows);
  find_in_pool(point, rows);
  if (rows.size() >= kTuning.relaxation.enough_rows)
    return false;
  if (depth == Depth::kQuick)
    find_patterns(true, point, run, rows);
  return ask_attackers(depth, point, run, rows);
}

void Relaxation::find_patterns(bool thorough,
                               const Point& point,
                               const RunContext& run,
                               std::vector<Row>& rows) {
  if (patterns_ == nullptr)
    return;
  for (const PatternRow& found : patterns_->find(point.x, thorough, run)) {
    Row row;
    row.lower = found.least;
    for (const auto& [cell, factor] : found.terms) {
      const std::int32_t column = x_[static_cast<std::size_t>(cell)];
      if (column >= 0)
        row.terms.emplace_back(column, factor);
    }
    rows.push_back(std::move(row));
  }
}

// What the cut's left side is if each term is taken in z or x, whichever is smaller.
double Relaxation::smaller_sides(const interval::Cut& cut, const Point& point) const {
  const Need& need = model_.needs[static_cast<std::size_t>(cut.goal.need)];
  const double capacity = std::max(need.level(cut.goal.sign), need.sliding) - cut.constant;
  base::count_work(4 * cut.terms.size());
  double sum = 0;
  for (const auto& [e, d] : cut.terms) {
    const double by_z = d * point.z[e];
    const bool choice = x_[e / 2] >= 0;
    sum += choice ? std::min(by_z, std::min(d * slack_[e], capacity) * point.x[e / 2]) : by_z;
  }
  return sum;
}

// The most violated cut of every goal, and their sum where it is the width that counts.
void Relaxation::find_in_pool(const Point& point, std::vector<Row>& rows) const {
  for (std::size_t g = 0; g < model_.needs.size(); ++g) {
    const interval::Cut* worst[2] = {nullptr, nullptr};
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      double least = kLpInfinity;
      for (const interval::Cut& cut : pool_[2 * g + k]) {
        const double value = cut.constant + smaller_sides(cut, point);
        if (value < least) {
          least = value;
          worst[k] = &cut;
        }
      }
      Row row;
      if (worst[k] != nullptr && cut_row(*worst[k], point, row))
        rows.push_back(std::move(row));
    }
    if (worst[0] == nullptr || worst[1] == nullptr)
      continue;
    const interval::Cut both[2] = {*worst[0], *worst[1]};
    Row row;
    if (sum_row(both, point, row))
      rows.push_back(std::move(row));
  }
}

bool Relaxation::ask_attackers(Depth depth,
                               const Point& point,
                               const RunContext& run,
                               std::vector<Row>& rows) {
  std::vector<std::vector<Row>> by_need(model_.needs.size());
  std::vector<std::uint8_t> met(model_.needs.size(), 0);
  std::vector<std::int64_t> asked(model_.needs.size(), 0);
  const std::size_t lanes = std::max<std::size_t>(1, searches_.num_lanes());
  const RunContext part = base::share_of_work(run, 1.0 / static_cast<double>(lanes));
  base::for_each_lane(run, searches_.num_lanes(), threads_, [&](std::size_t lane) {
    for (const std::size_t g : searches_.needs_of(lane)) {
      if (part.should_stop())
        return;
      Side sides[2];
      probe_goal(g, Depth::kQuick, point, part, sides);
      goal_cuts(g, point, sides, by_need[g]);
      asked[g] += 2;
      if (by_need[g].empty() && depth == Depth::kFull) {
        probe_goal(g, Depth::kFull, point, part, sides);
        goal_cuts(g, point, sides, by_need[g]);
        asked[g] += 2;
        const auto fine = [](const Side& side) {
          return !side.asked || (side.trusted && side.met);
        };
        met[g] = by_need[g].empty() && fine(sides[0]) && fine(sides[1]) ? 1 : 0;
      }
    }
  });
  bool all_met = depth == Depth::kFull;
  for (std::size_t g = 0; g < by_need.size(); ++g) {
    counts_.attacker_lps += asked[g];
    all_met = all_met && met[g] != 0;
    for (Row& row : by_need[g])
      rows.push_back(std::move(row));
  }
  return all_met;
}

// z_e <= R_e x_i where the point breaks it.
void Relaxation::find_links(const Point& point, std::vector<Row>& rows) const {
  for (std::size_t e = 0; e < z_.size(); ++e) {
    const std::size_t c = e / 2;
    if (z_[e] < 0 || x_[c] < 0)
      continue;
    if (std::isfinite(slack_[e]) &&
        point.z[e] >
            slack_[e] * point.x[c] + kTuning.relaxation.violated * std::max(1.0, point.z[e]))
      rows.push_back({{{x_[c], slack_[e]}, {z_[e], -1}}, 0});
  }
}

void Relaxation::find_bridges(const Point& point, std::vector<Row>& rows) const {
  const Table& table = model_.problem->table();
  for (std::size_t c = 0; c < x_.size(); ++c) {
    if (x_[c] < 0 || point.x[c] <= kTuning.relaxation.violated ||
        table.cells()[c].status == CellStatus::kPrimary)
      continue;
    for (const Incidence& in : table.equations_of(CellId{static_cast<std::int32_t>(c)})) {
      double others = 0;
      bool open = false;  // a hidden cell may move for nothing
      base::count_work(4 * table.equation(in.equation).size());
      Row row{{{x_[c], -1}}, 0};
      for (const Term& term : table.equation(in.equation)) {
        const auto k = static_cast<std::size_t>(term.cell.value);
        if (k == c || !model_.movable[k])
          continue;
        open = open || x_[k] < 0;
        if (x_[k] >= 0) {
          others += point.x[k];
          row.terms.emplace_back(x_[k], 1);
        }
      }
      if (!open && others < point.x[c] - kTuning.relaxation.bridge * kTuning.relaxation.violated)
        rows.push_back(std::move(row));
    }
  }
}

void Relaxation::probe_goal(
    std::size_t g, Depth depth, const Point& point, const RunContext& run, Side sides[2]) {
  const Need& need = model_.needs[g];
  const double size = std::max({need.upper, need.lower, need.sliding});
  std::vector<double> z = point.z;
  if (depth == Depth::kQuick) {
    // What x allows, if each open cell gave a whole level.
    for (std::size_t e = 0; e < z.size(); ++e) {
      if (z_[e] >= 0 && x_[e / 2] >= 0)
        z[e] = std::min(z[e], size * point.x[e / 2]);
    }
  }
  std::vector<double> slacks = model_.slacks(need.attacker, z);
  const std::vector<double> most = model_.slacks(need.attacker, model_.most);
  base::count_work(8 * slacks.size());
  if (depth == Depth::kQuick) {
    // Of the cuts that the point violates alike, one that is strong elsewhere too.
    for (std::size_t e = 0; e < slacks.size(); ++e)
      slacks[e] = std::min(most[e], std::max(slacks[e], kTuning.relaxation.widening * size));
  }
  const double tolerance = kTuning.relaxation.satisfied * size;
  for (const int k : {0, 1}) {
    Side& side = sides[k];
    side = {};
    const double level = point.h[2 * g + static_cast<std::size_t>(k)];
    // The sum of both directions of a sliding level is cut even where one is not used.
    side.asked = level > tolerance || (depth == Depth::kQuick && need.sliding > 0 &&
                                       point.h[2 * g] + point.h[2 * g + 1] > tolerance);
    if (!side.asked)
      continue;
    const double ask = need.sliding > 0 && depth == Depth::kQuick ? need.sliding : level;
    const int sign = k == 0 ? 1 : -1;
    const auto answer = searches_.ask(g, sign, ask, slacks, most, run);
    side.trusted = answer.trusted;
    if (!side.trusted)
      continue;
    const double own = slacks[attacker::end_of(need.cell, sign)];
    side.met = std::min(own, answer.reach) >= level - tolerance;
    if (own >= answer.reach)  // else the need's own end is the narrowest place
      side.multipliers.assign(answer.multipliers.begin(), answer.multipliers.end());
  }
}

// Chooses z or x for every cell, whichever the point makes smaller, and keeps the row if violated.
bool Relaxation::mixed_row(std::size_t g,
                           std::vector<std::pair<std::size_t, double>> ends,
                           double constant,
                           const std::vector<std::int32_t>& shares,
                           double level,
                           double cap,
                           const Point& point,
                           Row& row) const {
  base::count_work(kTuning.relaxation.row_entry * ends.size());
  std::sort(ends.begin(), ends.end());
  double sum = constant;
  double requirement = level;
  const double capacity = cap - constant;
  if (capacity <= 0)
    return false;
  for (std::size_t i = 0; i < ends.size();) {
    const std::size_t c = ends[i].first / 2;
    std::map<std::size_t, double> own;
    for (; i < ends.size() && ends[i].first / 2 == c; ++i)
      own[ends[i].first] += ends[i].second;
    double by_z = 0;
    double by_slack = 0;
    for (const auto& [e, d] : own) {
      by_z += d * point.z[e];
      by_slack += d * slack_[e];
    }
    const double factor = std::min(by_slack, capacity);
    if (x_[c] >= 0 && factor * point.x[c] < by_z) {
      row.terms.emplace_back(x_[c], factor);
      sum += factor * point.x[c];
    } else {
      for (const auto& [e, d] : own)
        row.terms.emplace_back(z_[e], d);
      sum += by_z;
    }
  }
  for (const std::int32_t share : shares) {
    row.terms.emplace_back(h_[static_cast<std::size_t>(share)], -1);
    requirement += point.h[static_cast<std::size_t>(share)];
  }
  row.lower = level - constant;
  const Need& need = model_.needs[g];
  const double size = std::max({need.upper, need.lower, need.sliding});
  return sum < requirement - kTuning.relaxation.violated * size;
}

bool Relaxation::cut_row(const interval::Cut& cut, const Point& point, Row& row) const {
  const auto g = static_cast<std::size_t>(cut.goal.need);
  const Need& need = model_.needs[g];
  const std::int32_t share = 2 * cut.goal.need + (cut.goal.sign > 0 ? 0 : 1);
  const double level = need.level(cut.goal.sign);
  if (need.sliding == 0)
    return mixed_row(g, cut.terms, cut.constant, {}, level, level, point, row);
  return mixed_row(
      g, cut.terms, cut.constant, {share}, 0, std::max(level, need.sliding), point, row);
}

// Of two directions of a need with a sliding level; a conditional level is C x of its own cell.
bool Relaxation::sum_row(const interval::Cut cuts[2], const Point& point, Row& row) const {
  const auto g = static_cast<std::size_t>(cuts[0].goal.need);
  const Need& need = model_.needs[g];
  if (need.sliding == 0)
    return false;
  std::vector<std::pair<std::size_t, double>> ends = cuts[0].terms;
  ends.insert(ends.end(), cuts[1].terms.begin(), cuts[1].terms.end());
  const double constant = cuts[0].constant + cuts[1].constant;
  const bool conditional = need.requirement < 0;
  std::vector<std::int32_t> shares;
  if (conditional)
    shares = {2 * cuts[0].goal.need, 2 * cuts[0].goal.need + 1};
  return mixed_row(g,
                   std::move(ends),
                   constant,
                   shares,
                   conditional ? 0 : need.sliding,
                   need.sliding,
                   point,
                   row);
}

void Relaxation::goal_cuts(std::size_t g,
                           const Point& point,
                           const Side sides[2],
                           std::vector<Row>& rows) const {
  interval::Cut cuts[2];
  for (const int k : {0, 1}) {
    if (!sides[k].asked || !sides[k].trusted)
      continue;
    const Goal goal{static_cast<std::int32_t>(g), k == 0 ? 1 : -1};
    cuts[k] = interval::make_cut(model_, goal, sides[k].multipliers, point.z);
    Row row;
    if (cut_row(cuts[k], point, row))
      rows.push_back(std::move(row));
  }
  const bool both = sides[0].asked && sides[0].trusted && sides[1].asked && sides[1].trusted;
  Row row;
  if (both && sum_row(cuts, point, row))
    rows.push_back(std::move(row));
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
