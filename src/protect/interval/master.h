// SPDX-License-Identifier: Apache-2.0
// The master: minimize w'z over the slacks of the priced ends and, for needs with a sliding level,
// over how much each direction has to carry (h), under the cuts found so far:
//   z_e >= level for the need's own ends,  h+ >= UPL, h- >= LPL, h+ + h- >= SPL,
//   sum_e d_e z_e + constant >= h  (or the level itself where there is no sliding level).
// Keeping h apart makes two cuts of every sliding cut of Figure 7, which is the stronger model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/lp/idle_rows.h"
#include "lacuna/lp.h"
#include "protect/interval/cut.h"
#include "protect/interval/model.h"
#include "protect/interval/tuning.h"

namespace lacuna::interval {

struct Point {
  std::vector<double> z;  // by end
  std::vector<double> h;  // by need and direction: 2 g (up), 2 g + 1 (down)
};

class Master {
 public:
  static Result<std::unique_ptr<Master>> make(const Model& model, const std::string& engine);

  void add_cuts(std::span<const Cut> cuts);
  // Cost and point of the optimum over the cuts at hand.
  LpStatus solve(const RunContext& run, Point& point, double& cost);
  // Drops cuts that have not been tight for some rounds.
  void forget_idle();
  // Prices that are almost the true ones, a little below them and all different, so that few optima
  // are equal: bounds stay valid. True prices from now on.
  void set_true_prices();
  bool has_true_prices() const { return true_prices_; }
  std::int64_t num_cuts() const { return static_cast<std::int64_t>(idle_.size()); }

 private:
  Master(const Model& model, std::unique_ptr<LpSolver> solver)
      : model_(model), solver_(std::move(solver)) {}
  Status load();

  const Model& model_;
  std::unique_ptr<LpSolver> solver_;
  std::vector<std::int32_t> column_of_end_;        // -1: not a variable
  std::vector<std::int32_t> column_of_share_;      // of h, -1: the level itself
  std::int32_t fixed_rows_ = 0;                    // h+ + h- >= SPL
  lp::IdleRows idle_{kTuning.master.idle_rounds};  // the cuts
  double price_ = 1;                               // costs are divided by this
  bool true_prices_ = false;
};

}  // namespace lacuna::interval
