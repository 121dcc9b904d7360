// SPDX-License-Identifier: Apache-2.0
// The attack of a reader who owns the program on tables too large to list what fits. Two things are
// known of F_A, the tables that fit and of which the program makes the very same release:
//
//   F_A is a part of S, the tables of which the pattern is safe (app/job/safe_tables.h): a level
//   that does not hold over S is broken, for certain;
//   tables drawn from F on which the program is run: those that replay are in F_A.
//
// Drawn by a walk over whole tables: from y along a direction of the audit's witnesses, to any of
// the whole tables of F on that line with equal chance.
#pragma once

#include <cstdint>
#include <memory>

#include "app/job/jobs.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::bench {

struct OwnerSample {
  std::int64_t levels = 0;  // sensitive cells with levels on two sides
  std::int64_t broken = 0;  // of them: a level does not hold over S
  std::int64_t narrow = 0;  // S leaves less than both levels together
  std::int64_t exact = 0;   // S leaves one value
  double shrink = 0;        // mean of what S takes of the range of F
  std::int64_t drawn = 0, outside = 0, replayed = 0;  // tables: all, not in S, in F_A
  double seconds = 0;
};

// `tables`: how many are drawn at most, within `seconds`.
Result<OwnerSample> sample_owner(const std::shared_ptr<const Problem>& problem,
                                 const Draft& release,
                                 const job::ProtectJob& job,
                                 std::int64_t tables,
                                 double seconds,
                                 const RunContext& run);

}  // namespace lacuna::bench
