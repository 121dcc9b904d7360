// SPDX-License-Identifier: Apache-2.0
// Which tables may have the release of the true one at all. With F the tables that fit it, the range
// that readers infer for a cell is the same for all of F, and a release is let out only where the
// levels hold. So with [low_i, high_i] that range and L_i(v), U_i(v) the levels that cell i would
// have if its value were v, no table outside of
//
//   S = { y in F : low_i <= y_i - L_i(y_i),  y_i + U_i(y_i) <= high_i for all requirements i }   (1)
//
// has this release: it is ruled out without running the program. Both sides of (1) grow with y_i,
// so that S is F with narrower ends.
#pragma once

#include <vector>

#include "app/job/rerun.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::job {

// By cell: the values of (1); no bounds where nothing is ruled out. The report has the ends of the
// release, which is no adjusted table.
std::vector<Bounds> safe_values(const Problem& problem,
                                const AuditReport& report,
                                const Rerun& rerun);

// What readers infer within S: how far a reader who owns the program can think a cell at most.
Result<AuditReport> audit_within(const Problem& problem,
                                 const Draft& release,
                                 const std::vector<Bounds>& safe,
                                 const Rerun& rerun);

}  // namespace lacuna::job
