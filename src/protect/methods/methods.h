// SPDX-License-Identifier: Apache-2.0
// The methods behind protect() (lacuna/protect.h), one file each: options of all methods in, those
// of the method picked and read, its result in the shape that all share. The problem has the
// weights of the run already.
#pragma once

#include <memory>
#include <vector>

#include "lacuna/problem.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::methods {

struct MethodOutcome : ProtectResult {
  std::vector<double> width_weights{};  // by cell: of interval ends; empty: the table's weights
};

// What every method's result says; the rest is the method's own.
MethodOutcome outcome_of(const MethodResult& found);

using MethodFunction = Result<MethodOutcome> (*)(const std::shared_ptr<const Problem>& problem,
                                                 const ProtectOptions& options,
                                                 const RunContext& run);

Result<MethodOutcome> protect_by_suppression(const std::shared_ptr<const Problem>& problem,
                                             const ProtectOptions& options,
                                             const RunContext& run);

Result<MethodOutcome> protect_by_intervals(const std::shared_ptr<const Problem>& problem,
                                           const ProtectOptions& options,
                                           const RunContext& run);

Result<MethodOutcome> protect_combined(const std::shared_ptr<const Problem>& problem,
                                       const ProtectOptions& options,
                                       const RunContext& run);

Result<MethodOutcome> protect_by_rounding(const std::shared_ptr<const Problem>& problem,
                                          const ProtectOptions& options,
                                          const RunContext& run);

Result<MethodOutcome> protect_by_perturbation(const std::shared_ptr<const Problem>& problem,
                                              const ProtectOptions& options,
                                              const RunContext& run);

Result<MethodOutcome> protect_by_adjustment(const std::shared_ptr<const Problem>& problem,
                                            const ProtectOptions& options,
                                            const RunContext& run);

// How --method mixed publishes each cell: by hand first, else as its settings say.
std::vector<PublishAs> mixed_groups(const Problem& problem, const ProtectOptions& options);

Result<MethodOutcome> protect_mixed(const std::shared_ptr<const Problem>& problem,
                                    const ProtectOptions& options,
                                    const RunContext& run);

Result<MethodOutcome> protect_small_counts(const std::shared_ptr<const Problem>& problem,
                                           const ProtectOptions& options,
                                           const RunContext& run);

Result<MethodOutcome> protect_by_cell_key(const std::shared_ptr<const Problem>& problem,
                                          const ProtectOptions& options,
                                          const RunContext& run);

}  // namespace lacuna::methods
