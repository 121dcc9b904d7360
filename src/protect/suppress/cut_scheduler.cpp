// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/cut_scheduler.h"

#include <algorithm>

#include "protect/suppress/tuning.h"

namespace lacuna::suppression {

CutScheduler::Turn CutScheduler::next(const Stall& stall) {
  if (stall.work < kTuning.groups.least_work)
    return Turn::kNone;
  const bool paid = stall.bound - stalled_at_ >= kTuning.groups.worth_turn * stall.gap;
  stalled_at_ = stall.bound;
  if (stage_ == Stage::kNeverStalled) {
    stage_ = Stage::kRoundedSums;
    rounded_sums_ = true;
    return Turn::kRoundedSums;
  }
  if (stage_ == Stage::kRoundedSums)  // from then on for good, or no more
    rounded_sums_ = paid;
  idle_turns_ = stage_ == Stage::kRoundedSums || paid ? 0 : idle_turns_ + 1;
  if (!stall.may_join_needs || idle_turns_ >= kTuning.groups.idle_turns ||
      joined_work_ * kTuning.groups.share > stall.work)
    return Turn::kNone;
  stage_ = Stage::kJoinedNeeds;
  return Turn::kJoinedNeeds;
}

std::int64_t CutScheduler::work_of_group(const Stall& stall) {
  return std::max(stall.work / kTuning.groups.turn_share, kTuning.groups.shortest);
}

}  // namespace lacuna::suppression
