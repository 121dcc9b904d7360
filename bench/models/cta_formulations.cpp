// SPDX-License-Identifier: Apache-2.0
#include "bench/models/cta_formulations.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lacuna/lp.h"
#include "lacuna/tolerance.h"
#include "protect/adjust/columns.h"
#include "protect/adjust/model.h"

namespace lacuna::models {
namespace {

using adjustment::kInfinity;
using adjustment::Part;
using adjustment::PartCell;

class OuterApproximation {
 public:
  OuterApproximation(const Part& part, CtaFormulation formulation)
      : part_(part), formulation_(formulation) {
    for (const PartCell& cell : part.cells)
      add_cell(cell);
    add_equations();
    for (std::size_t c = 0; c < part.cells.size(); ++c)
      add_first_cuts(c);
  }

  Result<CtaFormulationResult> run_all(double gap, const RunContext& run) {
    CtaFormulationResult result;
    result.cost = kInfinity;
    while (!run.should_stop()) {
      ++result.rounds;
      LpOptions options;
      options.presolve = true;
      options.mip_gap = gap / 2;
      LACUNA_TRY(auto solver, make_lp_solver("", options));
      if (!solver->supports_integers()) {
        return Error{ErrorCode::kNoEngine, "this needs an engine that takes integers", ""};
      }
      LACUNA_RETURN_IF_ERROR(solver->load(lp_));
      const LpSolution found = solver->minimize(run);
      if (std::isfinite(found.bound))
        result.bound = std::max(result.bound, found.bound);
      if (found.primal.empty())
        break;
      result.cost = std::min(result.cost, true_cost(found.primal));
      const std::int64_t added = separate(found.primal);
      result.cuts += added;
      if (added == 0 || result.cost - result.bound <= gap * result.cost)
        break;
    }
    return result;
  }

 private:
  struct Places {  // columns of one cell
    std::int32_t rise = -1, fall = -1, side = -1, cost = -1, cost_fall = -1;
  };

  void add_cell(const PartCell& cell) {
    Places at;
    const double far = 10 * (cell.up + cell.down) + kFar;
    const double upper = std::min(cell.upper, far);
    const double lower = std::max(cell.lower, -far);
    at.rise = lp_.add_column(0, std::max(0.0, upper));
    at.fall = lp_.add_column(0, std::max(0.0, -lower));
    at.cost = lp_.add_column(0, kLpInfinity, 1);
    if (cell.sensitive) {
      at.side = lp_.add_column(0, 1, 0, true);
      row({at.rise, at.side}, {1, -cell.up}, 0, kLpInfinity);
      row({at.rise, at.side}, {1, -upper}, -kLpInfinity, 0);
      row({at.fall, at.side}, {1, cell.down}, cell.down, kLpInfinity);
      row({at.fall, at.side}, {1, -lower}, -kLpInfinity, -lower);
      if (formulation_ == CtaFormulation::kPerspectiveCuts)
        at.cost_fall = lp_.add_column(0, kLpInfinity, 1);
    }
    places_.push_back(at);
  }

  void row(std::vector<std::int32_t> columns,
           const std::vector<double>& values,
           double low,
           double high) {
    lp_.add_row(low, high, columns, values);
  }

  void add_equations() {
    for (std::size_t r = 0; r < part_.equations.size(); ++r) {
      std::vector<std::int32_t> columns;
      std::vector<double> values;
      for (const adjustment::Entry* e = part_.equations.begin(r); e != part_.equations.end(r);
           ++e) {
        const Places& at = places_[static_cast<std::size_t>(e->index)];
        columns.insert(columns.end(), {at.rise, at.fall});
        values.insert(values.end(), {e->value, -e->value});
      }
      lp_.add_row(0, 0, columns, values);
    }
  }

  bool perspective(std::size_t c) const { return places_[c].cost_fall >= 0; }

  // t >= w (2 s z - s^2) for both deviations together, or per side with the perspective.
  void cut(std::size_t c, double s, bool rise) {
    const double w = part_.cells[c].weight;
    const Places& at = places_[c];
    if (!perspective(c)) {
      row({at.cost, at.rise, at.fall}, {1, -2 * w * s, -2 * w * s}, -w * s * s, kLpInfinity);
    } else if (rise) {
      row({at.cost, at.rise, at.side}, {1, -2 * w * s, w * s * s}, 0, kLpInfinity);
    } else {
      row({at.cost_fall, at.fall, at.side}, {1, -2 * w * s, -w * s * s}, -w * s * s, kLpInfinity);
    }
  }

  void add_first_cuts(std::size_t c) {
    const PartCell& cell = part_.cells[c];
    if (!cell.sensitive)
      return;
    for (const double factor : {1.0, 1.5}) {
      cut(c, factor * cell.up, true);
      if (perspective(c) || cell.down != cell.up)
        cut(c, factor * cell.down, false);
    }
  }

  double true_cost(const std::vector<double>& x) const {
    double total = 0;
    for (std::size_t c = 0; c < places_.size(); ++c) {
      const double z = value(x, places_[c].rise) - value(x, places_[c].fall);
      total += part_.cells[c].weight * z * z;
    }
    return total;
  }

  static double value(const std::vector<double>& x, std::int32_t column) {
    return x[static_cast<std::size_t>(column)];
  }

  std::int64_t separate(const std::vector<double>& x) {
    std::int64_t added = 0;
    for (std::size_t c = 0; c < places_.size(); ++c) {
      const Places& at = places_[c];
      const double w = part_.cells[c].weight;
      const double rise = value(x, at.rise);
      const double fall = value(x, at.fall);
      const auto violated = [&](double z, double t) {
        return w * z * z > t * (1 + tol::kViolation) + tol::kRowResidual;
      };
      if (!perspective(c)) {
        if (violated(rise + fall, value(x, at.cost))) {
          cut(c, rise + fall, true);
          ++added;
        }
        continue;
      }
      const double side = value(x, at.side);
      if (side > tol::kIntegrality && violated(rise / side, value(x, at.cost) / side)) {
        cut(c, rise / side, true);
        ++added;
      }
      if (side < 1 - tol::kIntegrality &&
          violated(fall / (1 - side), value(x, at.cost_fall) / (1 - side))) {
        cut(c, fall / (1 - side), false);
        ++added;
      }
    }
    return added;
  }

  static constexpr double kFar = 1e6;  // stands for no bound in the big-M rows
  const Part& part_;
  CtaFormulation formulation_;
  LpModel lp_;
  std::vector<Places> places_;
};

}  // namespace

Result<CtaFormulationResult> adjust_by_formulation(const Problem& problem,
                                                   CtaFormulation formulation,
                                                   double gap,
                                                   const RunContext& run) {
  const auto begin = std::chrono::steady_clock::now();
  LACUNA_TRY(const adjustment::Model model,
             adjustment::build_model(problem, AdjustNorm::kL2, SenseRule::kFree));
  CtaFormulationResult total;
  for (const Part& part : model.parts) {
    LACUNA_TRY(const CtaFormulationResult one,
               OuterApproximation(part, formulation).run_all(gap, run));
    total.cost += one.cost;
    total.bound += one.bound;
    total.rounds += one.rounds;
    total.cuts += one.cuts;
  }
  total.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return total;
}

}  // namespace lacuna::models
