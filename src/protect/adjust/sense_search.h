// SPDX-License-Identifier: Apache-2.0
// Good senses fast. With every sensitive cell at the near end of its side, x_s = u_s or -l_s, the
// other cells take up the imbalance r = M_S x of the equations at least cost r'Tr, with
// T^-1 = M_U W_U^-1 M_U' (M_U, W_U: the other cells). Sensitive cells can give way a little as
// well, outward: a share of theirs is added to T^-1. Turning cell s around, by t = x'_s - x_s,
// changes
//   sum_s w_s x_s^2 + r'Tr   by   w_s (x'_s^2 - x_s^2) + 2 t a_s'Tr + t^2 a_s'T a_s,
// a few numbers for a cell in a few equations, so a tabu search over single turns makes very many
// moves per second; pairs of cells in one equation that turn against each other follow, which keep
// that equation balanced while others gain. Its results are starts: what counts is the cost of the
// adjusted table, found by the interior point method.
//
// Where T would be too large the other leaves are taken to stay where they are: then each cell c
// moves by the sum S_c of the sensitive leaves below it, at cost w_c S_c^2, a sum over cells in
// place of equations with a diagonal T. Single turns that help are made in sweeps over the cells
// until none does; a sensitive sum takes the side it is nearer to.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/random.h"
#include "lacuna/run_context.h"
#include "protect/adjust/kkt.h"
#include "protect/adjust/model.h"

namespace lacuna::adjustment {

// The nearer side of each open cell; `x` by sensitive cell.
Senses nearer_sides(const Part& part, const Vector& x, const Senses& senses);

class SenseSearch {
 public:
  // Nothing if the numbers break down. `start` holds the senses that are given; open ones may be
  // turned.
  static std::unique_ptr<SenseSearch> make(const Part& part, AdjustNorm norm, const Senses& start);

  // Tabu search from these senses; returns the best senses seen. Turns only cells open in `start`.
  Senses improve(Senses senses,
                 std::int64_t moves,
                 base::Random& random,
                 const RunContext& run) const;

 private:
  SenseSearch(const Part& part, AdjustNorm norm, const Senses& start);
  struct State;
  void use_sums(const Part& part);
  Senses sweep(State& state, const RunContext& run) const;
  State state_of(Senses senses) const;
  Senses best_pairs(Senses senses, const RunContext& run) const;
  bool exchange(State& state,
                const RunContext& run) const;  // pairs of one equation that turn against each other
  double coupling(std::int32_t s, std::int32_t t) const;
  double turn_cost(const State& state, std::int32_t s) const;
  void turn(State& state, std::int32_t s, double change) const;

  Matrix resistance_;  // T; empty if it is diagonal
  Vector diagonal_;
  Vector up_, down_;                                    // x of the two sides
  Vector own_up_, own_down_;                            // w x^2 there
  Vector self_;                                         // a_s'T a_s
  SparseRows columns_;                                  // a_s
  std::vector<std::vector<std::int32_t>> by_equation_;  // open sensitive cells
  std::vector<std::int32_t> open_;
  std::int64_t open_entries_ = 0;  // of the columns of these
  std::vector<std::int32_t>
      sums_;  // by sensitive cell: the cell if it is a sum in this view, or -1
};

}  // namespace lacuna::adjustment
