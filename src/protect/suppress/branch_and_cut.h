// SPDX-License-Identifier: Apache-2.0
// Branch and cut for one part (Fischetti and Salazar-Gonzalez 2001, with our own separation): the
// master is solved, violated inequalities are added until there are none worth it, then a
// fractional column is fixed at 0 and at 1. Best bound first, reliability branching (Achterberg,
// Koch, Martin 2005), reduced-cost fixing.
//
// Nodes are taken in batches of a fixed size, each node by a solver of its own, and what they found
// is put together in the order of the batch: the result does not depend on the number of threads.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/run_context.h"
#include "lacuna/suppress.h"
#include "protect/suppress/cut_pool.h"
#include "protect/suppress/master.h"
#include "protect/suppress/model.h"
#include "protect/suppress/pattern_check.h"
#include "protect/suppress/separator.h"
#include "protect/suppress/tree.h"

namespace lacuna {

using ColumnPattern = std::vector<bool>;  // withheld, by column

struct PartResult {
  StopReason why = StopReason::kLimit;
  std::optional<ColumnPattern> best;
  double cost = 0;   // of the columns of the best pattern
  double bound = 0;  // of the columns
  std::vector<Displacement> witnesses;
  SuppressCounts counts;
};

struct PartTask {
  std::optional<ColumnPattern> start;  // known to be safe
  double offset = 0;                   // weight outside the columns, for the relative gap
  std::int64_t max_columns = -1;       // at most so many columns withheld; -1: any
  std::int64_t max_nodes = -1;         // -1: any; 0: no more than the cuts of the root need
  // Proposes patterns from a point x of the master: costs by column in, a safe pattern out.
  std::function<std::optional<ColumnPattern>(const std::vector<double>& x, const RunContext& run)>
      round;
  std::function<void(double incumbent, double bound, std::int64_t open)> on_change;
};

class BranchAndCut {
 public:
  BranchAndCut(const SuppressModel& model, const SuppressOptions& options, PartTask task);
  PartResult run(const RunContext& run);

 private:
  struct Slot {  // one node at a time
    std::unique_ptr<Master> master;
    std::size_t lane = 0;
  };
  struct NodeResult {
    bool finished = true;  // false: stopped half-way
    bool undecided = false;
    double bound = 0;
    std::vector<Node> children;
    std::vector<Cut> cuts;
    std::vector<ColumnPattern> patterns;  // safe
    std::vector<Displacement> witnesses;  // of the last pattern
    struct Observation {
      std::int32_t column;
      bool withheld;
      double distance, gain;
    };
    std::vector<Observation> observations;
  };

  bool cut_root(const RunContext& run);
  void run_tree(const RunContext& run);
  NodeResult work_on(const Node& node, Slot& slot, const RunContext& run);
  void merge(NodeResult result);
  bool separate(Slot& slot, NodeResult& result, std::size_t round, const RunContext& run);
  void branch(const Node& node, Slot& slot, NodeResult& result, const RunContext& run);
  std::int32_t choose_column(Slot& slot, NodeResult& result, const RunContext& run);
  std::optional<double> probe(Slot& slot,
                              std::int32_t column,
                              bool withheld,
                              const Master::Start& start,
                              const RunContext& run);
  void apply_path(const Node& node, Master& master) const;
  std::vector<Decision> fix_by_reduced_costs(const Master& master) const;
  void learn_from_root(const Master& master);
  void fix_globally();
  bool offer(const ColumnPattern& pattern, std::vector<Displacement> witnesses);
  double cutoff() const;
  double bound() const;  // of all patterns that are still possible
  bool gap_reached() const;
  void try_rounding(const std::vector<double>& x, const RunContext& run);
  void report() const;

  const SuppressModel& model_;
  const SuppressOptions& options_;
  PartTask task_;
  Separator separator_;
  PatternCheck check_;
  CutPool pool_;
  std::vector<Slot> slots_;
  NodeQueue queue_;
  PseudoCosts pseudo_;
  std::vector<double> if_withheld_, if_published_;  // bounds known under one decision
  std::vector<double> lower_, upper_;               // of the columns, everywhere
  PartResult result_;
  double root_bound_ = 0;
  bool in_tree_ = false;
  double undecided_bound_ =
      std::numeric_limits<double>::infinity();  // of nodes that no audit settled
  std::int64_t next_number_ = 0;
};

}  // namespace lacuna
