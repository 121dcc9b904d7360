// SPDX-License-Identifier: Apache-2.0
// Evidence about a linear form f of a view: can s f'z reach a level, how far does it go, which
// values does it take? In fractions and in whole numbers by the same strategies, in the order of
// their price:
//   1. the slacks of the cells of f, which in whole numbers the chain has narrowed (propagation.h);
//   2. witnesses found earlier, turned round or several times;
//   3. in a network, a largest flow, which decides at once and is whole by itself; in a system that
//      is one but for inequalities, a witness with some cells held (held_network.h);
//   4. the equations through the cell one by one (what Serpell et al. call initially exposed);
//   5. linear programs around the cells, over a neighbourhood that grows: with the other cells held
//      fixed (witness), with the other equations left out (proof);
//   6. the linear program over the whole parts, which decides in fractions; in whole numbers a
//   bound
//      below the level is a proof as it stands, a whole vertex a witness, a fractional one perhaps
//      after scaling;
//   7. in whole numbers: the step of the form (integer_kernel.h), whole moves by the engine
//      (integer_move.h), and cases (integer_tree.h), each with a limit on its work or number.
// Verdicts are cheaper than ends: to show that a form can be `level` away it is enough to exhibit
// one consistent table, to show that it cannot, one combination of equations. In whole numbers a
// question has a limit on its work besides, so that a hopeless one ends, everywhere alike. What is
// found is to be confirmed by the checker of evidence.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/attack/flow.h"
#include "judge/attack/form_lp.h"
#include "judge/attack/goal.h"
#include "judge/attack/integer_kernel.h"
#include "judge/attack/local_system.h"
#include "judge/attack/neighborhood.h"
#include "judge/attack/reach.h"
#include "judge/attack/search_effort.h"
#include "judge/attack/view.h"
#include "judge/attack/witness_store.h"
#include "lacuna/counts.h"
#include "lacuna/evidence.h"
#include "lacuna/lp.h"
#include "lacuna/run_context.h"

namespace lacuna::attack {

struct SearchOptions {
  std::string engine;  // LP engine; empty: the preferred one
  // Of whole numbers:
  std::int64_t node_limit = 10'000;     // cases per question
  std::int64_t work_limit = 5'000'000;  // units of work per question, a few seconds
};

struct SearchCounts {
  std::int64_t by_slack = 0;                     // answered by the slacks
  std::int64_t reused = 0;                       // by an earlier witness
  std::int64_t flows = 0;                        // in a network
  std::int64_t one_equation = 0;                 // by a single equation
  std::int64_t full_part = 0;                    // needed the whole part
  std::int64_t moves = 0, steps = 0, trees = 0;  // by these
  std::int64_t lp_solves = 0, nodes = 0;         // what it took
  std::int64_t undecided = 0;                    // not answered
};

struct FormValue {  // f'z takes this value, as the witness shows
  Units move = 0;
  Displacement witness;
};

class Search {
 public:
  // The view must outlive the search, and so must the store of witnesses known before, if there is
  // one. Not thread-safe; one search per chunk of questions.
  Search(const AttackView& view, SearchOptions options, const WitnessStore* known = nullptr);

  // Settles whether s f'z can be at least `level` > 0: a witness that is, or evidence that it
  // cannot; neither if limits or engines stood in the way or the run was stopped.
  Reach decide(std::span<const Term> form, Direction direction, Units level, const RunContext& run);
  // The same without what takes long in large parts: nothing if only that can tell.
  std::optional<Reach> decide_nearby(std::span<const Term> form,
                                     Direction direction,
                                     Units level,
                                     const RunContext& run);
  // The rest of it: an earlier witness, else the whole parts.
  Reach decide_on_parts(std::span<const Term> form,
                        Direction direction,
                        Units level,
                        const RunContext& run);
  // Whether one of the two ends reaches its level, where either is enough: what is quickly told of
  // one comes before what takes long of the other. A witness of one, or evidence against both.
  struct Ends {
    Reach low, high;
  };
  Ends decide_either(std::span<const Term> form,
                     Units low_level,
                     Units high_level,
                     const RunContext& run);
  // In a large part in fractions: what the slack of a cell or one of its equations proves at once,
  // the least of these; nothing if none has an end.
  struct AtHand {
    Reach reach;
    Fraction bound;
  };
  std::optional<AtHand> bound_at_hand(std::span<const Term> form, Direction direction);
  // The end itself: a witness and evidence of the same number, or a ray; else counts().undecided
  // grows, and what was found is less.
  Reach extent(std::span<const Term> form, Direction direction, const RunContext& run);
  // Whole numbers: all values of f'z in [lowest, highest], each with its witness; nothing if one of
  // them could not be settled.
  std::optional<std::vector<FormValue>> values(std::span<const Term> form,
                                               Units lowest,
                                               Units highest,
                                               const RunContext& run);

  // Witnesses found so far, and a way to give another search of the same view the benefit of them.
  const std::vector<Displacement>& witnesses() const { return own_.all(); }
  void remember(const Displacement& witness) { own_.remember(witness); }

  const SearchCounts& counts() const { return counts_; }

 private:
  using Found = std::optional<Reach>;
  struct Ground {                      // some cells and equations
    std::unique_ptr<LpSolver> solver;  // of its own; null: that of all looks
    std::unique_ptr<LocalSystem> system;
    std::unique_ptr<FormLp> lp;
    std::optional<IntegerKernel> kernel;
    double scale = 1;  // of its slacks
  };
  struct Sought {  // what a ground can tell
    bool witness = false, proof = false;
    std::int64_t nodes = 0;
    std::int64_t move_work = 0;  // units, for any_integer_move()
  };

  bool in_fractions() const { return view_.domain() == Domain::kRational; }
  RunContext limited(const RunContext& run) const;
  Found decide_nearby(const Goal& goal, const RunContext& run);
  Reach decide_on_parts(const Goal& goal, const RunContext& run);
  Found at_once(const Goal& goal);
  Found by_slack(const Goal& goal);
  Found by_witness(const Goal& goal);
  Found by_flow(const Goal& goal);
  Found by_flow(const Goal& goal, Units stop);
  Found by_held_flow(const Goal& goal);
  Found by_equation(const Goal& goal);
  Found by_equation(const Goal& goal, const Incidence& incidence);

  bool worth_a_look(const Goal& goal, const Look& how) const;
  bool look(const Goal& goal, const Look& how, const RunContext& run, Found& found);
  Found look_for_witness(const Goal& goal, const Neighborhood& near, const RunContext& run);
  Found look_for_proof(const Goal& goal, const Neighborhood& near, const RunContext& run);
  Found in_parts(const Goal& goal, const RunContext& run);
  Ground& parts_of(const Goal& goal);

  Found settle(Ground& ground, const Goal& goal, const Sought& sought, const RunContext& run);
  Found settle_integers(Ground& ground,
                        const Goal& goal,
                        const Sought& sought,
                        const RunContext& run);
  Found by_proof(const Ground& ground, const Goal& goal, const std::optional<Step>& step = {});
  Found by_vertex(const Ground& ground, const Goal& goal);
  Found by_move(const Ground& ground,
                const Goal& goal,
                const Sought& sought,
                const RunContext& run);
  Found by_cases(Ground& ground,
                 const Goal& goal,
                 const std::optional<Step>& step,
                 const Sought& sought,
                 const RunContext& run);
  std::optional<Step> step_on(Ground& ground, const Goal& goal);

  // Fractions: the linear program over the parts; with level = 0 the exact end.
  Reach solve_parts(const Goal& goal, const RunContext& run);
  bool take_vertex(const Ground& ground, const Goal& goal, Reach& reach);
  bool prove_end(const Ground& ground, const Goal& goal, Reach& reach);
  std::optional<Displacement> exact_ray(Ground& ground, const Goal& goal, const RunContext& run);
  // Whole numbers: the real end, rounded down, and then one less as long as it is not reached.
  bool bound_in_parts(Goal goal, Reach& reach, const RunContext& run);
  bool close_gap(Goal goal, Integer bound, Reach& reach, const RunContext& run);

  bool proves(const Goal& goal, const Reach& reach, const Fraction& end) const;
  LpSolver& scratch_solver();
  LpSolver& move_solver();
  std::unique_ptr<LpSolver> make_solver() const;
  Reach with_witness(Displacement witness);

  const AttackView& view_;
  SearchOptions options_;
  std::unique_ptr<FlowSearch> flow_;
  std::unique_ptr<FlowSearch> held_flow_;  // of what is left of a view with held cells
  std::unique_ptr<LpSolver> scratch_, mover_;
  std::vector<std::int32_t> full_parts_;  // those of whole_
  Ground whole_;
  WitnessStore own_;
  const WitnessStore* known_;
  SearchCounts counts_;
};

}  // namespace lacuna::attack
