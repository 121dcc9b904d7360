// SPDX-License-Identifier: Apache-2.0
// The attacker problem of attacker_solver.h by a dual simplex that looks only where it must:
//
//   minimize q + e sum_i |z_i|   subject to  M z = 0,  s z_p = own - q,  q >= 0,
//                                            -down_i <= z_i <= up_i
//
// with q what the cell falls short, and a very small price e of any movement: the lazy dual simplex
// of simplex/lazy_dual.h, with the column z_p - s own in place of q. z = 0 and q = 0 is dual
// feasible; only the equations through p are broken. If q is basic in the end, its row of the
// inverse is the multiplier vector g of the problem without the small prices, hence d.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "protect/common/attacker_solver.h"
#include "simplex/lazy_dual.h"

namespace lacuna::inline common {

class AttackerLazy : public AttackerSolver, private LazySource {
 public:
  // `engine` answers what the lazy search gives up on.
  AttackerLazy(const SuppressModel& model, std::string engine);

  Answer push(const Target& target,
              std::span<const double> up,
              std::span<const double> down,
              const RunContext& run) override;
  Answer push_again(std::span<const double> up,
                    std::span<const double> down,
                    const RunContext& run) override;

 private:
  Piecewise column_cost(std::int32_t column) const override;
  void list_column(std::int32_t column, std::vector<LazyEntry>& rows) const override;
  bool list_row(std::int32_t row, bool all, std::vector<LazyEntry>& columns) override;

  void begin();
  Answer answer();
  void set_dual(std::size_t own);
  Answer search_and_answer(const RunContext& run);
  Answer ask_engine(const RunContext& run);
  bool is_worth_trying() const;

  const SuppressModel& model_;
  std::string engine_;
  std::unique_ptr<AttackerSolver> backup_;
  std::int64_t tries_ = 0, failures_ = 0;
  std::vector<std::size_t> column_start_;
  std::vector<LazyEntry> incidents_;  // rows by cell
  std::vector<double> price_;         // of movement, by cell
  std::span<const double> up_, down_;
  LazyPlaces places_;
  LazyDual search_;
  bool complete_ = false;
  std::vector<double> dual_, moves_;
};

}  // namespace lacuna::inline common
