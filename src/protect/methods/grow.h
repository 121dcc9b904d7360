// SPDX-License-Identifier: Apache-2.0
// A safe pattern of what is withheld and what is published, found by asking the audit, for systems
// that are more than sums: with derived columns, and with several variables that are withheld
// together. Nothing is assumed of the equations.
//   all: if the audit proves that something is exposed when everything is withheld that may be,
//     there is no safe pattern. In real numbers that is asked first, of every question by itself:
//     linear programs over a system without one published number end soon where the search for
//     whole numbers does not. The whole audit follows with a share of the time, as it may also find
//     that everything withheld is safe.
//   grow: whatever the audit calls exposed comes with a proof, which holds for all patterns that
//     publish the cells that it mentions. So of these at least one is withheld, or there is no safe
//     pattern (protect/counts/count_cut.h). Choices that meet all proofs so far, cheap by the
//     greedy rule, are withheld and audited again; if that goes on for long, all of a proof are.
//   give back: what is withheld and need not be, the most expensive first and by halves, as long as
//     the audit accepts what is left.
// The result is safe by its last audit and nowhere near an optimum by proof.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::methods {

struct Choice {  // cells that are withheld together or not at all
  std::vector<CellId> cells;
  double weight = 0;
};

struct GrownPattern {
  std::optional<Draft> draft;  // nothing if the run was stopped before one was safe
  std::vector<Displacement> witnesses;
  double cost = 0;  // of the choices that are withheld
  std::int64_t audits = 0;
};

struct GrowQuestion {
  std::shared_ptr<const Problem> problem;
  Draft base;                          // what is withheld in any case
  std::vector<Choice> choices;         // none of whose cells the base withholds
  std::vector<bool> start;             // by choice: withheld to begin with; may be empty
  std::string engine;                  // of linear programs
  std::vector<Displacement> hints{};   // witnesses that may hold
};

// Every cell that may be withheld and is not is a choice of its own.
std::vector<Choice> single_choices(const Table& table, const Draft& base);

// Errors: no pattern is safe, with the cell that cannot be protected.
Result<GrownPattern> grow_and_give_back(const GrowQuestion& question, const RunContext& run);

}  // namespace lacuna::methods
