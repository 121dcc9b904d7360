// SPDX-License-Identifier: Apache-2.0
// The dimension that the texts of records give: codes that occur, prefixes, or nested columns.
#pragma once

#include <string>
#include <vector>

#include "lacuna/dimension.h"
#include "lacuna/result.h"
#include "lacuna/tabulate_options.h"

namespace lacuna::tabulation {

// `texts` are the different texts of the records, sorted, without those that stand for "missing";
// `has_missing` asks for the code that stands for those.
Result<Dimension> dimension_of_texts(const DimensionSpec& spec,
                                     const std::vector<std::string>& texts,
                                     bool has_missing);

// The code of the leaf that a text means.
std::string leaf_of_text(const DimensionSpec& spec, const std::string& text);

}  // namespace lacuna::tabulation
