// SPDX-License-Identifier: Apache-2.0
// The cheapest way to let a cell move by its level when the ends already stand at z:
//   minimize sum_e w_e (f_e - z_e)^+  subject to  M f = 0, s f_p = level, f within the attacker's
//   limits,
// where f_e is what f needs of end e. Moves within z are nearly free. Widening z by what f needs
// satisfies the demand: this makes a safe point of any point, one demand after the other.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/lp.h"
#include "protect/interval/model.h"

namespace lacuna::interval {

class WitnessLp {
 public:
  static Result<std::unique_ptr<WitnessLp>> make(const Model& model, const std::string& engine);

  // kOptimal with `move`, kInfeasible if nothing can move the cell that far, or why not.
  LpStatus find(std::int32_t attacker,
                std::int32_t cell,
                int sign,
                double level,
                std::span<const double> z,
                const RunContext& run,
                Move& move);

 private:
  WitnessLp(const Model& model, std::unique_ptr<LpSolver> solver)
      : model_(model), solver_(std::move(solver)) {}
  Status load();
  // Columns of an end: first what z gives, then what is added.
  std::int32_t column(std::size_t end) const { return column_of_[end]; }

  const Model& model_;
  std::unique_ptr<LpSolver> solver_;
  std::vector<std::int32_t> column_of_;  // by end, -1 if closed
};

}  // namespace lacuna::interval
