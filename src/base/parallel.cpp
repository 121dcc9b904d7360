// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <sys/types.h>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <thread>

namespace lacuna::inline base {
namespace {

class Helpers {
 public:
  void run(std::size_t helpers, const std::function<void(std::size_t)>& work) {
    Call call{&work, helpers, 0, 0};
    {
      const std::scoped_lock lock(mutex_);
      calls_.push_back(&call);
      for (; idle_ < wanted(); ++idle_)
        std::thread([this] { serve(); }).detach();
    }
    wake_.notify_all();
    work(0);
    std::unique_lock lock(mutex_);
    calls_.erase(std::find(calls_.begin(), calls_.end(), &call));
    ended_.wait(lock, [&] { return call.running == 0; });
  }

 private:
  struct Call {
    const std::function<void(std::size_t)>* work;
    std::size_t helpers;  // asked for
    std::size_t begun;
    std::size_t running;
  };

  std::size_t wanted() const {
    std::size_t count = 0;
    for (const Call* call : calls_)
      count += call->helpers - call->begun;
    return count;
  }

  Call* open_call() const {
    const auto found = std::find_if(
        calls_.begin(), calls_.end(), [](const Call* call) { return call->begun < call->helpers; });
    return found == calls_.end() ? nullptr : *found;
  }

  // What a helper does until the program ends.
  [[noreturn]] void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return open_call() != nullptr; });
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

  std::mutex mutex_;
  std::condition_variable wake_, ended_;
  std::deque<Call*> calls_;
  std::size_t idle_ = 0;  // helpers that wait, or are about to
};

// Never destroyed: helpers wait in it until the program ends. A forked process has none of its
// parent's threads and begins anew.
Helpers& helpers_of_this_process() {
  static std::mutex mutex;
  static Helpers* helpers = nullptr;  // NOLINT: see above
  static pid_t owner = 0;
  const std::scoped_lock lock(mutex);
  if (helpers == nullptr || owner != getpid()) {
    helpers = new Helpers;  // NOLINT: see above
    owner = getpid();
  }
  return *helpers;
}

}  // namespace

void run_with_helpers(std::size_t helpers, const std::function<void(std::size_t)>& work) {
  if (helpers == 0)
    work(0);
  else
    helpers_of_this_process().run(helpers, work);
}

}  // namespace lacuna::inline base
