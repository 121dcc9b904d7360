// SPDX-License-Identifier: Apache-2.0
// Ranges of whole linear forms with evidence. Of a form f, whose cells without room drop out and
// which may be rewritten by an equation if fewer cells are left, it is asked whether s f'z can
// reach a level, how far it goes, or which values it takes. In this order:
//   1. the rooms, narrowed by the chain (whole_chain.h);
//   2. whole witnesses found earlier, as they are, turned round or several times;
//   3. in a network, a largest flow, which is whole by itself;
//   4. linear programs around the cells: a bound below the level is a proof as it stands, a whole
//      vertex a witness, a fractional one perhaps after scaling;
//   5. the step of the form (whole_step.h);
//   6. whole moves by the engine (whole_move.h), with a limit on its work;
//   7. cases (whole_tree.h), with a limit on their number.
// All of it has a limit on its work besides, so that a hopeless question ends, everywhere alike.
// What is found is evidence of whole_check.h and is to be confirmed there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attack/flow.h"
#include "attack/whole_goal.h"
#include "attack/whole_lp.h"
#include "attack/whole_part.h"
#include "attack/whole_step.h"
#include "attack/whole_store.h"
#include "attack/whole_tree.h"
#include "attack/whole_view.h"
#include "lacuna/counts.h"
#include "lacuna/evidence.h"
#include "lacuna/lp.h"
#include "lacuna/run_context.h"

namespace lacuna::inline attack {

struct WholeOptions {
  std::int64_t node_limit = 10'000;     // cases per question
  std::string engine;                   // LP engine; empty: the preferred one
  std::int64_t work_limit = 5'000'000;  // units of work per question, a few seconds
};

struct WholeCounts {
  std::int64_t by_room = 0, reused = 0, flows = 0, lp_solves = 0, moves = 0, steps = 0, trees = 0,
               nodes = 0, undecided = 0;
};

struct WholeValue {  // f'z takes this value, as the witness shows
  Units move = 0;
  Displacement witness;
};

class WholeSearch {
 public:
  // The view must outlive the search, and so must the store of witnesses known before, if there is
  // one. Not thread-safe; one search per chunk of questions.
  WholeSearch(const WholeView& view, WholeOptions options, const WitnessStore* known = nullptr);

  // Settles whether s f'z can be at least `level` > 0: a witness that is, or evidence that it
  // cannot; neither if limits or engines stood in the way.
  WholeReach decide(std::span<const Term> form,
                    Direction direction,
                    Units level,
                    const RunContext& run);
  // The same of both ends, where reaching the level of either is enough: what is quickly told of
  // one comes before what takes long of the other. A witness of one, or evidence against both.
  struct Ends {
    WholeReach low, high;
  };
  Ends decide_either(std::span<const Term> form,
                     Units low_level,
                     Units high_level,
                     const RunContext& run);
  // The end itself: a witness and evidence of the same number, or a ray; else counts().undecided
  // grows, and what was found is less.
  WholeReach extent(std::span<const Term> form, Direction direction, const RunContext& run);
  // All values of f'z in [lowest, highest], each with its witness; nothing if one of them could not
  // be settled.
  std::optional<std::vector<WholeValue>> values(std::span<const Term> form,
                                                Units lowest,
                                                Units highest,
                                                const RunContext& run);

  // Whole witnesses found so far, and a way to give another search of the same view the benefit.
  const std::vector<Displacement>& witnesses() const { return own_.all(); }
  void remember(const Displacement& witness) { own_.remember(witness); }

  const WholeCounts& counts() const { return counts_; }

 private:
  struct Ground {  // some cells and equations as a table of their own
    std::unique_ptr<SubTable> table;
    std::unique_ptr<WholeLp> lp;
    std::optional<WholeKernel> kernel;
  };
  struct Sought {  // what a ground can tell
    bool witness = false, proof = false;
    std::int64_t nodes = 0;
    std::int64_t move_work = 0;  // units, for any_whole_move()
  };
  std::optional<Displacement> reuse(const WholeGoal& goal);
  std::optional<WholeReach> by_flow(const WholeGoal& goal, Units stop);
  std::optional<WholeReach> at_once(const WholeGoal& goal);
  std::optional<WholeReach> nearby(const WholeGoal& goal, std::size_t look, const RunContext& run);
  std::optional<WholeReach> in_parts(const WholeGoal& goal, const RunContext& run);
  std::optional<WholeReach> settle(Ground& ground,
                                   const WholeGoal& goal,
                                   const Sought& sought,
                                   const RunContext& run);
  std::optional<WholeReach> by_proof(const Ground& ground,
                                     const WholeGoal& goal,
                                     const std::optional<Step>& step);
  std::optional<WholeReach> by_vertex(const Ground& ground, const WholeGoal& goal);
  std::optional<WholeReach> by_move(const Ground& ground,
                                    const WholeGoal& goal,
                                    const Sought& sought,
                                    const RunContext& run);
  std::optional<WholeReach> by_cases(Ground& ground,
                                     const WholeGoal& goal,
                                     const std::optional<Step>& step,
                                     const Sought& sought,
                                     const RunContext& run);
  bool bound_in_parts(WholeGoal goal, WholeReach& reach, const RunContext& run);
  bool close_gap(WholeGoal goal, Integer bound, WholeReach& reach, const RunContext& run);
  std::optional<Displacement> scaled(const WholeGoal& goal, const Displacement& witness) const;
  std::optional<Step> step_on(Ground& ground, const WholeGoal& goal);
  Ground& parts_of(const WholeGoal& goal);
  LpSolver& scratch_solver();
  LpSolver& move_solver();
  std::unique_ptr<LpSolver> make_solver() const;
  WholeReach with_witness(Displacement witness);

  const WholeView& view_;
  WholeOptions options_;
  std::unique_ptr<FlowSearch> flow_;
  std::unique_ptr<LpSolver> scratch_, mover_;
  std::vector<std::int32_t> whole_parts_;  // those of whole_
  std::unique_ptr<LpSolver> whole_solver_;
  Ground whole_;
  WitnessStore own_;
  const WitnessStore* known_;
  WholeCounts counts_;
};

}  // namespace lacuna::inline attack
