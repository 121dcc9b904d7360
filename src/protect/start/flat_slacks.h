// SPDX-License-Identifier: Apache-2.0
// Do the displacements that are left (flat_contraction.h) reach all levels within the slacks? With
// few columns and few rows these are small linear programs in the moves y of the columns,
//
//   maximize +-a_c y   subject to  -down_i <= a_i y <= up_i   for all rows i,
//
// ended as soon as the level is reached, by the simplex method with a dense tableau and bounds on
// all variables, from y = 0. Numbers are doubles: whoever relies on the answer has it audited.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "protect/start/flat_contraction.h"
#include "protect/start/flat_ground.h"

namespace lacuna::start {

// Rows z = A y within bounds around zero, where y_j is z of one of the rows.
class SmallProgram {
 public:
  // `entries`: row after row; `generators`: by column the row that is 1 there and 0 elsewhere.
  SmallProgram(std::size_t rows, std::vector<std::size_t> generators, std::vector<double> entries);
  void set_bounds(std::size_t row, double down, double up) { bounds_[row] = {down, up}; }
  // A solution under which sign * z of the row is the level: z by row; nothing if there is none.
  std::optional<std::vector<double>> reach(std::size_t row, double sign, double level);

 private:
  struct Range {
    double down = 0, up = 0;
  };
  double& at(std::size_t row, std::size_t column) { return tableau_[row * columns_ + column]; }
  double slack(std::size_t row, double direction) const {
    return direction > 0 ? bounds_[row].up - value_[row] : bounds_[row].down + value_[row];
  }
  bool improve(std::size_t row, double sign);
  bool move(std::size_t column, double direction);
  void exchange(std::size_t row, std::size_t column);

  std::size_t rows_, columns_;
  std::vector<std::size_t> generators_;
  std::vector<double> entries_;
  std::vector<Range> bounds_;  // by row
  // Of the program at hand: basic rows = tableau * rows that stand in the columns.
  std::vector<double> tableau_, value_;
  std::vector<std::size_t> held_;       // by column
  std::vector<std::uint8_t> is_basic_;  // by row
  std::vector<double> own_;
};

class FlatSlacks {
 public:
  explicit FlatSlacks(const FlatGround& ground) : ground_(ground) {}

  // Are all levels reached by what is left?
  bool serve(const FlatContraction& left);

 private:
  struct LevelTest {
    std::size_t row = 0;
    double sign = 1, level = 0;
  };
  std::optional<SmallProgram> program(const FlatContraction& left) const;
  bool gather(const FlatContraction& left, const std::vector<FlatGround::Slacks>& slacks);
  std::vector<LevelTest> questions(const FlatContraction& left) const;

  const FlatGround& ground_;
  std::vector<FlatGround::Slacks> slacks_;  // by row
  std::int32_t hard_ = -1;  // class whose level was not reached the last time: it is asked first
};

}  // namespace lacuna::start
