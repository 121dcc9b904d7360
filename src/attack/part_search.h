// SPDX-License-Identifier: Apache-2.0
// Evidence for one connected part of an attacker's view. Verdicts are cheaper than intervals: to
// show that a cell can lie `level` away it is enough to exhibit one consistent table, to show that
// it cannot, one combination of equations. In this order:
//   0. in a network, a largest flow, which decides at once;
//   1. a witness found earlier, scaled or mirrored;
//   2. the equations through the cell one by one (what Serpell et al. call initially exposed);
//   3. LPs over a neighbourhood of the cell that grows: with the other cells held fixed (witness),
//      with the other equations left out (proof);
//   4. the LP over the whole part, which decides.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "attack/flow.h"
#include "attack/local_lp.h"
#include "attack/neighbourhood.h"
#include "attack/reach.h"
#include "attack/view.h"
#include "lacuna/evidence.h"
#include "lacuna/lp.h"
#include "lacuna/run_context.h"
#include "lacuna/tolerance.h"

namespace lacuna::inline attack {

struct SearchCounts {
  std::int64_t lp_solves = 0;
  std::int64_t flows = 0;         // answered in a network
  std::int64_t reused = 0;        // answered by an earlier witness
  std::int64_t one_equation = 0;  // answered by a single equation
  std::int64_t whole_part = 0;    // needed the whole part
};

class PartSearch {
 public:
  // `network`: the table's equations as a network, if they are one (table/network.h).
  PartSearch(const AttackView& view,
             const LpOptions& options,
             std::string engine,
             const Network* network = nullptr);

  // Settles whether the cell can move by `level` > 0: a witness that does, or a proof that it
  // cannot; neither if the engines failed or the run was stopped.
  Reach decide(CellId cell, Direction direction, Units level, const RunContext& run);
  // The same without the LP over a large part: nothing if only that can tell.
  std::optional<Reach> decide_nearby(CellId cell,
                                     Direction direction,
                                     Units level,
                                     const RunContext& run);
  // The rest of it: an earlier witness, else the LP over the whole part.
  Reach decide_whole(CellId cell, Direction direction, Units level, const RunContext& run);
  // The exact end of the attacker's interval: a witness and a proof of the same number.
  Reach extent(CellId cell, Direction direction, const RunContext& run);

  // Witnesses found so far, and a way to give another search of the same view the benefit of them.
  const std::vector<Displacement>& witnesses() const { return witnesses_; }
  void remember(const Displacement& witness);

  const SearchCounts& counts() const { return counts_; }

 private:
  struct Stored {  // the farthest a stored witness takes a cell
    double amount = 0;
    std::int32_t witness = -1;
  };

  std::optional<Displacement> reuse(CellId cell, Direction direction, Units level);
  std::optional<Multipliers> single_equation(CellId cell, Direction direction, Units level) const;
  std::optional<Multipliers> determined_proof(CellId cell, Direction direction) const;
  Multipliers complete(CellId cell, Direction direction, const Multipliers& proof) const;

  std::optional<Displacement> near_witness(const Neighbourhood& near,
                                           std::int32_t free,
                                           Direction direction,
                                           Units level,
                                           const RunContext& run);
  std::optional<Multipliers> near_proof(const Neighbourhood& near,
                                        std::int32_t free,
                                        Direction direction,
                                        Units level,
                                        const RunContext& run);
  std::optional<Displacement> exact_ray(std::int32_t free,
                                        Direction direction,
                                        const RunContext& run);
  void prove_whole(CellId cell, Direction direction, Units level, Reach& reach);
  Reach whole_part(std::int32_t free, Direction direction, Units level, const RunContext& run);
  std::optional<Reach> by_flow(std::int32_t free, Direction direction, Units level);
  LpSolver& scratch_solver();

  const AttackView& view_;
  LpOptions options_;
  std::string engine_;
  std::unique_ptr<FlowSearch> flow_;
  std::unique_ptr<LpSolver> scratch_;
  struct WholePart {
    std::int32_t part = -1;
    std::unique_ptr<LpSolver> solver;
    std::unique_ptr<LocalLp> lp;
    double scale = 1;
  };
  WholePart whole_;
  void prepare_whole(std::int32_t part);
  std::vector<Displacement> witnesses_;
  std::vector<Stored> best_high_, best_low_;  // by free cell
  SearchCounts counts_;
};

}  // namespace lacuna::inline attack
