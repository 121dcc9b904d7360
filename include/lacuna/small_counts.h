// SPDX-License-Identifier: Apache-2.0
// Small-count rounding (Langsrud and Heldal 2018, "An algorithm for small count rounding of tabular
// data"): counts 1 .. b-1 of inner cells become 0 or b, all other inner cells stay, and what is
// published are sums of inner cells, so that everything adds up and no 1 .. b-1 is left:
//
//   minimize  sum_c w_c |X_c - F_c|,   X_c = sum_{i in c} x_i,   F_c = sum_{i in c} f_i,
//   x_i = f_i  if f_i = 0 or f_i >= b,   x_i in { 0, f_i, b }  else,
//   X_c = 0 or X_c >= b  for every published cell c.
//
// The greedy method is theirs; the integer program, and with it a bound, are ours. docs/counts.md
// has both, and what a reader who knows the method can say of a cell.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "lacuna/decimal.h"
#include "lacuna/draft.h"
#include "lacuna/export.h"
#include "lacuna/fields.h"
#include "lacuna/method.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

struct SmallCountSettings {
  std::optional<Decimal> base{};  // a count >= 2: none below it is published, but for 0

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(kBaseField, self.base);
  }
};

struct SmallCountOptions : MethodOptions, SmallCountSettings {
  Status validate() const;
};

struct SmallCountResult : MethodResult {
  std::int64_t inner = 0;      // inner cells
  std::int64_t small = 0;      // ... with a count in 1 .. b-1
  std::int64_t raised = 0;     // ... that became b,
  std::int64_t dropped = 0;    // ... or 0
  std::int64_t rounds = 0;     // of the greedy method: again for sums that have become small
  std::int64_t exchanges = 0;  // flips and exchanges that made it better
  bool exact = false;          // the integer program was asked
  bool coupled = false;        // inner cells of linked tables were made from what the tables say
};

// Errors: unusable options; a table that is not one of counts (decimals, negative numbers,
// equations that are no sums); linked tables whose links run in a circle.
Result<SmallCountResult> round_small_counts(const std::shared_ptr<const Problem>& problem,
                                            const SmallCountOptions& options,
                                            const RunContext& run);

}  // namespace lacuna
