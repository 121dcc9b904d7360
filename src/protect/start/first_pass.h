// SPDX-License-Identifier: Apache-2.0
// The first pass of the construction: every goal gets a displacement that serves it, and what
// those use is withheld. Goals come by falling level; ways to find a route from quick to sure:
//
//   searches of kind kFirst (route.h; single paths in tables of two dimensions, path_search.h)
//   -> programs over neighbourhoods (program.h)
//   -> searches from kEighths to kAlone
//   -> routes without a search (leaf_routes.h)
//   -> searches up to kLast
//   -> the same again from kAlone on, as long as that leaves fewer goals
//   -> attacker LPs over all that may be withheld.
//
// Each way returns the goals that it leaves. What is hard to find is put off: once more is withheld
// it is often easy. Searches run in batches on the same state and are merged in their order, so
// that the number of threads does not matter.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "lacuna/run_context.h"
#include "protect/start/lane.h"
#include "protect/start/leaf_routes.h"
#include "protect/start/pattern_state.h"
#include "protect/start/route.h"
#include "protect/start/route_assignment.h"
#include "protect/start/tuning.h"

namespace lacuna::start {

class FirstPass {
 public:
  // The ways from quick to sure share the work of `run`; once that is done the sure ones, which are
  // quick, go on with that of `sure`: without a pattern there is nothing to improve.
  FirstPass(const PatternState& pattern_state,
            RouteAssignment& assignment,
            std::vector<std::unique_ptr<Lane>>& lanes,
            std::string engine,
            const RunContext& run,
            const RunContext& sure);

  // All return the goals that are left without.
  std::vector<std::int32_t> meet_all();
  // By searches of this kind; the last one is left sooner the first time.
  std::vector<std::int32_t> meet(const std::vector<std::int32_t>& goals,
                                 SearchKind kind,
                                 bool first_time);
  std::vector<std::int32_t> meet_by_lp(const std::vector<std::int32_t>& goals);

  std::function<void(double share)> on_progress;                         // may be empty
  std::function<void(const std::string& phase, std::size_t unmet)> log;  // may be empty

 private:
  struct Trial {
    std::int32_t goal = -1;
    bool found = false;
    Route steps;
    std::vector<EquationId> touched;
  };

  bool search_flow(Lane& lane, Trial& trial, bool mirrored) const;
  bool is_among(const std::vector<Trial>& batch, std::int32_t bundle) const;
  std::vector<Trial> next_batch(std::deque<std::int32_t>& waiting,
                                const std::unordered_set<std::int32_t>& hopeless,
                                std::vector<std::int32_t>& left);
  std::vector<std::int32_t> meet_by_program(const std::vector<std::int32_t>& goals);
  void search_by_program(Lane& lane, Trial& trial);
  bool find_by_program(Lane& lane, Trial& trial, double budget, const Route& known);
  double cost_of(const Route& steps) const;
  std::vector<std::int32_t> meet_by_leaf_routes(const std::vector<std::int32_t>& goals);
  void search_by_lp(Trial& trial) const;
  static bool is_stale(const Trial& trial,
                       const std::vector<std::uint32_t>& dirty,
                       std::uint32_t round);
  void accept(Trial& trial, std::vector<std::uint32_t>& dirty, std::uint32_t round);
  void search(Lane& lane, SearchKind kind, Trial& trial);
  bool search_path(Lane& lane, Trial& trial, bool mirrored) const;

  const PatternState& pattern_state_;
  RouteAssignment& assignment_;
  std::vector<std::unique_ptr<Lane>>& lanes_;
  std::string engine_;
  RunContext first_, programs_, searches_;   // how much each may do
  const RunContext& sure_;                   // and the ways after them
  std::unique_ptr<LeafRoutes> leaf_routes_;  // made when it is needed
  const bool paths_;                         // single paths are routes
  const std::shared_ptr<const table::Network> network_;  // where they are, for flows; else null
};

}  // namespace lacuna::start
