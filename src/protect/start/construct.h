// SPDX-License-Identifier: Apache-2.0
// A safe pattern for tables of any size, with the evidence that it is safe. The way of the data:
//
//   Problem -> presolve::MergedProblem: parallel cells become one
//     -> PatternState: what each cell is, and costs
//     -> RouteAssignment: the goals, one direction of one requirement each, by falling level
//     -> Fallback: a safe pattern at once, expensive, in case that time or work run out
//     -> FirstPass: a goal that no displacement serves yet gets the cheapest route over withheld
//        cells and cells that may be withheld (route.h), and what the route uses is withheld
//     -> Improvement: rounds of exchanges: one withheld cell after the other, the most expensive
//        first, is published again together with all cells that only the routes through it needed,
//        and the goals behind those routes are routed anew, every cell at its price; kept if that
//        saves. That includes clean-up (nothing new is needed).
//     -> Constructed: draft and witnesses.
//
// Where every level is one unit a series search takes the place of improvement (series_search.h).
// Searches run in batches on the same state and are merged in a fixed order, so the result does not
// depend on the number of threads. All evidence is integral; the audit confirms it again.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::start {

struct ConstructOptions {
  std::vector<double> costs;     // per cell; empty: the table's weights
  std::vector<CellId> withheld;  // cells to start with, if they may be withheld; may be dropped
  std::vector<Displacement> evidence;  // of an earlier run; what does not hold is left aside
  // Called from time to time with the pattern so far, which need not be safe yet, and its evidence.
  std::function<void(const Draft&, const std::vector<Displacement>&)> on_pattern;
  // Called with every safe pattern that is worth mentioning: the first, and one after each round.
  std::function<void(const Draft&)> on_safe;
  double seconds_between = 5;    // two calls of on_pattern, at least
  std::int64_t grace = 0;        // work beyond that of the run if there is no pattern before
  bool improve = true;           // clean-up and exchanges; false: the first safe pattern
  std::int32_t max_rounds = 60;  // of improvement over all withheld cells
  double least_rate = 0;  // share of the cost saved per unit of work: below, improvement ends
  std::string engine;     // LP engine for what the routes do not find; empty: preferred
};

struct ConstructCounts {
  std::int64_t searches = 0, iterations = 0, exchanges = 0, rounds = 0;
};

struct Constructed {
  Draft draft;
  bool complete = false;  // every requirement is met as far as the method knows; else the run was
                          // stopped, or no route was found:
  std::vector<std::int32_t> unmet;      // indices of requirements, ascending
  double cost = 0;                      // of all withheld cells, at the costs of the options
  std::vector<Displacement> witnesses;  // one or more serve every requirement
  ConstructCounts counts;
};

// Errors: costs or cells that do not fit the table. A requirement that no pattern can meet is among
// the unmet ones; repair_by_proofs tells why.
Result<Constructed> construct_pattern(const Problem& problem,
                                      const ConstructOptions& options,
                                      const RunContext& run);

}  // namespace lacuna::start
