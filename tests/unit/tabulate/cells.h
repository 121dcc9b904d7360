// SPDX-License-Identifier: Apache-2.0
// Short ways to write records and to look up cells in tests of tabulations.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/confidential.h"
#include "lacuna/tabulate.h"

namespace lacuna::tabulation {

using CellNames = std::vector<std::string>;  // one code per dimension

inline CellNames names_of(const Tabulation& tabulation, std::size_t cell) {
  CellNames names;
  const std::size_t width = tabulation.dimensions.size();
  for (std::size_t d = 0; d < width; ++d)
    names.push_back(tabulation.dimensions[d].code(tabulation.codes[cell * width + d]));
  return names;
}

inline std::map<CellNames, CellFacts> cells_by_name(const Tabulation& tabulation) {
  std::map<CellNames, CellFacts> cells;
  for (std::size_t c = 0; c < tabulation.cells.size(); ++c)
    cells.emplace(names_of(tabulation, c), tabulation.cells[c]);
  return cells;
}

inline std::string error_of(RecordSource& source, const TabulateOptions& options) {
  const auto result = tabulate(source, options, {});
  return result ? "no error" : base::in_full(result.error().text());
}

}  // namespace lacuna::tabulation
