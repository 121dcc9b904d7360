// SPDX-License-Identifier: Apache-2.0
// Cuts of networks, taken apart. There multipliers are potentials p of nodes, one apart at the two
// ends of the need's arc, and the cut  sum_i |p_to - p_from| z_i >= L  is the mean over t of the
// cuts of the node sets { v : p_v >= t }, whose coefficients are 0 and 1. Each of these holds by
// itself (Cox 1980; Ford and Fulkerson 1956), so together they say more than their mean. If the
// potentials are those of a cheapest widening no set has a cut that the point satisfies with slack
// to spare: else leaving it out would raise the dual.
#pragma once

#include <utility>
#include <vector>

#include "protect/interval/cut.h"
#include "protect/interval/model.h"

namespace lacuna::interval {

class ThresholdCuts {
 public:
  explicit ThresholdCuts(const Model& model);  // of a network

  // The cuts of all node sets of these multipliers, whose cut has no term of the need's own cell.
  std::vector<Cut> split(const Goal& goal,
                         std::span<const std::pair<EquationId, double>> multipliers,
                         std::span<const double> z);

 private:
  struct Step {  // of a spanning forest, parents first
    std::size_t node, parent;
    std::int32_t arc;  // -1: a root
  };
  std::size_t node(std::int32_t n) const { return n < 0 ? ground_ : static_cast<std::size_t>(n); }
  void grow_forest();
  void add_rises(std::span<const std::pair<EquationId, double>> multipliers);
  void set_potentials();
  std::vector<double> thresholds(const table::NetworkArc& own) const;
  Cut cut_at(double threshold,
             const Goal& goal,
             const table::NetworkArc& own,
             std::span<const double> z) const;

  const Model& model_;
  const table::Network& network_;
  std::size_t ground_;
  std::vector<std::int32_t> arc_of_;  // by cell
  std::vector<Step> forest_;
  std::vector<double> rise_;          // by arc: potential at its head less that at its tail
  std::vector<std::size_t> touched_;  // arcs that may have one, ascending
  std::vector<double> potential_;     // by node
};

}  // namespace lacuna::interval
