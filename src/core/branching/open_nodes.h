// SPDX-License-Identifier: Apache-2.0
// The open nodes of a tree, in the order in which they are to be worked on: the least bound first
// and of equal bounds the older, or the newest first (depth first). The order is total, so it does
// not depend on the library's heap.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace lacuna::branching {

struct OpenNode {  // what nodes of all methods derive from
  double bound = 0;
  std::int64_t number = 0;  // order of creation
};

enum class NodeOrder : std::uint8_t { kLeastBound, kNewest };

// Nodes that keep something large that they can do without (`keeps_much`, `drop`).
template <class Node>
concept CanKeepMuch = requires(Node node) {
  { node.keeps_much() } -> std::same_as<bool>;
  node.drop();
};

template <class Node>
class OpenNodes {
 public:
  static constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

  // At most so many nodes keep much; the others that come drop it.
  explicit OpenNodes(NodeOrder order, std::size_t most_keeping = kAny)
      : order_(order), most_keeping_(most_keeping) {}

  bool empty() const { return nodes_.empty(); }
  std::size_t size() const { return nodes_.size(); }
  const Node& next() const { return is_heap() ? nodes_.front() : nodes_.back(); }

  double least_bound() const {  // infinite if there are none
    double least = std::numeric_limits<double>::infinity();
    if (is_heap() && !empty())
      return nodes_.front().bound;
    for (const Node& node : nodes_)
      least = std::min(least, node.bound);
    return least;
  }

  void push(Node node) {
    if constexpr (CanKeepMuch<Node>) {
      if (node.keeps_much() && keeping_ >= most_keeping_)
        node.drop();
      keeping_ += node.keeps_much() ? 1U : 0U;
    }
    nodes_.push_back(std::move(node));
    if (is_heap())
      std::push_heap(nodes_.begin(), nodes_.end(), comes_later);
  }

  Node pop() {
    if (is_heap())
      std::pop_heap(nodes_.begin(), nodes_.end(), comes_later);
    Node node = std::move(nodes_.back());
    nodes_.pop_back();
    if constexpr (CanKeepMuch<Node>)
      keeping_ -= node.keeps_much() ? 1U : 0U;
    return node;
  }

  // Nodes that cannot lead below the cutoff leave; returns the least bound of these.
  double prune(double cutoff) {
    double least = std::numeric_limits<double>::infinity();
    const auto leaves = [&](const Node& node) {
      if (!(node.bound >= cutoff))
        return false;
      least = std::min(least, node.bound);
      if constexpr (CanKeepMuch<Node>)
        keeping_ -= node.keeps_much() ? 1U : 0U;
      return true;
    };
    if (std::erase_if(nodes_, leaves) > 0 && is_heap())
      std::make_heap(nodes_.begin(), nodes_.end(), comes_later);
    return least;
  }

 private:
  static bool comes_later(const Node& a, const Node& b) {
    return a.bound != b.bound ? a.bound > b.bound : a.number > b.number;
  }
  bool is_heap() const { return order_ == NodeOrder::kLeastBound; }

  NodeOrder order_;
  std::size_t most_keeping_;
  std::size_t keeping_ = 0;
  std::vector<Node> nodes_;
};

}  // namespace lacuna::branching
