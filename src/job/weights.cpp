// SPDX-License-Identifier: Apache-2.0
#include "job/weights.h"

#include <vector>

#include "sensitivity/weights.h"

namespace lacuna::inline job {

Result<Problem> weigh(Problem problem, const std::string& formula) {
  LACUNA_TRY(const WeightFormula parsed, WeightFormula::parse(formula));
  if (parsed.is_cost_alone())
    return problem;
  std::vector<double> weights;
  for (const Cell& cell : problem.table.cells()) {
    LACUNA_TRY(const double weight, parsed.weight_of(cell, problem.table.decimals()));
    weights.push_back(weight);
  }
  problem.table = problem.table.with_weights(weights);
  return problem;
}

}  // namespace lacuna::inline job
