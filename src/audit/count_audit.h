// SPDX-License-Identifier: Apache-2.0
// The audit of a table of counts: every question about whole numbers gets evidence, confirmed in
// integers, and a verdict from it (docs/counts.md, section 2; judge.h).
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

// Recomputes every finding about counts from the evidence that it names; they come after those of
// the requirements. Errors: evidence that does not hold.
Status confirm_counts(const Problem& problem, const Draft& draft, AuditReport& confirmed);

}  // namespace lacuna::inline audit
