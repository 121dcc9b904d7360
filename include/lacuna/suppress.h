// SPDX-License-Identifier: Apache-2.0
// Complete cell suppression: which cells to withhold so that every requirement of every attacker
// holds and the weight of what is withheld is least. With x_i = 1 if cell i is withheld
//
//   minimize sum_i w_i x_i  over x in {0,1}, x_i = 1 for primaries, 0 for published cells,
//   such that for every requirement (p, k): max { z_p } >= UPL, max { -z_p } >= LPL and their sum
//   >= SPL over the displacements  M z = 0, -LB_i^k x_i <= z_i <= UB_i^k x_i
//
// ((3.17) of the thesis; Figures 3 and 4 of Salazar-Gonzalez, "A unified mathematical programming
// framework"). docs/suppression.md has the model, the cuts and their sources.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/export.h"
#include "lacuna/fields.h"
#include "lacuna/method.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace LACUNA_API lacuna {

struct SuppressSettings {
  std::int64_t max_withheld = -1;
  // Every withheld cell, sensitive or not, must be uncertain by this much for the outsider: the
  // width of its interval in percent of its value, at least one unit. 0: no such demand.
  double minimum_width = 0;
  // The bound comes with a log that anyone can check without a solver (bound_log.h).
  bool prove_bound = false;
  // Cells withheld in an earlier release, to be kept: if they and the sensitive cells are a safe
  // pattern, that is the result; else as much of them is kept as still serves, before anything else
  // is withheld.
  std::optional<std::vector<CellId>> preferred{};
  std::span<const CellId> earlier() const {  // these, or none
    return preferred ? std::span<const CellId>(*preferred) : std::span<const CellId>();
  }
  // Where an earlier run stopped: what it withheld, and what it knew to be evidence.
  std::vector<CellId> start{};
  std::vector<Displacement> start_evidence{};
  SuppressStage start_stage{};
  // Called at the end of every stage, and now and then with the best pattern so far (or, before
  // there is a safe one, with what is withheld already) and its evidence: what a run needs to go on
  // from there.
  std::function<void(const Draft&, const std::vector<Displacement>&, const SuppressStage&)>
      on_pattern{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "max-withheld",
                    .help = "largest number of withheld cells, including primaries",
                    .least = 0,
                    .absent = "any number",
                    .methods = "suppress"},
          self.max_withheld);
    visit(FieldInfo{.name = "minimum-width",
                    .help =
                        "smallest width of the interval that readers may infer for a withheld cell",
                    .unit = "percent of the value",
                    .least = 0,
                    .most = 10000,
                    .methods = "suppress"},
          self.minimum_width);
    visit(kProveBoundField, self.prove_bound);
  }
};

struct SuppressOptions : MethodOptions, SuppressSettings {
  Status validate() const;
};

struct SuppressCounts {
  std::int64_t nodes = 0, cuts = 0, attacker_lps = 0, master_lps = 0;
};

struct SuppressResult : MethodResult {  // the cost is the weight of all withheld cells
  double start_cost = 0;                // of the pattern that the heuristics found first
  double start_seconds = 0;             // which took so long
  SuppressCounts counts;
  std::vector<TracePoint> trace;
};

// Errors: unusable options; a requirement that no pattern can meet (the message names the cell, the
// level, what stands in the way and the smallest relaxation that would help).
Result<SuppressResult> suppress(const std::shared_ptr<const Problem>& problem,
                                const SuppressOptions& options,
                                const RunContext& run);

}  // namespace lacuna
