// SPDX-License-Identifier: Apache-2.0
// A safe pattern from any pattern, by refuting the proofs of exposure one after the other.
//
// A proof with multipliers g shows that the attacker's displacement of p is at most
// sum_i c_i x_i, where x_i = 1 if cell i is withheld and c_i = d_i^+ up_i + d_i^- down_i. Safety
// therefore demands sum_i c_i x_i >= level: the capacity constraint of Fischetti and Salazar
// (2001). Every exposed requirement gives one such violated constraint; published cells are
// withheld, the cheapest per unit of min(c_i, what is missing) first, until it holds. Withholding
// more never narrows an interval, so requirements once protected stay so, and the loop ends when
// none is exposed. Then cells that turned out superfluous are published again, most expensive
// first, as long as the audit of the requirements stays clean.
#pragma once

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "protect/start/construct.h"

namespace lacuna::start {

struct ProofRepairOptions {
  bool clean_up = true;             // publish superfluous cells again
  std::string engine;               // LP engine; empty: the preferred one
  std::vector<Displacement> hints;  // evidence at hand, for the audits
};

struct RepairedDraft {
  Draft draft;
  std::int32_t rounds = 0;
  bool complete = false;  // every requirement is met; else the run was stopped or stuck:
  std::vector<std::int32_t> undecided;  // requirements that no engine could settle
};

// Errors: a requirement that no pattern of withheld cells can meet (the message names the cell and
// what stands in the way).
Result<RepairedDraft> repair_by_proofs(const std::shared_ptr<const Problem>& problem,
                                       const Draft& start,
                                       const ProofRepairOptions& options,
                                       const RunContext& run);

// What the construction left unmet is left to the proofs of exposure.
Status complete_by_proofs(const std::shared_ptr<const Problem>& problem,
                          const std::string& engine,
                          Constructed& found,
                          const RunContext& run);

}  // namespace lacuna::start
