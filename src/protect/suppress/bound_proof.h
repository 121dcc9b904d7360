// SPDX-License-Identifier: Apache-2.0
// Writes the log of the bound (lacuna/bound_log.h), part by part, once the search is done: a branch
// and cut of its own, which needs no patterns because it knows what it has to prove. Engines and
// attacker problems say in floating point which inequalities and which sums of them to try; each is
// computed in whole numbers by the checker (judge/bound/check_bound.h) before it counts, and what
// does not come out is not claimed. docs/proof.md has the equations.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "judge/bound/check_bound.h"
#include "judge/bound/equation_solver.h"
#include "judge/presolve/merged.h"
#include "lacuna/bound_log.h"
#include "lacuna/problem.h"
#include "lacuna/run_context.h"
#include "lacuna/suppress.h"
#include "protect/suppression_model/cuts/cut.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression {

class BoundProof {
 public:
  // `given`: the problem that the log is about. `merged`: parallel cells as one, which is what is
  // searched; null: that is the given problem.
  BoundProof(std::shared_ptr<const Problem> given,
             const presolve::MergedProblem* merged,
             const SuppressOptions& options);

  // A connected part of what is searched, with the best pattern in it, if it is known to be the
  // best, and the bound that the search has found otherwise. Both without what is always withheld.
  struct Part {
    std::vector<CellId> cells;
    std::optional<std::vector<CellId>> best;
    double bound = 0;
  };
  void prove(const Part& part, const RunContext& run);

  // The log of all parts so far; only what has been used is in it.
  BoundLog finish();

 private:
  friend class PartProof;
  using Entry = std::pair<std::int32_t, double>;
  struct Member {  // a cell of the given problem, which moves with the searched cell or against it
    CellId cell;
    int sense = 1;
  };

  const Problem& searched() const { return *searched_; }
  std::vector<Member> members_of(CellId searched) const;
  void tie_members();
  void force_members();
  // An inequality from what a cut was made of; its number, or -1 if it is none.
  std::int32_t add(BoundStep step);
  std::optional<Multipliers> multipliers(const bound::EquationSolver::Target& target,
                                         mpz_class scale) const;

  std::shared_ptr<const Problem> given_;
  const presolve::MergedProblem* merged_;
  std::shared_ptr<const Problem> searched_;
  const SuppressOptions& options_;
  std::vector<bool> always_, open_;  // by given cell
  bound::EquationSolver solver_;
  bound::Checker checker_;
  BoundLog log_;
  std::vector<mpz_class> weight_;  // by given cell, in units
  std::vector<std::int32_t> last_of_parts_;
};

}  // namespace lacuna::suppression
