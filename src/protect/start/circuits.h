// SPDX-License-Identifier: Apache-2.0
// Displacements out of a tableau (kernel_tableau.h): the circuit of a nonbasic cell, its residues
// turned into the small fractions they stand for (Wang 1981) and checked in integers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "judge/presolve/kernel_tableau.h"
#include "protect/start/board.h"
#include "protect/start/ledger.h"
#include "protect/start/route.h"

namespace lacuna::start {

// The fraction with small numerator and denominator that a residue stands for, if there is one.
struct SmallFraction {
  std::int64_t above = 0, below = 1;  // below > 0
};
std::optional<SmallFraction> small_fraction(std::uint32_t value);

// Nothing if the numbers are not small.
std::optional<Steps> steps_of_circuit(const Table& table,
                                      const presolve::KernelTableau& tableau,
                                      std::int32_t nonbasic);

struct Circuits {
  std::vector<Steps> steps;  // the longest first
  std::size_t unserved = 0;  // needs that none of them serves
};

// For every need a short circuit that serves it within the rooms, as far as there is one.
Circuits find_circuits(const Board& board,
                       const presolve::KernelTableau& tableau,
                       const std::vector<Need>& needs);

}  // namespace lacuna::start
