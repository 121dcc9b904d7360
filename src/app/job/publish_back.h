// SPDX-License-Identifier: Apache-2.0
// Derived columns that are published where it is cheapest (docs/derived.md). Several releases are
// made and the cheapest is taken, by the weights of withheld cells and of numbers that are left out:
//   A  cells are withheld as if the columns were published only where both parts are; then their
//      other numbers come back, the most expensive first, as long as the audit accepts them all;
//   B  cells are withheld so that all numbers of the columns can be published;
//   C  cells and numbers are withheld as cells of one problem, each at its own weight
//      (load::attach_open), grown from nothing and from A, and searched where it is small.
// None is the optimum by proof. The audit of the release judges what was chosen.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/job/jobs.h"
#include "app/load/prepare.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::job {

bool has_cheapest(const load::PreparedProblem& ready);

struct PublishedBack {
  std::shared_ptr<const Problem> given;  // with what readers know by the numbers that were chosen
  ProtectResult found;
  std::string note;                              // what was published
  std::int64_t left_out = 0, beside_blanks = 0;  // numbers of the columns
};

// Changes the choice of the problem to the one that was made.
Result<PublishedBack> publish_back(const ProtectJob& job,
                                   const ProtectOptions& options,
                                   load::PreparedProblem& ready,
                                   std::shared_ptr<const Problem> given,
                                   ProtectResult found,
                                   const RunContext& run);

// Every cell that no table has is withheld.
Draft with_cells_behind(Draft draft, const Table& table, std::int32_t own_cells);

}  // namespace lacuna::job
