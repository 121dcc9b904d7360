// SPDX-License-Identifier: Apache-2.0
#include "judge/bound/slopes.h"

namespace lacuna::bound {
namespace {

using Sums = std::map<std::int32_t, mpz_class>;

Result<Sums> summed(const Table& table, const Multipliers& sum) {
  Sums sums;
  for (std::size_t k = 0; k < sum.equations.size(); ++k) {
    const std::int32_t equation = sum.equations[k].value;
    if (equation < 0 || equation >= table.num_equations() || k >= sum.values.size())
      return refuse("it names an equation that is not there");
    for (const Term& term : table.equation(sum.equations[k]))
      sums[term.cell.value] += base::gmp(sum.values[k]) * term.coefficient;
  }
  return sums;
}

}  // namespace

Error refuse(std::string message) {
  return {ErrorCode::kWrongEvidence, std::move(message), "bound"};
}

Terms in_order(Sums sums) {
  Terms terms;
  for (auto& [cell, sum] : sums) {
    if (sum != 0)
      terms.emplace_back(cell, std::move(sum));
  }
  return terms;
}

Result<Terms> sum_of_equations(const Table& table, const Multipliers& sum) {
  LACUNA_TRY(Sums sums, summed(table, sum));
  return in_order(std::move(sums));
}

Result<Terms> slopes(const Table& table, CellId p, int sign, const Multipliers& proof) {
  if (base::gmp(proof.denominator) <= 0)
    return refuse("a denominator is not positive");
  LACUNA_TRY(Sums sums, summed(table, proof));
  for (auto& [cell, sum] : sums)
    sum = -sum;
  sums[p.value] += sign * base::gmp(proof.denominator);
  return in_order(std::move(sums));
}

}  // namespace lacuna::bound
