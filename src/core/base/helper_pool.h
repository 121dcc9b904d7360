// SPDX-License-Identifier: Apache-2.0
// Threads that wait for work. They are kept while a run lasts because schedulers start a new thread
// on the core of its maker and may take longer to move it than a batch of searches takes. A thread
// that the system refuses is no error: there are fewer helpers then, and the caller does what they
// would have done.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lacuna::base {

class HelperPool {
 public:
  // Starts a thread with this body; throws if there can be none.
  using Starter = std::function<std::thread(std::function<void()> body)>;

  HelperPool();  // threads of the system
  explicit HelperPool(Starter start);
  ~HelperPool();  // waits for the helpers, which have nothing to do any more
  HelperPool(const HelperPool&) = delete;
  HelperPool& operator=(const HelperPool&) = delete;

  // See run_with_helpers in core/base/parallel.h.
  void run(std::size_t helpers, const std::function<void(std::size_t)>& work);

 private:
  struct Call {
    const std::function<void(std::size_t)>* work;
    std::size_t helpers;  // asked for
    std::size_t begun;
    std::size_t running;
  };

  std::size_t wanted() const;
  Call* open_call() const;
  bool start_helper();
  void serve();

  Starter start_;
  std::mutex mutex_;
  std::condition_variable wake_, ended_;
  std::deque<Call*> calls_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;  // helpers that wait, or are about to
  bool closing_ = false;
};

}  // namespace lacuna::base
