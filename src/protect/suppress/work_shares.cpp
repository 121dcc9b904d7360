// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/work_shares.h"

#include <algorithm>

#include "protect/suppress/tuning.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression {

// If the work is limited at all.
std::int64_t WorkShares::most_before_tree() const {
  return run_.work_end == kNoWorkLimit
             ? kNoWorkLimit
             : static_cast<std::int64_t>(kTuning.start.most_work *
                                         static_cast<double>(run_.work_end - begun_at_));
}

std::int64_t WorkShares::of_fast() const {
  return effort_work(Effort::kFast, problem_->table().num_cells());
}

std::int64_t WorkShares::of_start() const {
  const auto& tuning = kTuning.start;
  return std::min(
      most_before_tree(),
      tuning.least_work + tuning.work_per_cell * std::int64_t{problem_->table().num_cells()});
}

// All the work that the quick effort has, alone or within a longer one: there it may go on for
// longer where flats find what the tree does not.
double WorkShares::of_quick_effort() const {
  if (options_.effort == Effort::kFast)
    return static_cast<double>(run_.work_end - begun_at_);
  const std::int64_t longer =
      parts_.are_small() && suppression_model::any_has_few_leaves(
                                problem_, parts_.all(), parts_.always(), options_.minimum_width)
          ? kTuning.start.flats_longer
          : 1;
  return static_cast<double>(std::min(most_before_tree(), longer * of_fast()));
}

std::int64_t WorkShares::of_quick_start() const {
  return static_cast<std::int64_t>(kTuning.start.pattern_share * of_quick_effort());
}

std::int64_t WorkShares::before_quick() const {
  return static_cast<std::int64_t>(kTuning.start.tree_first *
                                   static_cast<double>(std::min(most_before_tree(), of_fast())));
}

RunContext WorkShares::for_tree() const {
  if (options_.effort != Effort::kFast)
    return run_;
  const auto& tuning = kTuning.part;
  return with_work(
      run_, std::max((work_done() - begun_at_) / tuning.quick_bound_share, tuning.quick_bound));
}

}  // namespace lacuna::suppression
