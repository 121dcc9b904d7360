// SPDX-License-Identifier: Apache-2.0
// Classes of cells that can only move together, z_i = sense_i z_root with senses of 1 or -1, and
// the cells that cannot move at all. Made from single equations: one with a single class that may
// move fixes it, one with two, a z_i + b z_j = 0 with |a| = |b|, ties them, again and again. What
// more is known of the table is told by tie() and fix().
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "lacuna/table.h"

namespace lacuna::presolve {

struct ClassTerm {
  std::int32_t root = -1;
  std::int64_t coefficient = 0;
  auto operator<=>(const ClassTerm&) const = default;
};
using ClassEquation = std::vector<ClassTerm>;  // sum of coefficient z_root = 0; ascending roots

class Ties {
 public:
  // `movable`: by cell; the others cannot move.
  Ties(const Table& table, const std::vector<bool>& movable);

  struct Place {
    std::int32_t root = -1;
    int sense = 1;
  };
  Place find(std::int32_t cell);
  bool is_fixed(std::int32_t cell);

  void fix(std::int32_t root);
  void tie(std::int32_t root, std::int32_t other, int sense);  // both roots; z_other = sense z_root

  // The equations over classes that may move, each once up to a factor, in the table's order.
  std::vector<ClassEquation> equations();

 private:
  bool pass();
  void collect(EquationId equation, ClassEquation& sums);

  const Table& table_;
  std::vector<std::int32_t> parent_;
  std::vector<std::int8_t> sense_;
  std::vector<bool> fixed_;  // by root
};

}  // namespace lacuna::presolve
