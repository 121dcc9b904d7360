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
#include <string>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/export.h"
#include "lacuna/method.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

struct RoundOptions {
  Units base = 0;            // > 0, in units of the table
  std::vector<Units> bases;  // by cell, each > 0; empty: `base` for all
  // Seeded random directions: each cell wishes to go up with probability (a - floor) / base, which
  // makes its expectation the truth, and the published table agrees with as many wishes as possible
  // among those that cost at most (1 + unbiased_cost) times the optimum.
  bool unbiased = false;
  double unbiased_cost = 0.05;
  // The relaxation for tables without any zero-restricted rounding: up to so many bases beyond the
  // adjacent multiples, the fewest for which there is a solution. Readers then know v +- (k + 1) r.
  std::int32_t steps = 0;  // in [0, 100]
  double step_price = 1;   // >= 0: w_i r_i times this for each base beyond
  // At most so many published numbers that are not the truth; the others are published as they are
  // (and said to be so). -1: all cells are rounded.
  std::int64_t max_changed = -1;
  bool no_small_counts = false;  // never publish a 1 or a 2
  bool exact_multiples = false;  // say which cells are multiples and hence published as they are
  double relative_gap = 0;       // in [0, 1): stop once (cost - bound) / cost is at most this
  Effort effort = Effort::kDefault;
  std::string engine;  // empty: the preferred one

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
