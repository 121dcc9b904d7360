// SPDX-License-Identifier: Apache-2.0
// What one attacker does not know of a draft release, reduced to its core. With displacements
// z = y - a the consistent tables are  M z = 0, -down_i <= z_i <= up_i, where down and up are the
// room that prior bounds, published statements and the attacker's own knowledge leave around a_i
// (attacker problems of Salazar-Gonzalez 2002, sections 3 to 6, in one form). Then
//   1. a cell without room is fixed: z_i = 0;
//   2. an equation with a single free cell determines that cell: z_i = 0, again and again;
//   3. the remaining free cells fall into connected parts that share no equation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/table.h"
#include "lacuna/units.h"

namespace lacuna::inline attack {

class Holes;

struct Room {  // how far the value may lie below and above the truth; kUnboundedAbove: no limit
  Units down = 0;
  Units up = 0;
  bool none() const { return down == 0 && up == 0; }
  Units toward(int sign) const { return sign > 0 ? up : down; }
};

// The room that bounds leave around a value they contain.
Room room_within(Units value, Bounds bounds);

// The room of every cell: prior, draft and knowledge combined.
std::vector<Room> attacker_rooms(const Table& table, const Draft& draft, const Attacker& attacker);

class AttackView {
 public:
  AttackView(const Table& table, const Draft& draft, const Attacker& attacker);
  // One room per cell. Holes are kept for searches in whole numbers and change nothing here.
  AttackView(const Table& table, std::vector<Room> rooms, const Holes* holes = nullptr);

  struct FreeCell {
    CellId cell;
    Room room;
    std::int32_t part = -1;
  };
  struct Determined {  // in the order in which they were found
    CellId cell;
    EquationId by;
    std::int32_t coefficient = 0;  // of the cell in that equation
  };

  const Table& table() const { return table_; }
  const Room& room(CellId cell) const { return rooms_[static_cast<std::size_t>(cell.value)]; }
  std::span<const Room> rooms() const { return rooms_; }
  const Holes* holes() const { return holes_; }  // null: there are none
  std::span<const FreeCell> free_cells() const { return free_; }
  const FreeCell& free_cell(std::int32_t free) const {
    return free_[static_cast<std::size_t>(free)];
  }
  std::int32_t free_index(CellId cell) const;        // -1 if the cell is fixed or determined
  std::int32_t determined_index(CellId cell) const;  // position in determined(), -1 if it is not
  std::span<const Determined> determined() const { return determined_; }

  std::int32_t num_parts() const { return static_cast<std::int32_t>(part_start_.size()) - 1; }
  std::span<const std::int32_t> part(std::int32_t part) const;  // indices of free cells, ascending

 private:
  void determine();
  void split();

  const Table& table_;
  std::vector<Room> rooms_;
  const Holes* holes_ = nullptr;
  std::vector<std::int32_t> place_;  // >= 0 free index, -1 fixed, <= -2 determined (-2 - index)
  std::vector<FreeCell> free_;
  std::vector<Determined> determined_;
  std::vector<std::size_t> part_start_{0};
  std::vector<std::int32_t> part_cells_;
};

}  // namespace lacuna::inline attack
