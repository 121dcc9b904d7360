// SPDX-License-Identifier: Apache-2.0
// The attacker problem at a point x of the master, in doubles, for separation. For cell p, sign s
// and level L, all displacements divided by L:
//
//   maximize s z_p  subject to  M z = 0,  -down_i <= z_i <= up_i,  0 <= s z_p <= own
//
// with up_i = min(UB_i / L, 1) x_i and down_i likewise. Its dual is a vector d = s e_p - M'g with
// s z_p = d'z for every displacement; the capacity constraint is made of d (cuts/capacity.h).
// Capping the room at the level makes the violation that of the strengthened constraint where d is
// 0, 1 or -1. The answers are hints: cuts are made from d with the true rooms. Any multipliers g
// make a valid constraint: a search that was cut off answers with those it has come to.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/run_context.h"
#include "protect/common/suppress_model.h"

namespace lacuna::inline common {

// up_i and down_i, computed where they are asked for: a search looks at few cells of a large table.
class Capacities {
 public:
  // In units of the level, at most one. With `least` > 0 never quite nothing: then the dual tells
  // also what a cell that is published now would be good for.
  Capacities(const SuppressModel& model,
             std::int32_t attacker,
             double level,
             double least,
             std::span<const double> x)
      : model_(model), attacker_(attacker), level_(level), least_(least), x_(x) {}
  // x_i on either side of every cell, whatever its room.
  static Capacities without_rooms(const SuppressModel& model,
                                  double least,
                                  std::span<const double> x) {
    return {model, -1, 1, least, x};
  }

  bool is_open(std::int32_t cell) const { return share(cell) > 0; }
  RealRoom of(std::int32_t cell) const;
  void write(std::vector<double>& up, std::vector<double>& down) const;  // of all cells

 private:
  double share(std::int32_t cell) const {
    const std::int32_t column = model_.column_of(cell);
    const double x = column < 0 ? 1 : x_[static_cast<std::size_t>(column)];
    return x > least_ ? x : least_;
  }

  const SuppressModel& model_;
  std::int32_t attacker_;
  double level_, least_;
  std::span<const double> x_;
};

class AttackerSolver {
 public:
  virtual ~AttackerSolver() = default;

  struct Target {
    std::int32_t cell = 0;  // local
    int sign = 1;
    double own = 1;  // how far the cell itself may move that way; not at all the other way
  };
  using Entry = std::pair<std::int32_t, double>;  // local cell, not zero
  struct Answer {
    bool solved = false;
    double value = 0;              // the largest s z_p
    std::span<const Entry> dual;   // d; maybe that of a search that was cut off
    std::span<const Entry> moves;  // z
  };
  // Capacities of the target itself do not count. The spans of an answer hold until the next push.
  virtual Answer push(const Target& target,
                      const Capacities& capacities,
                      const RunContext& run) = 0;

  // The same target with other capacities.
  virtual Answer push_again(const Capacities& capacities, const RunContext& run) {
    return push(last_, capacities, run);
  }

  // The question once more, which was not answered, in a way that takes longer.
  virtual Answer insist(const Capacities&, const RunContext&) { return {}; }

  std::int64_t solves() const { return solves_; }

 protected:
  Answer answer(bool solved, double value) const { return {solved, value, dual_, moves_}; }

  std::int64_t solves_ = 0;
  Target last_;  // set by push
  std::vector<Entry> dual_, moves_;
};

// Flows if the part is a network, else the lazy simplex or, where leaves are few, linear programs.
std::unique_ptr<AttackerSolver> make_attacker_solver(const SuppressModel& model,
                                                     const std::string& engine);

}  // namespace lacuna::inline common
