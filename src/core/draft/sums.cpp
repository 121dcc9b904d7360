// SPDX-License-Identifier: Apache-2.0
#include "core/draft/sums.h"

#include <vector>

namespace lacuna::draft {

Status check_sums(const Table& table, const Draft& draft) {
  std::vector<Units> shown;
  shown.reserve(static_cast<std::size_t>(table.num_cells()));
  for (const Cell& cell : table.cells())
    shown.push_back(cell.value);
  std::vector<bool> hidden(shown.size(), false);
  for (const CellEntry& entry : draft.each()) {
    const auto c = static_cast<std::size_t>(entry.cell.value);
    const std::optional<Units> number = entry.number();
    hidden[c] = !number;
    shown[c] = number.value_or(0);
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    Wide sum = 0;
    bool all = true;
    for (const Term& term : table.equation(EquationId{e})) {
      const auto c = static_cast<std::size_t>(term.cell.value);
      all = all && !hidden[c];
      sum += Wide{term.coefficient} * shown[c];
    }
    if (all && sum != table.rhs(EquationId{e})) {
      return Error{ErrorCode::kNotAdditive,
                   "the published numbers do not add up",
                   table.label(EquationId{e})};
    }
  }
  return ok_status();
}

}  // namespace lacuna::draft
