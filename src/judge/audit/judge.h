// SPDX-License-Identifier: Apache-2.0
// From confirmed ends to a verdict: the one judge of every question. No tolerance: fractions are
// compared exactly. With [-low, high] the range of f'z that the attacker is left with, a question
// (question.h) is
//   of kind levels        exposed if high < upper, low < lower or low + high < sliding
//                         (thesis (3.5))
//   either end            exposed if high < upper and low < lower
//   a number of values    exposed if fewer are left in [-low, high]
// as proofs show, and protected if witnesses show the opposite; else undecided, which blocks a
// release as exposure does.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include "lacuna/audit.h"

namespace lacuna::audit {

// Whether the release states the value of the cell: exactly, or by a range that is a point.
bool is_published(const Table& table, const Draft& draft, CellId cell);

struct Facts {              // beside the ends
  bool published = false;   // the release says the number of the cell
  std::set<Integer> moves;  // of the form, that witnesses show, the truth (0) included
  Integer step = 1;         // every move is a multiple of it
  Integer missing = 0;      // numbers between the ends that the release itself rules out
};

// Sets verdict and reason. A reason that is there (why the search ended) stays if the question is
// undecided. What is exposed is waived where the problem says so; nothing else is.
void judge(const Problem& problem, const Facts& facts, Finding& finding);

// The verdict on a question that stands: one that asks for nothing is not called protected.
Verdict met(const Question& question);
Verdict waived(const Problem& problem, Verdict found);

// The worst of all findings; unasked if none asks anything.
Verdict overall(const AuditReport& report);

// Indices of the findings of each attacker, so that what belongs to an attacker is computed once.
std::vector<std::vector<std::size_t>> by_attacker(std::span<const Finding> findings,
                                                  std::size_t attackers);

}  // namespace lacuna::audit
