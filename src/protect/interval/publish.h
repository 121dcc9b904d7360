// SPDX-License-Identifier: Apache-2.0
// From slacks in floating point to published ends, which are exact numbers: rounded outward to
// units of the table, or to fewer digits. What rounding and floating point may have lost is found
// by the exact audit and given back, a unit at a time.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/lp.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "protect/interval/model.h"

namespace lacuna::interval {

struct Ends {
  std::vector<Units> slack;  // by end, in units; kUnboundedAbove: no end
};

// A slack that is a whole number of units but for floating point is that number; others are rounded
// up. At most the outsider's slack.
Ends round_up(const Model& model, std::span<const double> z);

// The draft with these slacks; sensitive cells without level get a unit of slack. With digits > 0
// the ends keep at most so many significant digits, outward, but never pass the prior bounds.
Draft draft_of(const Model& model, const Ends& ends, std::int32_t digits);

// Slacks that hold the displacements as well.
Ends holding(std::span<const Displacement> displacements, const Model& model, Ends ends);

// Ends that are safe, with the evidence: something to release.
struct SafeEnds {
  Ends ends;
  std::vector<Displacement> witnesses;
  double cost = kLpInfinity;  // infinite: there are none yet
  bool is_confirmed = false;  // by the exact audit
};

// For what is owed to a run that was stopped: little work, in proportion to what was done since
// `work_before`. The run itself if it was not.
RunContext brief_run(const RunContext& run, std::int64_t work_before);

// The outsider's slack in units.
Units prior_slack(const Model& model, std::size_t end);

// Weighted width of the draft in the unit of the table's numbers.
double cost_of(const Model& model, const Draft& draft);

// What it costs to round every end that has slack to units.
double rounding_cost(const Model& model, const Ends& ends);

// Widens `ends` where the exact audit finds a requirement short, by the cells of its witness
// (support[r], ends of requirement r), until all hold. False: stopped, or no use. `witnesses` are
// hints for the audit; in the end they are its evidence.
Result<bool> confirm_exactly(const std::shared_ptr<const Problem>& problem,
                             const Model& model,
                             const std::vector<std::span<const std::size_t>>& support,
                             std::int32_t digits,
                             const std::string& engine,
                             const RunContext& run,
                             Ends& ends,
                             std::vector<Displacement>& witnesses);

}  // namespace lacuna::interval
