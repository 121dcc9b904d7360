// SPDX-License-Identifier: Apache-2.0
// How much a release does not say, in the four measures of section 3.4.1 of the thesis:
//   I   the number of cells that are not published as they are,
//   II  the sum of their values,
//   III the sum of the widths of what can be inferred for them (suppression intervals),
//   IV  the number of contributions to them.
#pragma once

#include <cstdint>
#include <string>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::inline report {

struct InformationLoss {
  std::int64_t cells = 0;          // I
  Wide value = 0;                  // II, in units
  bool has_width = true;           // false: an interval has no end
  bool exact_width = true;         // every width is proven; else published ends or priors bound it
  Fraction width = 0;              // III, in units; for the outsider
  bool has_contributions = true;   // false: frequencies are not known
  std::int64_t contributions = 0;  // IV
};

// Widths come from the exact ends of the report where it has them, else from what is published and
// known anyway, which is an upper bound.
InformationLoss information_loss(const Problem& problem,
                                 const Draft& draft,
                                 const AuditReport& report);

// {"cells":..,"value":..,"width":..,"width_exact":..,"contributions":..}; null where there is none.
std::string information_loss_json(const InformationLoss& loss, int decimals);

}  // namespace lacuna::inline report
