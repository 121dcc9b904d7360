// SPDX-License-Identifier: Apache-2.0
#include "attack/evidence_check.h"

#include <algorithm>
#include <unordered_map>

#include "base/rational.h"

namespace lacuna {
namespace {

// Longer numbers never come from a table; refusing them keeps hostile certificates cheap.
constexpr std::size_t kMaxBits = std::size_t{1} << 16U;

bool too_long(const Integer& number) {
  return mpz_sizeinbase(number.get_mpz_t(), 2) > kMaxBits;
}

Integer as_integer(Units value) {
  return {static_cast<long>(value)};
}

Error refuse(std::string message) {
  return {ErrorCode::kBadInput, std::move(message), "evidence"};
}

Status check_form(const Table& table, const Displacement& witness) {
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

Status check_balance(const Table& table, const Displacement& witness) {
  std::unordered_map<EquationId, Integer> sums;
  sums.reserve(witness.cells.size() * 3);
  for (std::size_t i = 0; i < witness.cells.size(); ++i) {
    for (const Incidence& incidence : table.equations_of(witness.cells[i])) {
      sums[incidence.equation] += witness.moves[i] * incidence.coefficient;
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
    const Integer& move = witness.moves[i];
    const bool too_high =
        room.up != kUnboundedAbove && move > as_integer(room.up) * witness.denominator;
    const bool too_low =
        room.down != kUnboundedAbove && -move > as_integer(room.down) * witness.denominator;
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
  const Integer& move = witness.moves[static_cast<std::size_t>(at - witness.cells.begin())];
  return make_fraction(move * sign(direction), witness.denominator);
}

std::optional<Fraction> proven_bound(const Table& table,
                                     std::span<const Room> rooms,
                                     CellId cell,
                                     Direction direction,
                                     const Multipliers& proof) {
  if (proof.equations.size() != proof.values.size())
    return std::nullopt;
  if (proof.denominator < 1 || too_long(proof.denominator))
    return std::nullopt;
  std::unordered_map<CellId, Integer> reduced;  // d_i times the denominator
  reduced[cell] = proof.denominator * sign(direction);
  for (std::size_t j = 0; j < proof.equations.size(); ++j) {
    const EquationId equation = proof.equations[j];
    if (equation.value < 0 || equation.value >= table.num_equations())
      return std::nullopt;
    if (too_long(proof.values[j]))
      return std::nullopt;
    if (j > 0 && !(proof.equations[j - 1] < equation))
      return std::nullopt;
    for (const Term& term : table.equation(equation))
      reduced[term.cell] -= proof.values[j] * term.coefficient;
  }
  Integer bound = 0;
  for (const auto& [other, d] : reduced) {
    if (d == 0)
      continue;
    const Room& room = rooms[static_cast<std::size_t>(other.value)];
    const Units toward = d > 0 ? room.up : room.down;
    if (toward == kUnboundedAbove)
      return std::nullopt;
    bound += abs(d) * as_integer(toward);
  }
  return make_fraction(bound, proof.denominator);
}

}  // namespace lacuna
