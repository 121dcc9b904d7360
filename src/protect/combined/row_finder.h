// SPDX-License-Identifier: Apache-2.0
// Rows that a point of the relaxation violates and that need no attacker problem, or come from the
// answer to one. Equations: docs/intervals.md, section 4. R_e is the slack that a width may have.
//
//   links     z_e <= R_e x_i                                                              (4a)
//   bridges   x_i <= sum_{k in j, k != i} x_k for an equation j of the cell: an interval that
//             helps moves, so another one does                                             (4b)
//   mixed     from a cut  sum_e d_e z_e + constant >= D  of the interval problem and any set B of
//             cells
//               sum_{i not in B} d_e z_e + sum_{i in B} min(sum_e d_e R_e, D') x_i + constant >= D
//             with D' = D - constant, or an upper bound of D where D is a share h: if a capped
//             cell of B has an interval the left side has all it needs, else d_e z_e <= d_e R_e
//             x_i. B takes every cell where the point makes x smaller. (4c)
//   sums      the same of both directions of a sliding level, added up: D is that level.   (4d)
#pragma once

#include <optional>
#include <vector>

#include "protect/combined/columns.h"
#include "protect/interval/cut.h"
#include "protect/interval/model.h"

namespace lacuna::combined {

class RowFinder {
 public:
  // `slacks`: R by end, as it is whenever rows are sought.
  RowFinder(const interval::Model& model, const Columns& columns, const std::vector<double>& slacks)
      : model_(model), columns_(columns), slacks_(slacks) {}

  void find_links(const Point& point, std::vector<Row>& rows) const;
  void find_bridges(const Point& point, std::vector<Row>& rows) const;

  // Cuts of the interval problem that hold for any z; where widths are no variables they are 0.
  void add_to_pool(std::vector<interval::Cut> cuts);
  // Of the most violated cut of every goal.
  void find_in_pool(const Point& point, std::vector<Row>& rows) const;
  // (4c) of the cuts of a need that are there, and (4d) of both.
  void find_mixed(const TwoSided<const interval::Cut*>& cuts,
                  const Point& point,
                  std::vector<Row>& rows) const;

 private:
  // sum over `terms` of d_e z_e + constant >= level + the shares, which is at most `cap`.
  struct MixedCut {
    std::size_t need = 0;
    std::vector<std::pair<std::size_t, double>> terms;  // by end, perhaps more than one of an end
    double constant = 0;
    double level = 0;
    std::vector<ShareId> shares;
    double cap = 0;
  };
  MixedCut of_direction(const interval::Cut& cut) const;
  std::optional<MixedCut> of_both(const interval::Cut& up, const interval::Cut& down) const;
  std::optional<Row> row_if_violated(MixedCut cut, const Point& point) const;
  // Adds the terms of one cell, those from `first` on, in z or in x; returns their value.
  double add_cell(
      const MixedCut& cut, std::size_t first, std::size_t last, const Point& point, Row& row) const;
  double smaller_sides(const interval::Cut& cut, const Point& point) const;

  const interval::Model& model_;
  const Columns& columns_;
  const std::vector<double>& slacks_;
  std::vector<TwoSided<std::vector<interval::Cut>>> pool_;  // by need
};

}  // namespace lacuna::combined
