// SPDX-License-Identifier: Apache-2.0
// The sum by which readers of a release get at a cell. A combination of equations, divided by what
// it has of the cell p, reads
//   y_p = b + sum_i f_i y_i ;
// what is published there is a number, and what is not, lies within what the attacker knows, so
// that y_p does. Audits prove with combinations of any length; here one of at most three equations
// is looked for that tells too much by itself, with few cells that are not published and few terms.
// It is found by elimination: an equation of the cell, and for a cell in it that is not published
// another equation that has it.
#pragma once

#include <optional>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/problem.h"
#include "lacuna/question.h"

namespace lacuna::explain {

struct SumTerm {
  CellId cell;
  Fraction factor;
  Bounds known{};  // to the attacker; the value itself if it is published
  bool is_known() const { return known.is_point(); }
};

struct Sum {
  CellId cell;
  Fraction constant;           // b, in units
  std::vector<SumTerm> terms;  // those that add first, then those that are taken away
  std::int32_t equations = 0;  // how many were combined
  std::int32_t unknown = 0;    // terms that the attacker does not know
  // How far the cell can be below and above its value as far as this sum tells; absent: any
  // distance.
  std::optional<Fraction> below, above;
};

// Whether the sum by itself tells more than the question allows. Of forms of several cells no.
bool tells_too_much(const Question& question, const Sum& sum);

// The shortest that does, within a bounded search; nothing: there is none, or none was found.
std::optional<Sum> find_short_sum(const Problem& problem,
                                  const Draft& draft,
                                  const Question& question);

// The combination that a proof of the audit makes; nothing if it has nothing of the cell.
std::optional<Sum> sum_of_proof(const Problem& problem,
                                const Draft& draft,
                                const Question& question,
                                const Multipliers& proof);

}  // namespace lacuna::explain
