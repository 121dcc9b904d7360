// SPDX-License-Identifier: Apache-2.0
// Branch and cut for the combined problem, from what the start (start.h) has found. The root
// relaxation is cut until that is slow; then the heuristic (heuristic.h) looks for solutions, which
// limits that it does not know (number of intervals, least widths, conditional levels) may spoil or
// widen. Cells whose reduced cost passes the gap are closed for good. The tree
// (core/branching/branch_tree.h) branches on x and goes on with the better child, else with the
// node of least bound.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/branching/branch_tree.h"
#include "core/branching/gap_rule.h"
#include "protect/combined/heuristic.h"
#include "protect/combined/relaxation.h"
#include "protect/combined/tuning.h"

namespace lacuna::combined {

struct SearchResult {
  StopReason why = StopReason::kWork;
  bool found = false;
  Point best;
  double cost = kLpInfinity;
  double bound = 0;
};

struct Node : branching::OpenNode {
  std::vector<std::pair<std::int32_t, bool>> fixed;  // x of the cell
};

struct NodeOutcome {
  bool split = false;
  std::int32_t cell = -1;  // to split on; -1: none is known, the node is not settled
  double value = 0;        // of x there
};

class Search : private branching::BranchMethod<Node, NodeOutcome> {
 public:
  Search(const interval::Model& model,
         const Prices& prices,
         double gap,
         Relaxation& relaxation,
         Heuristic& heuristic)
      : model_(model), prices_(prices), relaxation_(relaxation), heuristic_(heuristic) {
    gap_.rounding = kTuning.rounding;
    gap_.pruned = gap_.gap = std::max(gap, kTuning.rounding);
  }

  // `slacks`: of a solution, or the start of one where there are limits; `bound`: known to hold.
  SearchResult run(std::vector<double> slacks, double bound, const RunContext& run);
  std::int64_t nodes() const { return tree_.taken(); }

 private:
  NodeOutcome work_on(Node& node, std::size_t lane, const RunContext& run) override;
  branching::NodeFate merge(Node& node, NodeOutcome outcome) override;
  void after_batch(const RunContext& run) override;
  bool reached() const override { return gap_.reached(result_.cost, result_.bound); }
  double cutoff() const { return gap_.cutoff(result_.cost); }
  double cost_of(const Point& point) const;
  void offer(const Point& point);
  bool is_choice(std::size_t cell) const;  // x is not decided beforehand
  void open_all();
  void apply(const Node& node);
  bool try_pattern(const std::vector<bool>& open, const RunContext& run);
  static RunContext part_of_work(const RunContext& run);
  void raise_bound(double bound);
  void offer_slacks(std::vector<double> z, const RunContext& run);
  bool has_limits() const;
  void fix_by_reduced_cost(double bound);
  std::int32_t branching_cell(const Point& point) const;
  void tree(const RunContext& run);

  const interval::Model& model_;
  const Prices& prices_;
  branching::GapRule gap_;
  Relaxation& relaxation_;
  Heuristic& heuristic_;
  std::vector<bool> shut_;  // by cell: closed for good
  std::vector<std::int32_t> applied_;
  branching::BranchTree<Node, NodeOutcome> tree_{{}};
  SearchResult result_;
};

}  // namespace lacuna::combined
