// SPDX-License-Identifier: Apache-2.0
// <APRIORI>: the lines of a .hst file on the cells of a table (data/problems/apriori.h reads the
// lines).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/argus/table.h"
#include "lacuna/result.h"

namespace lacuna::argus {

struct AprioriResult {
  std::int64_t applied = 0, skipped = 0;
  std::vector<std::string> notes;  // lines that were skipped, with their place
};

// Nothing is changed if there is an error.
Result<AprioriResult> apply_apriori(Table& table,
                                    const Apriori& command,
                                    std::string bytes,
                                    const std::string& filename);

}  // namespace lacuna::argus
