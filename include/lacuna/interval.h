// SPDX-License-Identifier: Apache-2.0
// Interval publication (partial suppression): publish [a_i - z-_i, a_i + z+_i] instead of a_i, as
// narrow as safety allows,
//
//   minimize sum_i w+_i z+_i + w-_i z-_i  over  0 <= z+_i <= UB_i, 0 <= z-_i <= LB_i
//   such that for every requirement (p, k): max { f_p } >= UPL, max { -f_p } >= LPL and their sum
//   >= SPL over the displacements  M f = 0, -min(z-_i, LB_i^k) <= f_i <= min(z+_i, UB_i^k)
//
// ((3.27) of the thesis; Figures 6 and 7 of Salazar-Gonzalez, "A unified mathematical programming
// framework"; (3) and (10) of Castro and Via). docs/intervals.md has the model and the method.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/export.h"
#include "lacuna/fields.h"
#include "lacuna/method.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

struct IntervalSettings {
  std::int32_t interval_digits = 0;  // of ends, rounded outward; 0: as computed
  bool prove_bound = false;  // the bound comes with a log that anyone can check (bound_log.h)

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(kIntervalDigitsField, self.interval_digits);
    visit(kProveBoundField, self.prove_bound);
  }
};

struct IntervalOptions : MethodOptions, IntervalSettings {
  std::vector<CellId> allowed;  // the set H: sensitive cells and these may be intervals; empty: all
  std::vector<double> weight_up;  // w+ and w- by cell, each finite and >= 0; empty: the table's
  std::vector<double> weight_down;

  Status validate(const Table& table) const;
};

struct IntervalCounts {
  std::int64_t rounds = 0, cuts = 0, attacker_lps = 0, reused_witnesses = 0, repair_lps = 0;
};

// The cost is the sum of w+ z+ and w- z- of the draft, widths in the unit of the table's numbers.
struct IntervalResult : MethodResult {
  IntervalCounts counts;
};

// Errors: unusable options; a requirement that no intervals can meet (the message names the cell).
Result<IntervalResult> publish_intervals(const std::shared_ptr<const Problem>& problem,
                                         const IntervalOptions& options,
                                         const RunContext& run);

}  // namespace lacuna
