// SPDX-License-Identifier: Apache-2.0
#include "app/explain/neighborhood.h"

#include <algorithm>

#include "core/base/index.h"

namespace lacuna::explain {

std::vector<bool> touched_by(const Table& table,
                             const Draft& draft,
                             std::span<const CellId> cells) {
  std::vector<bool> reached(static_cast<std::size_t>(table.num_cells()), false);
  std::vector<CellId> open(cells.begin(), cells.end());
  for (const CellId cell : open)
    reached[base::at(cell)] = true;
  while (!open.empty()) {
    const CellId cell = open.back();
    open.pop_back();
    for (const Incidence& incidence : table.equations_of(cell)) {
      for (const Term& term : table.equation(incidence.equation)) {
        if (reached[base::at(term.cell)] || draft.is_exact(term.cell))
          continue;
        reached[base::at(term.cell)] = true;
        open.push_back(term.cell);
      }
    }
  }
  return reached;
}

std::shared_ptr<const Problem> asked_of(const Problem& problem, const std::vector<bool>& cells) {
  auto some = std::make_shared<Problem>(problem);
  some->drop_requirements([&](const Requirement& need) { return !cells[base::at(need.cell)]; });
  if (!problem.counts())
    return some;
  some->drop_questions([&](const CountQuestion& asked) {
    const bool about = cells[base::at(asked.cell)] ||
                       std::any_of(asked.form.begin(), asked.form.end(), [&](const Term& term) {
                         return cells[base::at(term.cell)];
                       });
    return !about;
  });
  return some;
}

}  // namespace lacuna::explain
