// SPDX-License-Identifier: Apache-2.0
#include "protect/common/leaf_rows.h"

#include <utility>

namespace lacuna::inline common {

void add_leaf_rows(const SuppressModel& model, const std::vector<double>& signs, LpModel& lp) {
  const LeafForm& form = model.leaf_form();
  struct Row {
    std::vector<std::int32_t> columns;
    std::vector<double> values;
  };
  std::vector<Row> rows(form.leaves.size());
  const auto add = [&](const LeafTerm& term, std::int32_t column, double sign) {
    Row& row = rows[static_cast<std::size_t>(term.leaf)];
    row.columns.push_back(column);
    row.values.push_back(sign * static_cast<double>(term.coefficient));
  };
  std::int32_t column = 0;
  for (std::int32_t i = 0; i < model.num_cells(); ++i) {
    for (const double sign : signs) {
      for (const LeafTerm& term : form.of(model.cell(i)))
        add(term, column, sign);
      ++column;
    }
  }
  for (const EquationId condition : form.conditions) {
    const std::int32_t free = lp.add_column(-kLpInfinity, kLpInfinity);
    for (const LeafTerm& term : form.on_leaves(model.problem().table(), condition))
      add(term, free, 1);
  }
  for (const Row& row : rows)
    lp.add_row(0, 0, row.columns, row.values);
}

}  // namespace lacuna::inline common
