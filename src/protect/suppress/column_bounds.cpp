// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/column_bounds.h"

#include <algorithm>
#include <limits>

#include "core/base/index.h"

namespace lacuna::suppression {

ColumnBounds::ColumnBounds(std::int32_t columns,
                           const std::vector<double>& lower,
                           const std::vector<double>& upper)
    : lower_(lower.empty() ? std::vector<double>(base::at(columns), 0) : lower),
      upper_(upper.empty() ? std::vector<double>(base::at(columns), 1) : upper),
      if_withheld_(base::at(columns), -std::numeric_limits<double>::infinity()),
      if_published_(base::at(columns), -std::numeric_limits<double>::infinity()) {}

std::vector<Decision> ColumnBounds::decisions() const {
  std::vector<Decision> decisions;
  for (std::size_t j = 0; j < lower_.size(); ++j) {
    if (lower_[j] == upper_[j])
      decisions.push_back({static_cast<std::int32_t>(j), lower_[j] > 0});
  }
  return decisions;
}

void ColumnBounds::give_to(suppression_model::Master& master) const {
  for (std::size_t j = 0; j < lower_.size(); ++j)
    give_to(master, static_cast<std::int32_t>(j));
}

void ColumnBounds::give_to(suppression_model::Master& master, std::int32_t column) const {
  master.set_bounds(column, lower_[base::at(column)], upper_[base::at(column)]);
}

void ColumnBounds::learn_if_withheld(std::int32_t column, double bound) {
  if_withheld_[base::at(column)] = std::max(if_withheld_[base::at(column)], bound);
}

// (16): with bound b and reduced cost r_j, patterns with x_j = v cost at least
// b - min(l_j r_j, u_j r_j) + v r_j.
void ColumnBounds::learn(const suppression_model::Master& master) {
  for (std::size_t j = 0; j < lower_.size(); ++j) {
    const double reduced = master.reduced_costs()[j];
    const double here = std::min(lower_[j] * reduced, upper_[j] * reduced);
    if_withheld_[j] = std::max(if_withheld_[j], master.bound() - here + reduced);
    if_published_[j] = std::max(if_published_[j], master.bound() - here);
  }
}

void ColumnBounds::settle(double cutoff) {
  settled_ = 0;
  for (std::size_t j = 0; j < lower_.size(); ++j) {
    if (lower_[j] != upper_[j]) {
      if (if_withheld_[j] >= cutoff)
        upper_[j] = 0;
      else if (if_published_[j] >= cutoff)
        lower_[j] = 1;
    }
    settled_ += lower_[j] == upper_[j] ? 1 : 0;
  }
}

}  // namespace lacuna::suppression
