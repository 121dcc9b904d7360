// SPDX-License-Identifier: Apache-2.0
// Rounds of exchanges (exchange.h) over all secondaries of a safe pattern, the most expensive
// first, as long as they pay. The kinds of exchange take turns: next is what saved most per work
// the last time. Exchanges are planned side by side on the same state, in batches of a fixed size,
// and carried out one after the other; what has failed is not tried again before something near it
// has changed (failure_memory.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lacuna/run_context.h"
#include "protect/start/construct.h"
#include "protect/start/construct_report.h"
#include "protect/start/exchange.h"
#include "protect/start/failure_memory.h"
#include "protect/start/lane.h"
#include "protect/start/route_assignment.h"

namespace lacuna::start {

class Improvement {
 public:
  Improvement(const ConstructOptions& options,
              RouteAssignment& assignment,
              std::vector<std::unique_ptr<Lane>>& lanes,
              ConstructReport& report,
              const RunContext& run);
  void improve();
  std::int64_t exchanges() const { return exchanges_; }  // that saved
  std::int64_t rounds() const { return rounds_; }

 private:
  // The cells of one round and what is common to its exchanges.
  struct Round {
    ExchangeKind kind = ExchangeKind::kThrough;
    std::uint64_t salt = 0;
    double cost = 0;  // of the pattern when it began
  };
  void exchange_round(const Round& round);
  void exchange_all(std::vector<Exchange>& batch);
  void carry_out_all(std::vector<Exchange>& batch);
  std::vector<CellId> secondaries() const;
  bool is_worth_trying(ExchangeKind kind, CellId cell);
  Exchange exchange_at(CellId cell, const Round& round) const;
  FailureMemory& memory_of(ExchangeKind kind) {
    return kind == ExchangeKind::kDetour ? detour_memory_ : memory_;
  }
  const PatternState& pattern_state() const { return assignment_.pattern_state(); }

  const ConstructOptions& options_;
  RouteAssignment& assignment_;
  std::vector<std::unique_ptr<Lane>>& lanes_;
  ConstructReport& report_;
  const RunContext& run_;
  FailureMemory memory_, detour_memory_;
  std::int64_t exchanges_ = 0, rounds_ = 0;
};

}  // namespace lacuna::start
