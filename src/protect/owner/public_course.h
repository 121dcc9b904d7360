// SPDX-License-Identifier: Apache-2.0
// Suppression whose course depends on public parts alone, so that whoever owns the program learns
// next to nothing by running it (docs/owner.md). With t the table, P a pattern, and
//
//   F(P, t) = { y : M y = b, y = t on the cells that P publishes, priors }                     (1)
//
// the tables that fit, the width that a reader infers for a cell is the same for all of F(P, t).
// So is whether P keeps widths that are public.
//
//   1. P0 is chosen for a stand-in, which is made of public parts: t is not looked at.
//   2. Where every width holds over F(P0, t), P0 is released: all of F(P0, t) have that release.
//   3. Else P0 is widened to P1 by looking at the cells that P0 publishes and at nothing else,
//      again the same for all of F(P0, t), until every width holds.
//
// In either case all of F(P0, t) have the same release (theorem 2), so that a cell whose width
// holds under P0 keeps it against the owner of the program.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lacuna/evidence.h"
#include "lacuna/method.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::owner {

struct PublicParts {
  std::vector<Units> sizes;     // by cell: what anyone may take the number for before the release
  std::vector<double> weights;  // by cell, finite and >= 0
};

struct CourseOptions : MethodOptions {
  // The first choice leaves this many times the width on the stand-in, so that it mostly stands.
  double reserve = 2;
  // Tried first where a width is looked at, and checked like any other: what is known of a table
  // that fits spares much of the work on the next one.
  std::vector<Displacement> hints;
};

struct Course : MethodResult {
  Draft first;                            // P0
  std::vector<std::int32_t> short_first;  // requirements whose width P0 did not keep, rising
  std::int32_t repairs = 0;               // how often it was widened
};

// Weights that no two patterns of equal weight share by chance: totals cost a little more than
// their parts, and of equals those that come later.
std::vector<double> with_tie_break(const Table& table, std::vector<double> weights);

// All that P0 depends on: the table with public sizes in the place of its numbers, except those that
// are published in any case, and with the widths times the reserve. Two tables with equal public
// parts have the same.
Result<std::shared_ptr<const Problem>> public_problem(const Problem& problem,
                                                      const PublicParts& parts,
                                                      double reserve);
// P0.
Result<Draft> first_choice(const std::shared_ptr<const Problem>& public_problem,
                           const CourseOptions& options,
                           const RunContext& run);

// The problem asks for sliding levels of the outsider alone, which are public. `first`: P0, if it
// is known from a run with the same public parts. Errors: a problem that asks for something else; a
// width that no pattern keeps.
Result<Course> suppress_by_public_parts(const std::shared_ptr<const Problem>& problem,
                                        const PublicParts& parts,
                                        const CourseOptions& options,
                                        const RunContext& run,
                                        const Draft* first = nullptr);

}  // namespace lacuna::owner
