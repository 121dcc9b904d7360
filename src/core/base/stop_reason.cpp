// SPDX-License-Identifier: Apache-2.0
#include "lacuna/run_context.h"

namespace lacuna {

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::kOptimal:
      return "optimal";
    case StopReason::kGapReached:
      return "gap";
    case StopReason::kWork:
      return "work";
    case StopReason::kLimit:
      return "limit";
    case StopReason::kCancelled:
      return "cancelled";
    case StopReason::kInfeasible:
      return "infeasible";
  }
  return "";
}

StopReason ended_by(const RunContext& run) {
  if (run.stop.stop_requested())
    return StopReason::kCancelled;
  return run.out_of_time() ? StopReason::kLimit : StopReason::kWork;
}

}  // namespace lacuna
