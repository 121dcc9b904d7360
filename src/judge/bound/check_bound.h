// SPDX-License-Identifier: Apache-2.0
// The check of a log of the bound (lacuna/bound_log.h): every step is computed again from the table
// in whole numbers, no solver takes part, and nothing in the log is taken on trust. The equations
// are those of docs/proof.md; those of intervals are in check_intervals.h, of adjusted tables in
// check_tables.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/exact.h"
#include "lacuna/bound_log.h"
#include "lacuna/draft.h"
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

// The weights of the log by cell, if it names just these cells and what one unit of each costs:
// the weight of the problem, times `per_unit`.
Result<std::vector<Integer>> checked_values(const Problem& problem,
                                            const std::vector<bool>& cells,
                                            const Fraction& per_unit,
                                            const BoundLog& log);

// The counterpart: names these cells and their weights in the log, in the largest unit of which all of
// them are multiples, divided by `finer`. By cell.
std::vector<Integer> write_values(const Problem& problem,
                                  const std::vector<bool>& cells,
                                  const Fraction& per_unit,
                                  const Integer& finer,
                                  BoundLog& log);

// What every release of the kind costs at least that meets all requirements of the problem: of
// patterns what is withheld in any case, and the bound of the log. The weights are those of the
// problem.
Result<Fraction> check(const Problem& problem, const BoundLog& log);

// In decimals; what is longer than 15 characters is rounded down to 12 digits.
std::string bound_in_words(const Fraction& bound);

// What a released cell is charged for at its weight, in the kind of the log: 1 where it is withheld;
// the width of its interval; how far its number is off, to the power of the norm. Nothing: a cell
// that might have an interval says nothing at all, so that its width has no end.
std::optional<Fraction> how_much(const CellEntry& entry, const Cell& cell, int decimals, const BoundLog& log);

}  // namespace lacuna::bound
