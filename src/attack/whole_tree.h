// SPDX-License-Identifier: Apache-2.0
// Branch and bound with evidence: can s f'z reach `level` in whole numbers? Depth first over cases
// z_i <= k | z_i >= k + 1 at fractional solutions of the linear program; a case is closed by a
// chain that leaves a cell no number, by multipliers that prove it empty, or by multipliers whose
// bound, rounded down (to the step), is below the level. A whole solution that reaches the level
// ends the search as a witness, unless a cell of it lies in a hole (holes.h): then the cases are
// below and above the hole. If all cases close, the tree is the proof (whole_check.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "attack/propagation.h"
#include "attack/form_lp.h"
#include "attack/reach.h"
#include "lacuna/evidence.h"
#include "lacuna/run_context.h"

namespace lacuna::inline attack {

class WholeBranching {
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
  struct Open {  // a case to look at
    std::int32_t node;
    std::size_t mark;  // of undo_, before the room of this case was set
    CellId cell{-1};
    Room room{};
  };
  enum class Case : std::uint8_t { kClosed, kWitness, kDivide, kStuck };
  Case look_at(const Question& question, TreeNode& node, const RunContext& run);
  Units stop_for(std::span<const Term> form, Direction direction, Units level) const;
  Units stop_here(const Question& question) const;
  bool in_hole(std::span<const Term> form, Direction direction, const Integer& move) const;
  bool close_by_chain(TreeNode& node);
  bool close_empty(TreeNode& node);
  bool close_by_bound(const Question& question, TreeNode& node);
  bool divide(TreeNode& node) const;
  bool divide_at_hole(TreeNode& node) const;
  bool divide_in_half(TreeNode& node) const;
  void open_cases(TreeNode& node);
  void set(CellId cell, const Room& room);
  void restore(std::size_t mark);

  FormLp& lp_;
  const Step* step_;
  std::vector<std::pair<CellId, Room>> undo_;
  std::vector<Open> open_;
  WholeTreeEvidence found_;
  std::optional<Displacement> witness_;
};

}  // namespace lacuna::inline attack
