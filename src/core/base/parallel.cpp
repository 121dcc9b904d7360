// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include "core/base/helper_pool.h"

namespace lacuna::base {

void run_with_helpers(const RunContext& run,
                      std::size_t helpers,
                      const std::function<void(std::size_t)>& work) {
  if (helpers == 0)
    work(0);
  else if (run.helpers)
    run.helpers->run(helpers, work);
  else
    HelperPool().run(helpers, work);
}

WorkOfItems::WorkOfItems(std::size_t count) : before_(touches_so_far()), done_(count, -1) {}

std::int64_t WorkOfItems::begin_of(std::size_t item) {
  if (item < kDistance)
    return before_;
  std::unique_lock lock(mutex_);
  const std::size_t needed = item - kDistance;
  changed_.wait(lock, [&] { return closed_ || sums_.size() > needed; });
  return before_ + (sums_.size() > needed ? sums_[needed] : 0);
}

void WorkOfItems::add(std::size_t item, std::int64_t touches) {
  const std::scoped_lock lock(mutex_);
  done_[item] = touches;
  finished_ += touches;
  const std::size_t before = sums_.size();
  while (sums_.size() < done_.size() && done_[sums_.size()] >= 0)
    sums_.push_back((sums_.empty() ? 0 : sums_.back()) + done_[sums_.size()]);
  if (sums_.size() > before)
    changed_.notify_all();
}

void WorkOfItems::close() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace lacuna::base

namespace lacuna {

RunContext with_helpers(RunContext run) {
  if (run.threads > 1 && !run.helpers)
    run.helpers = std::make_shared<base::HelperPool>();
  return run;
}

}  // namespace lacuna
