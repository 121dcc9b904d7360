// SPDX-License-Identifier: Apache-2.0
#include "judge/bound/check_intervals.h"

#include <algorithm>

#include "core/base/index.h"
#include "core/base/rational.h"
#include "judge/attack/slack.h"
#include "judge/bound/check_bound.h"
#include "judge/bound/slopes.h"

namespace lacuna::bound {
namespace {

class Needs {
 public:
  Needs(const Problem& problem, const std::vector<Integer>& values, const mpz_class& weight)
      : problem_(problem), priced_(priced_cells(problem)), withheld_(withheld_cells(problem)) {
    for (const Integer& value : values) {
      for ([[maybe_unused]] const int side : {1, -1})
        left_.push_back(weight * base::gmp(value));
    }
  }

  Status add(const NeedStep& step) {
    if (step.requirement < 0 || step.requirement >= std::ssize(problem_.requirements()))
      return refuse("it names a requirement that is not there");
    const Requirement& need = problem_.requirements()[base::at(step.requirement)];
    const mpz_class high = step.side == BoundSide::kLow ? 0 : base::gmp(step.high.denominator);
    const mpz_class low = step.side == BoundSide::kHigh ? 0 : base::gmp(step.low.denominator);
    const mpz_class both = base::to_integer(need.sliding) - base::to_integer(need.upper) -
                           base::to_integer(need.lower);
    total_ += high * base::to_integer(need.upper) + low * base::to_integer(need.lower);
    if (both > 0)
      total_ += std::min(high, low) * both;
    if (step.side != BoundSide::kLow)
      LACUNA_RETURN_IF_ERROR(pay(need, 1, step.high));
    if (step.side != BoundSide::kHigh)
      LACUNA_RETURN_IF_ERROR(pay(need, -1, step.low));
    return ok_status();
  }

  const mpz_class& total() const { return total_; }

 private:
  // (28): the right-hand side, cell by cell.
  Status pay(const Requirement& need, int sign, const Multipliers& proof) {
    const Table& table = problem_.table();
    LACUNA_TRY(const Terms t, slopes(table, need.cell, sign, proof));
    const Attacker& attacker = problem_.attackers()[base::at(need.attacker)];
    for (const auto& [cell, factor] : t) {
      if (!priced_[base::at(cell)] && !withheld_[base::at(cell)])
        continue;
      const CellId id{cell};
      mpz_class owed = ::abs(factor);
      if (priced_[base::at(cell)]) {
        mpz_class& left = left_[2 * base::at(cell) + (factor > 0 ? 0 : 1)];
        const mpz_class paid = std::min(left, owed);
        left -= paid;
        owed -= paid;
      }
      const attack::Slack slack =
          attack::slack_within(table.value(id), known_bounds(table, attacker, id));
      const Units room = slack.toward(sgn(factor));
      if (owed > 0 && room == kUnboundedAbove)
        return refuse("an end without limit has to pay more than it costs");
      if (owed > 0)
        total_ -= owed * base::to_integer(room);
    }
    return ok_status();
  }

  const Problem& problem_;
  std::vector<bool> priced_, withheld_;
  std::vector<mpz_class> left_;  // by end, up before down
  mpz_class total_;
};

}  // namespace

std::vector<bool> priced_cells(const Problem& problem) {
  std::vector<bool> priced;
  for (const Cell& cell : problem.table().cells())
    priced.push_back(cell.status == CellStatus::kPrimary || cell.status == CellStatus::kFree);
  return priced;
}

std::vector<bool> withheld_cells(const Problem& problem) {
  std::vector<bool> withheld;
  for (const Cell& cell : problem.table().cells())
    withheld.push_back(cell.status == CellStatus::kSecondary);
  return withheld;
}

Result<Integer> sum_of_needs(const Problem& problem,
                             const std::vector<Integer>& values,
                             const IntervalBound& log) {
  if (log.weight.sign() <= 0)
    return refuse("a weight is not positive");
  Needs needs(problem, values, base::gmp(log.weight));
  for (std::size_t s = 0; s < log.needs.size(); ++s) {
    if (const Status added = needs.add(log.needs[s]); !added)
      return refuse("need " + std::to_string(s) + ": " + added.error().message);
  }
  return Integer(needs.total());
}

// Ends are whole units, so what costs more than n - 1 costs n.
Result<Fraction> check_intervals(const Problem& problem, const BoundLog& log) {
  const mpq_class per_unit(1, base::ten_to_the(problem.table().decimals()));
  LACUNA_TRY(const std::vector<Integer> values,
             checked_values(problem, priced_cells(problem), Fraction(per_unit), log));
  LACUNA_TRY(const Integer total, sum_of_needs(problem, values, *log.intervals));
  const mpz_class& at_least = base::gmp(log.at_least);
  if (at_least > 0 && base::gmp(total) <= base::gmp(log.intervals->weight) * (at_least - 1))
    return refuse("the needs come to less than the bound");
  return Fraction(mpq_class(base::gmp(log.unit) * mpq_class(at_least)));
}

}  // namespace lacuna::bound
