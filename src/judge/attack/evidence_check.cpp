// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/evidence_check.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <type_traits>
#include <utility>

#include "core/base/index.h"
#include "core/base/rational.h"
#include "core/base/work.h"
#include "judge/attack/touches.h"

namespace lacuna::attack {
namespace {

// Longer numbers never come from a table; refusing them keeps hostile certificates cheap.
constexpr std::size_t kMaxBits = std::size_t{1} << 16U;

bool too_long(const Integer& number) {
  return mpz_sizeinbase(base::gmp(number).get_mpz_t(), 2) > kMaxBits;
}

Error refuse(std::string message) {
  return {ErrorCode::kWrongEvidence, std::move(message), "evidence"};
}

Status check_lists(const Table& table, const Displacement& witness) {
  if (witness.cells.size() != witness.moves.size())
    return refuse("a witness has cells without moves");
  if (witness.denominator < 1 || too_long(witness.denominator)) {
    return refuse("a witness has a denominator out of range");
  }
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    const CellId cell = witness.cells[i];
    if (cell.value < 0 || cell.value >= table.num_cells())
      return refuse("a witness moves a cell that does not exist");
    if (i > 0 && !(witness.cells[i - 1] < cell))
      return refuse("the cells of a witness are not in order");
    if (too_long(witness.moves[i]))
      return refuse("a witness has a move out of range");
  }
  return ok_status();
}

// sums[key] += number * coefficient for many keys: a list that is sorted and added up once is
// several times faster than a map.
template <class Key, class Number>
class Tally {
 public:
  void reserve(std::size_t size) { entries_.reserve(size); }
  void add(Key key, Number amount) { entries_.emplace_back(key, std::move(amount)); }

  // visit(key, sum) for every key whose sum is not zero; stops when visit returns false.
  template <class Visit>
  bool for_each_sum(Visit&& visit) {
    std::sort(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
      return a.first < b.first;
    });
    for (std::size_t i = 0; i < entries_.size();) {
      Number sum = entries_[i].second;
      const Key key = entries_[i].first;
      for (++i; i < entries_.size() && entries_[i].first == key; ++i)
        sum += entries_[i].second;
      if (sum != 0 && !visit(key, sum))
        return false;
    }
    return true;
  }

 private:
  std::vector<std::pair<Key, Number>> entries_;
};

// Numbers short enough that products with coefficients and sums of a million of them fit 128 bits.
bool all_short(const std::vector<Integer>& numbers, const Integer& denominator) {
  constexpr std::size_t kShortBits = 62;
  const auto is_short = [](const Integer& number) {
    return mpz_sizeinbase(base::gmp(number).get_mpz_t(), 2) <= kShortBits;
  };
  return is_short(denominator) && std::all_of(numbers.begin(), numbers.end(), is_short);
}

template <class Number>
Number convert(const Integer& number) {
  if constexpr (std::is_same_v<Number, Integer>) {
    return number;
  } else {
    return Number{base::to_units(number)};
  }
}

template <class Number>
Status check_balance_in(const Table& table, const Displacement& witness) {
  Tally<EquationId, Number> tally;
  tally.reserve(witness.cells.size() * 4);
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    const Number move = convert<Number>(witness.moves[i]);
    for (const Incidence& incidence : table.equations_of(witness.cells[i]))
      tally.add(incidence.equation, move * incidence.coefficient);
  }
  EquationId broken;
  const bool balanced = tally.for_each_sum([&](EquationId equation, const Number&) {
    broken = equation;
    return false;
  });
  if (!balanced)
    return refuse("a witness breaks " + table.label(broken));
  return ok_status();
}

Status check_balance(const Table& table, const Displacement& witness) {
  return all_short(witness.moves, witness.denominator) ? check_balance_in<Wide>(table, witness)
                                                       : check_balance_in<Integer>(table, witness);
}

Integer absolute(const Integer& number) {
  return abs(number);
}
Integer absolute(Wide number) {
  return base::to_integer(number < 0 ? -number : number);
}

// sum_i max(d_i up_i, -d_i down_i) times the denominator, with d = s f - M'g; nothing if infinite.
template <class Number>
std::optional<Integer> dual_bound(const Table& table,
                                  std::span<const Slack> slacks,
                                  std::span<const Term> form,
                                  Direction direction,
                                  const Multipliers& proof) {
  Tally<CellId, Number> tally;
  for (const Term& term : form) {
    tally.add(term.cell, convert<Number>(proof.denominator) * (sign(direction) * term.coefficient));
  }
  std::int64_t terms = std::ssize(form);
  for (std::size_t j = 0; j < proof.equations.size(); ++j) {
    const Number value = convert<Number>(proof.values[j]);
    terms += std::ssize(table.equation(proof.equations[j]));
    for (const Term& term : table.equation(proof.equations[j])) {
      // Cells without slack drop out whatever their d.
      if (!slacks[static_cast<std::size_t>(term.cell.value)].none())
        tally.add(term.cell, -value * term.coefficient);
    }
  }
  base::count_work(kAttackTouches.evidence_term * terms);
  Integer bound = 0;
  const bool finite = tally.for_each_sum([&](CellId other, const Number& d) {
    const Slack& slack = slacks[static_cast<std::size_t>(other.value)];
    const Units toward = d > 0 ? slack.up : slack.down;
    if (toward == kUnboundedAbove)
      return false;
    bound += absolute(d) * base::to_integer(toward);
    return true;
  });
  if (!finite)
    return std::nullopt;
  return bound;
}

}  // namespace

Integer rounded_to_step(const Integer& number, const Integer& q) {
  Integer result;
  mpz_fdiv_q(
      base::gmp(result).get_mpz_t(), base::gmp(number).get_mpz_t(), base::gmp(q).get_mpz_t());
  return result * q;
}

namespace {

bool is_within(const Slack& slack, const Integer& move, const Integer& denominator) {
  const bool too_high =
      slack.up != kUnboundedAbove && move > base::to_integer(slack.up) * denominator;
  const bool too_low =
      slack.down != kUnboundedAbove && -move > base::to_integer(slack.down) * denominator;
  return !too_high && !too_low;
}

}  // namespace

bool keeps_within(std::span<const KnownSlack> slacks, const Displacement& witness) {
  for (const KnownSlack& known : slacks) {
    const auto at = std::lower_bound(witness.cells.begin(), witness.cells.end(), known.cell);
    if (at == witness.cells.end() || *at != known.cell)
      continue;
    const Integer& move = witness.moves[static_cast<std::size_t>(at - witness.cells.begin())];
    if (!is_within(known.slack, move, witness.denominator))
      return false;
  }
  return true;
}

Status check_displacement(const Table& table,
                          std::span<const Slack> slacks,
                          const Displacement& witness) {
  base::count_work(kAttackTouches.evidence_cell * (1 + std::ssize(witness.cells)));
  LACUNA_RETURN_IF_ERROR(check_lists(table, witness));
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    const Slack& slack = slacks[static_cast<std::size_t>(witness.cells[i].value)];
    if (!is_within(slack, witness.moves[i], witness.denominator)) {
      return refuse("a witness moves " + table.label(witness.cells[i]) +
                    " beyond what the attacker knows");
    }
  }
  return check_balance(table, witness);
}

Status check_ray(const Table& table, std::span<const Slack> slacks, const Displacement& ray) {
  base::count_work(kAttackTouches.evidence_cell * (1 + std::ssize(ray.cells)));
  LACUNA_RETURN_IF_ERROR(check_lists(table, ray));
  for (std::size_t i = 0; i < ray.cells.size(); ++i) {
    const Slack& slack = slacks[static_cast<std::size_t>(ray.cells[i].value)];
    const Units toward = ray.moves[i] > 0 ? slack.up : slack.down;
    if (ray.moves[i] != 0 && toward != kUnboundedAbove) {
      return refuse("a ray moves " + table.label(ray.cells[i]) + " beyond what the attacker knows");
    }
  }
  return check_balance(table, ray);
}

Fraction displacement_of(const Displacement& witness, CellId cell, Direction direction) {
  const auto at = std::lower_bound(witness.cells.begin(), witness.cells.end(), cell);
  if (at == witness.cells.end() || *at != cell)
    return {};
  const Integer& move = witness.moves[static_cast<std::size_t>(at - witness.cells.begin())];
  return base::make_fraction(move * sign(direction), witness.denominator);
}

Fraction displacement_of(const Displacement& witness,
                         std::span<const Term> form,
                         Direction direction) {
  Fraction sum;
  for (const Term& term : form)
    sum += term.coefficient * displacement_of(witness, term.cell, direction);
  return sum;
}

bool well_formed(const Table& table, const Multipliers& proof) {
  if (proof.equations.size() != proof.values.size())
    return false;
  if (proof.denominator < 1 || too_long(proof.denominator))
    return false;
  for (std::size_t j = 0; j < proof.equations.size(); ++j) {
    const EquationId equation = proof.equations[j];
    if (equation.value < 0 || equation.value >= table.num_equations())
      return false;
    if (too_long(proof.values[j]))
      return false;
    if (j > 0 && !(proof.equations[j - 1] < equation))
      return false;
  }
  return true;
}

std::optional<Fraction> proven_bound(const Table& table,
                                     std::span<const Slack> slacks,
                                     CellId cell,
                                     Direction direction,
                                     const Multipliers& proof) {
  const Term one{cell, 1};
  return proven_bound(table, slacks, std::span<const Term>(&one, 1), direction, proof);
}

std::optional<Fraction> proven_bound(const Table& table,
                                     std::span<const Slack> slacks,
                                     std::span<const Term> form,
                                     Direction direction,
                                     const Multipliers& proof) {
  if (!well_formed(table, proof))
    return std::nullopt;
  const auto bound = all_short(proof.values, proof.denominator)
                         ? dual_bound<Wide>(table, slacks, form, direction, proof)
                         : dual_bound<Integer>(table, slacks, form, direction, proof);
  if (!bound)
    return std::nullopt;
  return base::make_fraction(*bound, proof.denominator);
}

bool is_empty(const Slack& slack) {
  return slack.up != kUnboundedAbove && slack.down != kUnboundedAbove &&
         Wide{slack.up} + slack.down < 0;
}

Status check_form(const Table& table, std::span<const Term> form) {
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i].cell.value < 0 || form[i].cell.value >= table.num_cells())
      return refuse("a form names a cell that does not exist");
    if (i > 0 && !(form[i - 1].cell < form[i].cell))
      return refuse("the cells of a form are not in order");
  }
  return ok_status();
}

Status check_integer_witness(const Table& table,
                             std::span<const Slack> slacks,
                             const Displacement& witness,
                             const Holes& holes) {
  if (witness.denominator != 1)
    return refuse("a witness for counts is not in whole numbers");
  if (!holes.admit(witness))
    return refuse("a witness takes a number that the attacker can rule out");
  return check_displacement(table, slacks, witness);
}

Status check_step(const Table& table,
                  std::span<const Slack> slacks,
                  std::span<const Term> form,
                  const Step& step) {
  LACUNA_RETURN_IF_ERROR(check_form(table, form));
  if (step.q < 1 || !well_formed(table, step.h))
    return refuse("a step is malformed");
  const Integer scale = step.q * step.h.denominator;
  std::map<CellId, Integer> sums;  // (f/q - M'h) scale
  for (const Term& term : form)
    sums[term.cell] += step.h.denominator * term.coefficient;
  std::int64_t terms = std::ssize(form);
  for (std::size_t j = 0; j < step.h.equations.size(); ++j) {
    const Integer value = step.h.values[j] * step.q;
    terms += std::ssize(table.equation(step.h.equations[j]));
    for (const Term& term : table.equation(step.h.equations[j]))
      sums[term.cell] -= value * term.coefficient;
  }
  base::count_work(kAttackTouches.evidence_cell * terms);
  for (const auto& [cell, sum] : sums) {
    if (!slacks[base::at(cell)].none() &&
        !mpz_divisible_p(base::gmp(sum).get_mpz_t(), base::gmp(scale).get_mpz_t()))
      return refuse("a step is not whole on " + table.label(cell));
  }
  return ok_status();
}

std::optional<Integer> proven_integer_bound(const Table& table,
                                            std::span<const Slack> slacks,
                                            std::span<const Term> form,
                                            Direction direction,
                                            const Multipliers& proof,
                                            const Step* step) {
  const auto real = proven_bound(table, slacks, form, direction, proof);
  if (!real)
    return std::nullopt;
  const Integer whole = base::rounded_down(*real);
  return step != nullptr ? rounded_to_step(whole, step->q) : whole;
}

}  // namespace lacuna::attack
