// SPDX-License-Identifier: Apache-2.0
// What all methods of protection share: how hard they try, and the shape of what they find. A
// method proposes; only the audit (audit.h) says that a release is safe.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/export.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

enum class Effort : std::uint8_t {
  kFast,     // quick heuristics, and a quick bound
  kDefault,  // begins with what kFast finds; exact for tables of moderate size
  kBest,     // exact, whatever the size, until optimal or stopped
};
std::span<const std::string_view> enum_names(Effort effort);

// The work that an effort allows for a table of so many cells, in units (run_context.h).
std::int64_t effort_work(Effort effort, std::int64_t cells);
// The run with the work of the effort, unless somebody has limited its work already.
RunContext with_effort(const RunContext& run, Effort effort, std::int64_t cells);

// Where altered sensitive cells go: to the side that costs less, or all to the same side.
enum class SenseRule : std::uint8_t { kFree, kUp, kDown };
std::span<const std::string_view> enum_names(SenseRule rule);

struct TracePoint {  // of the history of a run
  double seconds = 0;
  double incumbent = 0;  // infinite before the first
  double bound = 0;
  std::int64_t work = 0;  // units done when it was noted
};

struct MethodResult {
  StopReason why = StopReason::kLimit;
  bool complete = false;  // draft meets every requirement as far as the method knows
  Draft draft;
  double cost = 0;                      // of the draft, in the method's own measure
  double bound = 0;                     // proven: no safe release of this kind costs less
  std::vector<Displacement> witnesses;  // for the audit: what the method believes to be evidence
};

}  // namespace lacuna
