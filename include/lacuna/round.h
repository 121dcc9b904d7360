// SPDX-License-Identifier: Apache-2.0
// Controlled rounding: publish of every cell a multiple v_i of its base r_i next to the true value
// (zero-restricted: a multiple stays), so that all equations hold for the published numbers and no
// attacker who knows the bases, that is v_i - r_i <= y_i <= v_i + r_i, infers more of a sensitive
// cell than its protection levels allow:
//
//   minimize sum_i w_i |v_i - a_i|  over  v_i in { floor, ceiling of a_i by r_i },  M v = b,
//   such that for every requirement (p, k): max { y_p } >= a_p + UPL, min { y_p } <= a_p - LPL,
//   and their difference >= SPL over  M y = b, lb_i^k <= y_i <= ub_i^k, |y_i - v_i| <= r_i
//
// (Figures 9 and 10 of Salazar-Gonzalez, "A unified mathematical programming framework").
// docs/rounding.md has the models and the two methods, exact and for large tables.
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

struct RoundSettings {
  std::optional<Decimal> base{};  // a number of the table, > 0
  // Seeded random directions: each cell wishes to go up with probability (a - floor) / base, which
  // makes its expectation the truth, and the published table agrees with as many wishes as possible
  // among those that cost at most (1 + unbiased_cost) times the optimum.
  bool unbiased = false;
  double unbiased_cost = 0.05;
  // The relaxation for tables without any zero-restricted rounding: up to so many bases beyond the
  // adjacent multiples, the fewest for which there is a solution. Readers then know v +- (k + 1) r.
  std::int32_t steps = 0;
  double step_price = 1;  // w_i r_i times this for each base beyond
  // At most so many published numbers that are not the truth; the others are published as they are
  // (and said to be so). -1: all cells are rounded.
  std::int64_t max_changed = -1;
  bool no_small_counts = false;
  bool exact_multiples = false;  // say which cells are multiples and hence published as they are
  bool midpoint = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(kBaseField, self.base);
    visit(FieldInfo{.name = "unbiased",
                    .help = "round up or down at random, with the seed of the run",
                    .methods = "round"},
          self.unbiased);
    visit(FieldInfo{.name = "unbiased-cost",
                    .help = "extra cost that random directions may have, as a share of the optimum",
                    .least = 0,
                    .methods = "round"},
          self.unbiased_cost);
    visit(FieldInfo{.name = "steps",
                    .help = "how many bases beyond the adjacent multiples a number may go, if "
                            "there is no other way",
                    .least = 0,
                    .most = 100,
                    .methods = "round mixed"},
          self.steps);
    visit(FieldInfo{.name = "step-price",
                    .help = "price of each such base",
                    .unit = "bases",
                    .least = 0,
                    .methods = "round mixed"},
          self.step_price);
    visit(kMaxChangedField, self.max_changed);
    visit(FieldInfo{.name = "no-small-counts",
                    .help = "never publish a 1 or a 2",
                    .methods = "round mixed"},
          self.no_small_counts);
    visit(FieldInfo{.name = "exact-multiples",
                    .help = "publish multiples of the base as exact numbers, and say so",
                    .methods = "round mixed"},
          self.exact_multiples);
    visit(FieldInfo{.name = "midpoint",
                    .help = "counts only: each count becomes the middle of its class, r ceil(n / "
                            "r) - r / 2 with the base r, and 0 stays 0; the sums do not add up",
                    .methods = "round"},
          self.midpoint);
  }
};

struct RoundOptions : MethodOptions, RoundSettings {
  std::vector<Units> bases;  // by cell, in units of the table, each > 0; empty: `base` for all

  Status validate(const Table& table) const;
};

// The cost is the sum of w_i |v_i - a_i|, with the price of steps; the bound is for roundings of as
// many steps.
struct RoundResult : MethodResult {
  std::int32_t steps = 0;             // bases beyond the adjacent multiples that were allowed
  std::string why_not_strict;         // steps > 0: why there is no zero-restricted rounding
  std::string reason;                 // kInfeasible: what contradicts what
  std::int64_t rounds = 0, cuts = 0;  // of the integer program
  std::int64_t flips = 0;             // of the method for large tables
  bool large = false;                 // found by the method for large tables
};

// Errors: unusable options; levels that the base cannot give (the message names the cell and the
// smallest base that could).
Result<RoundResult> round_table(const std::shared_ptr<const Problem>& problem,
                                const RoundOptions& options,
                                const RunContext& run);

}  // namespace lacuna
