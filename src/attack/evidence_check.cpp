// SPDX-License-Identifier: Apache-2.0
#include "attack/evidence_check.h"

#include <algorithm>
#include <unordered_map>

#include "base/rational.h"

namespace lacuna {
namespace {

constexpr Wide kDenominatorLimit = Wide{1} << 31;
constexpr Wide kMoveLimit = Wide{1} << 96;

Error refuse(std::string message) {
  return {ErrorCode::kBadInput, std::move(message), "evidence"};
}

Status check_form(const Table& table, const Displacement& witness) {
  if (witness.cells.size() != witness.moves.size())
    return refuse("a witness has cells without moves");
  if (witness.denominator < 1 || witness.denominator >= kDenominatorLimit) {
    return refuse("a witness has a denominator out of range");
  }
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    const CellId cell = witness.cells[i];
    if (cell.value < 0 || cell.value >= table.num_cells())
      return refuse("a witness moves a cell that does not exist");
    if (i > 0 && !(witness.cells[i - 1] < cell))
      return refuse("the cells of a witness are not in order");
    if (witness.moves[i] >= kMoveLimit || witness.moves[i] <= -kMoveLimit) {
      return refuse("a witness has a move out of range");
    }
  }
  return ok_status();
}

// sum += move * coefficient; false if it leaves 128 bits, where a wrong sum could look right.
bool add_product(Wide& sum, Wide move, std::int32_t coefficient) {
  Wide product = 0;
  return !__builtin_mul_overflow(move, Wide{coefficient}, &product) &&
         !__builtin_add_overflow(sum, product, &sum);
}

Status check_balance(const Table& table, const Displacement& witness) {
  std::unordered_map<EquationId, Wide> sums;
  sums.reserve(witness.cells.size() * 3);
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    for (const Incidence& incidence : table.equations_of(witness.cells[i])) {
      if (!add_product(sums[incidence.equation], witness.moves[i], incidence.coefficient))
        return refuse("the moves of a witness are out of range");
    }
  }
  for (const auto& [equation, sum] : sums) {
    if (sum != 0)
      return refuse("a witness breaks " + table.label(equation));
  }
  return ok_status();
}

}  // namespace

Status check_displacement(const Table& table,
                          std::span<const Room> rooms,
                          const Displacement& witness) {
  LACUNA_RETURN_IF_ERROR(check_form(table, witness));
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    const Room& room = rooms[static_cast<std::size_t>(witness.cells[i].value)];
    const Wide move = witness.moves[i];
    const bool too_high = room.up != kUnboundedAbove && move > Wide{room.up} * witness.denominator;
    const bool too_low =
        room.down != kUnboundedAbove && -move > Wide{room.down} * witness.denominator;
    if (too_high || too_low) {
      return refuse("a witness moves " + table.label(witness.cells[i]) +
                    " beyond what the attacker knows");
    }
  }
  return check_balance(table, witness);
}

Status check_ray(const Table& table, std::span<const Room> rooms, const Displacement& ray) {
  LACUNA_RETURN_IF_ERROR(check_form(table, ray));
  for (std::size_t i = 0; i < ray.cells.size(); ++i) {
    const Room& room = rooms[static_cast<std::size_t>(ray.cells[i].value)];
    const Units toward = ray.moves[i] > 0 ? room.up : room.down;
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
  const Wide move = witness.moves[static_cast<std::size_t>(at - witness.cells.begin())];
  return make_fraction(move * sign(direction), witness.denominator);
}

std::optional<Fraction> proven_bound(const Table& table,
                                     std::span<const Room> rooms,
                                     CellId cell,
                                     Direction direction,
                                     const Multipliers& proof) {
  if (proof.equations.size() != proof.values.size())
    return std::nullopt;
  if (proof.denominator < 1 || proof.denominator >= kDenominatorLimit)
    return std::nullopt;
  std::unordered_map<CellId, Wide> reduced;  // d_i times the denominator
  reduced[cell] = proof.denominator * sign(direction);
  for (std::size_t j = 0; j < proof.equations.size(); ++j) {
    const EquationId equation = proof.equations[j];
    if (equation.value < 0 || equation.value >= table.num_equations())
      return std::nullopt;
    if (proof.values[j] >= kMoveLimit || proof.values[j] <= -kMoveLimit)
      return std::nullopt;
    if (j > 0 && !(proof.equations[j - 1] < equation))
      return std::nullopt;
    for (const Term& term : table.equation(equation)) {
      if (!add_product(reduced[term.cell], -proof.values[j], term.coefficient))
        return std::nullopt;
    }
  }
  mpz_class bound = 0;
  for (const auto& [other, d] : reduced) {
    if (d == 0)
      continue;
    const Room& room = rooms[static_cast<std::size_t>(other.value)];
    const Units toward = d > 0 ? room.up : room.down;
    if (toward == kUnboundedAbove)
      return std::nullopt;
    bound += to_integer(d > 0 ? d : -d) * mpz_class(static_cast<long>(toward));
  }
  mpq_class value(bound, to_integer(proof.denominator));
  value.canonicalize();
  return to_fraction(value);
}

}  // namespace lacuna
