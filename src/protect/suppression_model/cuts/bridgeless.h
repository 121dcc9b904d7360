// SPDX-License-Identifier: Apache-2.0
// Bridgeless inequalities (Fischetti and Salazar-Gonzalez 2001). In a pattern of least weight no
// secondary can be computed exactly from what is published: publishing it would leave every
// attacker as uncertain as before. So if cell h is withheld, some displacement moves it, and for
// every d with z_h = sum_{i != h} d_i z_i some cell i with d_i != 0 is withheld too:
//
//   x_h <= sum_{i != h, d_i != 0} x_i.
//
// Each equation through h gives one such d; others come from the attacker problem with slack x_i
// around every cell. Where a cell that is always withheld has d_i != 0 the inequality says nothing.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "protect/suppression_model/cuts/cut.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression_model {

// The most violated inequality of one equation at x; nothing if none is violated.
std::optional<Cut> bridgeless_row(const SuppressModel& model,
                                  std::int32_t equation,
                                  std::span<const double> x);

// From a dual vector d (local cell and entry) with z_h = d'z for column h; nothing if d is e_h.
std::optional<Cut> bridgeless_cut(const SuppressModel& model,
                                  std::int32_t column,
                                  std::span<const std::pair<std::int32_t, double>> d);

}  // namespace lacuna::suppression_model
