// SPDX-License-Identifier: Apache-2.0
#include "core/base/helper_pool.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace lacuna::base {

HelperPool::HelperPool()
    : HelperPool([](std::function<void()> body) { return std::thread(std::move(body)); }) {}

HelperPool::HelperPool(Starter start) : start_(std::move(start)) {}

HelperPool::~HelperPool() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_)
    thread.join();
}

void HelperPool::run(std::size_t helpers, const std::function<void(std::size_t)>& work) {
  Call call{&work, helpers, 0, 0};
  {
    const std::scoped_lock lock(mutex_);
    calls_.push_back(&call);
    while (idle_ < wanted() && start_helper())
      ++idle_;
  }
  wake_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  calls_.erase(std::find(calls_.begin(), calls_.end(), &call));
  ended_.wait(lock, [&] { return call.running == 0; });
}

std::size_t HelperPool::wanted() const {
  std::size_t count = 0;
  for (const Call* call : calls_)
    count += call->helpers - call->begun;
  return count;
}

HelperPool::Call* HelperPool::open_call() const {
  const auto found = std::find_if(
      calls_.begin(), calls_.end(), [](const Call* call) { return call->begun < call->helpers; });
  return found == calls_.end() ? nullptr : *found;
}

// Nothing may leave run() by an exception here: calls_ points into its frame.
bool HelperPool::start_helper() {
  try {
    threads_.push_back(start_([this] { serve(); }));
    return true;
  } catch (const std::system_error&) {  // no more threads
    return false;
  } catch (const std::bad_alloc&) {  // no memory for one
    return false;
  }
}

// What a helper does until the pool ends.
void HelperPool::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return closing_ || open_call() != nullptr; });
    if (closing_)
      return;
    Call& call = *open_call();
    const std::size_t worker = ++call.begun;
    ++call.running;
    --idle_;
    lock.unlock();
    (*call.work)(worker);
    lock.lock();
    ++idle_;
    if (--call.running == 0)
      ended_.notify_all();
  }
}

}  // namespace lacuna::base
