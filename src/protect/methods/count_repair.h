// SPDX-License-Identifier: Apache-2.0
// Releases of counts that stand an attack in whole numbers (docs/counts.md, "Protecting"):
//   1. the method solves the model of protect/counts/count_model.h, a relaxation: its bound is the
//   bound;
//   2. what it has found is attacked in whole numbers; if nothing is refuted, that is the result;
//   3. suppression: where one side of `small` would do but neither is reached, one is asked for,
//      and the method solves that; what is refuted then gives cuts (protect/counts/count_cut.h),
//      and cells that meet all of them are withheld as well, until nothing is refuted;
//   4. other methods: what is refuted is asked for with a unit more, a few times.
// Only the audit of the release says that it is safe.
#pragma once

#include <memory>

#include "protect/methods/methods.h"

namespace lacuna::methods {

// Whether a method is to be made safe against readers of counts: one that publishes single numbers
// without any statement is judged otherwise, and one with a table of noise by its audit.
bool withstands_integer_attack(Method method);

// The problem has counts, and the method is one of those. Errors: those of the method; a question
// that no release can answer well.
Result<MethodOutcome> protect_counts(MethodFunction method,
                                     const std::shared_ptr<const Problem>& problem,
                                     const ProtectOptions& options,
                                     const RunContext& run);

}  // namespace lacuna::methods
