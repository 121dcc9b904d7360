// SPDX-License-Identifier: Apache-2.0
// Numbers of the maximum-entropy solver that were chosen and could be others.
#pragma once

namespace lacuna::ptable {

struct EntropyTuning {
  int iterations = 400;           // of Newton's method; tables up to D = 100 took at most 60
  int halvings = 60;              // of one step
  double enough_decrease = 1e-4;  // Armijo's constant
  double noise = 1e-15;           // of the objective, which is about 1
  double solved = 1e-15;          // residual of a row that cannot be improved
  double accepted = 1e-10;        // residual above which parameters contradict each other
};

struct RowTuning {
  double least_probability = 1e-8;  // as in ptable 1.0.0: every target is possible
  double missed = 5e-4;             // a variance that differs from V by more misses it
  double stay_step = 0.05;          // by which a stay probability is lowered that misses V
};

}  // namespace lacuna::ptable
