// SPDX-License-Identifier: Apache-2.0
// A safe pattern at once, to be used if time or work run out before a better one is complete: every
// need gets a route without a search (closure.h), on a board of its own. It is dear, but a need
// that a better pattern leaves open can be met by its route whenever that is asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/run_context.h"
#include "protect/start/board.h"
#include "protect/start/closure.h"
#include "protect/start/ledger.h"

namespace lacuna::start {

class Fallback {
 public:
  // Begins with what `board` withholds.
  Fallback(const Board& board, const std::vector<Need>& needs, std::string engine)
      : board_(board), ledger_(board_, needs), closure_(board_), engine_(std::move(engine)) {}

  // What `known` uses serves first. Only brakes from outside end it early.
  void make(const Ledger& known, const RunContext& run);
  bool complete() const { return open_ == 0; }
  Draft draft() const { return board_.draft(); }
  double cost() const { return board_.total_cost(); }
  std::vector<Displacement> displacements() const { return ledger_.displacements(); }
  // The route of a need, null if there is none.
  const Steps* route_of(std::int32_t need) const {
    const std::int32_t shape = ledger_.shape_of(need);
    return shape < 0 ? nullptr : &ledger_.shape(shape).steps;
  }

 private:
  void take(const Ledger& known);
  // Returns the needs that are still open.
  std::vector<std::int32_t> meet(const std::vector<std::int32_t>& needs,
                                 Closure::Care care,
                                 const RunContext& run);
  static RunContext with_work_for_searches(const RunContext& run);
  std::vector<std::int32_t> meet_by_search(const std::vector<std::int32_t>& needs,
                                           const RunContext& run);
  void merge(std::int32_t need, std::optional<Steps> route, std::vector<std::int32_t>& open);

  Board board_;
  Ledger ledger_;
  Closure closure_;
  std::string engine_;  // of LPs
  std::size_t open_ = 0;
};

}  // namespace lacuna::start
