// SPDX-License-Identifier: Apache-2.0
// Exact intervals within a budget. Verdicts are what a report needs; how much each attacker can
// infer of each cell takes a search to the end at two ends per requirement, which of a table with
// many attackers is minutes or hours. So the verdicts come first, what the intervals would take is
// estimated from a few of them, and beyond a budget they are left out unless somebody asks.
#pragma once

#include <string>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::job {

struct IntervalBudget {
  bool unlimited = false;
  double work = 30e6;  // units, of which a core does about a million a second
  // Not worth an estimate: ends times cells. A table of 4,188 cells with 139 sensitive ones has
  // 580,000 and takes a second or two.
  double least_estimated = 2e6;
};

struct IntervalAudit {
  AuditReport report;
  std::string left_out{};  // why there are verdicts alone; empty: there are intervals, or nobody
                           // wanted any
};

// An audit with or without intervals, as the options say; with them also those of all cells that
// are not published as they are. What it will take, if that is more than a few seconds, goes to the
// log before the work.
Result<IntervalAudit> audit_within(const IntervalBudget& budget,
                                   const Auditor& auditor,
                                   const Draft& draft,
                                   const AuditOptions& options,
                                   const RunContext& run);

}  // namespace lacuna::job
