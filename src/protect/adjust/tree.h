// SPDX-License-Identifier: Apache-2.0
// Branch and bound over the senses of one connected part. A node decides some senses; its
// relaxation (columns.h, sensitive_form.h) gives a certified bound; multipliers that prove a sense
// too costly decide it without a branch; the cell to branch on is the one whose two branches raise
// the bound most, estimated by its compliance and tried out for the few best. Which node is next is
// a matter of core/branching/branch_tree.h.
#pragma once

#include <cstdint>
#include <vector>

#include "core/branching/branch_tree.h"
#include "lacuna/adjust.h"
#include "lacuna/run_context.h"
#include "protect/adjust/interior_point.h"
#include "protect/adjust/part_solver.h"
#include "protect/adjust/root.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {

struct NodeOutcome {
  std::vector<Node> children;
  std::vector<Senses> candidates;
  double closed_bound = kInfinity;  // of what was pruned or finished here
  std::int64_t steps = 0, relaxations = 0;
};

class Tree : private branching::BranchMethod<Node, NodeOutcome> {
 public:
  Tree(const Part& part, AdjustNorm norm, const TreeOptions& options);

  // The plain relaxation and a first table: every cell on the side it is nearer to there.
  void begin(const RunContext& run) { root_.begin(run); }
  // Works until the gap is closed, the limits strike, or `more_nodes` further nodes are done. What
  // a run has ended in the middle of is begun again by the next.
  void run(std::int64_t more_nodes, const RunContext& run);

  bool done() const { return root_.passed() && open_.nothing_open(); }
  // A large part is not branched on: each relaxation takes too long. Its search ends when turns of
  // senses by the incumbent's multipliers help no more.
  bool given_up() const { return given_up_; }
  // Every branch is closed by a bound that no table within the bounds can reach.
  bool proven_infeasible() const {
    return done() && !has_incumbent() && open_.closed_bound() >= solver_.gap().ceiling;
  }
  bool has_incumbent() const { return solver_.best().found(); }
  const Vector& incumbent() const { return solver_.best().table; }
  const Senses& incumbent_senses() const { return solver_.best().senses; }
  double cost() const { return solver_.best().cost; }
  // As PartSolver has them.
  Vector keep_margins(const Vector& margins, const RunContext& run) const {
    return solver_.keep_margins(margins, run);
  }
  Vector vertex(const RunContext& run) const { return solver_.vertex(run); }
  double bound() const;
  bool gap_closed() const;
  std::int64_t nodes() const { return open_.taken(); }
  std::int64_t steps() const { return solver_.steps(); }
  std::int64_t relaxations() const { return solver_.relaxations(); }

 private:
  NodeOutcome work_on(Node& node, std::size_t lane, const RunContext& run) override;
  void before_merge(std::size_t lanes, const RunContext& run) override;
  branching::NodeFate merge(Node& node, NodeOutcome outcome) override;
  void after_batch(const RunContext& run) override;
  bool reached() const override { return gap_closed(); }
  void finish_leaf(const Node& node,
                   InteriorPoint& full,
                   NodeOutcome& outcome,
                   const RunContext& run) const;
  bool decide_by_multipliers(Senses& senses, const Point& point, const InteriorPoint& method) const;
  std::vector<std::int32_t> best_to_branch(const Senses& senses,
                                           const Point& point,
                                           InteriorPoint& method,
                                           std::size_t count) const;
  void branch(const Node& node,
              Senses senses,
              const Point& point,
              InteriorPoint& method,
              InteriorPoint& full,
              NodeOutcome& outcome,
              const RunContext& run) const;

  PartSolver solver_;
  Root root_;
  branching::BranchTree<Node, NodeOutcome> open_;
  bool given_up_ = false;
  // Of the batch, and whether the run ended in the middle of it.
  std::vector<Senses> candidates_;
  bool unfinished_ = false;
};

}  // namespace lacuna::adjustment
