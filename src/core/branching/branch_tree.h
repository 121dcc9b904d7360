// SPDX-License-Identifier: Apache-2.0
// The one tree of branch and bound (Land and Doig 1960). Its open nodes, with bounds, and what has
// been closed cover all solutions of interest: none costs less than
//   bound() = min { bounds of open nodes, bounds of what was closed, pruned or left undecided }.
// Nodes are taken in batches of a fixed size, worked on side by side, each by what belongs to its
// lane, and merged in the order in which they were taken, so that results do not depend on the
// number of threads. What is best next is a matter of the order (open_nodes.h); a method may also
// go on with a child of the node it was at. A node whose work was not finished returns as it is.
//
// What a node means, its relaxation, cuts, branching and solutions are the method's. Which nodes
// are of interest and whether the gap is reached is said by gap_rule.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/branching/open_nodes.h"
#include "lacuna/run_context.h"

namespace lacuna::branching {

// What becomes of a node after its work. Its children are opened by then.
enum class NodeFate : std::uint8_t {
  kDone,     // its children are all that is left of it
  kReturns,  // not finished: it is open again
  kEnds,     // the same, and for a reason of the method's the tree ends here
};

enum class TreeEnding : std::uint8_t {
  kNothingOpen,  // all of it is closed: what was found is the best, or there is nothing
  kGap,          // the method says that it is near enough
  kStopped,      // by the run
  kNodes,        // as many as were allowed
  kMethod,       // NodeFate::kEnds
};

template <class Node, class Result>
class BranchMethod {
 public:
  virtual void before_batch(const RunContext&) {}
  // Called by several threads at a time, unless batches are of one node: whatever belongs to the
  // lane may change, and the node.
  virtual Result work_on(Node& node, std::size_t lane, const RunContext& run) = 0;
  virtual void before_merge(std::size_t /*lanes*/, const RunContext&) {}
  virtual NodeFate merge(Node& node, Result result) = 0;
  virtual void after_batch(const RunContext&) {}
  virtual bool reached() const = 0;  // asked after a batch, if anything is still open

 protected:
  ~BranchMethod() = default;
};

struct TreeShape {
  NodeOrder order = NodeOrder::kLeastBound;
  std::size_t batch = 1;
  std::size_t most_keeping = std::numeric_limits<std::size_t>::max();  // see OpenNodes
};

template <class Node, class Result>
class BranchTree {
 public:
  explicit BranchTree(const TreeShape& shape)
      : batch_(shape.batch), nodes_(shape.order, shape.most_keeping) {}

  void open(Node node) {
    node.number = created_++;
    nodes_.push(std::move(node));
  }
  // Next of all, whatever its bound; of several, which batches give, the last.
  void go_on_with(Node node) {
    node.number = created_++;
    if (ahead_)
      nodes_.push(*std::move(ahead_));
    ahead_ = std::move(node);
  }
  // Something was closed below which no solution costs less than the bound.
  void close(double bound) { closed_ = std::min(closed_, bound); }
  void prune(double cutoff) { close(nodes_.prune(cutoff)); }

  bool begun() const { return created_ > 0; }
  bool nothing_open() const { return !ahead_ && nodes_.empty(); }
  std::size_t open_nodes() const { return nodes_.size() + (ahead_ ? 1 : 0); }
  const Node& best() const { return nodes_.next(); }
  double closed_bound() const { return closed_; }
  double bound() const {  // infinite if nothing was left out and nothing is open
    const double ahead = ahead_ ? ahead_->bound : std::numeric_limits<double>::infinity();
    return std::min({closed_, ahead, underway_, nodes_.least_bound()});
  }
  std::int64_t taken() const { return taken_; }  // those that returned twice
  std::int64_t done() const { return done_; }
  std::size_t in_batch() const { return in_batch_; }

  // Until one of the endings, of which the gap is looked at after a batch, or until at least so
  // many further nodes are done; -1: any number.
  TreeEnding run(BranchMethod<Node, Result>& method, std::int64_t nodes, const RunContext& run) {
    const std::int64_t before = done_;
    while (!nothing_open()) {
      if (run.should_stop())
        return TreeEnding::kStopped;
      method.before_batch(run);
      if (nodes >= 0 && done_ - before >= nodes)
        return TreeEnding::kNodes;
      if (!work_on_batch(method, run))
        return TreeEnding::kMethod;
      if (!nothing_open() && method.reached())
        return TreeEnding::kGap;
    }
    return TreeEnding::kNothingOpen;
  }

 private:
  std::vector<Node> take_batch() {
    std::vector<Node> batch;
    if (ahead_)
      batch.push_back(*std::exchange(ahead_, std::nullopt));
    while (!nodes_.empty() && batch.size() < batch_)
      batch.push_back(nodes_.pop());
    for (const Node& node : batch)
      underway_ = std::min(underway_, node.bound);
    in_batch_ = batch.size();
    taken_ += static_cast<std::int64_t>(batch.size());
    return batch;
  }

  // False if the method asked for the end.
  bool work_on_batch(BranchMethod<Node, Result>& method, const RunContext& run) {
    std::vector<Node> batch = take_batch();
    std::vector<Result> results(batch.size());
    const auto work = [&](std::size_t lane) {
      results[lane] = method.work_on(batch[lane], lane, run);
    };
    if (batch.size() == 1)
      work(0);
    else
      base::for_each_lane(run, batch.size(), work);
    method.before_merge(batch.size(), run);
    bool goes_on = true;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const NodeFate fate =
          goes_on ? method.merge(batch[i], std::move(results[i])) : NodeFate::kReturns;
      goes_on = goes_on && fate != NodeFate::kEnds;
      if (fate == NodeFate::kDone)
        ++done_;
      else
        nodes_.push(std::move(batch[i]));
    }
    underway_ = std::numeric_limits<double>::infinity();
    if (goes_on)
      method.after_batch(run);
    return goes_on;
  }

  std::size_t batch_;
  OpenNodes<Node> nodes_;
  std::optional<Node> ahead_;
  double closed_ = std::numeric_limits<double>::infinity();
  double underway_ = std::numeric_limits<double>::infinity();  // least bound of what is worked on
  std::int64_t created_ = 0, taken_ = 0, done_ = 0;
  std::size_t in_batch_ = 0;
};

}  // namespace lacuna::branching
