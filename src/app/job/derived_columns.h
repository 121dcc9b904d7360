// SPDX-License-Identifier: Apache-2.0
// The numbers that stand beside the cells of a release, for files, frames and pages.
#pragma once

#include <vector>

#include "app/load/prepare.h"
#include "data/publish/extra_columns.h"
#include "lacuna/draft.h"
#include "lacuna/table.h"

namespace lacuna::job {

// Numbers are those of the release, whatever its method. `table`: with as many decimals as it has.
std::vector<publish::ExtraColumn> derived_columns(const load::PreparedProblem& ready,
                                                  const Table& table,
                                                  const Draft& draft);

}  // namespace lacuna::job
