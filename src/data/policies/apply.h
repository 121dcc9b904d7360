// SPDX-License-Identifier: Apache-2.0
// A policy put into a job: what the job says itself stays, what it leaves open is the policy's, and
// every difference is told. Which part of a policy applies follows from what the numbers of the job
// are: [counts] for counts, [[rule]] with [levels] and [attackers] for amounts. What they are is
// never guessed from the policy: a rule about counts would find nothing sensitive in amounts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/policies/policy.h"
#include "data/spec/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::policies {

// What is said of the run besides its job, and goes before it.
struct SaidBesides {
  bool counts = false;                                         // the numbers are counts
  bool reals = false;                                          // ... but judged as real numbers
  std::vector<std::pair<std::string, std::string>> of_counts;  // keys of [counts], as texts
};

struct AppliedPolicy {
  std::string text;                // one line for summaries and reports
  std::vector<std::string> notes;  // what of it is replaced, and by what
};

// The job then names no policy any more. Errors: the policy has no rule for such a table, or needs
// facts that the table does not have.
Result<AppliedPolicy> apply_policy(const Policy& policy,
                                   const SaidBesides& said,
                                   spec::ReadSpec& job);

}  // namespace lacuna::policies
