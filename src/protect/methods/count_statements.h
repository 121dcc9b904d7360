// SPDX-License-Identifier: Apache-2.0
// What the rule of a release of numbers tells a reader of counts beyond the ranges of the method
// (docs/knowledge.md). With v the published number, r the base, t the threshold:
//   rounded, multiples published as they are   the count is strictly between v - r and v + r, and
//                                              no multiple of r
// The numbers that remain are stated one by one (`among`), so that audit, certificate and public
// file say the same.
#pragma once

#include <vector>

#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/protect.h"
#include "lacuna/result.h"

namespace lacuna::methods {

// By cell: how these options publish it where it is not published as it is.
std::vector<StatementKind> states_by(const Problem& problem, const ProtectOptions& options);

// By cell: whether a zero there would be published as it is, so that another number is none.
std::vector<bool> zeros_shown(const Problem& problem, const ProtectOptions& options);

// How a cell is published must not tell whether its count is sensitive, which would say that it is
// one of 1 .. t - 1. Errors: perturbed numbers with their ranges, whose widths do; a mixture, with
// the label of a cell whose way of publication does.
Status check_ways(const Problem& problem, const ProtectOptions& options);

// The draft as readers of counts know it; steps: those that rounding has used. Errors: a base too
// large for the numbers to be listed.
Result<Draft> as_count_readers_see(const Problem& problem,
                                   const ProtectOptions& options,
                                   double steps,
                                   Draft draft);

}  // namespace lacuna::methods
