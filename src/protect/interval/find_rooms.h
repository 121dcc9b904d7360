// SPDX-License-Identifier: Apache-2.0
// The interval problem for other methods: the cheapest rooms by the cutting planes
// (cutting_planes.h), without the way from rooms to published ends.
#pragma once

#include <string>
#include <vector>

#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "protect/interval/cut.h"
#include "protect/interval/model.h"

namespace lacuna::inline interval {

struct RoomsAsked {
  double relative_gap = 0;  // stop once (cost - bound) / cost is at most this
  bool keep_cuts = false;
  std::string engine;
  int threads = 1;
};

struct RoomsFound {
  StopReason why = StopReason::kLimit;
  std::vector<double> z;  // by end: the cheapest rooms that witnesses show to be safe; empty: none
  double bound = 0;
  std::vector<Cut> cuts;  // all that were found, if kept; they hold for any rooms
};

// Errors: an unknown engine.
Result<RoomsFound> find_rooms(const Model& model, const RoomsAsked& asked, const RunContext& run);

}  // namespace lacuna::inline interval
