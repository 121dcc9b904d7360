// SPDX-License-Identifier: Apache-2.0
#include "lacuna/perturb.h"

#include <cmath>

#include "core/base/spelling.h"
#include "protect/pattern/search.h"
#include "protect/perturb/ranges.h"

namespace lacuna {
namespace {

constexpr std::uint64_t kDraws = 4;  // of the numbers of sensitive cells

Result<pattern::Plan> plan_of(const Problem& problem,
                              const PerturbOptions& options,
                              std::uint64_t seed) {
  const perturbation::Drawn drawn = perturbation::drawn_from(problem, seed);
  pattern::Plan plan;
  plan.problem = &problem;
  plan.max_changed = options.max_changed;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    LACUNA_TRY(pattern::CellPlan cell,
               perturbation::perturbed_plan(problem, options, drawn, CellId{c}));
    plan.cells.push_back(std::move(cell));
  }
  return plan;
}

}  // namespace

Status PerturbOptions::validate(const Table& table) const {
  const auto bad = [](std::string message, const char* where) {
    return Error{ErrorCode::kOptionValue, std::move(message), where};
  };
  const auto cells = static_cast<std::size_t>(table.num_cells());
  LACUNA_RETURN_IF_ERROR(MethodOptions::validate());
  LACUNA_RETURN_IF_ERROR(check_ranges(static_cast<const PerturbSettings&>(*this)));
  if (!ranges.empty() && ranges.size() != cells)
    return bad("there must be one range for every cell", "ranges");
  if (!values.empty() && values.size() != cells)
    return bad("there must be one entry for every cell", "values");
  LACUNA_TRY(const Units step, perturbation::grid_of(table, *this));
  if (step > 1 && !range_unknown)
    return bad(
        "deviations that are multiples of a grid disclose every value up to multiples of it; leave "
        "the grid out, or publish without ranges (" +
            base::named_option("range-unknown") + ")",
        "grid");
  return ok_status();
}

Result<PerturbResult> perturb(const std::shared_ptr<const Problem>& problem,
                              const PerturbOptions& options,
                              const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(options.validate(problem->table()));
  pattern::SearchOptions how;
  how.gap = options.gap;
  how.engine = options.engine;
  PerturbResult result;
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    LACUNA_TRY(const pattern::Plan plan, plan_of(*problem, options, run.seed + draw));
    LACUNA_TRY(pattern::SearchResult found, pattern::search(problem, plan, how, run));
    pattern::take_over(plan, std::move(found), result);
    // Other numbers of the sensitive cells may add up where these do not.
    if (result.why != StopReason::kInfeasible || options.range_unknown || run.should_stop())
      break;
  }
  return result;
}

}  // namespace lacuna
