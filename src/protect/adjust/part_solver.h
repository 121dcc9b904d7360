// SPDX-License-Identifier: Apache-2.0
// What the root and all nodes of one part share: its plain relaxation for given senses, and the
// best table found. A cheaper table limits how far cells without bounds can go, so relaxations read
// the cells from reachable(); the equations, and what a table costs, are those of the part.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/branching/gap_rule.h"
#include "lacuna/adjust.h"
#include "lacuna/run_context.h"
#include "protect/adjust/interior_point.h"
#include "protect/adjust/model.h"
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

struct Incumbent {
  Vector table;  // deviations; empty if there is none
  Senses senses;
  Vector multipliers;
  double cost = kInfinity;

  bool found() const { return table.size() > 0; }
};

class PartSolver {
 public:
  PartSolver(const Part& part, AdjustNorm norm, const TreeOptions& options);

  const Part& part() const { return part_; }
  const Part& reachable() const { return reachable_; }  // without equations
  AdjustNorm norm() const { return norm_; }
  const TreeOptions& options() const { return options_; }
  const branching::GapRule& gap() const { return gap_; }
  const Incumbent& best() const { return best_; }
  double cutoff() const { return gap_.cutoff(best_.cost); }
  // A large part is not branched on: each relaxation takes too long.
  bool is_large() const { return part_.cells.size() > kTuning.tree.large_part; }
  std::int64_t steps() const { return steps_; }
  std::int64_t relaxations() const { return relaxations_; }

  // Of interior point methods for the plain relaxation there is one per lane of a batch.
  void make_first_worker();
  void make_workers();
  InteriorPoint& worker(std::size_t lane) { return *workers_[lane]; }

  // Relaxations are the same for mirrored senses.
  bool is_symmetric() const { return symmetric_; }
  void set_symmetric(bool symmetric) { symmetric_ = symmetric; }
  Senses mirrored(const Senses& senses) const;

  // The relaxation of the whole part, by the interior point method or, where that stalls, by a
  // simplex engine.
  Point solve_plain(InteriorPoint& full,
                    const Senses& senses,
                    const PointOptions& options,
                    const RunContext& run) const;
  // Finds the tables of these senses, each once. True if one is better than the best so far.
  bool evaluate(const std::vector<Senses>& candidates, double precision, const RunContext& run);
  void forget_seen() { seen_.clear(); }  // they may be asked for again, precisely
  // Turns of senses by the incumbent's multipliers, for a large part.
  void improve_large(const RunContext& run);
  void count(const Point& point) { count(point.steps, 1); }
  void count(std::int64_t steps, std::int64_t relaxations) {
    steps_ += steps;
    relaxations_ += relaxations;
  }

  // The best deviations with the incumbent's senses that keep these distances from bounds and
  // levels; the incumbent itself if there are none.
  Vector keep_margins(const Vector& margins, const RunContext& run) const;
  // L1: a vertex of the optimal face of the incumbent's senses; else the incumbent.
  Vector vertex(const RunContext& run) const;

 private:
  double farthest() const;  // no admissible table costs more
  Senses turned_by_multipliers(double share) const;
  void limit_reach();

  const Part& part_;
  Part reachable_;
  AdjustNorm norm_;
  TreeOptions options_;
  branching::GapRule gap_;
  std::vector<std::unique_ptr<InteriorPoint>> workers_;
  std::set<Senses> seen_;
  Incumbent best_;
  bool symmetric_ = false;
  std::int64_t steps_ = 0, relaxations_ = 0;
};

}  // namespace lacuna::adjustment
