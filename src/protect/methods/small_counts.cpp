// SPDX-License-Identifier: Apache-2.0
// --method small-counts: only counts below the base are rounded, to 0 or to the base.
#include "lacuna/small_counts.h"

#include "core/draft/deviation.h"
#include "protect/methods/methods.h"
#include "protect/methods/secret_key.h"

namespace lacuna::methods {

Result<MethodOutcome> protect_small_counts(const std::shared_ptr<const Problem>& problem,
                                           const ProtectOptions& given,
                                           const RunContext& run) {
  const SmallCountOptions options{given, given.small_counts};
  RunContext keyed = run;  // whoever could repeat the order of equal candidates could undo them
  keyed.seed = secret_key(run.seed, problem->table());
  LACUNA_TRY(const SmallCountResult found, round_small_counts(problem, options, keyed));
  MethodOutcome outcome = outcome_of(found);
  outcome.details = draft::deviation_details(draft::deviation(problem->table(), found.draft));
  outcome.details.emplace_back("inner_cells", static_cast<double>(found.inner));
  outcome.details.emplace_back("small_inner_cells", static_cast<double>(found.small));
  outcome.details.emplace_back("raised", static_cast<double>(found.raised));
  outcome.details.emplace_back("dropped", static_cast<double>(found.dropped));
  outcome.details.emplace_back("rounds", static_cast<double>(found.rounds));
  outcome.details.emplace_back("exchanges", static_cast<double>(found.exchanges));
  if (found.coupled)
    outcome.note =
        "the linked tables have no common inner table; a table from which all of them can be "
        "summed up was rounded instead";
  return outcome;
}

}  // namespace lacuna::methods
