// SPDX-License-Identifier: Apache-2.0
// The root of the tree: rounds of solving the master and adding violated inequalities, cheap ones
// first, until there are none, the bound is near enough, or nothing that the CutScheduler knows
// pays any more. Each round settles columns by its reduced costs; once enough are settled the part
// is restarted on a smaller model. At the end the root is the first open node.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/run_context.h"
#include "protect/suppress/cut_scheduler.h"
#include "protect/suppress/group_cuts.h"
#include "protect/suppress/node_solver.h"
#include "protect/suppress/tree_state.h"
#include "protect/suppression_model/cuts/cut.h"

namespace lacuna::suppression {

class RootLoop {
 public:
  enum class Ending : std::uint8_t {
    kSolved,
    kUnfinished,  // the root is open
    kStopped,
    kRestart,
  };

  RootLoop(TreeState& state, NodeSolver& solver);
  Ending run(const RunContext& run);

 private:
  void climb(const RunContext& run);
  std::optional<Ending> solve_master(const RunContext& run);
  std::vector<suppression_model::SharedCut> find_cuts(const std::vector<double>& x,
                                                      const RunContext& run);
  std::vector<suppression_model::Cut> cuts_on_the_way(const std::vector<double>& x,
                                                      const RunContext& run);
  void check_integer_point(const std::vector<double>& x,
                           std::vector<suppression_model::SharedCut>& rows,
                           const RunContext& run);
  bool strengthen(const RunContext& run);
  bool join_needs(std::int64_t work_of_one, const RunContext& run);
  bool restart_pays() const;
  Ending open_root(const RunContext& run);

  TreeState& state_;
  NodeSolver& solver_;
  CutScheduler scheduler_;
  GroupSearch groups_;
  std::vector<double> inner_;  // a point that no cut is known to violate
};

// A dive from the node, and whatever comes of it.
void dive(TreeState& state, NodeSolver& solver, const Node& from, const RunContext& run);

}  // namespace lacuna::suppression
