// SPDX-License-Identifier: Apache-2.0
// Capacity cuts of the interval problem. For multipliers g of the equations, d = s e_p - M'g gives
//   sum_i d+_i z+_i + d-_i z-_i >= level
// (Figure 7 of Salazar-Gonzalez 2002; (3.24) and (3.26) of the thesis), for whatever g.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "protect/interval/model.h"

namespace lacuna::interval {

// sum of coefficients times z + constant >= level of the need in this direction.
struct Cut {
  Goal goal;
  std::vector<std::pair<std::size_t, double>> terms;  // ends that are priced, ascending
  double constant = 0;
  // Where the model keeps them: d by cell, and the multipliers, if it is made of them.
  attacker::Move slopes{};
  std::vector<attacker::Multiplier> multipliers{};
  double value(std::span<const double> z) const;
};

// The cut of multipliers. Where the attacker's own limit is below z, the limit stands in the cut
// instead of the variable.
Cut make_cut(const Model& model,
             const Goal& goal,
             std::span<const attacker::Multiplier> multipliers,
             std::span<const double> z);
// That of d by cell, ascending.
Cut make_cut(const Model& model,
             const Goal& goal,
             const attacker::Move& coefficients,
             std::span<const double> z);
// That of neither: the need's own end.
Cut own_cut(const Model& model, const Goal& goal, std::span<const double> z);

}  // namespace lacuna::interval
