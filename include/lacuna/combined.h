// SPDX-License-Identifier: Apache-2.0
// Suppression and interval publication in one model: every interval has a fixed price and a price
// per width, so that few and narrow intervals are published,
//
//   minimize sum_i w+_i z+_i + w-_i z-_i + w_i x_i  over slacks z of the interval problem
//   (lacuna/interval.h) with  z+_i <= UB_i x_i, z-_i <= LB_i x_i, x in {0,1},
//   and, if asked for, sum_i x_i <= q,  z+_i + z-_i >= W_i x_i,  and for the outsider an inferred
//   interval of width at least C_i x_i for cells that are not sensitive
//
// ((3.28) of the thesis; section 4.3 of Salazar-Gonzalez, "A unified mathematical programming
// framework"). docs/intervals.md has the model and the method.
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

struct CombinedSettings {
  std::int64_t max_intervals = -1;   // q, sensitive cells included; -1: any number
  double interval_width = 0;         // W_i in percent of |value|, at least one unit; 0: none
  double interval_level = 0;         // C_i likewise
  std::int32_t interval_digits = 0;  // as in IntervalSettings

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "max-intervals",
                    .help = "largest number of intervals",
                    .least = 0,
                    .absent = "any number",
                    .methods = "combined"},
          self.max_intervals);
    visit(FieldInfo{.name = "interval-width",
                    .help = "smallest width of an interval",
                    .unit = "percent of the value",
                    .least = 0,
                    .methods = "combined"},
          self.interval_width);
    visit(
        FieldInfo{.name = "interval-level",
                  .help = "smallest width that readers may infer for cells that are not sensitive",
                  .unit = "percent of the value",
                  .least = 0,
                  .methods = "combined"},
        self.interval_level);
    visit(kIntervalDigitsField, self.interval_digits);
  }
};

struct CombinedOptions : MethodOptions, CombinedSettings {
  std::vector<double> fixed;      // w by cell, each finite and >= 0; empty: the table's weights
  std::vector<double> weight_up;  // w+ and w- by cell; empty: 1
  std::vector<double> weight_down;

  Status validate(const Table& table) const;
};

struct CombinedCounts {
  std::int64_t nodes = 0, cuts = 0, rounds = 0, attacker_lps = 0;
};

struct CombinedResult : MethodResult {
  CombinedCounts counts;
};

// Errors: unusable options; a requirement that no intervals can meet. That no more than q intervals
// do is a result (kInfeasible).
Result<CombinedResult> publish_combined(const std::shared_ptr<const Problem>& problem,
                                        const CombinedOptions& options,
                                        const RunContext& run);

}  // namespace lacuna
