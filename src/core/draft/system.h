// SPDX-License-Identifier: Apache-2.0
// The problem as one release poses it: beside what the problem says, everyone knows what the
// release shows by its numbers together, and the release raises questions of its own. Audit,
// certificate and verifiers derive it from problem and draft, each anew, so that none need be told.
//   - Questions of kind implied stand among the others, after those of the problem, in the order of
//     the equations: of every sum of which two and more parts are not published as they are,
//     together 1 .. threshold - 1, whether they are known together (US#307: 23 = 15 + x + x with
//     threshold 11 tells 8).
//   - Differences of a cell-key release (same_units.h), form >= 1, one after the other. Of a sum
//     with two parts, T - c is the other part, which then is at least 1. Any other has a cell r of
//     its own that nobody publishes, r = form >= 1: the first difference of an equation divides it,
//     T = c + r in its place and r = the other parts at the end; others add r = form at the end.
// Cells and equations of the problem keep their numbers, and those of the system come after them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lacuna/counts.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::draft {

// Of the release, whether the rules ask them or not.
std::vector<CountQuestion> implied_questions(const Problem& problem, const Draft& draft);

class ReleaseSystem {
 public:
  // Both must outlive the system, which is them where the release adds nothing.
  ReleaseSystem(const Problem& problem, const Draft& draft);

  const Problem& problem() const { return made_ ? *made_ : given_; }
  const Draft& draft() const { return has_cells_ ? made_draft_ : given_draft_; }
  bool changes_table() const { return changes_table_; }

 private:
  void add_differences();

  const Problem& given_;
  const Draft& given_draft_;
  std::optional<Problem> made_;
  Draft made_draft_;
  bool has_cells_ = false, changes_table_ = false;
};

}  // namespace lacuna::draft
