// SPDX-License-Identifier: Apache-2.0
#include "protect/start/construct_report.h"

#include <cmath>

#include "core/base/confidential.h"

namespace lacuna::start {

void ConstructReport::safe_pattern() const {
  if (options_.on_safe)
    options_.on_safe(assignment_.pattern_state().draft());
}

void ConstructReport::pattern() {
  if (!options_.on_pattern)
    return;
  options_.on_pattern(assignment_.pattern_state().draft(), assignment_.displacements());
  throttle_.done();
}

void ConstructReport::progress(const char* phase, double fraction) {
  if (options_.on_pattern && throttle_.is_due())
    pattern();
  if (run_.on_progress)
    run_.on_progress({phase, fraction, std::nan(""), std::nan("")});
}

void ConstructReport::log(const std::string& phase, std::size_t unmet) const {
  std::int64_t searches = 0;
  std::int64_t iterations = 0;
  for (const auto& lane : lanes_) {
    searches += lane->searches;
    iterations += lane->router.iterations();
  }
  const PatternState& state = assignment_.pattern_state();
  run_.log(phase + ": cost " + base::confidential(std::to_string(state.total_cost())) +
           ", withheld " + std::to_string(state.draft().count(StatementKind::kWithheld)) +
           ", searches " + std::to_string(searches) + ", iterations " + std::to_string(iterations) +
           ", unmet " + std::to_string(unmet));
}

}  // namespace lacuna::start
