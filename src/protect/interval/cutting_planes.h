// SPDX-License-Identifier: Apache-2.0
// Cutting planes for the interval problem (Benders decomposition of Castro and Via; Algorithm 4.2
// of the thesis). The master's optimum is the bound. What makes the loop short:
//   - Cuts are sought in rooms max(z, epsilon level) instead of z, which picks, among the many
//     cuts that z violates equally, one that is strong away from z, and kept if z violates them.
//   - A stored witness that fits the new z needs no attacker problem.
//   - Any z becomes safe by widening it, one unmet demand after the other, where that is cheapest;
//     the hull of all witnesses is then the smallest safe point that they show. Its cost closes
//     the gap long before the master's own optimum is safe.
//   - Cuts that have been slack for long are dropped while the bound still moves.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/interval.h"
#include "protect/interval/master.h"
#include "protect/interval/model.h"
#include "protect/interval/separator.h"
#include "protect/interval/witness_lp.h"

namespace lacuna::interval {

// Rounds for which a demand that is met is not looked at.
inline constexpr std::int32_t kLongestRest = 7;

struct LoopOptions {
  double relative_gap = 0;        // stop once (cost - bound) / cost is at most this
  double rounding = 1e-9;         // such a gap is none
  double satisfied = 1e-8;        // a level missed by less than this share of it is met
  double widening = 1e-3;         // epsilon
  std::int32_t repair_every = 6;  // rounds between attempts to make the master's point safe
  std::int32_t few = 8;           // one violated cut in so many demands: worth an attempt
  std::int32_t very_few = 100;    // one in so many: look at all demands
};

struct LoopResult {
  StopReason why = StopReason::kLimit;
  Point safe;                   // the best safe point
  std::vector<Move> witnesses;  // by demand; empty if the point is the fallback
  double cost = 0;              // of the safe point, may be infinite
  double bound = 0;
  std::int32_t unattainable = -1;  // a requirement that no intervals can meet
};

class CuttingPlanes {
 public:
  static Result<std::unique_ptr<CuttingPlanes>> make(const Model& model,
                                                     const LoopOptions& options,
                                                     const std::string& engine,
                                                     int threads);
  LoopResult run(const RunContext& run);
  const IntervalCounts& counts() const { return counts_; }
  std::span<const Demand> demands() const { return demands_; }

 private:
  CuttingPlanes(const Model& model, const LoopOptions& options, int threads)
      : model_(model), options_(options), threads_(threads), demands_(demands_of(model)) {}

  enum class Finding : std::uint8_t { kOpen, kMet, kReused, kViolated };
  struct Found {  // by demand, in one round
    Finding finding = Finding::kOpen;
    std::int64_t probes = 0;
    Cut cut;
  };
  struct Rest {  // how long a demand has not to be looked at: longer each time it is met
    std::int32_t left = 0, length = 0;
    void next(bool violated) {
      if (violated) {
        left = length = 0;
      } else if (left > 0) {
        --left;
      } else {
        left = length = std::min(kLongestRest, 2 * length + 1);
      }
    }
  };
  void make_lanes();
  void add_first_cuts();
  double reference_level(std::size_t demand) const;
  std::int32_t level_class(std::size_t demand) const;
  std::vector<double> widened(std::span<const double> rooms, std::size_t demand) const;
  void work_on_lane(std::size_t lane,
                    const Point& at,
                    bool full,
                    const RunContext& run,
                    std::vector<Found>& found);
  struct Round {
    std::int64_t violated = 0;             // cuts added
    bool all_met = true;                   // every demand has a witness that fits
    void operator+=(const Round& again) {  // at the same point, looking closer
      violated += again.violated;
      all_met = again.all_met && violated == 0;
    }
  };
  Round round(const Point& at, bool full, const RunContext& run);
  bool keep_cut(std::size_t demand, const ProbeAnswer& answer, const Point& at, Found& found) const;
  bool make_safe(Point& point, const RunContext& run);
  void offer(Point candidate, const RunContext& run);
  Point hull() const;
  void find_unattainable(const RunContext& run);
  bool closed() const;
  void report(const RunContext& run) const;

  const Goal& goal_of(std::size_t demand) const {
    return model_.goals[static_cast<std::size_t>(demands_[demand].goal)];
  }
  double level_at(const Point& point, std::size_t demand) const {
    return point.h[share_index(demands_[demand])];
  }
  static std::size_t share_index(const Demand& demand) {
    return 2 * static_cast<std::size_t>(demand.goal) + (demand.sign > 0 ? 0 : 1);
  }

  const Model& model_;
  LoopOptions options_;
  int threads_;
  std::vector<Demand> demands_;
  std::vector<Move> witness_;                    // by demand: the last one found
  std::vector<Rest> rest_;                       // by demand
  std::vector<bool> cut_here_;                   // by demand: the master's point is cut off already
  std::vector<double> shown_;                    // how far it takes the cell; 0: there is none
  std::vector<std::vector<std::size_t>> lanes_;  // demands by attacker and size of level
  std::vector<std::unique_ptr<Separator>> separators_;  // by lane
  std::unique_ptr<WitnessLp> witness_lp_;
  std::unique_ptr<Master> master_;
  IntervalCounts counts_;
  LoopResult result_;
};

}  // namespace lacuna::interval
