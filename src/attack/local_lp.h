// SPDX-License-Identifier: Apache-2.0
// One attacker LP over some free cells and some equations of a view:
//   maximize s z_p  subject to  sum_i m_ji z_i = 0 (j in rows),  -down_i <= z_i <= up_i.
// Over all rows that touch the cells, the others held at zero, its solutions are witnesses; over
// rows whose free cells are all in, its duals are proofs. Engines work in floating point: what they
// return is only a hint from which an exact witness or proof is rebuilt and checked in integers,
// first by rounding (vertices of network parts are integral), then by solving the basis exactly.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attack/basis_system.h"
#include "attack/view.h"
#include "lacuna/evidence.h"
#include "lacuna/lp.h"
#include "lacuna/run_context.h"

namespace lacuna::inline attack {

class LocalLp {
 public:
  // `cells` are indices of free cells of the view.
  LocalLp(const AttackView& view,
          std::vector<std::int32_t> cells,
          std::vector<EquationId> rows,
          LpSolver& solver);

  // Bounds are capped at `cap` units and the columns divided by `scale`. Keeps the loaded model if
  // nothing changed, so that the next solve starts from the last basis.
  void load(Units cap, double scale);

  // Starts the next solve at z = 0 instead of the last vertex.
  void restart();

  // The cone of directions in which one may go on for ever, cut off at one unit: its solutions are
  // rays. Replaces the loaded model.
  void load_recession();

  struct Target {
    std::int32_t cell = -1;  // index of a free cell
    Direction direction = Direction::kHigh;
    Units stop_at = kUnboundedAbove;  // no need to move the cell further than this
  };
  // The largest displacement of the target, in units; NaN if the engine gave no trusted answer.
  double maximize(const Target& target, const RunContext& run);
  LpStatus status() const { return solution_.status; }

  std::optional<Displacement> witness() const;  // reaches about what maximize() returned
  std::optional<Displacement> ray() const;      // of an unbounded problem, smallest integers
  // A proof from the duals; the caller evaluates what it proves. Candidates come from the simplest
  // to the exact solution of the basis; `accept` picks.
  template <class Accept>
  std::optional<Multipliers> proof(Accept&& accept) const {
    for (const int denominator : kDenominators) {
      std::optional<Multipliers> candidate = rounded_proof(denominator);
      if (candidate && accept(*candidate))
        return candidate;
    }
    std::optional<Multipliers> candidate = basis_proof();
    if (candidate && accept(*candidate))
      return candidate;
    return std::nullopt;
  }

 private:
  static constexpr int kDenominators[] = {1, 2, 3, 4, 6, 12};

  // Cell c is z_c = x_{2c} - x_{2c+1} with 0 <= x_{2c} <= up_c and 0 <= x_{2c+1} <= down_c: so z =
  // 0 is a basic solution, primal simplex starts there, and what it need not move stays at zero.
  std::size_t num_columns() const { return 2 * cells_.size(); }
  Units limit(std::size_t column) const;  // capped, in units; the target's also at stop_at
  double scaled_limit(std::size_t column) const;
  void load_model();
  double optimum() const;  // of the last solve, in units
  std::optional<Displacement> rounded_witness(int denominator) const;
  bool reaches_optimum(const Displacement& witness) const;  // as far as doubles can tell
  std::optional<Displacement> basis_witness() const;
  std::optional<Multipliers> rounded_proof(int denominator) const;
  std::optional<Multipliers> basis_proof() const;
  template <class Number>
  bool consistent(const std::vector<Number>& moves, const Number& denominator) const;
  template <class Number>
  bool balanced(const std::vector<Number>& moves) const;
  Displacement displacement(const std::vector<Integer>& moves, const Integer& denominator) const;
  Displacement displacement(const std::vector<Wide>& moves, Wide denominator) const;
  std::optional<BasisSystem> basis_system() const;

  const AttackView& view_;
  std::vector<std::int32_t> cells_;
  std::vector<EquationId> rows_;
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>>
      row_terms_;  // (cell, coefficient)
  LpSolver& solver_;
  bool loaded_ = false;
  bool recession_ = false;
  Units cap_ = 0;
  double scale_ = 1;
  std::int32_t target_column_ = -1;
  Target target_;
  LpSolution solution_;
  LpBasis basis_;
};

}  // namespace lacuna::inline attack
