// SPDX-License-Identifier: Apache-2.0
// What a single equation says about senses. Relaxations with open senses let the sensitive cells of
// an equation balance in fractions; whole senses may not (three equal levels never sum to zero).
// Take equations that share no cell. For multipliers g of the others, weak duality allows to keep
// each of these equations, with the two-sided requirement of its cells, inside the minimization:
//   sum over blocks of  min { sum_i f_i(z_i) - g_i z_i : a'z = 0, z_i >= u_i or z_i <= -l_i }
//   + sum over other cells of  min { f_i(z_i) - g_i z_i }   <=  optimum,
// which is never below bound (3) of docs/adjustment.md. A block is a convex problem with one
// equation for given senses, solved by its one multiplier, and a small branch and bound over them.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/run_context.h"
#include "protect/adjust/columns.h"
#include "protect/adjust/model.h"

namespace lacuna::adjustment {

class BlockBound {
 public:
  BlockBound(const Part& part, AdjustNorm norm);

  // Chooses the equations for relaxations near this one: by what each adds on its own, largest
  // first. Where the run ends, among those that were looked at.
  void choose(const Part& cells, const Senses& senses, const Vector& g, const RunContext& run);

  // What the blocks add to the bound of a relaxation with these senses and multipliers; `cells`
  // holds the bounds that the relaxation used. At least 0. Each block gets at most so many nodes
  // and ends once it is known to within the tolerance, or with the run.
  double extra(const Part& cells,
               const Senses& senses,
               const Vector& g,
               std::int64_t nodes,
               double tolerance,
               const RunContext& run) const;

 private:
  double gain_of(std::int32_t equation,
                 const Part& cells,
                 const Senses& senses,
                 const Vector& g,
                 std::int64_t nodes,
                 double tolerance,
                 const RunContext& run) const;
  const Part& part_;
  AdjustNorm norm_;
  std::vector<std::int32_t> equations_;
  std::vector<std::int32_t> place_;  // by cell: index among the sensitive, -1 if not
};

}  // namespace lacuna::adjustment
