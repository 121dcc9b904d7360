// SPDX-License-Identifier: Apache-2.0
// What is known of the cells of a table, as columns of text that are typed where they are handed
// out (data/publish/column_output.h): for `tabulate --table`, and for the data frames of bindings.
// All of it is for the office but verdict_columns().
#pragma once

#include <string>

#include "app/job/outcomes.h"
#include "app/load/records.h"
#include "data/publish/column_output.h"
#include "lacuna/problem.h"
#include "lacuna/tabulation.h"

namespace lacuna::job {

// Codes, value, counts, shares without identities, status and why.
publish::TextColumns tabulated_columns(const load::SensitiveTables& tables);
// The share of a contribution in all contributions to its cell, in percent.
std::string share_text(const Contribution& contribution, const CellFacts& facts);

// Codes, value, status, frequency, weight, bounds, the outsider's levels, and why.
publish::TextColumns problem_columns(const Problem& problem, std::span<const std::string> reasons);

// The same with what a reader sees of each cell.
publish::TextColumns office_columns(const Problem& problem,
                                    const Draft& draft,
                                    std::span<const std::string> reasons);

// One row per sensitive cell: codes, the worst verdict, and how many attackers it counts for.
publish::TextColumns verdict_columns(const AuditOutcome& audit);
// One row per requirement: codes, attacker, value, levels, what can be inferred, verdict, reason;
// with replays, the range that the owner of the program has left at least.
publish::TextColumns finding_columns(const AuditOutcome& audit);
// One row per question about counts: codes of its cell, what it is about, kind, attacker, the ends
// of what can be inferred, all values where they were listed, verdict, by what evidence, reason.
publish::TextColumns count_columns(const AuditOutcome& audit);

}  // namespace lacuna::job
