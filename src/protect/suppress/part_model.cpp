// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/part_model.h"

#include <algorithm>
#include <utility>

#include "core/base/index.h"

namespace lacuna::suppression {
namespace {

// The others are published for good; what is withheld for good is so in all its class, unless it
// is withheld whatever we do.
presolve::MergeTask merge_task(const std::vector<CellId>& cells,
                               const std::vector<bool>& always,
                               const std::vector<bool>& given) {
  presolve::MergeTask task;
  task.published.assign(always.size(), true);
  task.withheld.assign(always.size(), false);
  for (const CellId cell : cells) {
    task.published[base::at(cell)] = false;
    task.withheld[base::at(cell)] = always[base::at(cell)] && !given[base::at(cell)];
  }
  return task;
}

std::vector<CellId> all_cells(const Table& table) {
  std::vector<CellId> cells;
  for (std::int32_t c = 0; c < table.num_cells(); ++c)
    cells.push_back(CellId{c});
  return cells;
}

}  // namespace

PartModel::PartModel(const std::shared_ptr<const Problem>& problem,
                     std::vector<CellId> cells,
                     const std::vector<bool>& always,
                     const std::vector<std::int32_t>& sizes,
                     double minimum_width,
                     const RunContext& run)
    : cells_(std::move(cells)), given_(presolve::always_withheld(*problem)) {
  if (minimum_width <= 0)
    merged_ = presolve::MergedProblem::make(*problem, merge_task(cells_, always, given_), run);
  if (merged_) {
    const auto& smaller = merged_->problem_ptr();
    model_ = std::make_unique<suppression_model::SuppressModel>(
        smaller, all_cells(smaller->table()), presolve::always_withheld(*smaller), 0);
  } else {
    model_ =
        std::make_unique<suppression_model::SuppressModel>(problem, cells_, always, minimum_width);
  }
  always_weight_ = model_->always_withheld_weight();
  column_sizes_.assign(static_cast<std::size_t>(model_->num_columns()), 0);
  for (const CellId cell : cells_) {
    const std::int32_t size = sizes.empty() ? 1 : sizes[base::at(cell)];
    const std::int32_t column = column_of(cell);
    if (merged_ && given_[base::at(cell)])
      always_weight_ += problem->table().cell(cell).weight;
    if (given_[base::at(cell)] || column == kAlways)
      always_size_ += size;
    else if (column >= 0)
      column_sizes_[base::at(column)] += size;
  }
}

std::int32_t PartModel::column_of(CellId cell) const {
  const std::int32_t local = local_of(cell);
  if (local >= 0)
    return model_->column_of(local);
  return merged_ && given_[base::at(cell)] ? kAlways : kNever;
}

std::int32_t PartModel::local_of(CellId cell) const {
  return merged_ ? merged_->class_of(cell) : model_->local(cell);
}

CellId PartModel::some_cell_of(std::int32_t local) const {
  const CellId cell = model_->cell(local);
  return merged_ ? merged_->members_of(cell).front() : cell;
}

std::vector<CellId> PartModel::cells_of(std::int32_t column) const {
  const CellId cell = model_->cell(model_->cell_of(column));
  return merged_ ? merged_->members_of(cell) : std::vector<CellId>{cell};
}

PartPattern PartModel::pattern_of(const ColumnPattern& columns) const {
  PartPattern pattern;
  pattern.cost = always_weight_;
  for (const CellId cell : cells_) {
    const std::int32_t column = column_of(cell);
    if (given_[base::at(cell)] || column == kAlways || (column >= 0 && columns[base::at(column)]))
      pattern.cells.push_back(cell);
  }
  for (std::size_t j = 0; j < columns.size(); ++j)
    pattern.cost += columns[j] ? model_->weights()[j] : 0;
  return pattern;
}

std::optional<ColumnPattern> PartModel::columns_of(const std::vector<CellId>& cells) const {
  ColumnPattern pattern(static_cast<std::size_t>(model_->num_columns()), false);
  for (const CellId cell : cells) {
    if (!std::binary_search(cells_.begin(), cells_.end(), cell))
      return std::nullopt;
    if (const std::int32_t column = column_of(cell); column >= 0 && !given_[base::at(cell)])
      pattern[base::at(column)] = true;
  }
  return pattern;
}

std::vector<Displacement> PartModel::expand(std::vector<Displacement> witnesses) const {
  return merged_ ? merged_->expand(witnesses) : std::move(witnesses);
}

}  // namespace lacuna::suppression
