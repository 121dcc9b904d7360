// SPDX-License-Identifier: Apache-2.0
// What is tried at the root where its rounds of cuts have come to an end, each kind as long as it
// pays: first rounded sums of rows in every round (suppression_model/cuts/rounded.h), then turns of
// inequalities over several needs (group_cuts.h). A turn has paid if the bound rose by a share of
// the gap since the last stall. Parts that are done soon are never strengthened.
#pragma once

#include <cstdint>

namespace lacuna::suppression {

class CutScheduler {
 public:
  enum class Turn : std::uint8_t { kNone, kRoundedSums, kJoinedNeeds };
  struct Stall {  // where the root stands
    double bound = 0;
    double gap = 0;         // between the best pattern and the bound
    std::int64_t work = 0;  // done on the part
    bool may_join_needs = true;
  };
  // What comes next; kNone: nothing pays any more.
  Turn next(const Stall& stall);
  void add_work_of_turn(std::int64_t work) { joined_work_ += work; }
  // What one group may take of a turn of joined needs.
  static std::int64_t work_of_group(const Stall& stall);

  bool wants_rounded_sums() const { return rounded_sums_; }  // in each of the next rounds

 private:
  enum class Stage : std::uint8_t { kNeverStalled, kRoundedSums, kJoinedNeeds };
  Stage stage_ = Stage::kNeverStalled;
  bool rounded_sums_ = false;
  double stalled_at_ = 0;  // bound
  int idle_turns_ = 0;     // of joined needs, in a row, that did not pay
  std::int64_t joined_work_ = 0;
};

}  // namespace lacuna::suppression
