// SPDX-License-Identifier: Apache-2.0
#include "core/table/part_sum.h"

#include <cstdlib>

namespace lacuna::table {
namespace {

// The one dimension in which the two cells have different codes, or -1.
std::int32_t changed_dimension(const Table& table, CellId a, CellId b) {
  const auto left = table.codes(a), right = table.codes(b);
  std::int32_t changed = -1;
  for (std::size_t d = 0; d < left.size(); ++d) {
    if (left[d] == right[d])
      continue;
    if (changed >= 0)
      return -1;
    changed = static_cast<std::int32_t>(d);
  }
  return changed;
}

}  // namespace

std::optional<PartSum> part_sum(const Table& table, EquationId equation) {
  const auto terms = table.equation(equation);
  if (table.rhs(equation) != 0 || terms.size() < 3)
    return std::nullopt;
  std::size_t positive = 0;
  for (const Term& term : terms) {
    if (std::abs(term.coefficient) != 1)
      return std::nullopt;
    positive += term.coefficient > 0 ? 1 : 0;
  }
  if (positive != 1 && positive != terms.size() - 1)
    return std::nullopt;
  const bool total_is_positive = positive == 1;
  PartSum sum;
  for (const Term& term : terms) {
    if ((term.coefficient > 0) == total_is_positive)
      sum.total = term.cell;
    else
      sum.parts.push_back(term.cell);
  }
  sum.dimension = changed_dimension(table, sum.total, sum.parts.front());
  for (const CellId part : sum.parts) {
    if (changed_dimension(table, sum.total, part) != sum.dimension)
      sum.dimension = -1;
  }
  return sum;
}

}  // namespace lacuna::table
