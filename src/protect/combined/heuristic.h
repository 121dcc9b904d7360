// SPDX-License-Identifier: Apache-2.0
// Solutions of the combined problem from interval problems. Slope scaling (Kim and Pardalos 1999):
// the fixed price of a cell is spread over the width it had last time, so that the interval problem
// pays for it as the combined one would; a few rounds settle on few cells. Then intervals are
// closed, dearest first, as long as the rest can do without them more cheaply.
#pragma once

#include <string>
#include <vector>

#include "lacuna/combined.h"
#include "lacuna/interval.h"
#include "protect/combined/relaxation.h"

namespace lacuna::combined {

class Heuristic {
 public:
  Heuristic(const interval::Model& model,
            const Prices& prices,
            const IntervalOptions& widths,
            int threads)
      : model_(model), prices_(prices), widths_(widths), threads_(threads) {}

  // Rooms that meet all requirements, from slopes per cell and width over the cells allowed; empty
  // if there are none, or none in time.
  std::vector<double> solve(const std::vector<double>& slope,
                            const std::vector<bool>& allowed,
                            double relative_gap,
                            const RunContext& run) const;
  // What the rooms cost, fixed prices included.
  double cost(const std::vector<double>& z) const;

  // Rounds of slope scaling, starting from the widths of `start` (may be empty).
  std::vector<double> scale_slopes(const std::vector<double>& start,
                                   const std::vector<bool>& allowed,
                                   const RunContext& run) const;
  std::vector<double> close_intervals(std::vector<double> z, const RunContext& run) const;

 private:
  std::vector<bool> open_cells(const std::vector<double>& z) const;
  std::vector<double> slopes(const std::vector<double>& z, double width_if_closed) const;

  const interval::Model& model_;
  const Prices& prices_;
  const IntervalOptions& widths_;
  int threads_;
};

}  // namespace lacuna::combined
