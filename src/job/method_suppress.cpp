// SPDX-License-Identifier: Apache-2.0
// --method suppress: complete cell suppression.
#include "heuristic/proof_repair.h"
#include "job/methods.h"

namespace lacuna {
namespace {

double weight_of(const Problem& problem, const Draft& draft) {
  double total = 0;
  for (const CellEntry& entry : draft.entries())
    total += problem.table.cell(entry.cell).weight;
  return total;
}

}  // namespace

Result<MethodOutcome> protect_by_suppression(const std::shared_ptr<const Problem>& problem,
                                             const ProtectJob& job,
                                             const RunContext& run) {
  const Draft start = Draft::withholding_primaries(problem->table);
  ProofRepairOptions options;
  options.engine = job.engine;
  LACUNA_TRY(const RepairedDraft found, repair_by_proofs(problem, start, options, run));
  MethodOutcome outcome;
  outcome.complete = found.complete;
  outcome.draft = found.draft;
  outcome.objective = weight_of(*problem, found.draft);
  outcome.bound = weight_of(*problem, start);
  outcome.why = outcome.objective == outcome.bound ? StopReason::kOptimal : StopReason::kGapReached;
  if (!found.undecided.empty() && !run.should_stop()) {
    const Requirement& open =
        problem->requirements[static_cast<std::size_t>(found.undecided.front())];
    outcome.message = "the attack on " + problem->table.label(open.cell) +
                      " could be neither confirmed nor refuted; nothing is released";
  }
  return outcome;
}

}  // namespace lacuna
