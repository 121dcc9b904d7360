// SPDX-License-Identifier: Apache-2.0
#include "protect/suppression_model/dual_ascent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/index.h"
#include "core/base/work.h"
#include "lacuna/tolerance.h"
#include "protect/suppression_model/cuts/capacity.h"

namespace lacuna::suppression_model {

DualAscent::DualAscent(const SuppressModel& model, const std::string& engine)
    : model_(model),
      questions_(model),
      solver_(attacker::make_attacker_solver(model.attacked(), engine)),
      reduced_(model.weights()),
      paid_(base::at(model.num_columns()), 0.0) {
  for (std::size_t j = 0; j < paid_.size(); ++j)
    paid_[j] = reduced_[j] <= 0 ? 1 : 0;
  list_goals();
}

// Of every cell and direction what the first attacker asks; the others come in where an equation
// says more for them.
void DualAscent::list_goals() {
  for (std::size_t p = 0; p < questions_.probes().size(); ++p) {
    const Probe& probe = questions_.probe(p);
    const auto index = static_cast<std::int32_t>(p);
    if (probe.side != Side::kBoth && questions_.need_of(p).column < 0 &&
        questions_.family(probe.family).lead == index)
      goals_.push_back({index, probe.side == Side::kUp ? 1 : -1, questions_.level_of(p)});
  }
  std::stable_sort(
      goals_.begin(), goals_.end(), [](const Goal& a, const Goal& b) { return a.level > b.level; });
}

void DualAscent::climb(const RunContext& run) {
  for (const Goal& goal : goals_) {
    if (run.should_stop())
      return;
    reach_by_equations(goal);
  }
  for (const Goal& goal : goals_) {
    if (run.should_stop())
      return;
    reach(goal, run);
  }
}

// Every equation through the cell must let it move, whoever asks.
void DualAscent::reach_by_equations(const Goal& goal) {
  const std::int32_t family = questions_.probe(base::at(goal.probe)).family;
  const Need& need = questions_.need_of(base::at(goal.probe));
  for (const simplex::LazyEntry& in : model_.attacked().rows_of(need.cell)) {
    reach_by_equation(goal.probe, in.index);
    for (const Questions::InEquation& other : questions_.others_in(family, in.index))
      reach_by_equation(other.probe, in.index);
  }
}

void DualAscent::reach_by_equation(std::int32_t probe, std::int32_t equation) {
  CapacityBuilder builder(model_, questions_.need_of(base::at(probe)));
  builder.add_equation(equation,
                       questions_.probe(base::at(probe)).side == Side::kUp ? 1 : -1,
                       questions_.level_of(base::at(probe)));
  const auto cut = builder.finish();
  while (cut && raise(*cut)) {
  }
}

void DualAscent::reach(const Goal& goal, const RunContext& run) {
  const Need& need = questions_.need_of(base::at(goal.probe));
  const Capacities capacities(model_, need.attacker, goal.level, 0, paid_);
  auto answer = solver_->push({need.cell, goal.sign, 1}, capacities, run);
  while (!run.should_stop()) {
    CapacityBuilder builder(model_, need);
    builder.add(answer.dual, goal.sign, goal.level);
    auto cut = builder.finish();
    if (!cut || !raise(*std::move(cut)))
      return;
    answer = solver_->push_again(capacities, run);
  }
}

// The step ends where the first reduced cost is used up. Rounding may leave it a little below zero;
// the bound counts that.
bool DualAscent::raise(Cut cut) {
  base::count_work(20 * cut.columns.size());
  std::size_t kept = 0;
  for (std::size_t k = 0; k < cut.columns.size(); ++k) {
    if (paid_[base::at(cut.columns[k])] > 0) {
      cut.rhs -= cut.values[k];
      continue;
    }
    cut.columns[kept] = cut.columns[k];
    cut.values[kept++] = cut.values[k];
  }
  cut.columns.resize(kept);
  cut.values.resize(kept);
  if (cut.rhs <= tol::kViolation || cut.columns.empty())
    return false;
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < kept; ++k) {
    // A little more than computed, so that rounding never cuts off a pattern.
    cut.values[k] = std::min(cut.values[k] / cut.rhs * (1 + tol::kDecision), 1.0);
    step = std::min(step, reduced_[base::at(cut.columns[k])] / cut.values[k]);
  }
  cut.rhs = 1;
  for (std::size_t k = 0; k < kept; ++k) {
    const std::size_t column = base::at(cut.columns[k]);
    reduced_[column] -= step * cut.values[k];
    if (reduced_[column] <= tol::kDecision * model_.weights()[column])
      paid_[column] = 1;
  }
  multipliers_.push_back(step);
  cuts_.push_back(std::move(cut));
  return true;
}

double DualAscent::bound() const {
  double sum = 0;
  for (std::size_t r = 0; r < cuts_.size(); ++r)
    sum += multipliers_[r] * cuts_[r].rhs;
  for (const double each : reduced_)
    sum += std::min(each, 0.0);
  return sum;
}

}  // namespace lacuna::suppression_model
