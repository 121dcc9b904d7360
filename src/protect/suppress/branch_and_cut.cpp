// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/branch_and_cut.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/base/work.h"
#include "core/branching/branch_tree.h"
#include "protect/suppress/node_solver.h"
#include "protect/suppress/root_loop.h"
#include "protect/suppress/tree_state.h"
#include "protect/suppress/tuning.h"

namespace lacuna::suppression {
namespace {

// What a node of this tree means, for core/branching/branch_tree.h.
class NodeTree final : public branching::BranchMethod<Node, NodeOutcome> {
 public:
  NodeTree(TreeState& state, std::vector<NodeSolver>& solvers)
      : state_(state), solvers_(solvers), pseudo_costs_(state.model().num_columns()) {}

  void before_batch(const RunContext& run) override { state_.try_other_start(run); }

  NodeOutcome work_on(Node& node, std::size_t lane, const RunContext& run) override {
    const auto nodes = static_cast<double>(state_.open().in_batch());
    return solvers_[lane].solve(node, pseudo_costs_, base::share_of_work(run, 1.0 / nodes));
  }

  void before_merge(std::size_t lanes, const RunContext&) override {
    std::unordered_set<const suppression_model::Cut*> tight;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      solvers_[lane].master().add_tight_rows(tight);
    state_.cuts().pool.age(tight);
    state_.cuts().separator.share_witnesses();
  }

  branching::NodeFate merge(Node& node, NodeOutcome outcome) override {
    if (!outcome.finished) {
      node.bound = std::max(node.bound, outcome.bound);
      return branching::NodeFate::kReturns;
    }
    for (const Observation& seen : outcome.observations)
      pseudo_costs_.record(seen);
    state_.take(std::move(outcome));
    return branching::NodeFate::kDone;
  }

  void after_batch(const RunContext& run) override {
    branching::BranchTree<Node, NodeOutcome>& open = state_.open();
    open.prune(state_.cutoff());
    if (++batches_ % kTuning.tree.round_every == 0 && !open.nothing_open())
      dive(state_, solvers_.front(), open.best(), run);
    state_.report();
  }

  bool reached() const override { return state_.gap_reached(); }

 private:
  TreeState& state_;
  std::vector<NodeSolver>& solvers_;
  PseudoCosts pseudo_costs_;
  std::int64_t batches_ = 0;
};

}  // namespace

TreeResult branch_and_cut(const suppression_model::SuppressModel& model,
                          const SuppressOptions& options,
                          TreeTask task,
                          const RunContext& run) {
  TreeState state(model, options, std::move(task));
  std::vector<NodeSolver> solvers;
  for (std::size_t lane = 0; lane < kTuning.tree.slots; ++lane)
    solvers.emplace_back(state, lane);
  const RootLoop::Ending root = RootLoop(state, solvers.front()).run(run);
  if (root == RootLoop::Ending::kUnfinished && state.task().max_nodes != 0 &&
      !state.gap_reached()) {
    NodeTree tree(state, solvers);
    state.open().run(tree, state.task().max_nodes, run);
  }
  TreeResult result = state.result(root == RootLoop::Ending::kRestart, run);
  for (const NodeSolver& solver : solvers)
    result.counts.master_lps += solver.master().solves();
  return result;
}

}  // namespace lacuna::suppression
