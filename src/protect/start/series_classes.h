// SPDX-License-Identifier: Apache-2.0
// Which withheld cells move in a fixed proportion in all displacements over withheld cells: they
// are in series (Oxley 2011, section 2.1). Told by two random displacements x and y, the prints
// (Schwartz 1980, Zippel 1979): cells are in series if y_i / x_i is the same, and a cell whose
// prints are zero does not move at all.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "judge/presolve/kernel_tableau.h"
#include "protect/start/pattern_state.h"

namespace lacuna::start {

class SeriesClasses {
 public:
  using Residue = presolve::KernelTableau::Residue;
  struct Prints {
    Residue x = 0, y = 0;
    bool none() const { return x == 0 && y == 0; }
  };
  struct Class {
    Residue ratio = 0;
    std::vector<std::int32_t> cells;
    std::int32_t needed = 0;  // how many of these must not be exposed
    double cost = 0;          // of those that may be published
  };

  // `needed`: per cell, must not be exposed.
  SeriesClasses(const PatternState& pattern_state, std::vector<std::uint8_t> needed);

  void clear();  // no cell moves
  const Prints& prints(std::int32_t cell) const { return prints_[index(cell)]; }
  void set_prints(std::int32_t cell, Prints prints);

  bool needed(std::int32_t cell) const { return needed_[index(cell)] != 0; }
  // What publishing the cell would give back; 0 if it stays withheld whatever happens.
  double cost(std::int32_t cell) const { return cost_[index(cell)]; }
  std::int32_t class_of(std::int32_t cell) const { return class_of_[index(cell)]; }  // or -1
  const Class& at(std::int32_t number) const { return classes_[index(number)]; }
  bool superfluous(std::int32_t cell) const;  // publishing it exposes nothing that is needed

  // A cell of a circuit that is to be added to the displacements, and its factor there.
  struct Moved {
    std::int32_t cell = -1;
    std::int32_t number = -1;  // of its class
    Residue factor = 0;
  };
  // What becomes superfluous in a class if the circuit is added; all its cells of this class.
  double split_off(std::span<Moved> moved) const;

 private:
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  void enlist(std::int32_t cell);
  void strike(std::int32_t cell);

  std::vector<std::uint8_t> needed_;
  std::vector<double> cost_;
  std::vector<Prints> prints_;
  std::vector<Residue> inverse_;        // of x
  std::vector<std::int32_t> class_of_;  // by cell
  std::vector<std::int32_t> place_;     // in the class, by cell
  std::vector<Class> classes_;
  std::vector<std::int32_t> spare_;                     // empty classes
  std::unordered_map<Residue, std::int32_t> class_at_;  // by ratio
};

}  // namespace lacuna::start
