// SPDX-License-Identifier: Apache-2.0
// The attacker's problem (solver.h) by a dual simplex that looks only where it must:
//
//   minimize q + e sum_i |z_i|   subject to  M z = 0,  s z_p = most - q,  q >= 0,
//                                            -down_i <= z_i <= up_i
//
// with q what the cell falls short, and a very small price e of any movement: the lazy dual simplex
// of core/simplex/lazy_dual.h, with the column z_p - s most in place of q. z = 0 and q = 0 is dual
// feasible; only the equations through p are broken. If q is basic, its row of the inverse
// is the multiplier vector g of the problem without the small prices, hence d; also before the end.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/simplex/lazy_dual.h"
#include "judge/attacker/lp.h"
#include "judge/attacker/solver.h"

namespace lacuna::attacker {

class AttackerLazy : public AttackerSolver, private simplex::LazySource {
 public:
  // `engine` answers what the lazy search gives up on, if one insists, and what may have no end.
  AttackerLazy(const AttackerProblem& problem, std::string engine);

  Answer push(const Query& query, const Slacks& slacks, const RunContext& run) override;
  Answer push_again(const Slacks& slacks, const RunContext& run) override;
  Answer insist(const Slacks& slacks, const RunContext& run) override;

 private:
  simplex::Piecewise column_cost(std::int32_t column) const override;
  void list_column(std::int32_t column, std::vector<simplex::LazyEntry>& rows) const override;
  bool list_row(std::int32_t row, bool all, std::vector<simplex::LazyEntry>& columns) override;

  void begin();
  Answer answer_of_search();
  void set_dual();
  void add_dual(std::int32_t cell, double d);
  Answer search(const RunContext& run);

  const AttackerProblem& problem_;
  std::string engine_;
  simplex::LazyTuning tuning_;
  std::unique_ptr<AttackerLp> backup_;
  std::vector<double> price_;       // of movement, by cell
  const Slacks* slacks_ = nullptr;  // of the question at hand
  simplex::LazyPlaces places_;
  simplex::LazyDual search_;
  bool complete_ = false;
  bool confined_ = false;     // to the equations touched so far: the others count as if not there
  std::vector<double> sums_;  // of d, by cell; zero between questions
  std::vector<std::int32_t> touched_;  // cells of sums_
};

}  // namespace lacuna::attacker
