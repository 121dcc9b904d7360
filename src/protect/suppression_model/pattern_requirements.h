// SPDX-License-Identifier: Apache-2.0
// What a pattern of withheld cells has to meet: the requirements of the problem and, with
// SuppressOptions::minimum_width, the conditional levels of the framework's conclusion
// (Salazar-Gonzalez): a cell i that is withheld must be uncertain to the outsider by
//   W_i = max(1, ceil(minimum_width / 100 * |a_i|)) units,  high_i - low_i >= W_i x_i.
// For cells that are withheld in every pattern this is a sliding level; for the others it holds
// only if x_i = 1. The percentage counts to six decimals.
#pragma once

#include <vector>

#include "judge/presolve/merged.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::suppression_model {

struct PatternRequirement {
  Requirement levels;
  bool conditional = false;  // only if the cell is withheld
};

// W_i in units; zero if there is no such requirement.
Units least_width(const Cell& cell, double minimum_width);

// Sorted by (cell, attacker), at most one each.
std::vector<PatternRequirement> all_pattern_requirements(const Problem& problem,
                                                         double minimum_width);

// The problem that an audit of the pattern has to look at: conditional levels of the cells that it
// withholds are requirements. The same problem if there is no minimum width.
Problem problem_of_pattern(const Problem& problem, double minimum_width, const Draft& pattern);

// Weight of all that a draft withholds.
double withheld_weight(const Table& table, const Draft& draft);

}  // namespace lacuna::suppression_model
