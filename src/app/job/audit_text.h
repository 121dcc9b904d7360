// SPDX-License-Identifier: Apache-2.0
// An audit report as JSON and as text for people.
#pragma once

#include <string>

#include "app/job/outcomes.h"
#include "app/load/verdict_basis.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::job {

// {"verdict":..., "cells":[{"cell","lower","upper","verdict",...}], "counts":{...}}. `lower` and
// `upper` are null where the attacker knows no end; `exact` is false where only what has been shown
// to be possible is given; `lower_exact` holds a fraction that no decimal can.
std::string audit_json(const AuditOutcome& made, int threads);

// What was not asked, a summary and the cells that fail; all cells if there are few.
std::string audit_text(const Problem& problem,
                       const Draft& draft,
                       const AuditReport& report,
                       const load::VerdictBasis& basis);

}  // namespace lacuna::job
