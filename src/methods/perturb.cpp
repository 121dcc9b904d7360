// SPDX-License-Identifier: Apache-2.0
// --method perturb: cell perturbation. --method mixed: a method per group of cells.
#include "lacuna/perturb.h"

#include <algorithm>

#include "lacuna/mixed.h"
#include "methods/methods.h"
#include "methods/number_option.h"
#include "methods/secret_key.h"
#include "report/deviation.h"

namespace lacuna::inline methods {
namespace {

Result<PerturbOptions> perturb_options(const Table& table, const ProtectOptions& given) {
  PerturbOptions options;
  options.range_percent = given.range;
  options.senses = given.senses;
  options.range_known = !given.range_unknown;
  options.max_changed = given.max_changed;
  options.change_price = given.change_price;
  options.relative_gap = given.gap;
  options.engine = given.engine;
  if (given.grid) {
    LACUNA_TRY(options.step, units_of(*given.grid, table, "--grid"));
  }
  for (const CellSettings& cell : given.cells) {
    options.ranges.push_back(
        {cell.lower.value_or(kUnboundedBelow), cell.upper.value_or(kUnboundedAbove)});
    options.values.push_back(cell.value);
  }
  return options;
}

Result<RoundOptions> round_options(const Table& table, const ProtectOptions& given) {
  RoundOptions options;
  options.base = 1;
  if (given.base) {
    LACUNA_TRY(options.base, units_of(*given.base, table, "--base"));
  }
  for (const CellSettings& cell : given.cells)
    options.bases.push_back(cell.base.value_or(options.base));
  options.steps = given.steps;
  options.step_price = given.step_price;
  options.no_small_counts = given.no_small_counts;
  options.exact_multiples = given.exact_multiples;
  return options;
}

Status check_bases(const Table& table,
                   const ProtectOptions& given,
                   const std::vector<PublishAs>& groups) {
  for (std::size_t c = 0; c < groups.size(); ++c) {
    const bool own = !given.cells.empty() && given.cells[c].base;
    if (groups[c] == PublishAs::kRounded && !given.base && !own)
      return Error{ErrorCode::kOptionMissing,
                   "rounding needs a base: the cell has none",
                   table.label(CellId{static_cast<std::int32_t>(c)})};
  }
  return ok_status();
}

// Whoever could repeat the draws could undo them.
RunContext keyed(const RunContext& run, const Problem& problem) {
  RunContext own = run;
  own.seed = secret_key(run.seed, problem.table());
  return own;
}

template <class Found>
MethodOutcome finish(const Table& table, const Found& found, bool tells_ranges, const char* what) {
  MethodOutcome outcome = outcome_of(found);
  if (found.why == StopReason::kInfeasible) {
    outcome.message = std::string("no ") + what + " meets the requirements" +
                      (found.reason.empty() ? "" : ": " + found.reason) + "; nothing is released";
    return outcome;
  }
  if (!found.complete)
    return outcome;
  outcome.details = deviation_details(deviation(table, found.draft));
  outcome.details.emplace_back("intervals", found.draft.count(CellState::kInterval));
  outcome.details.emplace_back("rounds", static_cast<double>(found.rounds));
  outcome.details.emplace_back("cuts", static_cast<double>(found.cuts));
  if (tells_ranges && found.draft.count(CellState::kAltered) > 0)
    outcome.note =
        "readers are taken to know the printed ranges; one who also knows the protection levels or "
        "--range knows the truth within those of the number, which is not judged";
  return outcome;
}

}  // namespace

// What is said by hand first, then sensitive, totals, others.
std::vector<PublishAs> mixed_groups(const Problem& problem, const ProtectOptions& given) {
  const std::vector<bool> total = total_cells(problem.table());
  std::vector<PublishAs> groups(total.size(), given.others_as);
  for (std::size_t c = 0; c < total.size(); ++c) {
    if (total[c])
      groups[c] = given.totals_as;
  }
  for (const Requirement& need : problem.requirements())
    groups[static_cast<std::size_t>(need.cell.value)] = given.sensitive_as;
  for (std::size_t c = 0; c < given.cells.size(); ++c)
    groups[c] = given.cells[c].method.value_or(groups[c]);
  return groups;
}

Result<MethodOutcome> protect_by_perturbation(const std::shared_ptr<const Problem>& problem,
                                              const ProtectOptions& given,
                                              const RunContext& run) {
  LACUNA_TRY(const PerturbOptions options, perturb_options(problem->table(), given));
  LACUNA_TRY(const PerturbResult found, perturb(problem, options, keyed(run, *problem)));
  return finish(problem->table(), found, true, "perturbation within these ranges");
}

Result<MethodOutcome> protect_mixed(const std::shared_ptr<const Problem>& problem,
                                    const ProtectOptions& given,
                                    const RunContext& run) {
  MixedOptions options;
  options.groups = mixed_groups(*problem, given);
  LACUNA_RETURN_IF_ERROR(check_bases(problem->table(), given, options.groups));
  LACUNA_TRY(options.perturb, perturb_options(problem->table(), given));
  LACUNA_TRY(options.round, round_options(problem->table(), given));
  options.max_changed = given.max_changed;
  options.relative_gap = given.gap;
  options.engine = given.engine;
  LACUNA_TRY(const MixedResult found, publish_mixed(problem, options, keyed(run, *problem)));
  const bool perturbs = std::find(options.groups.begin(),
                                  options.groups.end(),
                                  PublishAs::kPerturbed) != options.groups.end();
  return finish(problem->table(), found, perturbs, "release by these methods");
}

}  // namespace lacuna::inline methods
