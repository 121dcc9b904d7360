// SPDX-License-Identifier: Apache-2.0
// Bound propagation in whole numbers: every equation narrows the slacks of its cells
// (equation_line.h) until nothing moves. A queue of equations; each line is kept with the ends it
// came from, so that the chain behind any end, and no more, can be written down as evidence. With
// coefficients 1 and -1 it finds nothing that a linear program would not, but it needs no solver
// and takes milliseconds for a large table; rounding by other coefficients is its own.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "judge/attack/holes.h"
#include "judge/attack/slack.h"
#include "lacuna/evidence.h"
#include "lacuna/table.h"

namespace lacuna::attack {

struct CellSide {
  CellId cell;
  Direction side = Direction::kHigh;
  auto operator<=>(const CellSide&) const = default;
};

class Propagation {
 public:
  // Slacks of all cells; ends move past holes. Nothing is done before run().
  Propagation(const Table& table, std::vector<Slack> slacks, const Holes* holes = nullptr);

  // From all equations, or after the slacks of these cells were changed. At most so many lines:
  // ends that creep towards each other would take as long as they are apart.
  void run();
  void run_from(std::span<const CellId> changed);
  void set_slack(CellId cell, const Slack& slack) {
    slacks_[static_cast<std::size_t>(cell.value)] = slack;
  }

  std::span<const Slack> slacks() const { return slacks_; }
  bool narrowed(CellSide end) const;
  // A cell without a number left; -1 if there is none. The search stops there.
  CellId empty_cell() const { return empty_; }

  // The lines behind these ends, in order.
  Chain behind(std::span<const CellSide> ends) const;

 private:
  struct Line {
    ChainLine line;
    std::int32_t before = -1;  // the line that gave this end before
  };
  void queue(EquationId equation);
  void work_off();
  void narrow_cells_of(EquationId equation);
  bool add_line(EquationId equation, CellId cell, Direction side, Wide slack);
  std::int32_t line_before(CellSide end, std::int32_t line) const;
  static std::size_t place(CellSide end) {
    return 2 * static_cast<std::size_t>(end.cell.value) + (end.side == Direction::kHigh ? 1 : 0);
  }

  const Table& table_;
  std::vector<Slack> slacks_;
  const Holes* holes_;
  std::vector<Line> lines_;
  std::vector<std::int32_t> last_;  // by end, -1: as it was given
  std::vector<bool> queued_;
  std::vector<EquationId> queue_;
  CellId empty_;
};

}  // namespace lacuna::attack
