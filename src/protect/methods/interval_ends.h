// SPDX-License-Identifier: Apache-2.0
// The step between a method and the audit: published intervals are moved off centre
// (core/draft/off_center.h), whatever method has found them, and the outcome says what that cost.
#pragma once

#include <memory>

#include "protect/methods/methods.h"

namespace lacuna::methods {

// Changes the draft and the details of the outcome, which keeps the centred draft; its cost, bound
// and status still speak of the method's optimum. Errors: --off-center out of range.
Status move_intervals(const std::shared_ptr<const Problem>& problem,
                      const ProtectOptions& options,
                      const RunContext& run,
                      MethodOutcome& found);

}  // namespace lacuna::methods
