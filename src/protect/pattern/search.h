// SPDX-License-Identifier: Apache-2.0
// The loop around the master: its best pattern is audited as it would be published; every
// requirement that the audit refutes brings a proof, every proof a cut, and the master is solved
// again. A pattern that passes is optimal, since the master has only rows that every safe pattern
// satisfies. There are finitely many patterns of choices and each round removes one; slides move in
// whole steps, and of intervals only a fraction of a unit is lost by rounding their ends outward.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/audit.h"
#include "protect/pattern/master.h"
#include "protect/pattern/plan.h"

namespace lacuna::pattern {

struct SearchOptions {
  double gap = 0;      // in [0, 1)
  std::string engine;  // empty: the preferred one
  // A wish for the choice of each cell, -1: none; empty: no wishes. Once the optimum is known, one
  // that costs at most (1 + wish_cost) times as much and agrees with more of them is taken.
  std::vector<std::int32_t> wishes;
  double wish_cost = 0;
};

struct SearchResult {
  StopReason why = StopReason::kLimit;
  bool complete = false;
  bool judged = true;  // false: braked before the audit of the pattern
  Pattern pattern;
  double cost = 0, bound = 0;
  std::int64_t rounds = 0, cuts = 0;
  std::vector<Displacement> witnesses;  // of the audit, for the next
  std::string conflict;                 // kInfeasible: what contradicts what
};

Result<SearchResult> search(const std::shared_ptr<const Problem>& problem,
                            const Plan& plan,
                            const SearchOptions& options,
                            const RunContext& run);

// What every method's result says of its search; rounds and cuts add up over several searches.
template <class Published>
void take_over(const Plan& plan, SearchResult found, Published& result) {
  result.why = found.why;
  result.complete = found.complete;
  result.judged = found.judged;
  result.cost = found.cost;
  result.bound = found.bound;
  result.rounds += found.rounds;
  result.cuts += found.cuts;
  result.reason = std::move(found.conflict);
  if (found.complete)
    result.draft = draft_of(plan, found.pattern);
  result.witnesses = std::move(found.witnesses);
}

}  // namespace lacuna::pattern
