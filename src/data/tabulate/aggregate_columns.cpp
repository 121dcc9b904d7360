// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/aggregate_columns.h"

#include <algorithm>

namespace lacuna::tabulation {

std::vector<std::string> columns_of(const DimensionSpec& spec) {
  std::vector<std::string> columns;
  for (const auto& chain : spec.chains) {
    for (const std::string& column : chain) {
      if (std::find(columns.begin(), columns.end(), column) == columns.end())
        columns.push_back(column);
    }
  }
  return columns;
}

std::string code_column(std::size_t dimension, std::size_t column, std::size_t num_columns) {
  const std::string name = "d" + std::to_string(dimension + 1);
  return num_columns == 1 ? name : name + "_" + std::to_string(column + 1);
}

std::string cell_column(std::size_t dimension) {
  return "c" + std::to_string(dimension + 1);
}

TabulateOptions options_of_aggregates(const TabulateOptions& options) {
  TabulateOptions renamed;
  renamed.dimensions = options.dimensions;
  renamed.tables = options.tables;
  renamed.top = options.top;
  for (std::size_t d = 0; d < renamed.dimensions.size(); ++d) {
    const std::vector<std::string> columns = columns_of(options.dimensions[d]);
    for (auto& chain : renamed.dimensions[d].chains) {
      for (std::string& name : chain) {
        const auto at = std::find(columns.begin(), columns.end(), name);
        name = code_column(d, static_cast<std::size_t>(at - columns.begin()), columns.size());
      }
    }
  }
  return renamed;
}

}  // namespace lacuna::tabulation
