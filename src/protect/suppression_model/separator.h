// SPDX-License-Identifier: Apache-2.0
// Finds inequalities that a point x of the master violates. In the order of their price:
//   1. the equations one by one: capacity constraints of the cells that need protection, and
//      bridgeless inequalities (no LP);
//   2. the attacker problems of the needs whose stored witness no longer fits: capacity
//      constraints, and cover inequalities of these;
//   3. attacker problems with slack x_i around every cell: general bridgeless inequalities.
// A witness z that reaches a level fits as long as x_i >= |z_i| / slack_i; checking that takes
// microseconds and saves most attacker problems. What answers one direction of a need answers the
// other one, too, where the slacks of the cells concerned allow it: a displacement turned round
// fits, or the constraint of the multipliers turned round is violated.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/attacker/solver.h"
#include "lacuna/run_context.h"
#include "protect/suppression_model/capacities.h"
#include "protect/suppression_model/cuts/cut.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression_model {

class Separator {
 public:
  Separator(const SuppressModel& model, const std::string& engine, std::size_t lanes);

  // Families 1, over all needs and equations.
  std::vector<Cut> from_equations(std::span<const double> x) const;

  struct Limits {
    std::size_t cuts = 100;   // of one lane; the search goes on next time where it stopped
    std::size_t bridges = 0;  // attacker problems of family 3, if nothing else is violated
  };
  // Families 2 and 3 by one lane for all needs (a node of the tree), or by all lanes together (the
  // root). New witnesses are kept in the lane until share_witnesses().
  std::vector<Cut> from_attackers(std::size_t lane,
                                  std::span<const double> x,
                                  const Limits& limits,
                                  const RunContext& run);
  std::vector<Cut> from_attackers_all_lanes(std::span<const double> x,
                                            const Limits& limits,
                                            const RunContext& run);
  void share_witnesses();

  std::size_t lanes() const { return lanes_.size(); }
  std::int64_t attacker_lps() const;

 private:
  using Entry = attacker::AttackerSolver::Entry;
  struct Shares {  // what a witness asks of x
    std::vector<std::int32_t> columns;
    std::vector<double> least;
    bool fits(std::span<const double> x) const;
  };
  enum class Side : std::uint8_t { kUp, kDown, kBoth };
  struct Probe {
    std::int32_t need = 0;
    Side side = Side::kUp;
    std::int32_t mirror = -1;  // the other direction of the need, if that comes next
  };
  struct Found {
    std::size_t question = 0;
    Shares shares;
  };
  struct Lane {
    std::unique_ptr<attacker::AttackerSolver> solver;
    std::size_t next_group = 0;
    std::size_t next_bridge = 0;
    std::vector<Found> found;
    std::vector<Cut> cuts;
    std::vector<std::uint8_t> rest, pause;  // by question: rounds to pass over, and the last pause
  };
  struct Stripe {  // the groups of questions, or columns, first, first + step, ...
    std::size_t first = 0, step = 1;
    std::size_t share_of(std::size_t all) const {
      return first >= all ? 0 : (all - first + step - 1) / step;
    }
  };

  void list_questions();
  attacker::AttackerSolver& solver(Lane& lane);
  double level_of(const Probe& question) const;
  bool is_settled(std::size_t question, std::span<const double> x) const;
  // Each puts what it finds into lane.cuts or lane.found; true if the mirror is answered as well.
  bool ask(Lane& lane, std::size_t question, std::span<const double> x, const RunContext& run);
  void ask_both(Lane& lane, std::size_t question, std::span<const double> x, const RunContext& run);
  bool take_witness(Lane& lane,
                    std::size_t question,
                    std::span<const Entry> moves,
                    std::span<const double> x) const;
  bool take_cuts(Lane& lane,
                 std::size_t question,
                 std::span<const Entry> dual,
                 std::span<const double> x) const;
  // False if the moves, times the factor, are more than the slacks allow.
  bool add_shares(const Need& need,
                  double level,
                  std::span<const Entry> moves,
                  double factor,
                  Shares& shares) const;
  void ask_group(
      Lane& lane, std::size_t group, std::span<const double> x, bool whole, const RunContext& run);
  std::vector<Cut> search(Lane& lane,
                          const Stripe& stripe,
                          std::span<const double> x,
                          const Limits& limits,
                          const RunContext& run);
  void search_bridges(Lane& lane,
                      const Stripe& stripe,
                      std::span<const double> x,
                      const Limits& limits,
                      const RunContext& run);

  const SuppressModel& model_;
  std::string engine_;
  std::vector<Probe> probes_;
  std::vector<std::size_t> group_start_{0};     // the questions of one need
  std::vector<std::vector<Shares>> witnesses_;  // by question, newest last
  std::vector<Lane> lanes_;
};

}  // namespace lacuna::suppression_model
