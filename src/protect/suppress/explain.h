// SPDX-License-Identifier: Apache-2.0
// Why no pattern meets the requirements, and what would help.
//
// Withholding more never narrows an interval, so a requirement that fails while everything is
// withheld that may be fails under every pattern. (With a minimum width the cells that cannot reach
// it are published one after the other first; what is left is the largest pattern there is.) The
// proof of that failure, s z_p <= sum_i max(d_i up_i, -d_i down_i), names what stands in the way:
// published or known cells with d_i != 0, and withheld cells whose bounds make up the sum. Its
// exact value is the level that could be met; cells that must be published and have d_i != 0 are
// those that could make room if they were withheld: first one alone, else a smallest set in the
// sense that none of it can be spared.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "lacuna/suppress.h"

namespace lacuna::suppression {

enum class LevelKind : std::uint8_t { kUpper, kLower, kSliding };
std::string_view to_string(LevelKind kind);

struct UnmetLevel {
  Requirement requirement;
  LevelKind kind = LevelKind::kUpper;
  bool is_width = false;           // the level comes from the minimum width
  Units level = 0;                 // asked
  Units possible = 0;              // the largest level that some pattern meets
  std::vector<CellId> published;   // must be published, and stand in the way
  std::vector<CellId> known;       // known in advance to everyone or to the attacker
  std::vector<CellId> narrow;      // may be withheld, but not with the minimum width
  std::vector<CellId> bounded;     // withheld, but the attacker's bounds leave too little
  std::vector<CellId> would_help;  // of `published`: if these might be withheld the level could be
                                   // met; empty if that does not help
};

struct TooFewCells {  // the limit on the number of withheld cells
  std::int64_t limit = 0;
  std::int64_t always = 0;  // cells that are withheld in every pattern
  std::int64_t least = 0;   // no safe pattern has fewer
  bool exact = false;       // there is one that has `least`
};

struct Explanation {
  std::vector<UnmetLevel> unmet;       // every one that no pattern meets
  std::optional<TooFewCells> too_few;  // only if `unmet` is empty
};

// The largest pattern: every safe pattern is a part of it.
Result<Draft> largest_pattern(const std::shared_ptr<const Problem>& problem,
                              const SuppressOptions& options,
                              const RunContext& run);

// Nothing if the requirements can be met, or if nothing could be shown before the run was stopped.
// `only`: indices of requirements to look at; empty: all, and the limit on withheld cells.
Result<std::optional<Explanation>> explain_infeasibility(
    const std::shared_ptr<const Problem>& problem,
    const SuppressOptions& options,
    const RunContext& run,
    const std::vector<std::int32_t>& only = {});

// One sentence each.
std::string text(const Problem& problem, const UnmetLevel& unmet);
std::string text(const TooFewCells& too_few);
// For a caller that gives up: the first sentence, the cell it is about, how many more there are.
Error to_error(const Problem& problem, const Explanation& explanation);

}  // namespace lacuna::suppression
