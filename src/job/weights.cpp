// SPDX-License-Identifier: Apache-2.0
#include "job/weights.h"

#include <cmath>
#include <vector>

#include "base/decimal.h"

namespace lacuna {
namespace {

Result<double> weight_of(const Table& table, const Cell& cell, const std::string& name) {
  const double value = std::abs(units_to_double(cell.value, table.decimals()));
  if (name == "unity")
    return 1.0;
  if (name == "value")
    return value;
  if (name == "log")
    return std::log1p(value);
  if (name == "inverse")
    return value == 0 ? 1.0 : 1.0 / value;
  if (name == "frequency") {
    if (cell.frequency >= 0)
      return static_cast<double>(cell.frequency);
    return Error{ErrorCode::kBadOption, "the table has no frequencies to weigh by", "--weights"};
  }
  return Error{
      ErrorCode::kBadOption,
      "there are no weights '" + name + "' (known: cost, unity, value, log, frequency, inverse)",
      "--weights"};
}

}  // namespace

Result<Problem> weigh(Problem problem, const std::string& name) {
  if (name == "cost")
    return problem;
  std::vector<double> weights;
  for (const Cell& cell : problem.table.cells()) {
    LACUNA_TRY(const double weight, weight_of(problem.table, cell, name));
    weights.push_back(weight);
  }
  problem.table = problem.table.with_weights(weights);
  return problem;
}

}  // namespace lacuna
