// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <sys/types.h>
#include <unistd.h>

#include "base/helper_pool.h"

namespace lacuna::inline base {
namespace {

// Never destroyed: helpers wait in it until the program ends. A forked process has none of its
// parent's threads and begins anew.
HelperPool& helpers_of_this_process() {
  static std::mutex mutex;
  static HelperPool* helpers = nullptr;  // NOLINT: see above
  static pid_t owner = 0;
  const std::scoped_lock lock(mutex);
  if (helpers == nullptr || owner != getpid()) {
    helpers = new HelperPool;  // NOLINT: see above
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
