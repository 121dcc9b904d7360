// SPDX-License-Identifier: Apache-2.0
// From choices that nearly add up to choices that do, by single flips with weights on violated
// equations (the breakout method; for rounding, Kelly, Golden and Assad 1993 use tabu search with
// strategic oscillation). A flip is taken in a violated equation where it reduces the violation
// most, counted over all equations of the cell, plus the excess (prices.h) that it costs.
// A low penalty of violation, growing slowly, gives cheaper tables and takes longer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/random.h"
#include "lacuna/run_context.h"
#include "protect/round/prices.h"

namespace lacuna::rounding {

struct RepairOptions {
  double penalty = 1;   // of a violated step, in typical prices of a step
  double growth = 0.2;  // of the weight of an equation that only a loss can mend
};

class Repair {
 public:
  // `excess` by choice; it must outlive the repair.
  Repair(const System& system,
         std::span<const double> excess,
         const RepairOptions& options,
         std::uint64_t seed);

  // True once every equation holds. `choice` by cell of the system: the start.
  bool solve(std::vector<std::int32_t> choice, std::int64_t most_flips, const RunContext& run);

  const std::vector<std::int32_t>& choice() const { return choice_; }
  std::int64_t flips() const { return flips_; }

 private:
  struct Move {
    std::int32_t cell = -1;
    std::int32_t to = 0;
    double score = 0;
  };
  std::size_t first(std::int32_t cell) const {
    return system_.choice_start[static_cast<std::size_t>(cell)];
  }
  std::int32_t choices(std::int32_t cell) const {
    return static_cast<std::int32_t>(system_.choice_start[static_cast<std::size_t>(cell) + 1] -
                                     first(cell));
  }
  double excess_of(std::int32_t cell, std::int32_t choice) const {
    return excess_[first(cell) + static_cast<std::size_t>(choice)];
  }
  Units step_of(std::int32_t cell, std::int32_t to) const;
  double score(std::int32_t cell, std::int32_t to) const;
  Move best_move(std::size_t equation);
  void flip(std::int32_t cell, std::int32_t to);
  void set_violated(std::size_t equation, bool violated);
  bool walk(std::int64_t most_flips, const RunContext& run);

  const System& system_;
  std::span<const double> excess_;
  RepairOptions options_;
  base::Random random_;
  double price_ = 1;              // of a step of violation, in excess
  std::size_t touches_per_cell_;  // of an equation
  std::vector<std::int32_t> choice_;
  std::vector<Units> residual_;                 // by equation
  std::vector<double> weight_;                  // by equation
  std::vector<std::int32_t> violated_, where_;  // list, and the place of an equation in it
  std::vector<std::int64_t> last_flip_;         // by cell
  std::int64_t flips_ = 0;
};

}  // namespace lacuna::rounding
