// SPDX-License-Identifier: Apache-2.0
#include "lacuna/mixed.h"

#include <algorithm>
#include <array>

#include "core/base/decimal.h"
#include "protect/pattern/search.h"
#include "protect/perturb/ranges.h"
#include "protect/round/choices.h"

namespace lacuna {
namespace {

using pattern::CellPlan;
using pattern::Plan;
using pattern::PlanKind;

class PlanMaker {
 public:
  PlanMaker(const Problem& problem, const MixedOptions& options, std::uint64_t seed)
      : problem_(problem),
        table_(problem.table()),
        options_(options),
        drawn_(perturbation::drawn_from(problem, seed)) {
    for (const Requirement& need : problem.requirements())
      largest_ = std::max({largest_, need.lower, need.upper, need.sliding});
  }

  Result<Plan> make() {
    Plan plan;
    plan.problem = &problem_;
    plan.max_changed = options_.max_changed;
    const bool rounds =
        std::find(options_.groups.begin(), options_.groups.end(), PublishAs::kRounded) !=
        options_.groups.end();
    if (rounds) {
      LACUNA_RETURN_IF_ERROR(options_.round.validate(table_));
      rounded_ = rounding::rounding_plan(problem_, options_.round, options_.round.steps);
    }
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      LACUNA_TRY(CellPlan cell, plan_of(CellId{c}));
      plan.cells.push_back(std::move(cell));
    }
    if (rounds)
      LACUNA_RETURN_IF_ERROR(rounding::check_levels(problem_, options_.round, plan));
    return plan;
  }

 private:
  Result<CellPlan> plan_of(CellId cell) {
    const auto c = static_cast<std::size_t>(cell.value);
    const CellStatus status = table_.cell(cell).status;
    const bool hides =
        options_.groups[c] == PublishAs::kWithheld || options_.groups[c] == PublishAs::kInterval;
    if (hides && (status == CellStatus::kMustPublish || status == CellStatus::kKnown))
      return Error{ErrorCode::kWrongStatus,
                   "the cell must be published and cannot be withheld or an interval",
                   table_.label(cell)};
    switch (options_.groups[c]) {
      case PublishAs::kExact:
        return exact(cell);
      case PublishAs::kWithheld:
        return pattern::withheld_plan(0);
      case PublishAs::kInterval:
        return interval(cell);
      case PublishAs::kPerturbed:
        return perturbation::perturbed_plan(problem_, options_.perturb, drawn_, cell);
      case PublishAs::kRounded:
        return std::move(rounded_.cells[c]);
    }
    return exact(cell);
  }

  Result<CellPlan> exact(CellId cell) const {
    for (const Requirement& need : problem_.requirements()) {
      if (need.cell == cell)
        return Error{ErrorCode::kWrongStatus,
                     "a sensitive cell cannot be published as it is",
                     table_.label(cell)};
    }
    return pattern::exact_plan(table_, cell);
  }

  Result<CellPlan> interval(CellId cell) const {
    const Cell& own = table_.cell(cell);
    const Units size = own.value < 0 ? -own.value : own.value;
    const Units most = std::max({size, std::min(largest_, kMaxUnits / 8) * 4, Units{1}});
    CellPlan plan;
    plan.kind = PlanKind::kEnds;
    plan.most_down = own.prior.has_lower() ? std::min(most, own.value - own.prior.lower) : most;
    plan.most_up = own.prior.has_upper() ? std::min(most, own.prior.upper - own.value) : most;
    plan.price_down = plan.price_up = own.weight * base::units_to_double(1, table_.decimals());
    return plan;
  }

  const Problem& problem_;
  const Table& table_;
  const MixedOptions& options_;
  perturbation::Drawn drawn_;
  Units largest_ = 0;  // level
  Plan rounded_;
};

}  // namespace

Status MixedOptions::validate(const Table& table) const {
  LACUNA_RETURN_IF_ERROR(MethodOptions::validate());
  LACUNA_RETURN_IF_ERROR(check_ranges(static_cast<const MixedSettings&>(*this)));
  if (groups.size() != static_cast<std::size_t>(table.num_cells()))
    return Error{ErrorCode::kOptionValue, "there must be one group for every cell", "groups"};
  const bool numbers_only = std::all_of(groups.begin(), groups.end(), [](PublishAs group) {
    return group == PublishAs::kExact || group == PublishAs::kPerturbed;
  });
  if (perturb.range_unknown && !numbers_only)
    return Error{ErrorCode::kOptionConflict,
                 "a mixture is judged by what readers know about every cell, so its ranges must be "
                 "published; without ranges, every cell must be perturbed or exact",
                 "--range-unknown"};
  return perturb.validate(table);
}

// Sensitive cells first, then totals, then others.
std::vector<PublishAs> mixed_groups(const Problem& problem, const MixedSettings& settings) {
  const std::vector<bool> total = total_cells(problem.table());
  std::vector<PublishAs> groups(total.size(), settings.others_as);
  for (std::size_t c = 0; c < total.size(); ++c) {
    if (total[c])
      groups[c] = settings.totals_as;
  }
  for (const Requirement& need : problem.requirements())
    groups[static_cast<std::size_t>(need.cell.value)] = settings.sensitive_as;
  return groups;
}

Result<MixedResult> publish_mixed(const std::shared_ptr<const Problem>& problem,
                                  const MixedOptions& given,
                                  const RunContext& run) {
  MixedOptions options = given;
  if (options.groups.empty())
    options.groups = mixed_groups(*problem, options);
  LACUNA_RETURN_IF_ERROR(options.validate(problem->table()));
  LACUNA_TRY(const pattern::Plan plan, PlanMaker(*problem, options, run.seed).make());
  pattern::SearchOptions how;
  how.gap = options.gap;
  how.engine = options.engine;
  LACUNA_TRY(pattern::SearchResult found, pattern::search(problem, plan, how, run));
  MixedResult result;
  pattern::take_over(plan, std::move(found), result);
  return result;
}

std::vector<bool> total_cells(const Table& table) {
  std::vector<bool> total(static_cast<std::size_t>(table.num_cells()), false);
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    std::int32_t plus = 0, minus = 0;
    for (const Term& term : table.equation(EquationId{e}))
      ++(term.coefficient > 0 ? plus : minus);
    for (const Term& term : table.equation(EquationId{e})) {
      const bool alone = term.coefficient > 0 ? plus == 1 && minus > 1 : minus == 1 && plus > 1;
      if (alone)
        total[static_cast<std::size_t>(term.cell.value)] = true;
    }
  }
  return total;
}

std::span<const std::string_view> enum_names(PublishAs) {
  static constexpr std::array<std::string_view, 5> kNames{
      "exact", "withheld", "interval", "perturbed", "rounded"};
  return kNames;
}

}  // namespace lacuna
