// SPDX-License-Identifier: Apache-2.0
// The cheapest widening that lets one cell move by its level: with p the cell, s the direction, L
// the level and z the slacks at hand,
//
//   minimize sum_i phi_i(f_i)  subject to  M f = 0,  f_p = s L,
//
// phi_i convex and piecewise linear with breakpoints -most, -z-, 0, z+, most: next to nothing
// within the slacks, the weight of the end per unit beyond them, not allowed beyond `most`. The
// optimum is zero if the slacks give the cell its level; else f says where widening is cheapest,
// and the multipliers y of the equations give the cut that z violates most per cost: with g = M'y
// and s g_p < 0,
//
//   sum_{i != p} |g_i| / (-s g_p) z_(end of i on the side of g_i) >= L,   |g_i| <= w_i
//
// (a Benders cut normalized by the weights, after Fischetti, Salvagnin and Zanette 2010).
//
// With the objective kReach the slacks are hard bounds and the goal's own cell may fall short of
// its level at a price of 1: this is the attacker's problem itself, and the cut the one that z
// violates most at its own scale.
//
// By the lazy dual simplex of core/simplex/lazy_dual.h: f = 0 apart from p is dual feasible. The
// slopes do not depend on z or L, so the last basis is dual feasible at any other point: the next
// search starts from it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/simplex/lazy_dual.h"
#include "judge/attacker/solver.h"

namespace lacuna::attacker {

struct RepairOptions {
  double feasibility = 1e-10;  // in levels: an equation or a breakpoint is passed beyond this
  double smallest_pivot = 1e-7;
  double kink = 1.0 / 4096;  // price within the slacks, as a share of the weight
  double sharp_kink = 1.0 / (1LL << 36);
  double reach_kink = 1.0 / (1LL << 20);  // against a price of 1 for falling short
  double noise = 1.0 / 256;               // prices differ by up to this share, against ties
  std::int32_t max_steps = 20000;         // > 0
  std::int32_t refactor_every = 64;
};

// What all searches over a problem share: its equations, and prices by end of the table's cells.
class RepairNet {
 public:
  // Weights by end; ends without one get a small price.
  RepairNet(const AttackerProblem& problem,
            std::span<const double> weight,
            const RepairOptions& options);

  const AttackerProblem& problem() const { return problem_; }
  double weight(std::size_t end) const { return weight_[end]; }
  double noise(std::size_t end) const { return noise_[end]; }  // in [0, 1]
  const RepairOptions& options() const { return options_; }

 private:
  const AttackerProblem& problem_;
  RepairOptions options_;
  std::vector<double> weight_, noise_;
};

// Where cells and rows are in the search that is at work; one per thread.
struct RepairScratch : simplex::LazyPlaces {
  explicit RepairScratch(const RepairNet& net)
      : simplex::LazyPlaces(static_cast<std::size_t>(net.problem().num_cells()),
                            static_cast<std::size_t>(net.problem().num_rows())) {}
};

enum class RepairOutcome : std::uint8_t {
  kFound,
  kImpossible,  // not even within `most`; the multipliers give a cut that says so
  kGivenUp,     // too many steps, or numerical trouble
  kTooLarge,    // the basis outgrew what was set
};

enum class RepairObjective : std::uint8_t { kWiden, kReach };

// The searches for one cell and direction, each starting where the last one ended.
class RepairSimplex : private simplex::LazySource {
 public:
  RepairSimplex(const RepairNet& net,
                std::int32_t cell,
                int sign,
                RepairObjective goal = RepairObjective::kWiden)
      : net_(&net), local_(net.problem().local(CellId{cell})), sign_(sign), goal_(goal) {}

  // Slacks at most `most`, which kReach does not look at. Given up if the run, if any, is to stop.
  RepairOutcome solve(double level,
                      const Slacks& slacks,
                      const Slacks& most,
                      RepairScratch& scratch,
                      const RunContext* run = nullptr);
  // Of the last search, if kFound: by cell of the table, and by that of the problem.
  Move move() const { return cells_of_table(net_->problem(), moves_); }
  std::span<const CellAmount> moves() const { return moves_; }
  // Largest step beyond the slacks; with kReach what the cell falls short of its level.
  double excess() const { return excess_; }
  // g of the cut as multipliers of equations, so that the goal's own cell drops out; empty if no
  // widening is needed.
  const std::vector<Multiplier>& multipliers() const { return multipliers_; }
  // Prices within the slacks fall so far that they matter less than any widening. They have to
  // where weights differ by orders of magnitude and a search has found neither a witness nor a cut.
  void sharpen() { sharp_ = true; }
  bool is_sharp() const { return sharp_; }
  void set_largest_basis(std::size_t size) { largest_basis_ = size; }
  std::size_t memory() const { return search_.memory(); }  // kept for the next search
  void forget() { search_.free_memory(); }

 private:
  simplex::Piecewise column_cost(std::int32_t local) const override;
  void list_column(std::int32_t local, std::vector<simplex::LazyEntry>& rows) const override;
  bool list_row(std::int32_t row, bool all, std::vector<simplex::LazyEntry>& cells) override;

  double outer_price(std::size_t end) const;
  double inner_price(std::size_t end) const;
  double true_slope(std::size_t item) const;  // of a basic column
  std::size_t end(std::int32_t cell, int sign) const {
    return end_of(net_->problem().cell(cell).value, sign);
  }
  simplex::LazyTuning tuning() const;
  void begin();
  RepairOutcome search(const RunContext* run);
  void finish();
  double widest() const;
  void set_multipliers(std::span<const std::pair<std::int32_t, double>> duals);

  const RepairNet* net_;
  std::int32_t local_;  // the cell, in the problem
  int sign_;
  RepairObjective goal_;
  double level_ = 0;
  bool sharp_ = false, was_sharp_ = false;
  const Slacks* slacks_ = nullptr;
  const Slacks* most_ = nullptr;
  std::size_t largest_basis_ = static_cast<std::size_t>(-1);
  simplex::LazyDual search_;
  std::vector<CellAmount> moves_;
  double excess_ = 0;
  std::vector<Multiplier> multipliers_;
};

// The attacker's problem by such searches, one for each cell and sign that was asked about, each
// starting where its last one ended: for questions that come again and again. `most` must have an
// end, and the proof is by multipliers. Between questions of one search no slack may lose its end,
// as in push_again. Solvers that ask in turn can share places.
class AttackerWarm : public AttackerSolver {
 public:
  AttackerWarm(const RepairNet& net, RepairScratch& places) : net_(net), places_(places) {}

  Answer push(const Query& query, const Slacks& slacks, const RunContext& run) override;

 private:
  const RepairNet& net_;
  RepairScratch& places_;
  std::map<std::pair<std::int32_t, int>, RepairSimplex> searches_;
};

}  // namespace lacuna::attacker
