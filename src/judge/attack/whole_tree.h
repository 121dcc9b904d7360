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

struct WholeCase : branching::OpenNode {  // to look at
  std::size_t place = 0;                  // in the tree
  std::size_t mark = 0;  // of what was done to rooms before the room of this case was set
  CellId cell{-1};
  Room room{};
};

struct WholeCaseFound {
  enum class Kind : std::uint8_t { kClosed, kWitness, kDivide, kStuck };
  Kind kind = Kind::kStuck;
  TreeNode node{};
};

class WholeBranching : private branching::BranchMethod<WholeCase, WholeCaseFound> {
 public:
  // The step holds for the form under the rooms of the LP; it may be null.
  WholeBranching(FormLp& lp, const Step* step) : lp_(lp), step_(step) {}

  struct Outcome {  // neither: the limit was reached, or the engine failed
    std::optional<Displacement> witness;
    std::optional<WholeTreeEvidence> tree;
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
  using Kind = WholeCaseFound::Kind;
  WholeCaseFound work_on(WholeCase& next, std::size_t lane, const RunContext& run) override;
  branching::NodeFate merge(WholeCase& next, WholeCaseFound found) override;
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
  void set(CellId cell, const Room& room);
  void restore(std::size_t mark);

  FormLp& lp_;
  const Step* step_;
  std::vector<std::pair<CellId, Room>> undo_;
  Question question_{};
  branching::BranchTree<WholeCase, WholeCaseFound> open_{{branching::NodeOrder::kNewest}};
  WholeTreeEvidence found_;
  std::optional<Displacement> witness_;
};

}  // namespace lacuna::attack
