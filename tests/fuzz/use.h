// SPDX-License-Identifier: Apache-2.0
// What the program does with what it has read, on tables small enough for a fuzzer.
#pragma once

#include <memory>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/problem.h"

namespace lacuna::fuzz {

using SharedProblem = std::shared_ptr<const Problem>;

// Fixed tables that evidence, patterns and checkpoints speak of: tables/*.json. One has dimensions
// and two attackers, one is a system without bounds and with coefficients beyond -1, 0, 1.
const std::vector<SharedProblem>& fixed_problems();
// ... and a table of counts whose evidence has steps and chains, and may have trees.
const std::vector<SharedProblem>& problems_with_evidence();

// Two judgements of one release may differ in what they leave open, never in what they assert.
void require_agreement(const AuditReport& one, const AuditReport& other);

// Audits the draft. The report's own evidence must confirm its verdicts, directly and through a
// certificate.
void judge(const SharedProblem& problem, const Draft& draft);

// Writes the problem and reads it again; a small one is audited with its primaries withheld.
void use_problem(Problem problem);

}  // namespace lacuna::fuzz
