// SPDX-License-Identifier: Apache-2.0
// The linear program behind a whole-number question over a small table:
//   maximize s f'z  subject to  M z = 0,  -down_i <= z_i <= up_i,
// where rooms may be narrowed one by one, also away from the truth, as the cases of a tree do. The
// engine works in floating point: from what it returns witnesses, proofs and proofs of emptiness
// are rebuilt in integers, first by rounding, then by solving the basis exactly (local_lp.h does
// the same for one cell of a view). Whoever uses them checks them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "attack/basis_system.h"
#include "attack/holes.h"
#include "attack/view.h"
#include "lacuna/evidence.h"
#include "lacuna/lp.h"
#include "lacuna/table.h"

namespace lacuna::inline attack {

class WholeLp {
 public:
  // Holes are no part of the linear program; what falls into one is no whole witness.
  WholeLp(const Table& table,
          std::span<const Room> rooms,
          LpSolver& solver,
          const Holes* holes = nullptr);

  const Table& table() const { return table_; }
  std::span<const Room> rooms() const { return rooms_; }
  const Holes* holes() const { return holes_; }  // null: there are none
  void set_room(CellId cell, const Room& room);
  void restart();  // the next solve starts at z = 0 instead of the last vertex

  // The largest s f'z, for a single cell no farther than `stop`; infinite if there is no end, -
  // infinite if the rooms are empty, NaN if the engine gave no trusted answer.
  double maximize(std::span<const Term> form,
                  Direction direction,
                  Units stop,
                  const RunContext& run);

  bool has_values() const { return solution_.primal.size() == num_columns(); }
  double value(CellId cell) const;                    // z of the last solve, which has values
  std::optional<Displacement> whole_witness() const;  // the solution rounded, if that is one
  std::optional<Displacement> witness() const;        // the solution, with a denominator if need be
  std::optional<Displacement> ray() const;            // of an unbounded problem
  // Multipliers from the simplest to the exact solution of the basis; `accept` picks.
  using Accept = std::function<bool(const Multipliers&)>;
  std::optional<Multipliers> proof(const Accept& accept) const;
  std::optional<Multipliers> emptiness(const Accept& accept) const;  // of empty rooms

 private:
  // z_c = x_{2c} - x_{2c+1}, both >= 0: so z = 0 is a basic solution, and what need not move stays.
  std::size_t num_columns() const { return 2 * rooms_.size(); }
  Units lower(std::size_t column) const;
  Units upper(std::size_t column) const;
  void load();
  void send_bounds(std::size_t column);
  void set_costs(int factor);
  void set_stop(Units stop);
  std::optional<Displacement> rounded_witness(int denominator) const;
  std::optional<Displacement> basis_witness() const;
  std::optional<Multipliers> rounded(std::span<const double> duals,
                                     double factor,
                                     int denominator) const;
  std::optional<Multipliers> basis_proof() const;
  std::optional<Displacement> displacement(const std::vector<mpq_class>& values) const;
  std::optional<BasisSystem> basis_system() const;

  const Table& table_;
  std::vector<Room> rooms_;
  LpSolver& solver_;
  const Holes* holes_;
  std::vector<Term> form_;
  Direction direction_ = Direction::kHigh;
  Units stop_ = kUnboundedAbove;
  double optimum_ = 0;
  LpSolution solution_;
  LpBasis basis_;
};

}  // namespace lacuna::inline attack
