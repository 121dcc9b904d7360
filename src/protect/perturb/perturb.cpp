// SPDX-License-Identifier: Apache-2.0
#include "lacuna/perturb.h"

#include <cmath>

#include "protect/pattern/search.h"
#include "protect/perturb/ranges.h"

namespace lacuna {

Status PerturbOptions::validate(const Table& table) const {
  const auto bad = [](const char* message, const char* where) {
    return Error{ErrorCode::kBadOption, message, where};
  };
  const auto cells = static_cast<std::size_t>(table.num_cells());
  if (!(range_percent >= 0 && range_percent <= 10000))
    return bad("the range must be from 0 to 10000 percent", "range");
  if (!ranges.empty() && ranges.size() != cells)
    return bad("there must be one range for every cell", "ranges");
  if (!values.empty() && values.size() != cells)
    return bad("there must be one entry for every cell", "values");
  if (!(change_price >= 0) || !std::isfinite(change_price))
    return bad("the price of a change must be a number that is not negative", "change-price");
  if (step <= 0)
    return bad("the step of deviations must be positive", "grid");
  if (!(relative_gap >= 0) || relative_gap >= 1)
    return bad("the relative gap must be in [0, 1)", "gap");
  return ok_status();
}

Result<PerturbResult> perturb(const std::shared_ptr<const Problem>& problem,
                              const PerturbOptions& options,
                              const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(options.validate(problem->table));
  pattern::Plan plan;
  plan.problem = problem.get();
  plan.max_changed = options.max_changed;
  for (std::int32_t c = 0; c < problem->table.num_cells(); ++c) {
    LACUNA_TRY(pattern::CellPlan cell, perturbation::perturbed_plan(*problem, options, CellId{c}));
    plan.cells.push_back(std::move(cell));
  }
  pattern::SearchOptions how;
  how.relative_gap = options.relative_gap;
  how.engine = options.engine;
  LACUNA_TRY(pattern::SearchResult found, pattern::search(problem, plan, how, run));
  PerturbResult result;
  pattern::take_over(plan, std::move(found), result);
  return result;
}

}  // namespace lacuna
