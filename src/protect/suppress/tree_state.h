// SPDX-License-Identifier: Apache-2.0
// What the root and the tree of one part share: the best pattern and the bound, what holds of the
// columns, the cuts with where they come from, and the nodes that are open. While a batch of nodes
// is worked on none of it changes but what belongs to a lane of the separator.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/branching/branch_tree.h"
#include "core/branching/gap_rule.h"
#include "lacuna/run_context.h"
#include "lacuna/suppress.h"
#include "protect/suppress/branch_and_cut.h"
#include "protect/suppress/column_bounds.h"
#include "protect/suppress/pattern_check.h"
#include "protect/suppress/tree.h"
#include "protect/suppression_model/cut_pool.h"
#include "protect/suppression_model/master.h"
#include "protect/suppression_model/separator.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression {

// All cuts, and who finds them.
struct Cuts {
  suppression_model::CutPool pool;
  suppression_model::Separator separator;
  PatternCheck check;

  void add_rows(std::vector<suppression_model::Cut> cuts);  // those that are new
};

struct BestPattern {
  std::optional<ColumnPattern> pattern;  // found here: cheaper than the known one
  double cost = 0;                       // of it, or of the known one
  std::vector<Displacement> witnesses;
};

class TreeState {
 public:
  TreeState(const suppression_model::SuppressModel& model,
            const SuppressOptions& options,
            TreeTask task);

  const suppression_model::SuppressModel& model() const { return model_; }
  const TreeTask& task() const { return task_; }
  const SuppressOptions& options() const { return options_; }
  ColumnBounds& columns() { return columns_; }
  const ColumnBounds& columns() const { return columns_; }
  Cuts& cuts() { return cuts_; }
  branching::BranchTree<Node, NodeOutcome>& open() { return open_; }

  // The cheapest pattern, here or before.
  const std::optional<ColumnPattern>& best_pattern() const {
    return best_.pattern ? best_.pattern : task_.known;
  }
  double cost() const { return best_.cost; }
  double cutoff() const { return gap_.cutoff(best_.cost); }  // what costs this is of no interest
  double root_bound() const { return root_bound_; }
  double root_gap() const;  // between cost and root bound; without a pattern the bound's size
  double bound() const;     // of all patterns that are still possible
  bool gap_reached() const;

  void raise_root_bound(double bound);
  void close_root() { root_bound_ = best_.cost; }  // nothing costs less
  void settle_columns() { columns_.settle(cutoff()); }
  // A safe pattern: is it the best?
  bool offer(const ColumnPattern& pattern, std::vector<Displacement> witnesses);
  void take(NodeOutcome outcome);  // all of it but the observations
  // Ask for patterns from outside.
  void try_rounding(const std::vector<double>& x, const RunContext& run);
  void try_other_start(const RunContext& run);
  void report() const;
  // How it ended; without the counts of the masters.
  TreeResult result(bool restart, const RunContext& run) const;

 private:
  bool good_enough() const { return best_.cost <= task_.good_enough; }

  const suppression_model::SuppressModel& model_;
  const SuppressOptions& options_;
  TreeTask task_;
  ColumnBounds columns_;
  Cuts cuts_;
  branching::GapRule gap_;
  branching::BranchTree<Node, NodeOutcome> open_;
  BestPattern best_;
  double root_bound_ = 0;
  std::int64_t begun_at_ = work_done();
};

bool is_integer(const std::vector<double>& x);
ColumnPattern pattern_of(const std::vector<double>& x);
void keep_most_violated(std::vector<suppression_model::Cut>& cuts,
                        const std::vector<double>& x,
                        std::size_t most);

}  // namespace lacuna::suppression
