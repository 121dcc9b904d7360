// SPDX-License-Identifier: Apache-2.0
// What holds of the columns x in all patterns that are still of interest, and why: 0 or 1 where
// that is settled, and what a pattern costs at least under one decision on a column.
#pragma once

#include <cstdint>
#include <vector>

#include "protect/suppress/tree.h"
#include "protect/suppression_model/master.h"

namespace lacuna::suppression {

class ColumnBounds {
 public:
  // `lower` and `upper`: of all patterns of interest; empty: 0 and 1.
  ColumnBounds(std::int32_t columns,
               const std::vector<double>& lower,
               const std::vector<double>& upper);

  const std::vector<double>& lower() const { return lower_; }
  const std::vector<double>& upper() const { return upper_; }
  std::int32_t settled() const { return settled_; }  // columns, by the last settle()
  std::vector<Decision> decisions() const;           // on the settled ones
  void give_to(suppression_model::Master& master) const;
  // Ends a try-out: the column is as free as it is everywhere.
  void give_to(suppression_model::Master& master, std::int32_t column) const;

  // Patterns that withhold the column cost at least so much.
  void learn_if_withheld(std::int32_t column, double bound);
  // The same of all columns, from the reduced costs of a solved master: (16) of
  // docs/suppression.md.
  void learn(const suppression_model::Master& master);
  // Decides on every column of which one decision costs at least the cutoff.
  void settle(double cutoff);

 private:
  std::vector<double> lower_, upper_;
  std::vector<double> if_withheld_, if_published_;  // least cost of a pattern, by decision
  std::int32_t settled_ = 0;
};

}  // namespace lacuna::suppression
