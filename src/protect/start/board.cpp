// SPDX-License-Identifier: Apache-2.0
#include "protect/start/board.h"

#include <algorithm>

#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

double typical(std::vector<double> costs) {
  std::erase_if(costs, [](double cost) { return !(cost > 0); });
  if (costs.empty())
    return 1;
  const auto middle = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2);
  std::nth_element(costs.begin(), middle, costs.end());
  return *middle;
}

}  // namespace

Board::Board(const Problem& problem, std::span<const double> costs) : problem_(problem) {
  const Table& table = problem.table();
  const auto cells = static_cast<std::size_t>(table.num_cells());
  place_.assign(cells, Place::kOpen);
  permanent_.assign(cells, 0);
  cost_.resize(cells);
  room_.resize(cells);
  for (std::size_t c = 0; c < cells; ++c) {
    const Cell& cell = table.cells()[c];
    cost_[c] = costs.empty() ? cell.weight : costs[c];
    room_[c] = attack::room_within(cell.value, cell.prior);
    const bool always = cell.status == CellStatus::kPrimary || cell.status == CellStatus::kWithheld;
    if (always) {
      place_[c] = Place::kTaken;
      permanent_[c] = 1;
    } else if (cell.status != CellStatus::kFree || room_[c].none()) {
      place_[c] = Place::kNever;
    }
  }
  for (const Requirement& need : problem.requirements()) {
    place_[index(need.cell)] = Place::kTaken;
    permanent_[index(need.cell)] = 1;
  }
  least_cost_ = typical(cost_) * kTuning.board.step_share;
}

attack::Room Board::room(CellId cell, std::int32_t attacker) const {
  const attack::Room& base = room_[index(cell)];
  if (attacker == 0)
    return base;
  const Attacker& who = problem_.attackers()[static_cast<std::size_t>(attacker)];
  return attack::room_within(table().value(cell), known_bounds(table(), who, cell));
}

Draft Board::draft() const {
  std::vector<CellId> cells;
  for (std::size_t c = 0; c < place_.size(); ++c) {
    if (place_[c] == Place::kTaken)
      cells.push_back(CellId{static_cast<std::int32_t>(c)});
  }
  return Draft::withholding(cells);
}

Draft Board::draft_up_to(Units room) const {
  std::vector<CellId> cells;
  for (std::size_t c = 0; c < place_.size(); ++c) {
    const bool fits = place_[c] == Place::kOpen && std::min(room_[c].down, room_[c].up) <= room;
    if (fits || place_[c] == Place::kTaken)
      cells.push_back(CellId{static_cast<std::int32_t>(c)});
  }
  return Draft::withholding(cells);
}

double Board::total_cost() const {
  double total = 0;
  for (std::size_t c = 0; c < place_.size(); ++c) {
    if (place_[c] == Place::kTaken)
      total += cost_[c];
  }
  return total;
}

}  // namespace lacuna::start
