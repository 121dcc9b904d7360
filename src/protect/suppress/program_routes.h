// SPDX-License-Identifier: Apache-2.0
// Routes by linear programs, for parts in which everything hangs together: few leaves, many totals.
// With p the cell, s the direction, displacements in units of the level,
//
//   minimize sum_{i != p} c_i |z_i|   subject to  z = N u,  s z_p = 1,  -down_i <= z_i <= up_i
//
// c_i = w_i / min(1, slack_i): the fixed charge w_i spread over what the cell can carry, next to
// nothing if the cell is withheld anyway. Solved in the dual, one row per leaf:
//
//   minimize s d_p + sum_{i != p} up_i (d_i - c_i)^+ + down_i (-d_i - c_i)^+   s.t.  N'd + C'g = 0
//
// u are the row duals. One program per need, by falling level, withholding what the route uses;
// then each need is routed anew with only the cells of the other routes free of charge, as long as
// that saves (Kelly, Golden and Assad 1992; Castro 2007).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/lp.h"
#include "lacuna/run_context.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression {

class ProgramRoutes {
 public:
  ProgramRoutes(const suppression_model::SuppressModel& model, const std::string& engine);
  static bool are_quick(const suppression_model::SuppressModel& model);  // few leaves, or few cells

  // Adds to `withheld`, by column, what the needs (indices into the model's) lack. False if a need
  // has no route or the run was stopped.
  bool complete(const std::vector<std::int32_t>& needs,
                std::vector<bool>& withheld,
                const RunContext& run);

 private:
  struct Route {
    std::int32_t need = 0;
    int sign = 1;
    double level = 0;
    std::vector<std::int32_t> columns;
  };

  void load();
  std::vector<Route> list_routes(const std::vector<std::int32_t>& needs) const;
  bool find(Route& route, const std::vector<bool>& free, const RunContext& run);
  void set_prices(const Route& route, const std::vector<bool>& free);
  bool improve(std::vector<Route>& routes, const std::vector<bool>& base, const RunContext& run);
  double cost(const std::vector<std::int32_t>& uses) const;
  static std::int32_t bounded(std::int32_t cell) { return 3 * cell; }
  static std::int32_t above(std::int32_t cell) { return 3 * cell + 1; }
  static std::int32_t below(std::int32_t cell) { return 3 * cell + 2; }

  const suppression_model::SuppressModel& model_;
  std::unique_ptr<LpSolver> solver_;
  std::vector<std::int32_t> uses_;  // by column: routes through it
};

}  // namespace lacuna::suppression
