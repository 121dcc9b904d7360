// SPDX-License-Identifier: Apache-2.0
// Earlier periods of a table as part of its problem ([[before]], docs/periods.md). With y0 the
// cells of then and y those of now,
//   c = y - y0                                                                                 (1)
// is the change, a cell that nobody publishes. Of y0 readers have what its release says; of c they
// may know c >= 0 (cumulated tables), or that it is within some percent of y0. A change is
// sensitive by the same rules as a cell, asked of the contributions to it: of every contributor the
// difference of its two contributions. The periods stand in the system only where they are linked
// to the table, by (1) or by a number that is derived from both.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/load/sensitive_changes.h"
#include "app/load/together.h"
#include "core/table/appendix.h"
#include "data/jobfile/record_job.h"
#include "lacuna/records.h"
#include "lacuna/result.h"

namespace lacuna::load {

struct AddedPeriod {
  std::vector<CellId> same;  // by cell of the table: the same cell of the earlier period, or -1
  bool judged = false;       // changes are asked about, or known to be bounded
  std::vector<AskedChange> asked;
  std::vector<OpenChange> open;
  CellId first{-1};          // cells of the earlier table begin here; -1: they were not added
};

// Adds the period to the system; `linked` if a derived number needs its cells whatever readers know
// of changes. Errors: bounds of change that are not true; numbers that do not fit.
Result<AddedPeriod> add_period(table::Appendix& to,
                               const Problem& problem,
                               const EarlierPeriod& period,
                               std::int64_t least_contributors,
                               bool linked);

// What readers know of the changes between two earlier periods whose cells were added, the one after
// the other. Errors: it is not true.
Status link_periods(table::Appendix& to,
                    const EarlierPeriod& older,
                    CellId first_older,
                    const EarlierPeriod& newer,
                    CellId first_newer,
                    CellId like);

// The records of a table of changes: of every contributor and combination of codes what it
// contributes more now, or less; who contributes the same is left out. Anonymous records are
// compared one by one. Null if nothing has changed. Errors: weights; what a record cannot be.
Result<std::unique_ptr<RecordSource>> changed_records(const jobfile::RecordJob& job,
                                                      RecordSource& now,
                                                      RecordSource& before);

}  // namespace lacuna::load
