// SPDX-License-Identifier: Apache-2.0
// The interval problem for other methods: the cheapest slacks by the cutting planes
// (cutting_planes.h), without the way from slacks to published ends; and evidence that slacks are
// safe.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lacuna/evidence.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "protect/interval/cut.h"
#include "protect/interval/model.h"

namespace lacuna::interval {

struct CheapestSlacksOptions {
  double gap = 0;  // stop once (cost - bound) / cost is at most this
  bool keep_cuts = false;
  std::string engine;
  int threads = 1;
};

struct CheapestSlacks {
  StopReason why = StopReason::kWork;
  std::vector<double> z;  // by end: the cheapest slacks that witnesses show to be safe; empty: none
  double bound = 0;
  std::vector<Cut> cuts;  // all that were found, if kept; they hold for any slacks
};

// Errors: an unknown engine.
Result<CheapestSlacks> find_cheapest_slacks(const Model& model,
                                            const CheapestSlacksOptions& asked,
                                            const RunContext& run);

// Exact evidence that all requirements can be met, from the first pattern (start.h): the smallest
// slacks that hold it are safe. Nothing: there is none, or none in time.
std::optional<std::vector<Displacement>> first_evidence(const Model& model,
                                                        const std::string& engine,
                                                        const RunContext& run);

// Exact displacements that show that slacks (by end, LP numbers) meet the requirements, as far as
// they are found before the run is to stop. They may go beyond the slacks by what rounding takes.
std::vector<Displacement> evidence_within(const Model& model,
                                          std::span<const double> slacks,
                                          const RunContext& run);

}  // namespace lacuna::interval
