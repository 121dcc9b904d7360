// SPDX-License-Identifier: Apache-2.0
// The table as a construction sees it: per cell whether it is withheld, may be, or never, what it
// costs to withhold, and the room an attacker has if it is. An Overlay changes a few cells for one
// trial without touching the board, so that several trials can look at the same board at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "judge/attack/view.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::start {

enum class Place : std::uint8_t {
  kOpen,   // published so far, may be withheld
  kTaken,  // withheld
  kNever,  // must be published, or has no room anyway
};

class Board {
 public:
  // `costs`: one per cell, or empty for the table's weights.
  Board(const Problem& problem, std::span<const double> costs);

  const Table& table() const { return problem_.table(); }
  const Problem& problem() const { return problem_; }
  Place place(CellId cell) const { return place_[index(cell)]; }
  double cost(CellId cell) const { return cost_[index(cell)]; }
  bool permanent(CellId cell) const { return permanent_[index(cell)] != 0; }
  const attack::Room& room(CellId cell) const { return room_[index(cell)]; }  // the outsider's
  // The room the attacker has around the cell if it is withheld.
  attack::Room room(CellId cell, std::int32_t attacker) const;

  void take(CellId cell) { place_[index(cell)] = Place::kTaken; }
  void open(CellId cell) { place_[index(cell)] = Place::kOpen; }

  // What a route over a withheld cell costs: next to nothing, so that short routes are preferred.
  double least_cost() const { return least_cost_; }
  Draft draft() const;
  // All that is withheld, and all that may be and whose smaller room is at most so large.
  Draft draft_up_to(Units room) const;
  double total_cost() const;  // of all that is withheld

 private:
  static std::size_t index(CellId cell) { return static_cast<std::size_t>(cell.value); }
  const Problem& problem_;
  std::vector<Place> place_;
  std::vector<std::uint8_t> permanent_;  // withheld whatever happens
  std::vector<double> cost_;
  std::vector<attack::Room> room_;
  double least_cost_ = 0;
};

class Overlay {
 public:
  enum class Mark : std::uint8_t {
    kNone,
    kBanned,    // may not be used
    kTaken,     // withheld in this trial
    kReleased,  // withheld on the board, but to be paid for again
  };
  explicit Overlay(std::int32_t cells) : marks_(static_cast<std::size_t>(cells), Mark::kNone) {}

  Mark mark(CellId cell) const { return marks_[static_cast<std::size_t>(cell.value)]; }
  void set(CellId cell, Mark mark) {
    Mark& old = marks_[static_cast<std::size_t>(cell.value)];
    if (old == Mark::kNone)
      changed_.push_back(cell);
    old = mark;
  }
  void clear() {
    for (const CellId cell : changed_)
      marks_[static_cast<std::size_t>(cell.value)] = Mark::kNone;
    changed_.clear();
  }
  // What the cell is on this board under this overlay.
  Place place(const Board& board, CellId cell) const {
    switch (mark(cell)) {
      case Mark::kNone:
        return board.place(cell);
      case Mark::kBanned:
        return Place::kNever;
      case Mark::kTaken:
        return Place::kTaken;
      case Mark::kReleased:
        return Place::kOpen;
    }
    return Place::kNever;
  }

 private:
  std::vector<Mark> marks_;
  std::vector<CellId> changed_;
};

}  // namespace lacuna::start
