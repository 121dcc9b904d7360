// SPDX-License-Identifier: Apache-2.0
// One connected part from a known pattern to the best one. Whenever reduced costs have settled a
// good share of the columns, branch and cut starts again on what is left: cells that no better
// pattern withholds are published for good, which shrinks every attacker problem and leaves more
// cells that can only move together (part_model.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "lacuna/suppress.h"
#include "protect/suppress/part_model.h"

namespace lacuna::suppression {

struct PartTask {
  std::vector<CellId> cells;         // of the part
  std::optional<PartPattern> start;  // known to be safe
  double offset = 0;                 // weight outside the part, for the relative gap
  std::int64_t max_withheld = -1;    // in the part; -1: any
  std::vector<std::int32_t> sizes;   // what a cell counts there, by cell of the table; empty: one
  // Proposes a safe pattern given a guess of how likely each cell is withheld (by cell of the
  // table; negative: it should not be).
  std::function<std::optional<PartPattern>(const std::vector<double>& guess, const RunContext& run)>
      round;
  // A safe pattern of another origin: asked for once, if the tree is not done at this reading.
  std::function<std::optional<PartPattern>(const RunContext& run)> other_start;
  std::int64_t other_start_at = 0;
  std::function<void(double cost, double bound)> on_change;
  // Called with every better pattern and what is known of its evidence.
  std::function<void(const PartPattern&, const std::vector<Displacement>&)> on_pattern;
};

struct PartResult {
  StopReason why = StopReason::kLimit;
  std::optional<PartPattern> best;
  double bound = 0;
  std::vector<Displacement> witnesses;
  SuppressCounts counts;
};

PartResult solve_part(const std::shared_ptr<const Problem>& problem,
                      const SuppressOptions& options,
                      PartTask task,
                      const RunContext& run);

}  // namespace lacuna::suppression
