// SPDX-License-Identifier: Apache-2.0
// What is certain of a cell-key release: the whole tables y with M y = b and y_i in S_i, the
// candidates of what is published of cell i. Bounds are passed on from equation to equation,
//   m_p y_p = b - sum of m_i y_i with the present ends of the others,
// rounded inward to the next candidate, until nothing moves: holes of S_i are taken into account.
// Where asked, each number that is left is tried: fixed, passed on, and the rest chosen cell by
// cell (backtracking over finite sets), until a table shows it or none can.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/table.h"
#include "lacuna/units.h"

namespace lacuna::cellkey {

struct CellChoice {                  // what is possible of a cell
  std::span<const Units> numbers{};  // rising; empty: all whole numbers of the range
  Bounds range;                      // finite or not; ends are among the numbers
};

class Propagation {
 public:
  Propagation(const Table& table, std::vector<CellChoice> choices);

  // Passes bounds on until nothing moves; false if no table is left.
  bool run();
  Bounds range(CellId cell) const { return choices_[index(cell)].range; }
  std::int64_t numbers_left(CellId cell) const;  // -1: no end
  std::int64_t steps() const { return steps_; }

  // Every number that a table shows, by cell. `truth` is one such table. Looks at no more than
  // `most_steps` equations; `complete` says whether that was enough, else numbers may be listed
  // that no table shows.
  std::vector<std::vector<Units>> possible(std::span<const Units> truth,
                                           std::int64_t most_steps,
                                           bool& complete);

 private:
  struct Change {
    std::size_t cell;
    Bounds range;
  };
  static std::size_t index(CellId cell) { return static_cast<std::size_t>(cell.value); }
  bool tighten(std::size_t cell, Bounds wanted);
  bool visit(EquationId equation);
  bool drain();
  void push(EquationId equation);
  void undo_to(std::size_t mark);
  bool assume(std::size_t cell, Units number);
  enum class Found { kYes, kNo, kUnknown };
  Found search(std::int64_t& steps_left);
  std::vector<Units> numbers_in(std::size_t cell) const;

  const Table& table_;
  std::vector<CellChoice> choices_;
  std::vector<Change> trail_;
  bool keeps_trail_ = false;
  std::vector<EquationId> queue_;
  std::size_t next_ = 0;
  std::vector<bool> queued_;
  std::int64_t steps_ = 0;
};

}  // namespace lacuna::cellkey
