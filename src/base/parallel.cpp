// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include "base/helper_pool.h"

namespace lacuna::inline base {

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

}  // namespace lacuna::inline base

namespace lacuna {

RunContext with_helpers(RunContext run) {
  if (run.threads > 1 && !run.helpers)
    run.helpers = std::make_shared<HelperPool>();
  return run;
}

}  // namespace lacuna
