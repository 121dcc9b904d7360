// SPDX-License-Identifier: Apache-2.0
// One node of the tree at a time, on a master of its own: the master is solved and violated
// inequalities are added while that pays; then a fractional column is fixed at 0 and at 1, chosen
// by reliability branching (Achterberg, Koch, Martin 2005). What is found is a value; the state is
// left as it is, so that several solvers may work side by side.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "lacuna/run_context.h"
#include "protect/suppress/tree.h"
#include "protect/suppress/tree_state.h"
#include "protect/suppression_model/master.h"

namespace lacuna::suppression {

class NodeSolver {
 public:
  // `lane`: of the separator.
  NodeSolver(TreeState& state, std::size_t lane);

  suppression_model::Master& master() { return *master_; }
  const suppression_model::Master& master() const { return *master_; }

  NodeOutcome solve(const Node& node, const PseudoCosts& pseudo_costs, const RunContext& run);
  // Follows the master down from the node until it has decided on every column: cuts, and a pattern
  // if there is one at the end.
  NodeOutcome dive(const Node& from, const RunContext& run);

 private:
  void begin_at(const Node& node);
  bool separate(std::size_t round, NodeOutcome& outcome, const RunContext& run);
  bool fix_most_certain();
  bool is_slow(std::size_t round, double before, double bound) const;
  std::vector<Decision> fix_by_reduced_costs() const;
  std::optional<double> probe(Decision decision,
                              const suppression_model::Master::Start& start,
                              const RunContext& run);
  std::int32_t choose_column(const PseudoCosts& pseudo_costs,
                             NodeOutcome& outcome,
                             const RunContext& run);
  void branch(const Node& node,
              const PseudoCosts& pseudo_costs,
              NodeOutcome& outcome,
              const RunContext& run);

  TreeState& state_;
  std::size_t lane_;
  std::unique_ptr<suppression_model::Master> master_;
};

}  // namespace lacuna::suppression
