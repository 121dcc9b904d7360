// SPDX-License-Identifier: Apache-2.0
// Solutions of the combined problem from interval problems. Slope scaling (Kim and Pardalos 1999):
// the fixed price of a cell is spread over the width it had last time, so that the interval problem
// pays for it as the combined one would; a few rounds settle on few cells. Then intervals are
// closed, most expensive first, as long as the rest can do without them more cheaply.
#pragma once

#include <string>
#include <vector>

#include "lacuna/combined.h"
#include "lacuna/interval.h"
#include "protect/combined/relaxation.h"
#include "protect/interval/cut.h"

namespace lacuna::combined {

struct Intervals {
  std::vector<double>
      z;             // slacks that meet all requirements; empty if there are none, or none in time
  double bound = 0;  // no slacks cost less at the prices asked for, if all cells were allowed
};

class Heuristic {
 public:
  Heuristic(const interval::Model& model,
            const Prices& prices,
            const IntervalOptions& widths,
            int threads)
      : model_(model),
        prices_(prices),
        widths_(widths),
        threads_(threads),
        allowed_(prices.choice) {}

  // The interval problem with slopes per cell and width over the cells allowed.
  Intervals solve(const std::vector<double>& slope,
                  const std::vector<bool>& allowed,
                  double gap,
                  const RunContext& run);
  // Without fixed prices.
  Intervals solve_widths(const std::vector<bool>& allowed, double gap, const RunContext& run);
  // Guess of what the width of each cell will cost if it is open: what it costs at z, if it is
  // open there, else that of the levels that its equations have to do with.
  std::vector<double> width_prices(const std::vector<double>& z) const;
  // What the slacks cost, fixed prices included.
  double cost(const std::vector<double>& z) const;

  // Rounds of slope scaling, starting from the widths of `start` (may be empty).
  std::vector<double> scale_slopes(const std::vector<double>& start,
                                   const std::vector<bool>& allowed,
                                   const RunContext& run);
  std::vector<double> close_intervals(std::vector<double> z, const RunContext& run);
  // Cells that no solution of interest opens are no longer allowed.
  void set_allowed(std::vector<bool> allowed) { allowed_ = std::move(allowed); }
  const std::vector<bool>& allowed() const { return allowed_; }
  // Cuts of the interval problems so far, those with all cells allowed: they hold for any z.
  std::vector<interval::Cut> take_cuts() { return std::move(cuts_); }

 private:
  std::vector<bool> open_cells(const std::vector<double>& z) const;
  std::vector<double> slopes(const std::vector<double>& z, double width_if_closed) const;

  const interval::Model& model_;
  const Prices& prices_;
  const IntervalOptions& widths_;
  int threads_;
  std::vector<bool> allowed_;  // by cell
  std::vector<interval::Cut> cuts_;
};

}  // namespace lacuna::combined
