// SPDX-License-Identifier: Apache-2.0
#include "app/load/released.h"

#include "app/load/load.h"

namespace lacuna::load {

Result<Problem> with_released(Problem problem,
                              const std::vector<std::string>& paths,
                              const Inputs& inputs) {
  if (paths.empty())
    return problem;
  std::vector<Bounds> priors;
  for (const Cell& cell : problem.table().cells())
    priors.push_back(cell.prior);
  for (const std::string& path : paths) {
    Problem same = problem;  // a release with more decimals would change it
    LACUNA_TRY(const Draft earlier, load_release(path, same, {}, {}, inputs));
    if (earlier.adjusted() || same.table().decimals() != problem.table().decimals())
      return Error{ErrorCode::kUnsupported,
                   "an adjusted table gives no bounds, so it cannot be judged together with "
                   "another release",
                   path};
    if (const Status fits = check_draft(problem.table(), earlier); !fits)
      return Error{ErrorCode::kOtherTable, fits.error().message, path + ": " + fits.error().where};
    for (std::size_t c = 0; c < priors.size(); ++c) {
      const CellId cell{static_cast<std::int32_t>(c)};
      priors[c] = intersect(priors[c], earlier.implied(problem.table(), cell));
    }
  }
  problem.set_priors(priors);
  return problem;
}

}  // namespace lacuna::load
