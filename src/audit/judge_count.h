// SPDX-License-Identifier: Apache-2.0
// From confirmed ends to the verdict on a question about counts; the rules are those that
// count_audit.h states.
#pragma once

#include <set>

#include "lacuna/audit.h"

namespace lacuna::inline audit {

struct CountFacts {         // beside the ends
  bool published = false;   // the release says the number of the cell
  std::set<Integer> moves;  // of the form, that witnesses show, the truth (0) included
  Integer step = 1;         // every move is a multiple of it
  Integer missing = 0;      // numbers between the ends that the release itself rules out
};

Units form_value(const Table& table, const LinearForm& form);
void judge(const Problem& problem, const CountFacts& facts, CountFinding& finding);

// How far the form must be able to move for the verdict; 0: that does not matter.
struct CountLevels {
  Integer low = 0, high = 0;
  bool either = false;  // one of the two is enough
};
CountLevels levels_of(const Problem& problem, const CountQuestion& question);
const Requirement& requirement_of(const Problem& problem, const CountQuestion& question);

}  // namespace lacuna::inline audit
