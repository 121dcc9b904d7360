// SPDX-License-Identifier: Apache-2.0
// The attacker's linear program over some cells and equations of a view (local_system.h):
//   maximize s f'z  subject to  M z = 0,  -down_i <= z_i <= up_i.
// Slacks may be narrowed one by one, also away from the truth, as the cases of a tree do. Engines
// work in floating point: what they return is only a hint from which a witness, a ray, a proof or a
// proof of emptiness is rebuilt in integers, first by rounding (vertices of network parts are
// integral), then by solving the basis exactly: the rows whose logical is not basic and the columns
// that are make a square system. Whoever uses them checks them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/exact_linear.h"
#include "judge/attack/local_system.h"
#include "judge/attack/slack.h"
#include "lacuna/evidence.h"
#include "lacuna/lp.h"
#include "lacuna/run_context.h"

namespace lacuna::attack {

class FormLp {
 public:
  // Cells are those of the system, which must outlive the program. Of whole numbers only evidence
  // in whole numbers counts, and multipliers may be rounded finely.
  FormLp(const LocalSystem& system, Domain domain, LpSolver& solver);

  // Slacks are capped at `cap` units and the columns divided by `scale`. Keeps the loaded model if
  // nothing changed, so that the next solve starts from the last basis.
  void load(Units cap = kUnboundedAbove, double scale = 1);
  // The cone of directions in which one may go on for ever, cut off at one unit: its solutions are
  // rays. Replaces the loaded model.
  void load_recession();
  void restart();  // the next solve starts at z = 0 instead of the last vertex
  void set_slack(CellId cell, const Slack& slack);

  const LocalSystem& system() const { return system_; }
  const Table& table() const { return system_.table(); }
  std::span<const Slack> slacks() const { return slacks_; }
  const Holes* holes() const;  // null: there are none

  // The largest s f'z in units, of a single cell no farther than `stop`; infinite if there is no
  // end, -infinite if the slacks are empty, NaN if the engine gave no trusted answer.
  double maximize(std::span<const Term> form,
                  Direction direction,
                  Units stop,
                  const RunContext& run);
  LpStatus status() const { return solution_.status; }

  bool has_values() const { return solution_.primal.size() == num_columns(); }
  double value(CellId cell) const;  // z of the last solve, which has values
  // The solution, with a denominator if need be; reaches about what maximize() returned. By the
  // basis as a last resort, which takes long where there are many cells.
  std::optional<Displacement> witness(bool by_basis = true) const;
  std::optional<Displacement> integer_witness() const;  // the solution rounded, if that is one
  std::optional<Displacement> ray() const;  // of an unbounded problem, smallest integers
  // Multipliers from the simplest to the exact solution of the basis; `accept` evaluates them and
  // picks. Of the system's equations.
  using Accept = std::function<bool(const Multipliers&)>;
  std::optional<Multipliers> proof(const Accept& accept) const;
  std::optional<Multipliers> emptiness(const Accept& accept) const;  // of empty slacks

 private:
  // z_c = x_{2c} - x_{2c+1} with 0 <= x_{2c} <= up_c and 0 <= x_{2c+1} <= down_c: so z = 0 is a
  // basic solution, primal simplex starts there, and what it need not move stays at zero.
  struct BasisSystem {
    std::vector<std::size_t> rows, columns;
    std::vector<std::int32_t> place;  // of a column among `columns`, -1 if not basic
    base::SparseRows matrix;
  };
  std::size_t num_columns() const { return 2 * slacks_.size(); }
  Units lower(std::size_t column) const;
  Units upper(std::size_t column) const;  // capped; of a single cell at most the stop
  double scaled(Units units) const;
  std::int32_t stopped_column() const;  // whose bound is the stop; -1: none
  void load_model();
  void send_bounds(std::size_t column);
  void set_costs(int factor);
  double optimum() const;                                   // of the last solve, in units
  bool reaches_optimum(const Displacement& witness) const;  // as far as doubles can tell
  template <class Number>
  bool balanced(const std::vector<Number>& moves) const;
  template <class Number>
  bool consistent(const std::vector<Number>& moves, const Number& denominator) const;
  std::optional<Displacement> rounded_witness(int denominator) const;
  std::optional<Displacement> basis_witness() const;
  std::optional<Multipliers> rounded_proof(std::span<const double> duals,
                                           double factor,
                                           int denominator) const;
  std::optional<Multipliers> basis_proof() const;
  std::optional<BasisSystem> basis_system() const;

  const LocalSystem& system_;
  Domain domain_;
  LpSolver& solver_;
  std::vector<Slack> slacks_;
  bool loaded_ = false, recession_ = false;
  Units cap_ = kUnboundedAbove;
  double scale_ = 1;
  LinearForm form_;
  Direction direction_ = Direction::kHigh;
  Units stop_ = kUnboundedAbove;
  LpSolution solution_;
  LpBasis basis_;
};

}  // namespace lacuna::attack
