// SPDX-License-Identifier: Apache-2.0
// --method round: controlled rounding.
#include "base/decimal.h"
#include "job/cell_file.h"
#include "job/methods.h"
#include "job/secret_key.h"
#include "lacuna/round.h"
#include "report/deviation.h"

namespace lacuna::inline job {
namespace {

Result<RoundEffort> effort_of(const std::string& word) {
  if (word == "fast")
    return RoundEffort::kFast;
  if (word == "default")
    return RoundEffort::kDefault;
  if (word == "best")
    return RoundEffort::kBest;
  return Error{
      ErrorCode::kBadOption, "the effort is fast, default or best, not '" + word + "'", "--effort"};
}

Result<RoundOptions> options_of(const Table& table, const ProtectJob& job) {
  RoundOptions options;
  if (!job.base.empty()) {
    auto base = parse_units(job.base, table.decimals());
    if (!base)
      return Error{ErrorCode::kBadOption, base.error().message, "--base"};
    if (*base <= 0)
      return Error{ErrorCode::kBadOption, "the rounding base must be positive", "--base"};
    options.base = *base;
  }
  if (!job.cells.empty()) {
    LACUNA_TRY(const std::vector<CellSettings> cells, read_cell_file(job.cells, table));
    options.bases.assign(cells.size(), options.base);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (cells[c].base)
        options.bases[c] = *cells[c].base;
      if (options.bases[c] <= 0)
        return Error{ErrorCode::kBadOption,
                     "the cell has no base, neither in " + job.cells + " nor by --base",
                     table.label(CellId{static_cast<std::int32_t>(c)})};
    }
  } else if (job.base.empty()) {
    return Error{ErrorCode::kBadOption, "rounding needs a base", "--base"};
  }
  options.unbiased = job.unbiased;
  options.unbiased_cost = job.unbiased_cost;
  options.steps = job.steps;
  options.step_price = job.step_price;
  options.max_changed = job.max_changed;
  options.no_small_counts = job.no_small_counts;
  options.exact_multiples = job.exact_multiples;
  options.relative_gap = job.gap;
  options.engine = job.engine;
  LACUNA_TRY(options.effort, effort_of(job.effort));
  return options;
}

std::string no_rounding(const RoundResult& found) {
  std::string text = found.steps == 0 ? "there is no zero-restricted controlled rounding"
                                      : "there is no controlled rounding within " +
                                            std::to_string(found.steps) + " steps";
  if (!found.reason.empty())
    text += ": " + found.reason;
  return text + "; nothing is released" +
         (found.steps == 0 ? " (--steps 1 allows one base beyond the adjacent multiples)" : "");
}

}  // namespace

Result<MethodOutcome> protect_by_rounding(const std::shared_ptr<const Problem>& problem,
                                          const ProtectJob& job,
                                          const RunContext& run) {
  LACUNA_TRY(const RoundOptions options, options_of(problem->table, job));
  RunContext keyed = run;  // whoever could repeat the random directions could undo them
  keyed.seed = secret_key(run.seed, problem->table);
  LACUNA_TRY(RoundResult found, round_table(problem, options, keyed));
  MethodOutcome outcome = outcome_of(found);
  if (found.why == StopReason::kInfeasible) {
    outcome.message = no_rounding(found);
    return outcome;
  }
  if (!found.complete)
    return outcome;
  outcome.details = deviation_details(deviation(problem->table, found.draft));
  outcome.details.emplace_back("steps_used", found.steps);
  outcome.details.emplace_back("rounds", static_cast<double>(found.rounds));
  outcome.details.emplace_back("cuts", static_cast<double>(found.cuts));
  outcome.details.emplace_back("flips", static_cast<double>(found.flips));
  if (found.steps > 0) {
    outcome.note = "the relaxation of " + std::to_string(found.steps) +
                   (found.steps == 1 ? " step" : " steps") +
                   " was used, and readers know each value within " +
                   std::to_string(found.steps + 1) + " bases";
    if (!found.why_not_strict.empty())
      outcome.note += "; strictly, " + found.why_not_strict;
  }
  outcome.witnesses = std::move(found.witnesses);
  return outcome;
}

}  // namespace lacuna::inline job
