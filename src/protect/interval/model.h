// SPDX-License-Identifier: Apache-2.0
// The interval problem in the numbers that LPs see. Every cell c has two ends, up (2c) and down
// (2c + 1); slack z_e of end e says how far the published interval goes on that side. Units are
// divided by one scale, so that levels are of moderate size whatever the table's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/table/network.h"
#include "judge/attacker/problem.h"
#include "judge/attacker/slacks.h"
#include "lacuna/interval.h"
#include "lacuna/problem.h"

namespace lacuna::interval {

enum class EndRole : std::uint8_t {
  kClosed,  // z = 0: the cell is published, known, or cannot move
  kPriced,  // a variable of the master
  kFree,    // costs nothing: as wide as everyone's prior knowledge
};

struct Need {  // one requirement with a level, in LP numbers
  std::int32_t requirement = -1;
  std::int32_t cell = -1;
  std::int32_t attacker = 0;
  double upper = 0, lower = 0;
  double sliding = 0;  // 0 unless it asks for more than upper + lower
  double level(int sign) const { return sign > 0 ? upper : lower; }
};

struct Limit {  // what an attacker knows beyond the prior: his slack at an end
  std::size_t end = 0;
  double most = 0;
};

struct Model {
  const Problem* problem = nullptr;
  double scale = 1;                        // units per LP number
  double price_unit = 1;                   // cost of one LP number at weight 1, in the user's unit
  std::vector<EndRole> role;               // by end
  std::vector<double> weight;              // by end, per LP number
  double forced = 0;                       // cost of units that sensitive cells need in any case
  std::vector<double> least;               // by end: what the needs' own cells need
  std::vector<double> most;                // by end: the outsider's slack; infinite: no limit
  std::vector<std::vector<Limit>> limits;  // by attacker
  std::vector<Need> needs;
  bool keeps_slopes = false;          // cuts keep what they were made of
  std::vector<bool> movable;          // by cell: some end is not closed
  std::vector<EquationId> equations;  // independent ones over the movable cells
  std::shared_ptr<const attacker::AttackerProblem> attacked;  // over the movable cells
  const table::Network* network = nullptr;                    // of it; null if it is none

  std::size_t num_ends() const { return role.size(); }
  // The slacks that attacker k sees if the ends are published at z.
  std::vector<double> slacks(std::int32_t attacker, std::span<const double> z) const;
  double cost(std::span<const double> z) const;  // in the user's unit
  // A slack without the noise of floating point, if it is a short fraction of a unit.
  double tidied(double slack) const;
};

// Errors: unusable options. With price_all, ends without a weight are variables all the same: in
// the combined problem their cell has a price of its own.
Result<Model> make_model(const Problem& problem,
                         const IntervalOptions& options,
                         bool price_all = false);

// True if f stays within the slacks, up to `slack`.
bool fits(const attacker::Move& move, std::span<const double> slacks, double tolerance);

// A direction of a need: the cell has to be able to move by `level` towards `sign`.
struct Goal {
  std::int32_t need = -1;
  int sign = 1;
};
std::vector<Goal> goals_of(const Model& model);

}  // namespace lacuna::interval
