// SPDX-License-Identifier: Apache-2.0
// Branch and bound with evidence: can s f'z reach `level` in whole numbers? Depth first
// (core/branching/branch_tree.h) over cases z_i <= k | z_i >= k + 1 at fractional solutions of the
// linear program; a case is closed by a chain that leaves a cell no number, by multipliers that
// prove it empty, or by multipliers whose bound, rounded down (to the step), is below the level. A
// whole solution that reaches the level ends the search as a witness, unless a cell of it lies in a
// hole (holes.h): then the cases are below and above the hole. If all cases close, the tree is the
// proof (checker.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/branching/branch_tree.h"
#include "judge/attack/form_lp.h"
#include "judge/attack/propagation.h"
#include "judge/attack/reach.h"
#include "lacuna/evidence.h"
#include "lacuna/run_context.h"

namespace lacuna::attack {

struct IntegerCase : branching::OpenNode {  // to look at
  std::size_t place = 0;                    // in the tree
  std::size_t mark = 0;  // of what was done to slacks before the slack of this case was set
  CellId cell{-1};
  Slack slack{};
};

struct IntegerCaseResult {
  enum class Kind : std::uint8_t { kClosed, kWitness, kDivide, kStuck };
  Kind kind = Kind::kStuck;
  TreeNode node{};
};

class IntegerBranching : private branching::BranchMethod<IntegerCase, IntegerCaseResult> {
 public:
  // The step holds for the form under the slacks of the LP; it may be null.
  IntegerBranching(FormLp& lp, const Step* step) : lp_(lp), step_(step) {}

  struct Outcome {  // neither: the limit was reached, or the engine failed
    std::optional<Displacement> witness;
    std::optional<IntegerTreeEvidence> tree;
    std::int64_t nodes = 0;
  };
  Outcome search(std::span<const Term> form,
                 Direction direction,
                 Units level,
                 std::int64_t node_limit,
                 const RunContext& run);

 private:
  struct Question {
    std::span<const Term> form;
    Direction direction;
    Units level, stop;
  };
  using Kind = IntegerCaseResult::Kind;
  IntegerCaseResult work_on(IntegerCase& next, std::size_t lane, const RunContext& run) override;
  branching::NodeFate merge(IntegerCase& next, IntegerCaseResult found) override;
  bool reached() const override { return false; }
  Kind look_at(TreeNode& node, const RunContext& run);
  Units stop_for(std::span<const Term> form, Direction direction, Units level) const;
  Units stop_here() const;
  bool in_hole(std::span<const Term> form, Direction direction, const Integer& move) const;
  bool close_by_chain(TreeNode& node);
  bool close_empty(TreeNode& node);
  bool close_by_bound(TreeNode& node);
  bool divide(TreeNode& node) const;
  bool divide_at_hole(TreeNode& node) const;
  bool divide_in_half(TreeNode& node) const;
  void open_cases(TreeNode& node);
  void set(CellId cell, const Slack& slack);
  void restore(std::size_t mark);

  FormLp& lp_;
  const Step* step_;
  std::vector<std::pair<CellId, Slack>> undo_;
  Question question_{};
  branching::BranchTree<IntegerCase, IntegerCaseResult> open_{{branching::NodeOrder::kNewest}};
  IntegerTreeEvidence found_;
  std::optional<Displacement> witness_;
};

}  // namespace lacuna::attack
