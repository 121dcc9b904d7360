// SPDX-License-Identifier: Apache-2.0
// Cells that can only move together, as one (ties.h, parallel.h). Where cells are absent or
// published for good they are frequent: in several dimensions one quantity appears a dozen times,
// and every search pays for each of them. The smaller problem has one cell per class: the narrowest
// of the slacks, the largest of the levels, the sum of the costs; equations that say the same are
// there once; cells that cannot move at all are gone. Every displacement of the one problem is one
// of the other, and withholding a class means withholding all its cells. To withhold only some
// of them serves nobody: what is published tells the others. Needs of classes that are in no
// equation any more are met once these are withheld, and are left out unless asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/problem.h"
#include "lacuna/run_context.h"

namespace lacuna::presolve {

struct MergeTask {
  std::vector<double> costs{};  // per cell; empty: the weights
  // For good, by cell; empty: none but those that must be. What is asked of them is left out.
  std::vector<bool> published{};
  // In every pattern of interest, by cell, besides those that are withheld anyway: so are the
  // classes they are in.
  std::vector<bool> withheld{};
  bool by_kernel = true;  // all parallel cells; false: those that single equations tie, quickly
  // Needs of classes in no equation stay too: where widths have a price they are not met for free.
  bool keep_sure_needs = false;
};

class MergedProblem {
 public:
  // Nothing if there is no smaller problem, or if a need is asked of a cell that cannot move so
  // far.
  static std::optional<MergedProblem> make(const Problem& problem,
                                           const MergeTask& task,
                                           const RunContext& run);

  const Problem& problem() const { return *merged_; }
  const std::shared_ptr<const Problem>& problem_ptr() const { return merged_; }
  // What a class costs, per class, and how many cells it withholds, beside the members that are
  // withheld anyway: sensitive cells and cells withheld already. Costs are the table's weights too.
  const std::vector<double>& costs() const { return costs_; }
  const std::vector<std::int32_t>& sizes() const { return sizes_; }
  std::int32_t class_of(CellId cell) const {  // -1: it cannot move
    return class_of_[static_cast<std::size_t>(cell.value)];
  }
  std::vector<CellId> classes_of(const std::vector<CellId>& cells) const;
  std::vector<CellId> members_of(CellId merged) const;
  int sense_of(CellId cell) const;  // 1 or -1: along with its class, or against it

  // Of a displacement of the given problem; empty if it is none of this one.
  Displacement reduce(const Displacement& displacement) const;
  std::vector<Displacement> reduce(const std::vector<Displacement>& displacements) const;

  // Back to the cells of the given problem.
  Draft expand(const Problem& given, const Draft& draft) const;
  Displacement expand(const Displacement& displacement) const;
  // All that is known to be evidence: these, and that of the needs that were left out.
  std::vector<Displacement> expand(const std::vector<Displacement>& displacements) const;
  std::vector<std::int32_t> requirements_behind(const Problem& given,
                                                const std::vector<std::int32_t>& merged) const;

 private:
  class Maker;
  explicit MergedProblem(Problem merged)
      : merged_(std::make_shared<const Problem>(std::move(merged))) {}
  struct Member {
    CellId cell;
    int sense = 1;
  };
  static int sense_in(const std::vector<Member>& members, CellId cell);

  std::shared_ptr<const Problem> merged_;
  std::vector<Displacement> sure_;  // of needs that were left out, by class
  std::vector<double> costs_;
  std::vector<std::int32_t> sizes_;
  std::vector<std::int32_t> class_of_;        // by cell; -1: cannot move
  std::vector<std::vector<Member>> members_;  // by class, by cell
};

// Primaries, cells withheld already and cells with a requirement: withheld in every pattern.
std::vector<bool> always_withheld(const Problem& problem);

}  // namespace lacuna::presolve
