// SPDX-License-Identifier: Apache-2.0
// Which exchanges have failed, and whether anything has changed since where they looked: if not,
// they would fail again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "protect/start/exchange.h"
#include "protect/start/route_assignment.h"

namespace lacuna::start {

class FailureMemory {
 public:
  explicit FailureMemory(const Table& table)
      : failures_(static_cast<std::size_t>(table.num_cells())),
        changed_(static_cast<std::size_t>(table.num_equations()), 0) {}

  bool worth_trying(const RouteAssignment& assignment, CellId cell) const {
    const Failure& failure = failures_[static_cast<std::size_t>(cell.value)];
    return failure.touched.empty() || failure.goals != count_goals(assignment, cell) ||
           std::any_of(failure.touched.begin(), failure.touched.end(), [&](EquationId equation) {
             return changed_[static_cast<std::size_t>(equation.value)] > failure.when;
           });
  }

  void note_failure(const RouteAssignment& assignment, Exchange& exchange) {
    Failure& failure = failures_[static_cast<std::size_t>(exchange.cell.value)];
    std::sort(exchange.touched.begin(), exchange.touched.end());
    exchange.touched.erase(std::unique(exchange.touched.begin(), exchange.touched.end()),
                           exchange.touched.end());
    // Exchanges of the same batch may have been carried out before.
    failure.when = batch_;
    failure.goals = count_goals(assignment, exchange.cell);
    failure.touched = std::move(exchange.touched);
  }

  void note_changes(const Table& table, const std::vector<CellId>& cells) {
    ++now_;
    for (const CellId cell : cells) {
      for (const Incidence& incidence : table.equations_of(cell))
        changed_[static_cast<std::size_t>(incidence.equation.value)] = now_;
    }
  }
  void begin_batch() { batch_ = now_; }

 private:
  struct Failure {
    std::uint32_t when = 0;
    std::size_t goals = 0;
    std::vector<EquationId> touched;  // empty: nothing is known
  };

  static std::size_t count_goals(const RouteAssignment& assignment, CellId cell) {
    std::size_t goals = 0;
    for (const std::int32_t index : assignment.through(cell)) {
      const SharedRoute& shared_route = assignment.shared_route(index);
      goals += shared_route.alive ? shared_route.users.size() : 0;
    }
    return goals;
  }

  std::vector<Failure> failures_;       // by cell
  std::vector<std::uint32_t> changed_;  // by equation
  std::uint32_t now_ = 0, batch_ = 0;
};

}  // namespace lacuna::start
