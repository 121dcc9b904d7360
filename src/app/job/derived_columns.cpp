// SPDX-License-Identifier: Apache-2.0
#include "app/job/derived_columns.h"

#include "core/base/index.h"

namespace lacuna::job {

std::vector<publish::ExtraColumn> derived_columns(const load::PreparedProblem& ready,
                                                  const Table& table,
                                                  const Draft& draft) {
  std::vector<publish::ExtraColumn> columns;
  for (std::size_t i = 0; i < ready.columns.size(); ++i) {
    const load::DerivedColumn& column = ready.columns[i];
    const auto chosen = ready.choice ? (*ready.choice)[i] : std::nullopt;
    columns.push_back({column.name, load::derived_texts(column, chosen, table, draft)});
    columns.back().texts.resize(base::at(table.num_cells()));
  }
  return columns;
}

}  // namespace lacuna::job
