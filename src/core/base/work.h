// SPDX-License-Identifier: Apache-2.0
// The counter behind RunContext::work_end. Loops that take time say how much they have touched, in
// nanoseconds of an ordinary core and once per loop, not per entry; a unit of work is a thousand of
// these. What is said must depend on the problem alone: sizes and counts, never the clock or an
// address. Each thread has a counter of its own, and each item of a shared loop (parallel.h) begins
// with the reading of whoever started the loop, who adds up what the items have done.
#pragma once

#include <atomic>
#include <cstdint>

#include "lacuna/run_context.h"

namespace lacuna::base {

inline constexpr std::int64_t kTouchesPerUnit = 1000;

void count_work(std::int64_t touches);
inline void count_work(std::size_t touches) {
  count_work(static_cast<std::int64_t>(touches));
}
std::int64_t touches_so_far();

// What this thread has done and what the loops it works for have done with it: for progress alone,
// because it depends on the other threads.
std::int64_t touches_of_all();

// While it lives, this thread counts from `begin` on; then from where it was before. `loop` is the
// reading at the start of the loop, `finished` what its items that have ended have done.
class WorkItem {
 public:
  WorkItem(std::int64_t begin, std::int64_t loop, const std::atomic<std::int64_t>& finished);
  ~WorkItem();
  WorkItem(const WorkItem&) = delete;
  WorkItem& operator=(const WorkItem&) = delete;
  std::int64_t done() const { return touches_so_far() - begin_; }

 private:
  friend std::int64_t touches_of_all();
  std::int64_t begin_, loop_, before_;
  const std::atomic<std::int64_t>& finished_;
  const WorkItem* outer_;
};

// Counts what is missing to a whole unit. Limits are whole units: a run that begins with one ends
// at the same touch, whatever this thread has done before.
void fill_unit();

// A share of the work that is left, for one step of several; without a limit there is none.
RunContext share_of_work(const RunContext& run, double share);

}  // namespace lacuna::base
