// SPDX-License-Identifier: Apache-2.0
#include "protect/interval/find_rooms.h"

#include <utility>

#include "protect/interval/cutting_planes.h"

namespace lacuna::inline interval {

Result<RoomsFound> find_rooms(const Model& model, const RoomsAsked& asked, const RunContext& run) {
  LoopOptions options;
  options.keep_cuts = asked.keep_cuts;
  options.relative_gap = asked.relative_gap;
  LACUNA_TRY(const auto planes, CuttingPlanes::make(model, options, asked.engine, asked.threads));
  LoopResult found = planes->run(run);
  RoomsFound rooms;
  rooms.why = found.why;
  rooms.bound = found.bound;
  rooms.cuts = planes->take_cuts();
  if (!found.witnesses.empty() || model.goals.empty())
    rooms.z = std::move(found.safe.z);
  return rooms;
}

}  // namespace lacuna::inline interval
