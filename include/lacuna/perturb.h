// SPDX-License-Identifier: Apache-2.0
// Cell perturbation: publish of every cell a number v_i in [floor_i, ceiling_i] around the true
// value, so that all equations hold for the published numbers, those of sensitive cells are drawn
// from their range (or prescribed), and no attacker who knows what is printed, that is
// |y_i - v_i| <= r_i with r_i = ceiling_i - floor_i rounded up to 1, 2 or 5 times a power of ten,
// infers more of a sensitive cell than its protection levels allow:
//
//   minimize sum_i w_i |v_i - a_i| + c_i x_i,  x_i = 1 if v_i is not a_i,  possibly sum x_i <= q
//
// (Figures 12 and 13 of Salazar-Gonzalez, "A unified mathematical programming framework", and the
// extension that follows them). docs/rounding.md has the model.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/decimal.h"
#include "lacuna/draft.h"
#include "lacuna/export.h"
#include "lacuna/fields.h"
#include "lacuna/method.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

struct PerturbSettings {
  // The range of cells that are not sensitive, in percent of the value on either side, rounded up
  // to whole units; of sensitive cells, the protection levels (at least one unit).
  double range = 20;
  bool range_unknown = false;     // readers do not know r_i: the release is adjusted as a whole
  double change_price = 0;        // w_i times this for a cell that is changed at all
  std::optional<Decimal> grid{};  // > 0: deviations of cells that are not sensitive are multiples
  SenseRule senses = SenseRule::kFree;  // of sensitive cells
  std::int64_t max_changed = -1;        // at most so many v_i other than a_i; -1: any number

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "range",
                    .help = "how far a cell that is not sensitive may move to either side",
                    .unit = "percent of the value",
                    .least = 0,
                    .most = 10000,
                    .methods = "perturb mixed"},
          self.range);
    visit(FieldInfo{.name = "range-unknown",
                    .help = "do not publish the ranges",
                    .methods = "perturb mixed"},
          self.range_unknown);
    visit(FieldInfo{.name = "change-price",
                    .help = "price of changing a cell at all",
                    .least = 0,
                    .methods = "perturb mixed"},
          self.change_price);
    visit(FieldInfo{.name = "grid",
                    .help = "deviations are multiples of this number, in the numbers of the table",
                    .absent = "one unit",
                    .methods = "perturb mixed"},
          self.grid);
    visit(kSensesField, self.senses);
    visit(kMaxChangedField, self.max_changed);
  }
};

struct PerturbOptions : MethodOptions, PerturbSettings {
  // By cell: the least and the largest number that may be published; an open end is left to the
  // percentage or the levels. Empty: none is given.
  std::vector<Bounds> ranges;
  std::vector<std::optional<Units>> values;  // by cell: the number to be published; empty: none

  Status validate(const Table& table) const;
};

struct PerturbResult : MethodResult {  // the cost is the sum of w_i |v_i - a_i| and of changes
  std::string reason;                  // kInfeasible: what contradicts what
  std::int64_t rounds = 0, cuts = 0;
};

// Errors: unusable options; a range that does not contain the truth.
Result<PerturbResult> perturb(const std::shared_ptr<const Problem>& problem,
                              const PerturbOptions& options,
                              const RunContext& run);

}  // namespace lacuna
