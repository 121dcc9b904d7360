// SPDX-License-Identifier: Apache-2.0
// Open nodes of the branch and bound tree and what is remembered of past branchings.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "protect/common/master.h"

namespace lacuna::inline suppression {

struct Decision {
  std::int32_t column = 0;
  bool withheld = false;
};

// Decisions from a node up to the root; shared by all nodes below.
struct Path {
  std::shared_ptr<const Path> above;
  std::vector<Decision> decisions;
};

struct Node {
  double bound = 0;
  std::int32_t depth = 0;
  std::int64_t number = 0;  // order of creation
  std::shared_ptr<const Path> path;
  std::shared_ptr<const Master::Start> start;  // may be missing, to save memory
  // The branching that made the node, for the pseudo-costs.
  std::int32_t column = -1;
  bool withheld = false;
  double distance = 0;  // by which the branching moved the column
  double parent_bound = 0;
};

// Least bound first, then the older.
class NodeQueue {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  double least_bound() const { return heap_.front().bound; }
  void push(Node node);
  Node pop();
  const Node& best() const { return heap_.front(); }
  // Nodes that cannot lead below the cutoff leave.
  void prune(double cutoff);

 private:
  std::vector<Node> heap_;
  std::size_t with_start_ = 0;
};

// Pseudo-costs (Benichou et al. 1971): how much the bound rose per unit of distance when a column
// was fixed at 0 or 1.
class PseudoCosts {
 public:
  explicit PseudoCosts(std::int32_t columns);
  void record(std::int32_t column, bool withheld, double distance, double gain);
  bool reliable(std::int32_t column) const;
  double score(std::int32_t column, double x) const;  // product rule (Achterberg 2007)

 private:
  struct Side {
    double sum = 0;
    std::int32_t count = 0;
  };
  double mean(const Side& side, const Side& all) const;
  std::vector<Side> zero_, one_;
  Side all_zero_, all_one_;
};

}  // namespace lacuna::inline suppression
