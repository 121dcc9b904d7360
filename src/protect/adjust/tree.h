// SPDX-License-Identifier: Apache-2.0
// Branch and bound over the senses of one connected part. A node decides some senses; its
// relaxation (columns.h, sensitive_form.h) gives a certified bound; multipliers that prove a sense
// too costly decide it without a branch; the cell to branch on is the one whose two branches raise
// the bound most, estimated by its compliance and tried out for the few best. Which node is next is
// a matter of core/branching/branch_tree.h.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/branching/branch_tree.h"
#include "core/branching/gap_rule.h"
#include "lacuna/adjust.h"
#include "lacuna/run_context.h"
#include "protect/adjust/block_bound.h"
#include "protect/adjust/interior_point.h"
#include "protect/adjust/sense_search.h"
#include "protect/adjust/sensitive_form.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {

struct TreeOptions {
  double gap = 1e-4;
  double pruning_share =
      kTuning.tree.pruning_share;  // of the gap; the rest is for rounding the table
  double start_precision = kTuning.tree.start_precision;  // of incumbents
  std::int64_t max_nodes = -1;
  std::size_t batch = kTuning.tree.batch;      // nodes at a time
  int tried = kTuning.tree.tried;              // cells tried out per node near the root
  int tried_depth = kTuning.tree.tried_depth;  // ... up to this depth, then fewer
  int renew_depth = kTuning.tree.renew_depth;  // levels after which the sensitive form is renewed
  std::string engine;                          // LP engine for proofs of infeasibility and vertices
};

struct Node : branching::OpenNode {
  Senses senses;
  int depth = 0;
  int renewed = 0;                            // depth at which the relaxation was made
  std::shared_ptr<const SensitiveForm> form;  // null: the plain relaxation of the whole part
};

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
  void begin(const RunContext& run);
  // Works until the gap is closed, the limits strike, or `more_nodes` further nodes are done. What
  // a run has ended in the middle of is begun again by the next.
  void run(std::int64_t more_nodes, const RunContext& run);

  bool done() const { return stage_ == Stage::kNodes && open_.nothing_open(); }
  // A large part is not branched on: each relaxation takes too long. Its search ends when turns of
  // senses by the incumbent's multipliers help no more.
  bool given_up() const { return given_up_; }
  // Every branch is closed by a bound that no table within the bounds can reach.
  bool proven_infeasible() const {
    return done() && !has_incumbent() && open_.closed_bound() >= gap_.ceiling;
  }
  bool has_incumbent() const { return incumbent_.size() > 0; }
  const Vector& incumbent() const { return incumbent_; }
  const Senses& incumbent_senses() const { return incumbent_senses_; }
  double cost() const { return cost_; }
  // The best deviations with the incumbent's senses that keep these distances from bounds and
  // levels; the incumbent itself if there are none.
  Vector keep_margins(const Vector& margins, const RunContext& run) const;
  // L1: a vertex of the optimal face of the incumbent's senses; else the incumbent.
  Vector vertex(const RunContext& run) const;
  double bound() const;
  bool gap_closed() const;
  std::int64_t nodes() const { return open_.taken(); }
  std::int64_t steps() const { return steps_; }
  std::int64_t relaxations() const { return relaxations_; }

 private:
  enum class Stage : std::uint8_t { kNone, kSenses, kBlocks, kTighten, kNodes };

  PointOptions quick_options() const;
  void pass_stage(const RunContext& run);
  void search_senses(const RunContext& run);
  void bound_by_blocks(const RunContext& run);
  void tighten_root(const RunContext& run);
  std::size_t dearest_sensitive() const;
  void make_workers();
  bool is_symmetric() const;
  std::shared_ptr<const SensitiveForm> make_form(const Senses& senses, const RunContext& run) const;
  Vector of_sensitive(const Vector& v, const InteriorPoint& method) const;
  std::vector<std::int32_t> best_to_branch(const Senses& senses,
                                           const Point& point,
                                           InteriorPoint& method,
                                           std::size_t count) const;
  NodeOutcome work_on(Node& node, std::size_t lane, const RunContext& run) override;
  void before_merge(std::size_t lanes, const RunContext& run) override;
  branching::NodeFate merge(Node& node, NodeOutcome outcome) override;
  void after_batch(const RunContext& run) override;
  bool reached() const override { return gap_closed(); }
  void branch(const Node& node,
              Senses senses,
              const Point& point,
              InteriorPoint& method,
              InteriorPoint& full,
              NodeOutcome& outcome,
              const RunContext& run) const;
  void finish_leaf(const Node& node,
                   InteriorPoint& full,
                   NodeOutcome& outcome,
                   const RunContext& run) const;
  // The relaxation of the whole part, by the interior point method or, where that stalls, by a
  // simplex engine.
  Point solve_plain(InteriorPoint& full,
                    const Senses& senses,
                    const PointOptions& options,
                    const RunContext& run) const;
  bool decide_by_multipliers(Senses& senses, const Point& point, const InteriorPoint& method) const;
  bool evaluate(const std::vector<Senses>& candidates,
                double precision,
                const RunContext& run);  // any better?
  void improve_large(const RunContext& run);
  Senses turned_by_multipliers(double share) const;
  void limit_reach();
  double cutoff() const { return gap_.cutoff(cost_); }
  double block_tolerance(double bound) const;
  double farthest() const;  // no admissible table costs more
  Senses mirrored(const Senses& senses) const;

  const Part& part_;
  Part cells_;  // what relaxations read of the part: cells without far ends once a cost is known
  AdjustNorm norm_;
  TreeOptions options_;
  std::shared_ptr<const Matrix> q_;
  std::unique_ptr<SenseSearch> search_;
  std::unique_ptr<BlockBound> blocks_;
  std::vector<std::unique_ptr<InteriorPoint>> workers_;  // one per place in a batch
  branching::GapRule gap_;
  branching::BranchTree<Node, NodeOutcome> open_;
  Node root_;    // until it joins the open ones
  Point plain_;  // its plain relaxation
  std::set<Senses> seen_;
  Vector incumbent_;
  Senses incumbent_senses_;
  double cost_ = kInfinity;
  Stage stage_ = Stage::kNone;  // what comes next
  bool given_up_ = false;
  Vector incumbent_multipliers_;
  bool symmetric_ = false;  // relaxations are the same for mirrored senses; half the tree is left
  // Of the batch, and whether the run ended in the middle of it.
  std::vector<Senses> candidates_;
  bool unfinished_ = false;
  std::int64_t steps_ = 0, relaxations_ = 0;
};

}  // namespace lacuna::adjustment
