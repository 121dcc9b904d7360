// SPDX-License-Identifier: Apache-2.0
// One number that stands for every number of a problem, to compare runs and machines. The order of
// equations and of their terms does not count; it is not the generator's.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "lacuna/problem.h"

namespace lacuna::testing_support {

class Digest {  // FNV-1a, 64 bits
 public:
  void add(std::uint64_t number) {
    for (unsigned shift = 0; shift < 64; shift += 8)
      add_byte((number >> shift) & 0xffU);
  }
  void add(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }
  void add(std::int32_t number) { add(static_cast<std::int64_t>(number)); }
  void add(std::string_view text) {
    for (const char c : text)
      add_byte(static_cast<unsigned char>(c));
    add_byte(0);
  }
  std::uint64_t value() const { return state_; }

 private:
  void add_byte(std::uint64_t byte) { state_ = (state_ ^ byte) * 0x100000001b3ULL; }
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

inline std::uint64_t digest_of_equations(const Table& table) {
  std::uint64_t sum = 0;
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    std::uint64_t terms = 0;
    for (const Term& term : table.equation(EquationId{e})) {
      Digest one;
      one.add(term.cell.value);
      one.add(term.coefficient);
      terms += one.value();
    }
    Digest equation;
    equation.add(terms);
    equation.add(table.rhs(EquationId{e}));
    sum += equation.value();
  }
  return sum;
}

inline std::uint64_t digest_of(const Problem& problem) {
  const Table& table = problem.table();
  Digest digest;
  digest.add(table.decimals());
  for (const Dimension& dimension : table.dimensions()) {
    digest.add(dimension.name());
    for (const std::string& code : dimension.codes())
      digest.add(code);
  }
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const Cell& cell = table.cell(CellId{c});
    for (const std::int32_t code : table.codes(CellId{c}))
      digest.add(code);
    digest.add(cell.value);
    digest.add(cell.prior.lower);
    digest.add(cell.prior.upper);
    digest.add(std::bit_cast<std::uint64_t>(cell.weight));
    digest.add(cell.frequency);
    digest.add(static_cast<std::int32_t>(cell.status));
  }
  digest.add(digest_of_equations(table));
  for (const Attacker& attacker : problem.attackers()) {
    digest.add(attacker.name);
    for (const Knowledge& known : attacker.known) {
      digest.add(known.cell.value);
      digest.add(known.bounds.lower);
      digest.add(known.bounds.upper);
    }
  }
  for (const Requirement& need : problem.requirements()) {
    digest.add(need.cell.value);
    digest.add(need.attacker);
    digest.add(need.lower);
    digest.add(need.upper);
    digest.add(need.sliding);
  }
  return digest.value();
}

}  // namespace lacuna::testing_support
