// SPDX-License-Identifier: Apache-2.0
// What a release is still good for, and how far it is from giving something away, in numbers that
// compare methods of any kind.
//
// Utility: the percentage deviation 100 |x_i - a_i| / |a_i| of what a reader would take for the
// value: the number that is published, or the middle of what can be inferred of a cell that is
// withheld or an interval (Tables 11 to 13 of Castro, Frangioni and Gentile for adjusted tables).
// Risk: the width of what an attacker can infer, divided by the width that the levels ask for, for
// each requirement; 1 is just enough. Of an adjusted table: how far the published number is from
// the true one, divided by the level on that side.
#pragma once

#include <cstdint>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::inline report {

struct Utility {
  std::int64_t cells = 0;    // with a value other than 0 and an estimate; exact ones included
  std::int64_t without = 0;  // with a value other than 0 and no estimate: an end is not known
  std::int64_t changed = 0;  // cells with a deviation other than 0
  double mean_percent = 0;   // over `cells`
  double max_percent = 0;
};

struct Risk {
  std::int64_t requirements = 0;  // that ask for a width
  std::int64_t unbounded = 0;     // whose attacker knows no end on some side
  std::int64_t tight = 0;         // ratio exactly 1
  double least_ratio = 0;         // over the bounded ones; 0 if there is none
  double mean_ratio = 0;
};

// Midpoints and widths come from the ends that the audit has confirmed (AuditOptions::intervals and
// all_withheld give exact ones).
Utility release_utility(const Problem& problem, const Draft& draft, const AuditReport& report);
Risk release_risk(const Problem& problem, const Draft& draft, const AuditReport& report);

// The width that a requirement asks for, and the one that its finding has shown, in units.
Units required_width(const Requirement& requirement);
struct ShownWidth {
  bool unbounded = false;
  double units = 0;
};
ShownWidth shown_width(const Finding& finding);

}  // namespace lacuna::inline report
