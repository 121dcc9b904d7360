// SPDX-License-Identifier: Apache-2.0
#include "protect/start/giants.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "core/base/work.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

using ShapeList = std::vector<std::int32_t>;

double stake_of(const Ledger& ledger, const ShapeList& shapes) {
  std::map<CellId, std::int32_t> uses;
  for (const std::int32_t shape : shapes) {
    for (const RouteStep& step : ledger.shape(shape).steps)
      ++uses[step.cell];
  }
  double stake = 0;
  for (const auto& [cell, count] : uses) {
    if (count == ledger.uses(cell) && !ledger.board().permanent(cell))
      stake += ledger.board().cost(cell);
  }
  return stake;
}

// The secondaries that make up so much of the cost of all, the dearest first; `total` is set to
// that cost.
std::vector<CellId> dear_cells(const Ledger& ledger, double& total) {
  const Board& board = ledger.board();
  std::vector<CellId> cells;
  total = 0;
  for (std::int32_t c = 0; c < board.table().num_cells(); ++c) {
    const CellId cell{c};
    if (board.place(cell) != Place::kTaken || board.permanent(cell))
      continue;
    total += board.cost(cell);
    cells.push_back(cell);
  }
  base::count_work(2 * static_cast<std::size_t>(board.table().num_cells()));
  const double mean = cells.empty() ? 0 : total / static_cast<double>(cells.size());
  const double least = std::max(kTuning.giants.dear * total, kTuning.giants.times_mean * mean);
  std::erase_if(cells, [&](CellId cell) { return board.cost(cell) < least; });
  std::stable_sort(cells.begin(), cells.end(), [&](CellId a, CellId b) {
    return board.cost(a) > board.cost(b);
  });
  return cells;
}

}  // namespace

std::vector<std::int32_t> shapes_in_use(const Ledger& ledger, CellId cell) {
  std::vector<std::int32_t> shapes;
  for (const std::int32_t index : ledger.through(cell)) {
    const Shape& shape = ledger.shape(index);
    if (shape.alive && !shape.users.empty())
      shapes.push_back(index);
  }
  std::sort(shapes.begin(), shapes.end());
  return shapes;
}

std::vector<GiantGroup> giant_groups(const Ledger& ledger) {
  double total = 0;
  const std::vector<CellId> dear = dear_cells(ledger, total);
  std::vector<ShapeList> through;
  for (const CellId cell : dear)
    through.push_back(shapes_in_use(ledger, cell));
  std::vector<GiantGroup> groups;
  for (std::size_t first = 0; first < dear.size(); ++first) {
    GiantGroup group{dear[first], through[first], 0};
    for (std::size_t other = 0; other < dear.size(); ++other) {
      ShapeList joined;
      std::set_union(group.shapes.begin(),
                     group.shapes.end(),
                     through[other].begin(),
                     through[other].end(),
                     std::back_inserter(joined));
      if (joined.size() <= kTuning.giants.most_shapes)
        group.shapes = std::move(joined);
    }
    if (group.shapes.empty() || group.shapes.size() > kTuning.giants.most_shapes)
      continue;
    group.stake = stake_of(ledger, group.shapes);
    const bool is_known = std::any_of(groups.begin(), groups.end(), [&](const GiantGroup& each) {
      return each.shapes == group.shapes;
    });
    if (!is_known && group.stake >= kTuning.giants.least_stake * total)
      groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace lacuna::start
