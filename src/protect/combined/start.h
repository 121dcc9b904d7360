// SPDX-License-Identifier: Apache-2.0
// The start of the combined method: its two parts alone. Widths cost at least what they do without
// fixed prices (the interval problem), fixed prices at least what complete suppression pays:
//
//   (1) W + F <= optimum.
//
// Each part gives solutions: the intervals themselves, and the best intervals over the cells of a
// cheap pattern; patterns are found at prices that guess what the widths will cost, and the guess
// follows what they did cost. With U the best cost so far, a cell is closed for good if F with this
// cell open (by reduced cost) + W >= U. Fewer cells make W and F larger, so this is repeated.
#pragma once

#include <string>
#include <vector>

#include "protect/combined/heuristic.h"
#include "protect/combined/pattern_cuts.h"

namespace lacuna::combined {

struct Started {
  std::vector<double> z;      // the cheapest slacks found; empty: none
  double cost = kLpInfinity;  // theirs, prices of all sensitive cells included
  double bound = 0;           // of the same sum
  double fixed = 0;           // the part of the bound that is fixed prices
  bool is_closed = false;     // the gap asked for is reached
  std::vector<bool> allowed;  // by cell: may be open in something cheaper
};

class Start {
 public:
  // `unlimited`: no limits but the requirements, so that slacks that meet these are a solution.
  Start(const interval::Model& model,
        const Prices& prices,
        double gap,
        bool unlimited,
        const std::string& engine,
        Heuristic& heuristic);
  // `slacks`: known to meet the requirements; may be empty.
  Started run(std::vector<double> slacks, const RunContext& run);

 private:
  double gap() const;
  bool closed() const;
  void offer(std::vector<double> z);
  bool solve_widths(const RunContext& run);
  void try_pattern(const Pattern& pattern, const RunContext& run);
  void improve_patterns(const RunContext& run);
  static RunContext part_of_work(const RunContext& run);
  void work(const RunContext& run);
  bool close_cells(const RunContext& run);

  const interval::Model& model_;
  const Prices& prices_;
  double relative_gap_;
  bool unlimited_;
  std::string engine_;
  Heuristic& heuristic_;
  double outside_ = 0;  // prices of sensitive cells that cannot move
  double widths_ = 0;   // W
  Started result_;
};

}  // namespace lacuna::combined
