// SPDX-License-Identifier: Apache-2.0
// Nodes of the branch and bound tree, what the work on one brings, and what is remembered of past
// branchings.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/branching/open_nodes.h"
#include "lacuna/evidence.h"
#include "protect/suppression_model/cuts/cut.h"
#include "protect/suppression_model/master.h"

namespace lacuna::suppression {

using ColumnPattern = std::vector<bool>;  // withheld, by column

struct Decision {
  std::int32_t column = 0;
  bool withheld = false;
};

// Decisions from a node up to the root; shared by all nodes below.
struct Path {
  std::shared_ptr<const Path> above;
  std::vector<Decision> decisions;
};

struct Node : branching::OpenNode {
  std::shared_ptr<const Path> path;
  std::shared_ptr<const suppression_model::Master::Start> start;  // may be missing, to save memory
  // The branching that made the node, for the pseudo-costs.
  std::int32_t column = -1;
  bool withheld = false;
  double distance = 0;  // by which the branching moved the column
  double parent_bound = 0;

  bool keeps_much() const { return start != nullptr; }
  void drop() { start.reset(); }
};

// What a branching did to the bound, or would do.
struct Observation {
  std::int32_t column = 0;
  bool withheld = false;
  double distance = 0, gain = 0;
};

struct NodeOutcome {
  bool finished = true;    // false: stopped half-way
  bool undecided = false;  // an integer point of which nothing is known: the bound is all there is
  double bound = 0;
  std::vector<Node> children;
  std::vector<suppression_model::Cut> cuts;
  std::vector<ColumnPattern> patterns;  // safe
  std::vector<Displacement> witnesses;  // of the last pattern
  std::vector<Observation> observations;
};

// Pseudo-costs (Benichou et al. 1971): how much the bound rose per unit of distance when a column
// was fixed at 0 or 1.
class PseudoCosts {
 public:
  explicit PseudoCosts(std::int32_t columns);
  void record(const Observation& seen);
  bool reliable(std::int32_t column) const;
  double score(std::int32_t column, double x) const;  // product rule (19) (Achterberg 2007)

 private:
  struct Side {
    double sum = 0;
    std::int32_t count = 0;
  };
  double mean(const Side& side, const Side& all) const;
  std::vector<Side> zero_, one_;
  Side all_zero_, all_one_;
};

}  // namespace lacuna::suppression
