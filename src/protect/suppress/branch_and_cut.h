// SPDX-License-Identifier: Apache-2.0
// Branch and cut for one part (Fischetti and Salazar-Gonzalez 2001, with our own separation): the
// master is solved, violated inequalities are added until there are none worth it, then a
// fractional column is fixed at 0 and at 1. Best bound first, reliability branching (Achterberg,
// Koch, Martin 2005), reduced-cost fixing.
//
// The tree is that of core/branching/branch_tree.h; each node of a batch has a solver of its own.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/branching/branch_tree.h"
#include "core/branching/gap_rule.h"
#include "lacuna/run_context.h"
#include "lacuna/suppress.h"
#include "protect/suppress/group_cuts.h"
#include "protect/suppress/pattern_check.h"
#include "protect/suppress/tree.h"
#include "protect/suppression_model/cut_pool.h"
#include "protect/suppression_model/master.h"
#include "protect/suppression_model/separator.h"
#include "protect/suppression_model/suppress_model.h"

namespace lacuna::suppression {

using ColumnPattern = std::vector<bool>;  // withheld, by column

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
  double in_vain = -1;  // a pattern of at most this cost ends it: a bound above it is all one wants
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

struct NodeResult {
  bool finished = true;  // false: stopped half-way
  bool undecided = false;
  double bound = 0;
  std::vector<Node> children;
  std::vector<suppression_model::Cut> cuts;
  std::vector<ColumnPattern> patterns;  // safe
  std::vector<Displacement> witnesses;  // of the last pattern
  struct Observation {
    std::int32_t column;
    bool withheld;
    double distance, gain;
  };
  std::vector<Observation> observations;
};

class BranchAndCut : private branching::BranchMethod<Node, NodeResult> {
 public:
  BranchAndCut(const suppression_model::SuppressModel& model,
               const SuppressOptions& options,
               TreeTask task);
  TreeResult run(const RunContext& run);

 private:
  struct Slot {  // one node at a time
    std::unique_ptr<suppression_model::Master> master;
    std::size_t lane = 0;
  };
  enum class Root : std::uint8_t { kSolved, kUnfinished, kStopped, kRestart };
  void climb(const RunContext& run);
  Root cut_root(const RunContext& run);
  Root open_root(const RunContext& run);
  bool strengthen(const RunContext& run);
  bool join_needs(std::int64_t work_of_one, const RunContext& run);
  bool has_stalled(const std::vector<double>& history, std::size_t rounds, double share) const;
  bool restart_pays() const;
  void prepare_restart();
  std::vector<suppression_model::SharedCut> root_cuts(const std::vector<double>& x,
                                                      const RunContext& run);
  std::vector<suppression_model::Cut> cuts_on_the_way(const std::vector<double>& x,
                                                      const RunContext& run);
  bool fix_most_certain(suppression_model::Master& master) const;
  void dive(const Node& from, Slot& slot, const RunContext& run);
  void before_batch(const RunContext& run) override { try_other_start(run); }
  NodeResult work_on(Node& node, std::size_t lane, const RunContext& run) override;
  void before_merge(std::size_t lanes, const RunContext& run) override;
  branching::NodeFate merge(Node& node, NodeResult result) override;
  void after_batch(const RunContext& run) override;
  bool reached() const override { return gap_reached(); }
  void put_together(NodeResult result);
  bool separate(Slot& slot, NodeResult& result, std::size_t round, const RunContext& run);
  void branch(const Node& node, Slot& slot, NodeResult& result, const RunContext& run);
  std::int32_t choose_column(Slot& slot, NodeResult& result, const RunContext& run);
  std::optional<double> probe(Slot& slot,
                              std::int32_t column,
                              bool withheld,
                              const suppression_model::Master::Start& start,
                              const RunContext& run);
  void apply_path(const Node& node, suppression_model::Master& master) const;
  std::vector<Decision> fix_by_reduced_costs(const suppression_model::Master& master) const;
  void learn_from_root(const suppression_model::Master& master);
  void fix_globally();
  bool offer(const ColumnPattern& pattern, std::vector<Displacement> witnesses);
  double cutoff() const { return gap_.cutoff(result_.cost); }
  double bound() const;  // of all patterns that are still possible
  bool gap_reached() const;
  bool in_vain() const { return result_.cost <= task_.in_vain; }
  void try_rounding(const std::vector<double>& x, const RunContext& run);
  void try_other_start(const RunContext& run);
  void report() const;

  const suppression_model::SuppressModel& model_;
  const SuppressOptions& options_;
  TreeTask task_;
  suppression_model::Separator separator_;
  PatternCheck check_;
  suppression_model::CutPool pool_;
  std::vector<Slot> slots_;
  branching::GapRule gap_;
  branching::BranchTree<Node, NodeResult> tree_;
  PseudoCosts pseudo_;
  std::vector<double> if_withheld_, if_published_;  // bounds known under one decision
  std::vector<double> lower_, upper_;               // of the columns, everywhere
  std::vector<double> inner_;                       // a point that no cut is known to violate
  TreeResult result_;
  double root_bound_ = 0;
  std::int64_t batches_ = 0;
  std::int64_t begin_ = work_done();
  std::int32_t settled_ = 0;  // columns
  // What the root has tried since it first stalled, where that was last, and what it took.
  bool rounds_ = false, tried_rounding_ = false;
  double stalled_at_ = 0;
  int joins_ = 0, idle_joins_ = 0;
  std::int64_t joined_work_ = 0;
  GroupSearch groups_;
};

}  // namespace lacuna::suppression
