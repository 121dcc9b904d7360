// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/tree.h"

#include <algorithm>

#include "lacuna/tolerance.h"
#include "protect/suppress/tuning.h"

namespace lacuna::suppression {

PseudoCosts::PseudoCosts(std::int32_t columns)
    : zero_(static_cast<std::size_t>(columns)), one_(static_cast<std::size_t>(columns)) {}

void PseudoCosts::record(const Observation& seen) {
  if (seen.distance <= tol::kIntegrality)
    return;
  Side& side = (seen.withheld ? one_ : zero_)[static_cast<std::size_t>(seen.column)];
  Side& all = seen.withheld ? all_one_ : all_zero_;
  for (Side* each : {&side, &all}) {
    each->sum += seen.gain / seen.distance;
    ++each->count;
  }
}

bool PseudoCosts::reliable(std::int32_t column) const {
  const auto j = static_cast<std::size_t>(column);
  return std::min(zero_[j].count, one_[j].count) >= kTuning.tree.reliable;
}

double PseudoCosts::mean(const Side& side, const Side& all) const {
  if (side.count > 0)
    return side.sum / side.count;
  return all.count > 0 ? all.sum / all.count : 1;
}

double PseudoCosts::score(std::int32_t column, double x) const {
  const auto j = static_cast<std::size_t>(column);
  const double down = mean(zero_[j], all_zero_) * x;
  const double up = mean(one_[j], all_one_) * (1 - x);
  return std::max(down, tol::kIntegrality) * std::max(up, tol::kIntegrality);
}

}  // namespace lacuna::suppression
