// SPDX-License-Identifier: Apache-2.0
// The audit of a table of counts: every question about whole numbers gets evidence, confirmed in
// integers, and a verdict from it (docs/counts.md, section 2). An end says how far the form of a
// question can move from its true value f; with f + [-low, high] the range of the attacker:
//   exact, implied   exposed if too few values are left
//   small            exposed if f + high < t and f - low > 0
//   zero             exposed if high < 1
//   all, group       exposed if f + high < 1 + coalition
//   levels           as a requirement
// and protected if witnesses show the opposite; else undecided, which blocks as exposure does.
#pragma once

#include "audit/kept_witnesses.h"
#include "lacuna/audit.h"
#include "table/network.h"

namespace lacuna::inline audit {

// Problem and draft are those of a ReleaseSystem (release/system.h).

// Appends findings and evidence to the report, whose verdict stays as it is. Errors: a release at
// odds with what its readers are told (attack/counted_rooms.h).
Status audit_counts(const Problem& problem,
                    const Draft& draft,
                    const AuditOptions& options,
                    const Network* network,
                    const RunContext& run,
                    AuditReport& report,
                    KeptWitnesses& kept);

// Recomputes every finding of `confirmed` from the evidence that it names. Errors: evidence that
// does not hold, findings that are not those of the questions.
Status confirm_counts(const Problem& problem, const Draft& draft, AuditReport& confirmed);

}  // namespace lacuna::inline audit
