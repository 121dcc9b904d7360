// SPDX-License-Identifier: Apache-2.0
// Displacements out of a tableau (kernel_tableau.h): the circuit of a nonbasic cell, its residues
// turned into the small fractions they stand for (Wang 1981) and checked in integers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "judge/presolve/kernel_tableau.h"
#include "protect/start/pattern_state.h"
#include "protect/start/route.h"
#include "protect/start/route_assignment.h"

namespace lacuna::start {

// The fraction with small numerator and denominator that a residue stands for, if there is one.
struct SmallFraction {
  std::int64_t above = 0, below = 1;  // below > 0
};
std::optional<SmallFraction> small_fraction(std::uint32_t value);

// Nothing if the numbers are not small.
std::optional<Route> steps_of_circuit(const Table& table,
                                      const presolve::KernelTableau& tableau,
                                      std::int32_t nonbasic);

struct Circuits {
  std::vector<Route> steps;  // the longest first
  std::size_t unserved = 0;  // goals that none of them serves
};

// For every goal a short circuit that serves it within the slacks, as far as there is one.
Circuits find_circuits(const PatternState& pattern_state,
                       const presolve::KernelTableau& tableau,
                       const std::vector<RouteGoal>& goals);

}  // namespace lacuna::start
