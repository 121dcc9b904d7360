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
// fits, or the constraint of the multipliers turned round is violated. And what answers it for one
// attacker answers it for all who know no cell concerned (questions.h): of the others several are
// asked at once, as one attacker who knows what any of them knows. Where that one is kept from the
// cell all are; where not, and no constraint of any of them is violated either, by halves.
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
#include "protect/suppression_model/questions.h"
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
  struct Witness {
    Shares shares;
    std::vector<Doubt> doubts;  // about others of the family, by probe
    bool serves(std::int32_t probe, std::span<const double> x) const;
  };
  struct Found {
    std::size_t question = 0;
    Witness witness;
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

  using OwnSlacks = std::vector<SuppressModel::OwnSlack>;
  attacker::AttackerSolver& solver(Lane& lane);
  bool is_settled(std::size_t question, std::span<const double> x) const;
  // Each puts what it finds into lane.cuts or lane.found; true if the mirror is answered as well.
  bool ask(Lane& lane, std::size_t question, std::span<const double> x, const RunContext& run);
  void ask_both(Lane& lane, std::size_t question, std::span<const double> x, const RunContext& run);
  void keep_witness(Lane& lane, std::size_t question, Witness witness) const;
  bool take_witness(Lane& lane,
                    std::size_t question,
                    std::span<const SuppressModel::OwnSlack> own,
                    std::span<const Entry> moves,
                    std::span<const double> x) const;
  bool take_cuts(Lane& lane,
                 std::size_t question,
                 std::span<const Entry> dual,
                 std::span<const double> x) const;
  std::optional<Cut> cut_of(std::size_t question, std::span<const Entry> dual, int turn) const;
  std::int32_t keenest_other(std::size_t question,
                             std::span<const Entry> dual,
                             int turn,
                             std::span<const double> x) const;
  // False if the moves, times the factor, are more than the slacks allow.
  bool add_shares(std::int32_t own_cell,
                  std::span<const SuppressModel::OwnSlack> own,
                  double level,
                  std::int32_t own_column,
                  std::span<const Entry> moves,
                  double factor,
                  Shares& shares) const;
  void ask_group(
      Lane& lane, std::size_t group, std::span<const double> x, bool whole, const RunContext& run);
  void ask_probe(Lane& lane,
                 std::size_t& question,
                 std::span<const double> x,
                 bool whole,
                 const RunContext& run);
  void ask_others(Lane& lane,
                  std::int32_t family,
                  std::size_t found_before,
                  std::span<const double> x,
                  bool whole,
                  const RunContext& run);
  std::vector<std::int32_t> unsettled_others(const Lane& lane,
                                             std::int32_t family,
                                             std::size_t found_before,
                                             std::span<const double> x) const;
  void ask_together(Lane& lane,
                    std::span<const std::int32_t> probes,
                    std::size_t most_cuts,
                    std::span<const double> x,
                    const RunContext& run);
  OwnSlacks common_slacks(std::span<const std::int32_t> probes) const;
  bool take_cut_of_any(Lane& lane,
                       std::span<const std::int32_t> probes,
                       std::span<const Entry> dual,
                       std::span<const double> x) const;
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
  Questions questions_;
  std::vector<std::vector<Witness>> witnesses_;  // by question, newest last
  std::vector<Lane> lanes_;
};

}  // namespace lacuna::suppression_model
