// SPDX-License-Identifier: Apache-2.0
#include "core/base/work.h"

namespace lacuna::base {
namespace {

thread_local std::int64_t touches = 0;
thread_local const WorkItem* innermost = nullptr;

}  // namespace

void count_work(std::int64_t more) {
  touches += more;
}

std::int64_t touches_so_far() {
  return touches;
}

std::int64_t touches_of_all() {
  std::int64_t all = touches;
  for (const WorkItem* item = innermost; item != nullptr; item = item->outer_)
    all += item->finished_.load(std::memory_order_relaxed) - (item->begin_ - item->loop_);
  return all;
}

WorkItem::WorkItem(std::int64_t begin, std::int64_t loop, const std::atomic<std::int64_t>& finished)
    : begin_(begin), loop_(loop), before_(touches), finished_(finished), outer_(innermost) {
  touches = begin;
  innermost = this;
}

WorkItem::~WorkItem() {
  touches = before_;
  innermost = outer_;
}

void fill_unit() {
  const std::int64_t rest = touches % kTouchesPerUnit;
  if (rest != 0)
    touches += kTouchesPerUnit - rest;
}

RunContext share_of_work(const RunContext& run, double share) {
  RunContext part = run;
  if (run.work_end != kNoWorkLimit)
    part.work_end =
        work_done() + static_cast<std::int64_t>(static_cast<double>(run.work_left()) * share);
  return part;
}

}  // namespace lacuna::base

namespace lacuna {

std::int64_t work_done() {
  return base::touches_so_far() / base::kTouchesPerUnit;
}

RunContext with_work(RunContext run, std::int64_t units) {
  base::fill_unit();
  const std::int64_t now = work_done();
  if (units < kNoWorkLimit - now)
    run.work_end = std::min(run.work_end, now + units);
  return run;
}

}  // namespace lacuna
