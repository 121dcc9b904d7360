// SPDX-License-Identifier: Apache-2.0
// Cells that can only move together, as one. An equation with two cells that may move,
// a z_i + b z_j = 0 with |a| = |b|, ties them: z_j = +-z_i. Where cells are absent this is frequent
// (a total with a single part), in several dimensions one quantity then appears a dozen times, and
// every search pays for each of them. The smaller problem has one cell per class: the narrowest of
// the rooms, the largest of the levels, the sum of the costs; equations that say the same are
// there once; cells that cannot move at all are gone. Every displacement of the one problem is one
// of the other, and withholding a class means withholding all its cells.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/problem.h"

namespace lacuna::inline heuristic {

class MergedProblem {
 public:
  // Nothing if there is no smaller problem, or if a need is asked of a cell that cannot move so
  // far.
  static std::optional<MergedProblem> make(const Problem& problem, std::vector<double> costs);

  const Problem& problem() const { return merged_; }
  const std::vector<double>& costs() const { return costs_; }  // per class
  std::vector<CellId> classes_of(const std::vector<CellId>& cells) const;

  // Of a displacement of the given problem; empty if it is none of this one.
  Displacement reduce(const Displacement& displacement) const;

  // Back to the cells of the given problem.
  Draft expand(const Problem& given, const Draft& draft) const;
  Displacement expand(const Displacement& displacement) const;
  std::vector<std::int32_t> requirements_behind(const Problem& given,
                                                const std::vector<std::int32_t>& merged) const;

 private:
  class Maker;
  explicit MergedProblem(Problem merged) : merged_(std::move(merged)) {}
  struct Member {
    CellId cell;
    int sense = 1;
  };

  Problem merged_;
  std::vector<double> costs_;
  std::vector<std::int32_t> class_of_;        // by cell; -1: cannot move
  std::vector<std::vector<Member>> members_;  // by class, by cell
};

}  // namespace lacuna::inline heuristic
