// SPDX-License-Identifier: Apache-2.0
// What is left of a connected part as a suppression problem, with parallel cells as one
// (judge/presolve/merged.h): the more cells are published for good, the more of the others can only
// move together. Patterns, prices and evidence of the model's columns in terms of the part's cells,
// and back.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "judge/presolve/merged.h"
#include "lacuna/evidence.h"
#include "lacuna/problem.h"
#include "lacuna/run_context.h"
#include "protect/suppress/branch_and_cut.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression {

struct PartPattern {
  std::vector<CellId> cells;  // all that is withheld in the part, ascending
  double cost = 0;
};

class PartModel {
 public:
  // `cells`: ascending; the others count as published. `always`: by cell of the table, withheld in
  // every pattern of interest. `sizes`: how many cells of the release each stands for, by cell;
  // empty: one.
  PartModel(const std::shared_ptr<const Problem>& problem,
            std::vector<CellId> cells,
            const std::vector<bool>& always,
            const std::vector<std::int32_t>& sizes,
            double minimum_width,
            const RunContext& run);

  const suppression_model::SuppressModel& model() const { return *model_; }
  // Of what every pattern of the model withholds.
  double always_weight() const { return always_weight_; }
  std::int64_t always_size() const { return always_size_; }
  const std::vector<std::int32_t>& column_sizes() const { return column_sizes_; }

  // The column that a cell belongs to; kAlways: withheld in every pattern, kNever: published, or
  // it cannot move. A cell that is withheld whatever we do may belong to a column all the same.
  static constexpr std::int32_t kAlways = -1, kNever = -2;
  std::int32_t column_of(CellId cell) const;
  std::vector<CellId> cells_of(std::int32_t column) const;
  // The model's own cell for a cell of the part, -1 if it has none; and a cell that it stands for.
  std::int32_t local_of(CellId cell) const;
  CellId some_cell_of(std::int32_t local) const;

  PartPattern pattern_of(const ColumnPattern& columns) const;
  // Nothing if the cells are not all of this part. A class counts as withheld if some of its cells
  // are: then it is no worse to withhold them all, for safety.
  std::optional<ColumnPattern> columns_of(const std::vector<CellId>& cells) const;
  std::vector<Displacement> expand(std::vector<Displacement> witnesses) const;

 private:
  std::vector<CellId> cells_;
  std::vector<bool> given_;  // withheld whatever we do, by cell
  std::optional<presolve::MergedProblem> merged_;
  std::unique_ptr<suppression_model::SuppressModel> model_;
  double always_weight_ = 0;
  std::int64_t always_size_ = 0;
  std::vector<std::int32_t> column_sizes_;
};

}  // namespace lacuna::suppression
