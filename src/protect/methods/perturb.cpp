// SPDX-License-Identifier: Apache-2.0
// --method perturb: cell perturbation. --method mixed: a method per group of cells.
#include "lacuna/perturb.h"

#include <algorithm>

#include "core/draft/deviation.h"
#include "core/table/number_option.h"
#include "lacuna/mixed.h"
#include "protect/methods/methods.h"
#include "protect/methods/secret_key.h"

namespace lacuna::methods {
namespace {

PerturbOptions perturb_options(const ProtectOptions& given) {
  PerturbOptions options{given, given.perturb, {}, {}};
  for (const CellSettings& cell : given.cells) {
    options.ranges.push_back(
        {cell.lower.value_or(kUnboundedBelow), cell.upper.value_or(kUnboundedAbove)});
    options.values.push_back(cell.value);
  }
  return options;
}

// A mixture has a limit of changes of its own, and no random directions.
Result<RoundOptions> round_options(const Table& table, const ProtectOptions& given) {
  RoundOptions options{given, given.round, {}};
  options.unbiased = false;
  options.max_changed = -1;
  Units base = 1;
  if (options.base) {
    LACUNA_TRY(base, table::units_of(*options.base, table, "--base"));
  } else {
    options.base = Decimal(1, table.decimals());
  }
  for (const CellSettings& cell : given.cells)
    options.bases.push_back(cell.base.value_or(base));
  return options;
}

Status check_bases(const Table& table,
                   const ProtectOptions& given,
                   const std::vector<PublishAs>& groups) {
  for (std::size_t c = 0; c < groups.size(); ++c) {
    const bool own = !given.cells.empty() && given.cells[c].base;
    if (groups[c] == PublishAs::kRounded && !given.round.base && !own)
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
    outcome.reason = std::string("no ") + what + " meets the requirements" +
                     (found.reason.empty() ? "" : ": " + found.reason) + "; nothing is released";
    return outcome;
  }
  if (!found.complete)
    return outcome;
  outcome.details = draft::deviation_details(draft::deviation(table, found.draft));
  outcome.details.emplace_back("intervals", found.draft.count(StatementKind::kInterval));
  outcome.details.emplace_back("rounds", static_cast<double>(found.rounds));
  outcome.details.emplace_back("cuts", static_cast<double>(found.cuts));
  if (tells_ranges && found.draft.count(StatementKind::kAltered) > 0)
    outcome.note =
        "readers are assumed to know the printed ranges; a reader who also knows the protection "
        "levels or --range knows the truth to within them around the published number, which is "
        "not judged";
  return outcome;
}

}  // namespace

std::vector<PublishAs> mixed_groups(const Problem& problem, const ProtectOptions& given) {
  std::vector<PublishAs> groups = mixed_groups(problem, given.mixed);
  for (std::size_t c = 0; c < given.cells.size(); ++c)
    groups[c] = given.cells[c].method.value_or(groups[c]);
  return groups;
}

Result<MethodOutcome> protect_by_perturbation(const std::shared_ptr<const Problem>& problem,
                                              const ProtectOptions& given,
                                              const RunContext& run) {
  LACUNA_TRY(const PerturbResult found,
             perturb(problem, perturb_options(given), keyed(run, *problem)));
  return finish(problem->table(), found, true, "perturbation within these ranges");
}

Result<MethodOutcome> protect_mixed(const std::shared_ptr<const Problem>& problem,
                                    const ProtectOptions& given,
                                    const RunContext& run) {
  MixedOptions options{
      given, given.mixed, mixed_groups(*problem, given), {}, perturb_options(given)};
  LACUNA_RETURN_IF_ERROR(check_bases(problem->table(), given, options.groups));
  LACUNA_TRY(options.round, round_options(problem->table(), given));
  LACUNA_TRY(const MixedResult found, publish_mixed(problem, options, keyed(run, *problem)));
  const bool perturbs =
      std::find(options.groups.begin(), options.groups.end(), PublishAs::kPerturbed) !=
      options.groups.end();
  return finish(problem->table(), found, perturbs, "release by these methods");
}

}  // namespace lacuna::methods
