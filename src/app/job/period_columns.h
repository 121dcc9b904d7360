// SPDX-License-Identifier: Apache-2.0
// The periods that a table is judged with, side by side, for the pages of a report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/load/sensitive_changes.h"
#include "app/load/together.h"
#include "data/publish/column_output.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/report.h"
#include "lacuna/result.h"

namespace lacuna::job {

// What became of the cells of the table in one earlier period.
struct PeriodState {
  std::string name;
  std::vector<char> listed, published;  // by cell of the table
  std::vector<std::string> values;      // of those that are published
};

// The earlier periods of a job, the first one first; of a store the latest release of each. Errors:
// the store's.
Result<std::vector<PeriodState>> earlier_states(const load::Together* together, const Table& table);

// For data frames: codes, and for each period what was published of the cell, null where nothing
// was; the last column is of the release. Without earlier periods it is the only one.
Result<publish::TextColumns> period_text_columns(const Problem& problem,
                                                 std::int32_t own_cells,
                                                 const Draft& draft,
                                                 const load::Together* together);

// Empty without earlier periods. Of cells that are not published as they are only what is published
// is shown, so that readers may have it; `notes` by cell of the table, for the office.
Result<PeriodColumns> period_columns(const Problem& problem,
                                     std::int32_t own_cells,
                                     const Draft& draft,
                                     const load::Together* together,
                                     const std::vector<std::string>& notes);

}  // namespace lacuna::job
