// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/tree.h"

#include <algorithm>

#include "lacuna/tolerance.h"
#include "protect/suppress/tuning.h"

namespace lacuna::inline suppression {
namespace {

bool comes_later(const Node& a, const Node& b) {
  return a.bound != b.bound ? a.bound > b.bound : a.number > b.number;
}

}  // namespace

void NodeQueue::push(Node node) {
  if (node.start && with_start_ >= kTuning.tree.starts)
    node.start.reset();
  with_start_ += node.start ? 1U : 0U;
  heap_.push_back(std::move(node));
  std::push_heap(heap_.begin(), heap_.end(), comes_later);
}

Node NodeQueue::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), comes_later);
  Node node = std::move(heap_.back());
  heap_.pop_back();
  with_start_ -= node.start ? 1U : 0U;
  return node;
}

void NodeQueue::prune(double cutoff) {
  const auto end = std::remove_if(
      heap_.begin(), heap_.end(), [&](const Node& node) { return node.bound >= cutoff; });
  heap_.erase(end, heap_.end());
  std::make_heap(heap_.begin(), heap_.end(), comes_later);
  with_start_ = static_cast<std::size_t>(std::count_if(
      heap_.begin(), heap_.end(), [](const Node& node) { return node.start != nullptr; }));
}

PseudoCosts::PseudoCosts(std::int32_t columns)
    : zero_(static_cast<std::size_t>(columns)), one_(static_cast<std::size_t>(columns)) {}

void PseudoCosts::record(std::int32_t column, bool withheld, double distance, double gain) {
  if (distance <= tol::kIntegrality)
    return;
  Side& side = (withheld ? one_ : zero_)[static_cast<std::size_t>(column)];
  Side& all = withheld ? all_one_ : all_zero_;
  for (Side* each : {&side, &all}) {
    each->sum += gain / distance;
    ++each->count;
  }
}

bool PseudoCosts::reliable(std::int32_t column) const {
  const auto j = static_cast<std::size_t>(column);
  return std::min(zero_[j].count, one_[j].count) >= kTuning.tree.reliable;
}

double PseudoCosts::mean(const Side& side, const Side& all) const {
  if (side.count > 0)
    return side.sum / side.count;
  return all.count > 0 ? all.sum / all.count : 1;
}

double PseudoCosts::score(std::int32_t column, double x) const {
  const auto j = static_cast<std::size_t>(column);
  const double down = mean(zero_[j], all_zero_) * x;
  const double up = mean(one_[j], all_one_) * (1 - x);
  return std::max(down, tol::kIntegrality) * std::max(up, tol::kIntegrality);
}

}  // namespace lacuna::inline suppression
