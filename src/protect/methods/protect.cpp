// SPDX-License-Identifier: Apache-2.0
// One way through every method: weights, the method, intervals off centre; and from there to the
// audit.
#include "lacuna/protect.h"

#include <algorithm>
#include <array>

#include "core/base/progress_meter.h"
#include "core/base/work.h"
#include "core/draft/sums.h"
#include "data/sensitivity/weights.h"
#include "protect/methods/count_repair.h"
#include "protect/methods/interval_ends.h"
#include "protect/methods/methods.h"
#include "protect/methods/reserve.h"

namespace lacuna {
namespace {

struct Named {
  std::string_view name;
  methods::MethodFunction function;
  std::string_view weights;  // where nobody names others
  bool publishes_intervals;
};

// Of the work of a method that publishes intervals; the rest is for moving them off centre.
constexpr double kSearchShare = 0.8;

// In the order of the enumerators. Deviations cost the same wherever they are; adjusted tables are
// measured by relative deviations.
constexpr std::array<Named, 9> kMethods{{
    {"suppress", methods::protect_by_suppression, "cost", false},
    {"interval", methods::protect_by_intervals, "cost", true},
    {"combined", methods::protect_combined, "cost", true},
    {"round", methods::protect_by_rounding, "unity", false},
    {"perturb", methods::protect_by_perturbation, "unity", false},
    {"adjust", methods::protect_by_adjustment, "inverse", false},
    {"mixed", methods::protect_mixed, "unity", true},
    {"small-counts", methods::protect_small_counts, "unity", false},
    {"cellkey", methods::protect_by_cell_key, "unity", false},
}};

constexpr std::array<std::string_view, kMethods.size()> kNames = [] {
  std::array<std::string_view, kMethods.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = kMethods[i].name;
  return names;
}();

// What an earlier run had found by the time it was stopped depends on when that was.
bool goes_on_from_underway(const ProtectOptions& options) {
  return options.method == Method::kSuppress && !options.suppress.start.empty() &&
         options.suppress.start_stage.name == SuppressStage::Name::kUnderway;
}

const Named& named(Method method) {
  return kMethods[static_cast<std::size_t>(method)];
}

// How much of the progress is the method's: by work if that is limited, else by time, else most.
void begin_search(const RunContext& run, const Problem& problem) {
  constexpr double kLeast = 0.6, kMost = 0.97;
  if (!run.meter)
    return;
  const auto rest = static_cast<double>(methods::work_after(problem));
  const auto work = static_cast<double>(run.work_left());
  run.meter->begin({.until = std::clamp(work / (work + rest), kLeast, kMost),
                    .work = run.work_left(),
                    .deadline = run.deadline});
  if (run.on_progress)
    run.on_progress({.phase = "search"});  // until the method says what it does
}

Result<methods::MethodOutcome> run_method(const std::shared_ptr<const Problem>& problem,
                                          const ProtectOptions& options,
                                          const RunContext& run) {
  const methods::MethodFunction function = named(options.method).function;
  const bool searches = !(options.method == Method::kRound && options.round.midpoint);
  if (problem->counts() && searches && methods::withstands_integer_attack(options.method))
    return methods::protect_counts(function, problem, options, run);
  return function(problem, options, run);
}

}  // namespace

std::span<const std::string_view> enum_names(Method) {
  return kNames;
}

std::string_view to_string(Method method) {
  return named(method).name;
}

std::optional<Method> find_method(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end())
    return std::nullopt;
  return static_cast<Method>(found - kNames.begin());
}

Status ProtectOptions::validate() const {
  return check_ranges(*this);
}

std::string weight_formula(const ProtectOptions& options) {
  return options.weights.empty() ? std::string(named(options.method).weights) : options.weights;
}

Result<Problem> weigh(Problem problem, const std::string& formula) {
  LACUNA_TRY(const sensitivity::WeightFormula parsed, sensitivity::WeightFormula::parse(formula));
  if (parsed.is_cost_alone())
    return problem;
  std::vector<double> weights;
  for (const Cell& cell : problem.table().cells()) {
    LACUNA_TRY(const double weight, parsed.weight_of(cell, problem.table().decimals()));
    weights.push_back(weight);
  }
  problem.set_weights(weights);
  return problem;
}

Waiver waiver_of(const ProtectOptions& options) {
  const bool reports =
      options.method == Method::kCellKey && options.exposed == ExposedRule::kReport;
  return reports ? Waiver::kExposed : Waiver::kNothing;
}

Result<ProtectResult> protect(const std::shared_ptr<const Problem>& problem,
                              const ProtectOptions& options,
                              const RunContext& given) {
  base::fill_unit();
  const RunContext run =
      with_effort(with_progress(with_helpers(given)), options.effort, problem->table().num_cells());
  LACUNA_RETURN_IF_ERROR(options.validate());
  LACUNA_TRY(Problem weighed, weigh(*problem, weight_formula(options)));
  weighed.set_waiver(Waiver::kNothing);  // a method does its best, whatever may go out
  const auto priced = std::make_shared<const Problem>(std::move(weighed));
  const RunContext searching = methods::run_of_method(run, *priced);
  begin_search(searching, *priced);
  const std::int64_t work_before = work_done();
  const bool moves = options.off_center > 0 && named(options.method).publishes_intervals;
  const RunContext search = moves ? base::share_of_work(searching, kSearchShare) : searching;
  LACUNA_TRY(methods::MethodOutcome found, run_method(priced, options, search));
  const bool stopped = search.braked();
  for (TracePoint& point : found.trace)
    point.work -= work_before;
  if (run.meter)
    run.meter->begin({});
  RunContext moving = run;
  if (!run.braked())
    moving.deadline =
        methods::run_of_method(run, *priced).deadline;  // and the audit has what is left
  // Ranges that a method states because readers know them already may not move.
  if (named(options.method).publishes_intervals)
    LACUNA_RETURN_IF_ERROR(move_intervals(priced, options, moving, found));
  found.reproducible = !stopped && !(moves && moving.braked()) && !goes_on_from_underway(options);
  found.work = work_done() - work_before;
  return ProtectResult(std::move(found));
}

Result<std::shared_ptr<const Problem>> problem_to_audit(const std::shared_ptr<const Problem>& given,
                                                        const ProtectResult& found) {
  if (found.decimals < 0 || found.decimals == given->table().decimals())
    return given;
  LACUNA_TRY(Problem finer, with_decimals(*given, found.decimals));
  return std::make_shared<const Problem>(std::move(finer));
}

Result<ReleaseDecision> decide_release(const std::shared_ptr<const Problem>& problem,
                                       const ProtectResult& found,
                                       const AuditOptions& options,
                                       const RunContext& run) {
  if (!found.complete)
    return Error{ErrorCode::kStopped, "there is no complete draft to be audited", ""};
  LACUNA_TRY(const auto audited, problem_to_audit(problem, found));
  LACUNA_RETURN_IF_ERROR(check_draft(audited->table(), found.draft));
  if (found.adds_up)
    LACUNA_RETURN_IF_ERROR(draft::check_sums(audited->table(), found.draft));
  AuditOptions with_hints = options;
  with_hints.hints.insert(with_hints.hints.end(), found.witnesses.begin(), found.witnesses.end());
  return Auditor(audited).decide(found.draft, with_hints, run);
}

}  // namespace lacuna

namespace lacuna::methods {

MethodOutcome outcome_of(const MethodResult& found) {
  MethodOutcome outcome;
  static_cast<MethodResult&>(outcome) = found;
  return outcome;
}

}  // namespace lacuna::methods
