// SPDX-License-Identifier: Apache-2.0
#include "base/work.h"

namespace lacuna::inline base {
namespace {

thread_local std::int64_t touches = 0;

}  // namespace

void count_work(std::int64_t more) {
  touches += more;
}

std::int64_t touches_so_far() {
  return touches;
}

WorkItem::WorkItem(std::int64_t begin) : begin_(begin), before_(touches) {
  touches = begin;
}

WorkItem::~WorkItem() {
  touches = before_;
}

RunContext share_of_work(const RunContext& run, double share) {
  RunContext part = run;
  if (run.work_end != kNoWorkLimit)
    part.work_end =
        work_done() + static_cast<std::int64_t>(static_cast<double>(run.work_left()) * share);
  return part;
}

}  // namespace lacuna::inline base

namespace lacuna {

std::int64_t work_done() {
  return touches_so_far() / kTouchesPerUnit;
}

RunContext with_work(RunContext run, std::int64_t units) {
  const std::int64_t now = work_done();
  if (units < kNoWorkLimit - now)
    run.work_end = std::min(run.work_end, now + units);
  return run;
}

}  // namespace lacuna
