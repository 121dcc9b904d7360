// SPDX-License-Identifier: Apache-2.0
// What a construction says while it runs: patterns, their evidence, progress and the log.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/base/throttle.h"
#include "lacuna/run_context.h"
#include "protect/start/construct.h"
#include "protect/start/lane.h"
#include "protect/start/route_assignment.h"

namespace lacuna::start {

class ConstructReport {
 public:
  ConstructReport(const ConstructOptions& options,
                  const RouteAssignment& assignment,
                  const std::vector<std::unique_ptr<Lane>>& lanes,
                  const RunContext& run)
      : options_(options),
        assignment_(assignment),
        lanes_(lanes),
        run_(run),
        throttle_(options.seconds_between) {}

  void safe_pattern() const;                          // worth mentioning
  void pattern();                                     // and its evidence
  void progress(const char* phase, double fraction);  // from time to time the pattern as well
  bool is_logged() const { return run_.log != nullptr; }
  void log(const std::string& phase, std::size_t unmet = 0) const;  // only if it is logged

 private:
  const ConstructOptions& options_;
  const RouteAssignment& assignment_;
  const std::vector<std::unique_ptr<Lane>>& lanes_;
  const RunContext& run_;
  base::Throttle throttle_;
};

}  // namespace lacuna::start
