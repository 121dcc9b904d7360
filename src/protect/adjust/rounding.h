// SPDX-License-Identifier: Apache-2.0
// From deviations in floating point to a table that adds up exactly. The leaves are rounded to
// whole units, each to the allowed side of its bounds and levels; the other cells follow as sums.
// Conditions on the leaves (tables with absent or fixed cells) are eliminated once in integers: a
// pivot leaf with coefficient 1 follows from the leaves that stay free. Every equation then holds
// exactly by construction; bounds and levels of the sums are checked, and margins() says how far
// rounding can move a cell, for those who want to keep that distance beforehand.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/run_context.h"
#include "lacuna/table.h"
#include "protect/adjust/model.h"

namespace lacuna::adjustment {

class ExactRounding {
 public:
  ExactRounding(const Table& table, const Model& model, const RunContext& run);

  // False if the conditions have no pivots of size 1: then nothing can be rounded this way. Or if
  // the run has ended before they were found.
  bool possible() const { return possible_; }

  // Most that the rounding of the leaves moves each cell, in units; by cell of the table.
  const std::vector<double>& margins() const { return margins_; }

  // `z` by cell of the table, as numbers; `senses` by cell: which side a sensitive cell is on.
  // One unit is 10^-(decimals of the table + digits). Nothing if a bound or level fails.
  std::optional<std::vector<Units>> round(const std::vector<double>& z,
                                          const std::vector<Sense>& senses,
                                          int digits) const;

 private:
  struct Row {  // pivot = -sum of coefficients * leaves
    std::int32_t pivot = -1;
    std::vector<table::LeafTerm> others;
  };
  void eliminate(const RunContext& run);
  std::vector<std::vector<std::int32_t>> rows_of_conditions(std::vector<std::int32_t>& used);
  void measure();
  Bounds allowed(CellId cell, Sense sense, Units factor) const;

  const Table& table_;
  const Model& model_;
  std::vector<Row> rows_;
  std::vector<double> margins_;
  bool possible_ = true;
};

}  // namespace lacuna::adjustment
