// SPDX-License-Identifier: Apache-2.0
// Branch and cut for one part (Fischetti and Salazar-Gonzalez 2001, with our own separation): the
// master is solved, violated inequalities are added until there are none worth it, then a
// fractional column is fixed at 0 and at 1. Best bound first, reliability branching (Achterberg,
// Koch, Martin 2005), reduced-cost fixing. Equations (15) to (19): docs/suppression.md.
//
//   TreeTask -> TreeState (tree_state.h): best pattern, bound, columns, cuts, open nodes
//     -> RootLoop (root_loop.h), with what CutScheduler (cut_scheduler.h) gives a turn
//     -> the tree of core/branching/branch_tree.h: batches of nodes, each of which a NodeSolver
//        (node_solver.h) turns into a NodeOutcome (tree.h), merged in their order
//     -> TreeResult
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "lacuna/run_context.h"
#include "lacuna/suppress.h"
#include "protect/suppress/tree.h"
#include "protect/suppression_model/cuts/cut.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression {

struct TreeResult {
  StopReason why = StopReason::kLimit;
  std::optional<ColumnPattern> best;  // cheaper than the known one
  double cost = 0;                    // of the columns: of the best, else of the known pattern
  double bound = 0;                   // of the columns; no pattern costs less
  std::vector<Displacement> witnesses;
  SuppressCounts counts;
  // With restart: enough columns are settled that a smaller model pays.
  bool restart = false;
  std::vector<Decision> settled;
  std::vector<suppression_model::SharedCut> cuts;
};

struct TreeTask {
  double known_cost = std::numeric_limits<double>::infinity();  // of a safe pattern
  double offset = 0;                       // weight outside the columns, for the relative gap
  std::int64_t max_withheld = -1;          // at most so many cells in the columns withheld; -1: any
  std::vector<std::int32_t> column_sizes;  // cells of a column, for that
  std::int64_t max_nodes = -1;             // -1: any; 0: the cuts of the root alone
  bool may_restart = true;
  bool may_join = false;  // inequalities over several needs, where the root stalls (group_cuts.h)
  std::int64_t begun_at = 0;         // reading of work_done() when the part was begun, for that
  std::vector<double> lower, upper;  // of the columns in all patterns of interest; empty: 0 and 1
  double good_enough = -1;  // a pattern of this cost ends it: all that is wanted is a bound above
  std::vector<suppression_model::Cut> cuts;  // known beforehand
  std::optional<ColumnPattern> known;        // a safe pattern: where separation looks back from
  // Proposes a safe pattern from a point x of the master; nothing if there is none.
  std::function<std::optional<ColumnPattern>(const std::vector<double>& x, const RunContext& run)>
      round;
  // The same from elsewhere: asked once, if the tree is not done at this reading of work_done().
  std::function<std::optional<ColumnPattern>(const RunContext& run)> other_start;
  std::int64_t other_start_at = 0;
  std::function<void(double incumbent, double bound, std::int64_t open)> on_change;
  // Called with every better pattern and what is known of its evidence.
  std::function<void(const ColumnPattern&, const std::vector<Displacement>&)> on_pattern;
};

// The best pattern of the model, or what is known of it when the run ends.
TreeResult branch_and_cut(const suppression_model::SuppressModel& model,
                          const SuppressOptions& options,
                          TreeTask task,
                          const RunContext& run);

}  // namespace lacuna::suppression
