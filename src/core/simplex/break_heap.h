// SPDX-License-Identifier: Apache-2.0
// The breakpoints of a ratio test, the nearest first. Most tests end at one of the first few, and
// only then a heap is worth its making. The order is total, so it does not depend on the library's
// heap.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lacuna::simplex {

struct Break {
  double step = 0;  // at which the item leaves its point
  double rate = 0;  // of its dual activity
  std::int32_t item = -1;
  bool operator<(const Break& other) const {  // the nearest is on top of the heap
    return step != other.step ? step > other.step : comes_later(other);
  }
  bool comes_later(const Break& other) const {  // of equal ones: the larger pivot first
    const double mine = std::abs(rate);
    const double others = std::abs(other.rate);
    return mine != others ? mine < others : item > other.item;
  }
};

class BreakHeap {
 public:
  bool empty() const { return breaks_.empty(); }
  void clear() {
    breaks_.clear();
    popped_ = 0;
  }

  void push(const Break& added) {
    breaks_.push_back(added);
    if (popped_ > kBeforeHeap)
      std::push_heap(breaks_.begin(), breaks_.end());
  }

  // Before the first pop.
  void drop_beyond(double step) {
    std::erase_if(breaks_, [step](const Break& each) { return each.step > step; });
  }

  Break pop() {
    if (popped_ == kBeforeHeap)
      std::make_heap(breaks_.begin(), breaks_.end());
    if (popped_ >= kBeforeHeap) {
      std::pop_heap(breaks_.begin(), breaks_.end());
    } else {
      std::size_t best = 0;
      for (std::size_t i = 1; i < breaks_.size(); ++i) {
        if (breaks_[best] < breaks_[i])
          best = i;
      }
      std::swap(breaks_[best], breaks_.back());
    }
    ++popped_;
    const Break nearest = breaks_.back();
    breaks_.pop_back();
    return nearest;
  }

 private:
  static constexpr int kBeforeHeap = 8;  // pops by looking at all

  std::vector<Break> breaks_;
  int popped_ = 0;
};

}  // namespace lacuna::simplex
