// SPDX-License-Identifier: Apache-2.0
// --method perturb: cell perturbation. --method mixed: a method per group of cells.
#include <algorithm>

#include "base/decimal.h"
#include "base/nearest.h"
#include "job/cell_file.h"
#include "job/methods.h"
#include "lacuna/mixed.h"
#include "lacuna/perturb.h"
#include "report/deviation.h"

namespace lacuna::inline job {
namespace {

constexpr std::string_view kGroups[] = {"exact", "withheld", "interval", "perturbed", "rounded"};

Result<PublishAs> group_of(const std::string& word, const std::string& where) {
  for (std::size_t i = 0; i < std::size(kGroups); ++i) {
    if (kGroups[i] == word)
      return static_cast<PublishAs>(i);
  }
  return Error{ErrorCode::kBadOption,
               "a cell is exact, withheld, interval, perturbed or rounded, not '" + word + "'" +
                   did_you_mean(word, kGroups),
               where};
}

Result<Units> units_of(const std::string& text, const Table& table, const std::string& where) {
  auto units = parse_units(text, table.decimals());
  if (!units)
    return Error{ErrorCode::kBadOption, units.error().message, where};
  if (*units <= 0)
    return Error{ErrorCode::kBadOption, "must be positive", where};
  return *units;
}

Result<PerturbOptions> perturb_options(const Table& table,
                                       const ProtectJob& job,
                                       const std::vector<CellSettings>& cells) {
  PerturbOptions options;
  options.range_percent = job.range;
  if (job.senses != "free" && job.senses != "up" && job.senses != "down")
    return Error{ErrorCode::kBadOption,
                 "the senses are free, up or down, not '" + job.senses + "'",
                 "--senses"};
  options.senses = job.senses == "up"     ? PerturbSenses::kUp
                   : job.senses == "down" ? PerturbSenses::kDown
                                          : PerturbSenses::kFree;
  options.range_known = !job.range_unknown;
  options.max_changed = job.max_changed;
  options.change_price = job.change_price;
  options.relative_gap = job.gap;
  options.engine = job.engine;
  if (!job.grid.empty()) {
    LACUNA_TRY(options.step, units_of(job.grid, table, "--grid"));
  }
  for (const CellSettings& cell : cells) {
    options.ranges.push_back(
        {cell.lower.value_or(kUnboundedBelow), cell.upper.value_or(kUnboundedAbove)});
    options.values.push_back(cell.value);
  }
  return options;
}

Result<RoundOptions> round_options(const Table& table,
                                   const ProtectJob& job,
                                   const std::vector<CellSettings>& cells) {
  RoundOptions options;
  options.base = 1;
  if (!job.base.empty()) {
    LACUNA_TRY(options.base, units_of(job.base, table, "--base"));
  }
  for (const CellSettings& cell : cells)
    options.bases.push_back(cell.base.value_or(options.base));
  options.steps = job.steps;
  options.step_price = job.step_price;
  options.no_small_counts = job.no_small_counts;
  options.exact_multiples = job.exact_multiples;
  return options;
}

Status check_bases(const Table& table,
                   const ProtectJob& job,
                   const std::vector<CellSettings>& cells,
                   const std::vector<PublishAs>& groups) {
  for (std::size_t c = 0; c < groups.size(); ++c) {
    if (groups[c] == PublishAs::kRounded && job.base.empty() && (cells.empty() || !cells[c].base))
      return Error{ErrorCode::kBadOption,
                   "rounding needs a base: the cell has none",
                   table.label(CellId{static_cast<std::int32_t>(c)})};
  }
  return ok_status();
}

// The cell file first, then sensitive, totals, others.
Result<std::vector<PublishAs>> groups_of(const Problem& problem,
                                         const ProtectJob& job,
                                         const std::vector<CellSettings>& cells) {
  LACUNA_TRY(const PublishAs sensitive, group_of(job.sensitive_as, "--sensitive-as"));
  LACUNA_TRY(const PublishAs totals, group_of(job.totals_as, "--totals-as"));
  LACUNA_TRY(const PublishAs others, group_of(job.others_as, "--others-as"));
  const std::vector<bool> total = total_cells(problem.table);
  std::vector<PublishAs> groups(total.size(), others);
  for (std::size_t c = 0; c < total.size(); ++c) {
    if (total[c])
      groups[c] = totals;
  }
  for (const Requirement& need : problem.requirements)
    groups[static_cast<std::size_t>(need.cell.value)] = sensitive;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!cells[c].method.empty()) {
      LACUNA_TRY(groups[c], group_of(cells[c].method, job.cells));
    }
  }
  return groups;
}

Result<std::vector<CellSettings>> cells_of(const Table& table, const ProtectJob& job) {
  if (job.cells.empty())
    return std::vector<CellSettings>{};
  return read_cell_file(job.cells, table);
}

template <class Found>
MethodOutcome finish(const Table& table, Found found, const char* what) {
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
  outcome.witnesses = std::move(found.witnesses);
  return outcome;
}

}  // namespace

Result<MethodOutcome> protect_by_perturbation(const std::shared_ptr<const Problem>& problem,
                                              const ProtectJob& job,
                                              const RunContext& run) {
  LACUNA_TRY(const std::vector<CellSettings> cells, cells_of(problem->table, job));
  LACUNA_TRY(const PerturbOptions options, perturb_options(problem->table, job, cells));
  LACUNA_TRY(PerturbResult found, perturb(problem, options, run));
  return finish(problem->table, std::move(found), "perturbation within these ranges");
}

Result<MethodOutcome> protect_mixed(const std::shared_ptr<const Problem>& problem,
                                    const ProtectJob& job,
                                    const RunContext& run) {
  LACUNA_TRY(const std::vector<CellSettings> cells, cells_of(problem->table, job));
  MixedOptions options;
  LACUNA_TRY(options.groups, groups_of(*problem, job, cells));
  LACUNA_RETURN_IF_ERROR(check_bases(problem->table, job, cells, options.groups));
  LACUNA_TRY(options.perturb, perturb_options(problem->table, job, cells));
  LACUNA_TRY(options.round, round_options(problem->table, job, cells));
  options.max_changed = job.max_changed;
  options.relative_gap = job.gap;
  options.engine = job.engine;
  LACUNA_TRY(MixedResult found, publish_mixed(problem, options, run));
  return finish(problem->table, std::move(found), "release by these methods");
}

}  // namespace lacuna::inline job
