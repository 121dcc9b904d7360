// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/program_routes.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/index.h"
#include "judge/attacker/lp.h"
#include "lacuna/tolerance.h"
#include "protect/suppress/tuning.h"

namespace lacuna::suppression {

ProgramRoutes::ProgramRoutes(const suppression_model::SuppressModel& model,
                             const std::string& engine)
    : model_(model), uses_(base::at(model.num_columns()), 0) {
  auto made = make_lp_solver(engine);
  LACUNA_CHECK(made.has_value());
  solver_ = std::move(made).value();
  load();
}

bool ProgramRoutes::are_quick(const suppression_model::SuppressModel& model) {
  return model.num_cells() <= kTuning.program_routes.few_cells ||
         (model.num_cells() <= kTuning.program_routes.most_cells &&
          model.attacked().has_few_leaves());
}

// Columns: the bounded part of d_i and what is above and below it, then g.
void ProgramRoutes::load() {
  LpModel lp;
  for (std::int32_t i = 0; i < model_.num_cells(); ++i) {
    lp.add_column(0, 0);
    lp.add_column(0, kLpInfinity);
    lp.add_column(0, kLpInfinity);
  }
  attacker::add_leaf_rows(model_.attacked(), {1, 1, -1}, lp);
  LACUNA_CHECK(solver_->load(lp).has_value());
}

// A sliding level is split between the two directions as their slacks allow.
std::vector<ProgramRoutes::Route> ProgramRoutes::list_routes(
    const std::vector<std::int32_t>& needs) const {
  std::vector<Route> routes;
  for (const std::int32_t index : needs) {
    const suppression_model::Need& need = model_.needs()[base::at(index)];
    const attacker::RealSlack own = model_.slack(need.cell, need.attacker);
    double up = need.upper;
    double down = need.lower;
    if (need.sliding > up + down) {
      up = std::clamp(need.sliding / 2, up, std::max(up, own.up));
      down = std::max(down, need.sliding - up);
      up = std::max(up, need.sliding - std::min(down, own.down));
    }
    if (up > 0)
      routes.push_back({index, 1, up, {}});
    if (down > 0)
      routes.push_back({index, -1, down, {}});
  }
  std::stable_sort(routes.begin(), routes.end(), [](const Route& a, const Route& b) {
    return a.level > b.level;
  });
  return routes;
}

void ProgramRoutes::set_prices(const Route& route, const std::vector<bool>& free) {
  const suppression_model::Need& need = model_.needs()[base::at(route.need)];
  double mean = 0;
  for (const double weight : model_.weights())
    mean += weight / std::max(1.0, static_cast<double>(model_.num_columns()));
  const double scale = std::max(mean, tol::kNegligible);
  for (std::int32_t i = 0; i < model_.num_cells(); ++i) {
    const attacker::RealSlack slack = model_.slack(i, need.attacker);
    const double up = slack.up / route.level;
    const double down = slack.down / route.level;
    const double carried = std::min(1.0, std::max(up, down));
    const std::int32_t column = model_.column_of(i);
    double price = kTuning.program_routes.next_to_nothing;
    if (column >= 0 && !free[base::at(column)])
      price = std::max(model_.weight(column) / scale, kTuning.program_routes.next_to_nothing);
    if (carried > 0)
      price /= carried;
    solver_->set_column_bounds(bounded(i), -price, price);
    solver_->set_cost(bounded(i), 0);
    const bool target = i == need.cell;
    // What cannot move may have any d: no slack, no cost.
    solver_->set_column_bounds(above(i), 0, target ? 0 : kLpInfinity);
    solver_->set_column_bounds(below(i), 0, target ? 0 : kLpInfinity);
    solver_->set_cost(above(i), target ? 0 : std::min(up, 1 / tol::kDecision));
    solver_->set_cost(below(i), target ? 0 : std::min(down, 1 / tol::kDecision));
  }
  solver_->set_column_bounds(bounded(need.cell), -kLpInfinity, kLpInfinity);
  solver_->set_cost(bounded(need.cell), route.sign);
}

bool ProgramRoutes::find(Route& route, const std::vector<bool>& free, const RunContext& run) {
  set_prices(route, free);
  const LpSolution solution = solver_->minimize(run);
  if (solution.status != LpStatus::kOptimal)
    return false;  // unbounded: no route; or stopped
  const std::int32_t own = model_.needs()[base::at(route.need)].cell;
  route.columns.clear();
  for (std::int32_t j = 0; j < model_.num_columns(); ++j) {
    const std::int32_t i = model_.cell_of(j);
    double move = 0;
    for (const table::LeafTerm& term : model_.attacked().on_leaves(i))
      move += static_cast<double>(term.coefficient) * solution.dual[base::at(term.leaf)];
    if (i != own && std::abs(move) > tol::kDecision)
      route.columns.push_back(j);
  }
  return true;
}

double ProgramRoutes::cost(const std::vector<std::int32_t>& uses) const {
  double sum = 0;
  for (std::size_t j = 0; j < uses.size(); ++j)
    sum += uses[j] > 0 ? model_.weights()[j] : 0;
  return sum;
}

// One sweep; true if it saved.
bool ProgramRoutes::improve(std::vector<Route>& routes,
                            const std::vector<bool>& base,
                            const RunContext& run) {
  const double before = cost(uses_);
  for (Route& route : routes) {
    if (run.should_stop())
      return false;
    for (const std::int32_t column : route.columns)
      --uses_[base::at(column)];
    std::vector<bool> free = base;
    double freed = 0;
    for (std::size_t j = 0; j < free.size(); ++j)
      free[j] = base[j] || uses_[j] > 0;
    for (const std::int32_t column : route.columns)
      freed += free[base::at(column)] ? 0 : model_.weight(column);
    Route other = route;
    if (freed > 0 && find(other, free, run)) {
      double paid = 0;
      for (const std::int32_t column : other.columns)
        paid += free[base::at(column)] ? 0 : model_.weight(column);
      if (paid < freed)
        route = std::move(other);
    }
    for (const std::int32_t column : route.columns)
      ++uses_[base::at(column)];
  }
  return cost(uses_) < before;
}

bool ProgramRoutes::complete(const std::vector<std::int32_t>& needs,
                             std::vector<bool>& withheld,
                             const RunContext& run) {
  std::vector<Route> routes = list_routes(needs);
  const std::vector<bool> base = withheld;
  std::vector<bool> free = base;
  for (Route& route : routes) {
    if (run.should_stop() || !find(route, free, run))
      return false;
    for (const std::int32_t column : route.columns) {
      free[base::at(column)] = true;
      ++uses_[base::at(column)];
    }
  }
  for (int sweep = 0; sweep < kTuning.program_routes.sweeps && improve(routes, base, run); ++sweep)
    continue;
  for (std::size_t j = 0; j < withheld.size(); ++j)
    withheld[j] = base[j] || uses_[j] > 0;
  return true;
}

}  // namespace lacuna::suppression
