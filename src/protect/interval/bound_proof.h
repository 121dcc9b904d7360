// SPDX-License-Identifier: Apache-2.0
// Writes the log of the bound of intervals (lacuna/bound_log.h, judge/bound/check_intervals.h): the
// dual of the last master, in whole numbers. A linear program says how often each cut (3) is to be
// taken; the slopes of a cut become short fractions and its multipliers are found exactly; all cuts
// of one requirement and side add up to one sum of equations. The checker says what that comes to.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "judge/presolve/merged.h"
#include "lacuna/bound_log.h"
#include "lacuna/problem.h"
#include "lacuna/run_context.h"
#include "protect/interval/cut.h"
#include "protect/interval/model.h"

namespace lacuna::interval {

struct BoundTask {
  const Problem& given;                    // the log is about it
  const presolve::MergedProblem* merged;   // of which the model is; null: the given one
  const Model& model;
  std::span<const Cut> cuts;               // with slopes
  std::string engine;
};

// Nothing: there is no bound above zero that whole numbers can show.
std::optional<BoundLog> prove_bound(const BoundTask& task, const RunContext& run);

}  // namespace lacuna::interval
