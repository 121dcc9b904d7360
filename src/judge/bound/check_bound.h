// SPDX-License-Identifier: Apache-2.0
// The check of a log of the bound (lacuna/bound_log.h): every step is computed again from the table
// in whole numbers, no solver takes part, and nothing in the log is taken on trust. The equations
// are those of docs/proof.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/exact.h"
#include "lacuna/bound_log.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::bound {

// sum of values times x is at least rhs; x of cells that stand for their ties, by cell.
struct Inequality {
  std::vector<std::pair<std::int32_t, mpz_class>> terms;  // ascending, none zero
  mpz_class rhs;
};

// The weight of a cell, exactly as its shortest decimal text says.
Fraction exact_weight(double weight);
// What is withheld in every pattern, and what may go either way, by cell.
std::vector<bool> always_withheld(const Problem& problem);
std::vector<bool> undecided_cells(const Problem& problem);

// One step after the other: what they state is known by number afterwards.
class Checker {
 public:
  explicit Checker(const Problem& problem);

  Status tie(const BoundTie& tie);
  // Errors: what the step says does not follow.
  Status add(const BoundStep& step);
  const Inequality& back() const { return rows_.back(); }
  const std::vector<Inequality>& rows() const { return rows_; }
  void forget_last() { rows_.pop_back(); }

  std::int32_t leader(std::int32_t cell) const { return leader_[static_cast<std::size_t>(cell)]; }
  // 0 or 1 where every pattern of interest has that, else -1.
  int settled(std::int32_t cell) const { return settled_[static_cast<std::size_t>(cell)]; }

  // A sum of steps against an objective, where some cells are decided: with r = weight * objective
  // less the steps, the objective is at least base / weight.
  struct Sum {
    std::vector<std::pair<std::int32_t, mpz_class>> rest;  // r, by cell, ascending
    mpz_class base;
  };
  Sum sum_of(const Inequality& objective,
             const mpz_class& weight,
             std::span<const std::int32_t> steps,
             std::span<const Integer> times,
             std::span<const std::int8_t> decided) const;
  // What no pattern below the right-hand side of the objective does: (cell, withheld).
  static std::vector<std::pair<std::int32_t, bool>> settled_by(
      const Sum& sum,
      const mpz_class& weight,
      const mpz_class& at_least,
      std::span<const std::int8_t> decided);
  // sum c_i x_i >= b in cells that stand for others, less what is settled, and no coefficient
  // larger than what is asked for.
  Inequality reduced(const std::vector<std::pair<std::int32_t, mpz_class>>& terms,
                     const mpz_class& rhs) const;
  const std::vector<std::int8_t>& settled() const { return settled_; }

 private:
  struct Amounts;  // of cells, and what has no limit
  Result<Inequality> of(const NeedStep& step) const;
  Result<Inequality> of(const BridgelessStep& step) const;
  Result<Inequality> of(const SumStep& step) const;
  Result<Inequality> of(const TreeStep& step) const;
  Result<std::vector<std::pair<std::int32_t, mpz_class>>> sum_of_equations(
      const Multipliers& sum) const;
  Status add_end(const NeedStep& step,
                 int sign,
                 const Multipliers& proof,
                 const mpz_class& times,
                 Amounts& amounts) const;
  Status check_steps(std::span<const std::int32_t> steps, std::span<const Integer> times) const;
  void learn(const Inequality& row);

  const Problem& problem_;
  std::vector<bool> always_, open_;
  std::vector<std::int32_t> leader_;
  std::vector<std::int8_t> settled_;
  std::vector<Inequality> rows_;
};

// What every pattern weighs at least that is safe by all requirements of the problem: what is
// withheld in any case, and the bound of the log. The weights are those of the problem.
Result<Fraction> check(const Problem& problem, const BoundLog& log);

}  // namespace lacuna::bound
