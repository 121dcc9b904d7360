// SPDX-License-Identifier: Apache-2.0
#include "protect/pattern/master.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/exact.h"
#include "core/base/index.h"
#include "core/table/leaf_form.h"
#include "lacuna/tolerance.h"
#include "protect/pattern/tuning.h"

namespace lacuna::pattern {
namespace {

double number(Units units) {
  return static_cast<double>(units);
}

// The slack that bounds leave above (sign > 0) or below a value.
double slack(Bounds bounds, Units value, int sign) {
  if (sign > 0)
    return bounds.has_upper() ? number(bounds.upper - value) : kLpInfinity;
  return bounds.has_lower() ? number(value - bounds.lower) : kLpInfinity;
}

bool may_deviate(const CellPlan& plan, Units value) {
  if (plan.kind != PlanKind::kChoices)
    return true;
  return plan.choices.size() > 1 || plan.choices.front().withheld() ||
         plan.choices.front().value != value;
}

}  // namespace

void Master::Sum::add(std::int32_t column, double value) {
  if (value == 0)
    return;
  // Two proofs meet in intervals and slides, always in one of the last columns.
  for (std::size_t back = 1; back <= std::min(kTuning.recent_columns, columns.size()); ++back) {
    if (columns[columns.size() - back] == column) {
      values[columns.size() - back] += value;
      return;
    }
  }
  columns.push_back(column);
  values.push_back(value);
}

Master::Master(const Plan& plan) : plan_(plan), columns_(plan.cells.size()) {
  double total = 0, priced = 0;
  for (const CellPlan& cell : plan_.cells) {
    for (std::size_t s = 1; s < cell.choices.size(); ++s) {
      const double step = std::abs(cell.choices[s].price - cell.choices[s - 1].price);
      total += step;
      priced += step > 0 ? 1 : 0;
    }
    for (const double price : {cell.price_up, cell.price_down}) {
      total += price;
      priced += price > 0 ? 1 : 0;
    }
  }
  price_ = total > 0 ? total / priced : 1;
  add_columns();
  add_equations();
  add_limit();
}

void Master::add_row(const Sum& sum, double lower, double upper, Origin origin) {
  lp_.add_row(lower, upper, sum.columns, sum.values);
  origins_.push_back(origin);
}

void Master::add_columns() {
  for (std::size_t c = 0; c < plan_.cells.size(); ++c) {
    switch (plan_.cells[c].kind) {
      case PlanKind::kChoices:
        add_choice_columns(c);
        break;
      case PlanKind::kSlide:
        add_slide_columns(c);
        break;
      case PlanKind::kEnds:
        add_end_columns(c);
        break;
    }
  }
}

void Master::add_choice_columns(std::size_t cell) {
  const std::vector<Choice>& choices = plan_.cells[cell].choices;
  const Table& table = plan_.problem->table();
  fixed_ += choices.front().price;
  if (choices.front().withheld()) {
    const CellId id{static_cast<std::int32_t>(cell)};
    const Bounds prior = table.cell(id).prior;
    const Units value = table.value(id);
    columns_[cell].completion = lp_.add_column(-slack(prior, value, -1), slack(prior, value, 1));
    return;
  }
  for (std::size_t s = 1; s < choices.size(); ++s) {
    const double step = (choices[s].price - choices[s - 1].price) / price_;
    const std::int32_t column = lp_.add_column(0, 1, step, true);
    if (s == 1) {
      columns_[cell].first = column;
    } else {
      Sum order;
      order.add(column - 1, 1);
      order.add(column, -1);
      add_row(order, 0, kLpInfinity, {Origin::Kind::kStructure, -1});
    }
  }
}

void Master::add_slide_columns(std::size_t cell) {
  const CellPlan& plan = plan_.cells[cell];
  Columns& own = columns_[cell];
  const double step = number(plan.step);
  const double up = std::floor(number(plan.most_up) / step);
  const double down = std::floor(number(plan.most_down) / step);
  own.first = lp_.add_column(0, up, plan.price_up * step / price_, true);
  own.down = lp_.add_column(0, down, plan.price_down * step / price_, true);
  if (!plan_.counts_changes())
    return;
  own.changed = lp_.add_column(0, 1, plan.price_changed / price_, true);
  for (const auto& [column, most] : {std::pair(own.first, up), std::pair(own.down, down)}) {
    Sum link;
    link.add(column, 1);
    link.add(own.changed, -most);
    add_row(link, -kLpInfinity, 0, {Origin::Kind::kStructure, -1});
  }
}

void Master::add_end_columns(std::size_t cell) {
  const CellPlan& plan = plan_.cells[cell];
  Columns& own = columns_[cell];
  const CellId id{static_cast<std::int32_t>(cell)};
  own.first = lp_.add_column(0, number(plan.most_up), plan.price_up / price_);
  own.down = lp_.add_column(0, number(plan.most_down), plan.price_down / price_);
  own.completion = lp_.add_column(-number(plan.most_down), number(plan.most_up));
  Sum above, below;
  above.add(own.first, 1);
  above.add(own.completion, -1);
  add_row(above, 0, kLpInfinity, {Origin::Kind::kStructure, -1});
  below.add(own.down, 1);
  below.add(own.completion, 1);
  add_row(below, 0, kLpInfinity, {Origin::Kind::kStructure, -1});
  const auto& needs = plan_.problem->requirements();
  const auto need = std::lower_bound(
      needs.begin(), needs.end(), id, [](const Requirement& r, CellId c) { return r.cell < c; });
  if (need != needs.end() && need->cell == id) {  // not published as it is
    Sum width;
    width.add(own.first, 1);
    width.add(own.down, 1);
    add_row(width, 1, kLpInfinity, {Origin::Kind::kStructure, -1});
  }
}

void Master::add_deviation(CellId cell, double factor, Sum& sum) const {
  const CellPlan& plan = plan_.cells[base::at(cell)];
  const Columns& own = columns_[base::at(cell)];
  const Units value = plan_.problem->table().value(cell);
  if (own.completion >= 0) {
    sum.add(own.completion, factor);
    return;
  }
  if (plan.kind == PlanKind::kSlide) {
    sum.add(own.first, factor * number(plan.step));
    sum.add(own.down, -factor * number(plan.step));
    return;
  }
  sum.constant += factor * number(plan.choices.front().value - value);
  for (std::size_t s = 1; s < plan.choices.size(); ++s) {
    sum.add(own.first + static_cast<std::int32_t>(s) - 1,
            factor * number(plan.choices[s].value - plan.choices[s - 1].value));
  }
}

void Master::add_equations() {
  const Table& table = plan_.problem->table();
  std::vector<bool> free(plan_.cells.size());
  for (std::int32_t c = 0; c < table.num_cells(); ++c)
    free[static_cast<std::size_t>(c)] =
        may_deviate(plan_.cells[static_cast<std::size_t>(c)], table.value(CellId{c}));
  for (const EquationId e : table::independent_equations(table, free)) {
    Sum sum;
    for (const Term& term : table.equation(e))
      add_deviation(term.cell, term.coefficient, sum);
    double largest = 1;
    for (const double value : sum.values)
      largest = std::max(largest, std::abs(value));
    for (double& value : sum.values)
      value /= largest;
    const double right = -sum.constant / largest;
    add_row(sum, right, right, {Origin::Kind::kEquation, e.value});
  }
}

void Master::add_limit() {
  if (plan_.max_changed < 0)
    return;
  Sum sum;
  for (std::size_t c = 0; c < plan_.cells.size(); ++c) {
    const CellPlan& plan = plan_.cells[c];
    if (columns_[c].changed >= 0)
      sum.add(columns_[c].changed, 1);
    if (plan.kind != PlanKind::kChoices)
      continue;
    sum.constant += plan.choices.front().changed ? 1 : 0;
    for (std::size_t s = 1; s < plan.choices.size(); ++s) {
      sum.add(columns_[c].first + static_cast<std::int32_t>(s) - 1,
              (plan.choices[s].changed ? 1 : 0) - (plan.choices[s - 1].changed ? 1 : 0));
    }
  }
  add_row(sum, -kLpInfinity, number(plan_.max_changed) - sum.constant, {Origin::Kind::kLimit, -1});
}

// d = s e_p - M'g, computed in integers.
std::vector<double> Master::coefficients(const Question& need, const Proof& proof) const {
  const Table& table = plan_.problem->table();
  const Multipliers& by = *proof.multipliers;
  std::vector<Integer> exact(plan_.cells.size(), 0);
  exact[base::at(need.cell)] = proof.sign * by.denominator;
  for (std::size_t i = 0; i < by.equations.size(); ++i) {
    for (const Term& term : table.equation(by.equations[i]))
      exact[base::at(term.cell)] -= by.values[i] * term.coefficient;
  }
  std::vector<double> found(exact.size(), 0);
  for (std::size_t c = 0; c < exact.size(); ++c) {
    if (exact[c] != 0)
      found[c] = Fraction(exact[c], by.denominator).to_double();
  }
  return found;
}

void Master::add_slack(const Question& need,
                       CellId cell,
                       std::span<const double> factors,
                       double level,
                       const Pattern& pattern,
                       Sum& sum) const {
  const Table& table = plan_.problem->table();
  const CellPlan& plan = plan_.cells[base::at(cell)];
  const Columns& own = columns_[base::at(cell)];
  const Units value = table.value(cell);
  const Bounds mine = known_bounds(
      table, plan_.problem->attackers()[static_cast<std::size_t>(need.attacker)], cell);
  if (plan.kind == PlanKind::kChoices) {
    const auto part = [&](const Choice& choice) {
      const Bounds known = intersect(mine, choice.known);
      double total = 0;
      for (const double d : factors) {
        if (d != 0)
          total += std::abs(d) * slack(known, value, d > 0 ? 1 : -1);
      }
      return std::min(total, level);
    };
    double before = part(plan.choices.front());
    sum.constant += before;
    for (std::size_t s = 1; s < plan.choices.size(); ++s) {
      const double after = part(plan.choices[s]);
      sum.add(own.first + static_cast<std::int32_t>(s) - 1, after - before);
      before = after;
    }
    return;
  }
  for (const double d : factors) {
    if (d == 0)
      continue;
    const int side = d > 0 ? 1 : -1;
    const double fixed = slack(intersect(mine, plan.within), value, side);
    if (plan.kind == PlanKind::kEnds) {
      const double now =
          number(side > 0 ? pattern.up[base::at(cell)] : pattern.down[base::at(cell)]);
      if (fixed <= now)
        sum.constant += std::abs(d) * fixed;
      else
        sum.add(side > 0 ? own.first : own.down, std::abs(d));
      continue;
    }
    const Units z = pattern.up[base::at(cell)] - pattern.down[base::at(cell)];
    const double now = side > 0 ? number(z + plan.above) : number(plan.below - z);
    if (!plan.range_known || fixed <= now) {
      sum.constant += std::abs(d) * fixed;
      continue;
    }
    sum.constant += std::abs(d) * number(side > 0 ? plan.above : plan.below);
    sum.add(own.first, d * number(plan.step));
    sum.add(own.down, -d * number(plan.step));
  }
}

void Master::add_cut(const Question& need,
                     std::int32_t index,
                     std::span<const Proof> proofs,
                     Units level,
                     const Pattern& pattern) {
  std::vector<std::vector<double>> by_proof;
  for (const Proof& proof : proofs)
    by_proof.push_back(coefficients(need, proof));
  Sum sum;
  std::vector<double> factors(by_proof.size());
  for (std::int32_t c = 0; c < plan_.problem->table().num_cells(); ++c) {
    bool any = false;
    for (std::size_t i = 0; i < by_proof.size(); ++i) {
      factors[i] = by_proof[i][static_cast<std::size_t>(c)];
      any = any || factors[i] != 0;
    }
    if (any)
      add_slack(need, CellId{c}, factors, number(level), pattern, sum);
  }
  for (double& value : sum.values)
    value /= number(level);
  add_row(sum, 1 - sum.constant / number(level), kLpInfinity, {Origin::Kind::kRequirement, index});
}

Pattern Master::pattern_of(std::span<const double> primal) const {
  Pattern pattern;
  const std::size_t cells = plan_.cells.size();
  pattern.choice.assign(cells, 0);
  pattern.up.assign(cells, 0);
  pattern.down.assign(cells, 0);
  const auto value = [&](std::int32_t column) { return primal[static_cast<std::size_t>(column)]; };
  for (std::size_t c = 0; c < cells; ++c) {
    const CellPlan& plan = plan_.cells[c];
    const Columns& own = columns_[c];
    if (plan.kind == PlanKind::kChoices) {
      for (std::size_t s = 1; s < plan.choices.size(); ++s)
        pattern.choice[c] += value(own.first + static_cast<std::int32_t>(s) - 1) > 0.5 ? 1 : 0;
    } else if (plan.kind == PlanKind::kSlide) {
      const Units net = std::llround(value(own.first)) - std::llround(value(own.down));
      pattern.up[c] = std::max<Units>(net, 0) * plan.step;
      pattern.down[c] = std::max<Units>(-net, 0) * plan.step;
    } else {  // outward: wider is never less safe
      const auto outward = [](double z, Units most) {
        const double whole = std::round(z);
        const double up = std::abs(z - whole) <= tol::kIntegrality ? whole : std::ceil(z);
        return std::clamp<Units>(static_cast<Units>(up), 0, most);
      };
      pattern.up[c] = outward(value(own.first), plan.most_up);
      pattern.down[c] = outward(value(own.down), plan.most_down);
    }
  }
  return pattern;
}

Result<MasterAnswer> Master::solve(const std::string& engine,
                                   double gap,
                                   const RunContext& run) const {
  LpOptions options;
  options.presolve = true;
  options.mip_gap = gap;
  LACUNA_TRY(const std::unique_ptr<LpSolver> solver, make_lp_solver(engine, options));
  LACUNA_RETURN_IF_ERROR(solver->load(lp_));
  const LpSolution found = solver->minimize(run);
  MasterAnswer answer;
  answer.status = found.status;
  const bool mixed = std::find(lp_.integer.begin(), lp_.integer.end(), true) != lp_.integer.end();
  const double bound = !mixed && found.status == LpStatus::kOptimal ? found.objective : found.bound;
  answer.bound = std::isfinite(bound) ? fixed_ + bound * price_ : -kLpInfinity;
  const bool has_values = !found.primal.empty() || lp_.num_columns() == 0;
  if (has_values && found.status != LpStatus::kInfeasible)
    answer.pattern = pattern_of(found.primal);
  return answer;
}

Result<MasterAnswer> Master::solve_wishes(std::span<const std::int32_t> wish,
                                          double most,
                                          const std::string& engine,
                                          const RunContext& run) const {
  Master other(*this);
  Sum cost;
  for (std::int32_t j = 0; j < lp_.num_columns(); ++j)
    cost.add(j, lp_.cost[static_cast<std::size_t>(j)]);
  other.add_row(cost, -kLpInfinity, (most - fixed_) / price_, {Origin::Kind::kLimit, -1});
  std::fill(other.lp_.cost.begin(), other.lp_.cost.end(), 0.0);
  for (std::size_t c = 0; c < wish.size(); ++c) {
    const CellPlan& plan = plan_.cells[c];
    if (wish[c] < 0 || plan.kind != PlanKind::kChoices)
      continue;
    for (std::size_t s = 1; s < plan.choices.size(); ++s) {  // y_s = 1 up to the wish, else 0
      const auto column = static_cast<std::size_t>(columns_[c].first) + s - 1;
      other.lp_.cost[column] = static_cast<std::int32_t>(s) <= wish[c] ? -1 : 1;
    }
  }
  other.fixed_ = 0;
  other.price_ = 1;
  return other.solve(engine, 0, run);
}

}  // namespace lacuna::pattern
