// SPDX-License-Identifier: Apache-2.0
// Names of the columns in which sums of a database arrive: what the SQL text writes and the reader
// of its results looks for.
#pragma once

#include <string>
#include <vector>

#include "lacuna/tabulate_options.h"

namespace lacuna::tabulation {

// The columns of the records that a dimension reads, each once.
std::vector<std::string> columns_of(const DimensionSpec& spec);

// Their names in leaf, top_leaf and spread: d1, or d1_1, d1_2, ... of several.
std::string code_column(std::size_t dimension, std::size_t column, std::size_t num_columns);

// The name of a dimension in celltop and cellnum: c1, c2, ...
std::string cell_column(std::size_t dimension);

// The options for a reader of leaf, top_leaf and spread: the dimensions in their new columns, and
// nothing else of a record.
TabulateOptions options_of_aggregates(const TabulateOptions& options);

}  // namespace lacuna::tabulation
