// SPDX-License-Identifier: Apache-2.0
#include "app/inference/fit.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "core/base/index.h"
#include "lacuna/lp.h"
#include "lacuna/tolerance.h"

namespace lacuna::inference {
namespace {

constexpr int kRepairs = 6;  // of a rounded answer; the last ones in whole numbers
constexpr int kFirstWhole = 2;

Units moved(Units from, double by) {
  return from + static_cast<Units>(std::llround(by));
}

Units within(Units value, Bounds bounds) {
  return std::clamp(value, bounds.lower, bounds.upper);
}

double distance(Units from, Units to) {  // an end that is not there is infinitely far
  if (to == kUnboundedAbove)
    return kLpInfinity;
  if (to == kUnboundedBelow)
    return -kLpInfinity;
  return static_cast<double>(to) - static_cast<double>(from);
}

// A number within the bounds, as near to zero as can be.
Units start_in(Bounds bounds) {
  return within(0, bounds);
}

class Fitter {
 public:
  Fitter(const System& system, Bounds everywhere, std::string engine, const RunContext& run)
      : system_(system), everywhere_(everywhere), engine_(std::move(engine)), run_(run) {
    for (const SystemCell& cell : system.cells)
      told_.push_back(cell.known);
  }

  Result<Fit> run() {
    LACUNA_TRY(const Found found, find(false));
    if (found == Found::kYes)
      return finished(0);
    if (found == Found::kUnknown)  // of whole units there may be none
      return none();
    LACUNA_TRY(const Found corrected, find(true));
    return corrected == Found::kYes ? finished(objective_) : none();
  }

 private:
  static Fit none() {
    Fit fit;
    fit.found = false;
    return fit;
  }

  enum class Found { kYes, kNone, kUnknown };

  // ---- from an answer in floating point to a table in whole units

  Result<Found> find(bool soft) {
    values_.clear();
    for (const Bounds& told : told_)
      values_.push_back(start_in(told));
    LACUNA_TRY(const LpStatus first, step(soft, false));
    if (first == LpStatus::kInfeasible)
      return Found::kNone;
    for (int repair = 0; repair < kRepairs; ++repair) {
      if (holds())
        return Found::kYes;
      LACUNA_RETURN_IF_ERROR(step(soft, repair >= kFirstWhole));
    }
    return holds() ? Found::kYes : Found::kUnknown;
  }

  Wide off(const Sum& sum) const {
    Wide all = 0;
    for (const Term& term : sum.terms)
      all += Wide{term.coefficient} * values_[base::at(term.cell)];
    return all;
  }

  bool holds() const {
    return std::all_of(
        system_.sums.begin(), system_.sums.end(), [&](const Sum& sum) { return off(sum) == 0; });
  }

  // How far a cell may be moved from where it is, at no cost and at all.
  Bounds hard(std::size_t cell) const {
    const Bounds outer = intersect(everywhere_, Bounds{});
    return {std::min(outer.lower, told_[cell].lower), std::max(outer.upper, told_[cell].upper)};
  }

  // Moves the values to where all sums hold, as far as rounding lets them.
  Result<LpStatus> step(bool soft, bool whole) {
    LpModel model;
    std::vector<Column> columns;
    for (std::size_t c = 0; c < told_.size(); ++c)
      add_columns(c, soft, whole, model, columns);
    std::vector<std::vector<std::int32_t>> of_cell(told_.size());
    for (std::size_t i = 0; i < columns.size(); ++i)
      of_cell[columns[i].cell].push_back(static_cast<std::int32_t>(i));
    for (const Sum& sum : system_.sums) {
      if (!add_row(sum, of_cell, columns, model))
        return LpStatus::kInfeasible;
    }
    LACUNA_TRY(const std::unique_ptr<LpSolver> solver, make_lp_solver(engine_));
    if (whole && !solver->supports_integers())
      return LpStatus::kNumericalTrouble;
    LACUNA_RETURN_IF_ERROR(solver->load(model));
    const LpSolution solution = solver->minimize(run_);
    if (solution.primal.empty())
      return solution.status;
    if (!whole && !objective_known_) {
      objective_ = solution.objective;
      objective_known_ = soft;
    }
    move(columns, solution.primal);
    return solution.status;
  }

  struct Column {
    std::size_t cell = 0;
    int sign = 1;
  };

  void add_column(std::size_t cell,
                  int sign,
                  double upper,
                  double cost,
                  bool whole,
                  LpModel& model,
                  std::vector<Column>& columns) const {
    if (upper <= 0)
      return;
    model.add_column(0, upper, cost, whole);
    columns.push_back({cell, sign});
  }

  // Up and down within what is told, and beyond it at a price.
  void add_columns(
      std::size_t c, bool soft, bool whole, LpModel& model, std::vector<Column>& columns) const {
    const Units at = values_[c];
    const bool in_told = told_[c].contains(at);
    const double free = soft ? 0 : 1;  // what need not move stays
    if (in_told) {
      add_column(c, 1, distance(at, told_[c].upper), free, whole, model, columns);
      add_column(c, -1, -distance(at, told_[c].lower), free, whole, model, columns);
    }
    if (!soft || (!told_[c].has_lower() && !told_[c].has_upper()))
      return;
    const Bounds most = hard(c);
    if (told_[c].has_upper())
      add_column(
          c, 1, distance(std::max(at, told_[c].upper), most.upper), 1, whole, model, columns);
    if (told_[c].has_lower())
      add_column(
          c, -1, -distance(std::min(at, told_[c].lower), most.lower), 1, whole, model, columns);
    if (!in_told)
      add_back(c, whole, model, columns);
  }

  // A correction that was made may be taken back.
  void add_back(std::size_t c, bool whole, LpModel& model, std::vector<Column>& columns) const {
    const Units at = values_[c];
    const bool above = at > told_[c].upper;
    const double back = above ? -distance(at, told_[c].upper) : distance(at, told_[c].lower);
    add_column(c, above ? -1 : 1, back, -0.5, whole, model, columns);
  }

  // False: no cell of the sum can move, and it does not hold.
  bool add_row(const Sum& sum,
               const std::vector<std::vector<std::int32_t>>& of_cell,
               const std::vector<Column>& columns,
               LpModel& model) const {
    std::vector<std::int32_t> at;
    std::vector<double> factors;
    for (const Term& term : sum.terms) {
      for (const std::int32_t column : of_cell[base::at(term.cell)]) {
        at.push_back(column);
        factors.push_back(term.coefficient * columns[base::at(column)].sign);
      }
    }
    const Wide rest = -off(sum);
    if (at.empty())
      return rest == 0;
    model.add_row(static_cast<double>(rest), static_cast<double>(rest), at, factors);
    return true;
  }

  void move(const std::vector<Column>& columns, const std::vector<double>& primal) {
    std::vector<double> by(values_.size(), 0);
    for (std::size_t i = 0; i < columns.size(); ++i)
      by[columns[i].cell] += columns[i].sign * primal[i];
    for (std::size_t c = 0; c < values_.size(); ++c)
      values_[c] = moved(values_[c], by[c]);
  }

  // ---- what was corrected

  Fit finished(double least) const {
    Fit fit;
    fit.values = values_;
    for (std::size_t c = 0; c < told_.size(); ++c) {
      if (told_[c].contains(values_[c]))
        continue;
      const Units off =
          values_[c] > told_[c].upper ? values_[c] - told_[c].upper : told_[c].lower - values_[c];
      fit.corrections.push_back({static_cast<std::int32_t>(c), told_[c], values_[c]});
      fit.total += off;
    }
    // The LP has every table of whole units among its own.
    const double bound = std::ceil(least - tol::kObjective * (1 + least));
    fit.least = static_cast<double>(fit.total) <= bound;
    return fit;
  }

  const System& system_;
  const Bounds everywhere_;
  const std::string engine_;
  const RunContext& run_;
  std::vector<Bounds> told_;
  std::vector<Units> values_;
  double objective_ = 0;
  bool objective_known_ = false;
};

}  // namespace

Result<Fit> fit(const System& system,
                Bounds everywhere,
                const std::string& engine,
                const RunContext& run) {
  return Fitter(system, everywhere, engine, run).run();
}

}  // namespace lacuna::inference
