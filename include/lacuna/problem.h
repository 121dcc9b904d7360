// SPDX-License-Identifier: Apache-2.0
// What must hold of a release: attackers, and for each the protection levels of sensitive cells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/result.h"
#include "lacuna/table.h"
#include "lacuna/units.h"

namespace lacuna {

struct Knowledge {  // what an attacker knows of one cell beyond what every outsider knows
  CellId cell;
  Bounds bounds;
  bool operator==(const Knowledge&) const = default;
};

struct Attacker {
  std::string name;
  std::vector<Knowledge> known;  // strictly increasing cells; bounds contain the value
  bool operator==(const Attacker&) const = default;
};

// For the interval [low, high] that the attacker can infer for the cell with value a:
// high >= a + upper, low <= a - lower, high - low >= sliding (thesis (3.5); UPL, LPL, SPL).
// All three zero still means that the cell may not be published as it is.
struct Requirement {
  CellId cell;
  std::int32_t attacker = 0;  // index into Problem::attackers
  Units lower = 0;
  Units upper = 0;
  Units sliding = 0;
  bool operator==(const Requirement&) const = default;
};

struct Problem {
  Table table;
  std::vector<Attacker> attackers;        // never empty; the first is the outsider
  std::vector<Requirement> requirements;  // sorted by (cell, attacker), at most one each
};

// The outsider: knows the structure, what is published, and the prior bounds.
Attacker outsider();

// What the attacker knows of a cell that is withheld: the prior and the attacker's own knowledge.
Bounds known_bounds(const Table& table, const Attacker& attacker, CellId cell);

// Puts a problem together: sorts requirements, adds zero-level ones for primaries without any,
// and checks that the levels are non-negative, that the cell may be withheld, that every
// attacker's knowledge contains the values, and that each level fits inside the attacker's own
// bounds (a level that no release can meet is an error that says so).
Result<Problem> make_problem(Table table,
                             std::vector<Attacker> attackers,
                             std::vector<Requirement> requirements);

// The same problem with `decimals` digits after the point (at least as many as it has). Errors:
// fewer decimals than the table has, numbers that do not fit.
Result<Problem> with_decimals(const Problem& problem, int decimals);

}  // namespace lacuna
