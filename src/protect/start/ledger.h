// SPDX-License-Identifier: Apache-2.0
// Who relies on what. A need is one direction of one requirement; a shape is a displacement up to a
// positive or negative factor; a need that is met points to the shape that serves it, scaled so
// that its cell moves by exactly its level. A withheld cell is kept by the shapes in use through
// it, and the pattern is safe as long as every need has a shape over withheld cells within the
// rooms: all in integers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lacuna/evidence.h"
#include "protect/start/board.h"
#include "protect/start/route.h"
#include "protect/start/tuning.h"

namespace lacuna::start {

struct Need {
  CellId cell;
  Direction direction = Direction::kHigh;
  Units level = 0;  // > 0
  std::int32_t attacker = 0;
  std::int32_t requirement = -1;
  std::int32_t twin = -1;  // the need of the other direction, -1 if there is none
};

// The needs of a problem by falling level. A sliding level that asks for more than the two others
// together is shared out between the directions as the rooms allow.
std::vector<Need> list_needs(const Board& board);

// Within the attacker's rooms, scaled to the need's level? Cells need not be withheld.
bool fits(const Board& board, const Steps& steps, const Need& need);

struct Shape {
  Steps steps;
  std::vector<std::int32_t> users;  // needs
  bool alive = true;                // all its cells are withheld
};

class Ledger {
 public:
  Ledger(Board& board, std::vector<Need> needs);

  Board& board() { return board_; }
  const Board& board() const { return board_; }
  const std::vector<Need>& needs() const { return needs_; }
  const Need& need(std::int32_t index) const { return needs_[static_cast<std::size_t>(index)]; }
  std::int32_t shape_of(std::int32_t need) const { return used_[static_cast<std::size_t>(need)]; }
  const Shape& shape(std::int32_t index) const { return shapes_[static_cast<std::size_t>(index)]; }
  // Shapes through a cell, the dead ones perhaps included.
  std::span<const std::int32_t> through(CellId cell) const {
    return through_[static_cast<std::size_t>(cell.value)];
  }
  std::int32_t uses(CellId cell) const { return uses_[static_cast<std::size_t>(cell.value)]; }

  bool fits(const Steps& steps, const Need& need) const { return start::fits(board_, steps, need); }
  // A living shape that serves the need, -1 if none is at hand. `allowed` may refuse shapes.
  template <class Allowed>
  std::int32_t serving(std::int32_t need,
                       Allowed&& allowed,
                       std::int32_t most_looks = kTuning.ledger.looks) const {
    const auto& list = through(needs_[static_cast<std::size_t>(need)].cell);
    std::int32_t looks = 0;
    for (std::size_t i = list.size(); i-- > 0 && looks < most_looks;) {
      const Shape& shape = shapes_[static_cast<std::size_t>(list[i])];
      if (!shape.alive)
        continue;
      ++looks;
      if (allowed(shape) && fits(shape.steps, needs_[static_cast<std::size_t>(need)]))
        return list[i];
    }
    return -1;
  }

  // Lets a shape at hand serve the need; false if there is none.
  bool serve(std::int32_t need, std::int32_t most_looks = kTuning.ledger.looks) {
    const std::int32_t shape = serving(
        need, [](const Shape&) { return true; }, most_looks);
    if (shape >= 0)
      assign(need, shape);
    return shape >= 0;
  }
  std::int32_t add_shape(Steps steps);  // its cells are withheld if they are not
  void assign(std::int32_t need, std::int32_t shape);
  void release(std::int32_t need);
  // Publishes the cell again: nothing may use it.
  void open(CellId cell);
  void take(CellId cell);
  // Cells that lost their last use since the last call and may be published.
  std::vector<CellId> idle();
  // Cells that were withheld or published since the last call.
  std::vector<CellId> changes() { return std::exchange(changes_, {}); }
  void forget_dead();  // shapes nobody uses and whose cells are published

  // For every shape in use, scaled to the farthest of its users, one displacement per sign.
  std::vector<Displacement> displacements() const;

 private:
  Board& board_;
  std::vector<Need> needs_;
  std::vector<std::int32_t> used_;
  std::vector<Shape> shapes_;
  std::vector<std::int32_t> spare_;  // indices of shapes that may be overwritten
  std::vector<std::vector<std::int32_t>> through_;
  std::vector<std::int32_t> uses_;  // shapes in use through a cell
  std::vector<CellId> idle_, changes_;
};

// Nothing if the moves are too long for 60 bits.
std::optional<Steps> steps_of(const Displacement& displacement);

}  // namespace lacuna::start
