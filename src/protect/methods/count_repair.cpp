// SPDX-License-Identifier: Apache-2.0
#include "protect/methods/count_repair.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/spelling.h"
#include "core/base/work.h"
#include "core/draft/system.h"
#include "core/table/network.h"
#include "judge/audit/audit_run.h"
#include "judge/audit/judge.h"
#include "lacuna/tolerance.h"
#include "protect/counts/count_cut.h"
#include "protect/counts/count_model.h"
#include "protect/methods/count_statements.h"
#include "protect/suppression_model/pattern_requirements.h"

namespace lacuna::methods {
namespace {

struct RepairTuning {
  double first_share = 0.6;  // of the work, where the model may have to be solved again
  int most_solves = 6;       // of the method, beside the first
  int fresh_rounds = 20;     // in which cells are chosen anew for all cuts; then they only grow
};
constexpr RepairTuning kRepair;

class CountRepair {
 public:
  CountRepair(MethodFunction method,
              const Problem& problem,
              const ProtectOptions& options,
              const RunContext& run,
              counts::CountModel& model)
      : method_(method), problem_(problem), given_(options), run_(run), model_(model) {
    const std::vector<bool> all(static_cast<std::size_t>(problem.table().num_cells()), true);
    network_ = table::network_form(problem.table(), all);
  }

  Result<MethodOutcome> run_all() {
    fit_options();
    const bool again = only_withholds() ? model_.has_choices() : true;
    auto first = solve(again ? base::share_of_work(run_, kRepair.first_share) : run_);
    if (!first) {
      LACUNA_RETURN_IF_ERROR(explain());
      return first;
    }
    outcome_ = *std::move(first);
    bound_ = outcome_.bound;
    if (!outcome_.complete)
      return std::move(outcome_);
    LACUNA_RETURN_IF_ERROR(attack());
    LACUNA_RETURN_IF_ERROR(solve_again());
    if (!safe() && only_withholds())
      LACUNA_RETURN_IF_ERROR(withhold_more());
    finish();
    return std::move(outcome_);
  }

 private:
  bool only_withholds() const { return given_.method == Method::kSuppress; }
  bool safe() const {
    return report_.count(Verdict::kExposed) + report_.count(Verdict::kUndecided) == 0;
  }

  // Rests are withheld in every pattern and are nobody's cells; zeros that may not be hidden are
  // published whatever their group.
  void fit_options() {
    options_ = given_;
    if (options_.suppress.max_withheld >= 0)
      options_.suppress.max_withheld += model_.num_rests();
    if (given_.suppress.on_pattern)
      options_.suppress.on_pattern =
          [this](const Draft& draft, const auto& evidence, const auto& stage) {
            std::vector<Displacement> own = evidence;
            model_.drop_rests(own);
            given_.suppress.on_pattern(model_.without_rests(draft), own, stage);
          };
    if (given_.method != Method::kMixed)
      return;
    const std::vector<PublishAs> groups = mixed_groups(problem_, given_);
    options_.cells.resize(groups.size());
    for (std::size_t c = 0; c < groups.size(); ++c) {
      const CellId cell{static_cast<std::int32_t>(c)};
      const bool hidden = groups[c] == PublishAs::kWithheld || groups[c] == PublishAs::kInterval;
      if (hidden && !model_.may_hide(cell))
        options_.cells[c].method = PublishAs::kExact;
    }
  }

  Result<MethodOutcome> solve(const RunContext& run) {
    LACUNA_TRY(const auto asked, model_.problem());
    LACUNA_TRY(MethodOutcome found, method_(asked, options_, run));
    found.draft = model_.without_rests(found.draft);
    model_.drop_rests(found.witnesses);
    LACUNA_TRY(found.draft,
               as_count_readers_see(problem_, given_, steps_used(found), std::move(found.draft)));
    return found;
  }

  double steps_used(const MethodOutcome& found) const {
    const auto named = std::find_if(found.details.begin(), found.details.end(), [](const auto& d) {
      return d.first == "steps_used";
    });
    return named == found.details.end() ? given_.round.steps : named->second;
  }

  // In whole numbers alone: the requirements are part of the model.
  Status attack() {
    AuditOptions verdicts;
    verdicts.intervals = false;
    verdicts.engine = given_.engine;
    // Witnesses of a pattern hold in all that withhold more, and mostly in what is like it.
    verdicts.hints = outcome_.witnesses;
    const auto& known = report_.evidence.witnesses;
    verdicts.hints.insert(verdicts.hints.end(), known.begin(), known.end());
    report_ = {};
    RunContext unlimited = run_;
    unlimited.work_end = kNoWorkLimit;
    const table::Network* network = network_ ? &*network_ : nullptr;
    const draft::ReleaseSystem system(problem_, outcome_.draft);
    audit::AuditRun audit(system.problem(),
                          system.draft(),
                          verdicts,
                          unlimited,
                          network,
                          problem_.table().num_cells());
    LACUNA_TRY(report_, audit.run({.rational = false, .integer = true}));
    return ok_status();
  }

  bool is_choice(const Finding& finding) const {
    return finding.question.kind == CountKind::kSmall && model_.has_choices();
  }

  // Asks more firmly for what is refuted, as long as that can be had.
  Status solve_again() {
    for (int i = 0; i < kRepair.most_solves && !safe() && !run_.should_stop(); ++i) {
      bool asked = false;
      for (const Finding& finding : report_.findings) {
        if (is_met(finding.verdict) || (only_withholds() && (i > 0 || !is_choice(finding))))
          continue;
        asked = model_.ask_more(finding.question) || asked;
      }
      if (!asked)
        break;
      auto found = solve(run_);
      if (!found || !found->complete)
        break;  // what there is will be said by the audit
      ++solves_;
      outcome_ = *std::move(found);
      LACUNA_RETURN_IF_ERROR(attack());
    }
    return ok_status();
  }

  // Cuts hold for every pattern that contains the one they begin with. In the end all that may be
  // withheld is, or a cut is empty.
  Status withhold_more() {
    const Draft begin = outcome_.draft;
    std::vector<counts::CountCut> cuts;
    std::vector<CellId> added;
    for (int round = 0; !safe() && !run_.braked(); ++round) {
      LACUNA_RETURN_IF_ERROR(add_cuts(cuts));
      std::vector<CellId> more = counts::meet_cuts(problem_.table(), cuts);
      if (round >= kRepair.fresh_rounds)
        more.insert(more.end(), added.begin(), added.end());
      added = std::move(more);
      outcome_.draft = begin;
      for (const CellId cell : added)
        outcome_.draft.withhold(cell);
      LACUNA_RETURN_IF_ERROR(attack());
    }
    added_ = outcome_.draft.count(StatementKind::kWithheld) - begin.count(StatementKind::kWithheld);
    cuts_ = static_cast<std::int64_t>(cuts.size());
    outcome_.cost = suppression_model::withheld_weight(problem_.table(), outcome_.draft);
    return ok_status();
  }

  Status add_cuts(std::vector<counts::CountCut>& cuts) const {
    const auto may_hide = [this](CellId cell) { return model_.may_hide(cell); };
    for (const Finding& finding : report_.findings) {
      if (is_met(finding.verdict))
        continue;
      counts::CountCut cut =
          counts::count_cut(problem_, outcome_.draft, report_, finding, may_hide);
      if (cut.empty() && finding.verdict == Verdict::kUndecided)
        cut = all_published();
      if (cut.empty())
        return counts::no_release_hides(problem_, finding.question);
      cuts.push_back(std::move(cut));
    }
    return ok_status();
  }

  counts::CountCut all_published() const {
    counts::CountCut cells;
    for (std::int32_t c = 0; c < problem_.table().num_cells(); ++c) {
      if (outcome_.draft.state(CellId{c}) == StatementKind::kExact && model_.may_hide(CellId{c}))
        cells.push_back(CellId{c});
    }
    return cells;
  }

  // Where the method says that nothing will do: is it whole numbers that cannot be protected?
  Status explain() {
    if (!only_withholds())
      return ok_status();
    outcome_.draft = Draft::withholding_primaries(problem_.table());
    for (const CellId cell : all_published())
      outcome_.draft.withhold(cell);
    LACUNA_RETURN_IF_ERROR(attack());
    for (const Finding& finding : report_.findings) {
      if (finding.verdict == Verdict::kExposed)
        return counts::no_release_hides(problem_, finding.question);
    }
    return ok_status();
  }

  // The bound is that of the first model: what was asked later is a choice among safe releases.
  void finish() {
    outcome_.bound = std::min(bound_, outcome_.cost);
    if (solves_ + added_ == 0)
      return;
    const double gap = outcome_.cost - outcome_.bound;
    const bool claims =
        outcome_.why == StopReason::kOptimal || outcome_.why == StopReason::kGapReached;
    if (claims && gap > tol::kDecision * std::max(1.0, outcome_.cost))
      outcome_.why =
          gap <= given_.gap * outcome_.cost ? StopReason::kGapReached : StopReason::kWork;
    outcome_.details.emplace_back("whole_solves", solves_);
    outcome_.details.emplace_back("whole_cuts", static_cast<double>(cuts_));
    outcome_.details.emplace_back("whole_added", static_cast<double>(added_));
    refuse_beyond_limits();
  }

  void refuse_beyond_limits() {
    if (added_ == 0)
      return;
    const SuppressSettings& limits = given_.suppress;
    const bool too_many = limits.max_withheld >= 0 &&
                          outcome_.draft.count(StatementKind::kWithheld) > limits.max_withheld;
    if (!too_many && limits.minimum_width == 0)
      return;
    outcome_.complete = false;
    outcome_.reason = std::string("against readers of whole numbers ") + std::to_string(added_) +
                      " more cells would be withheld, which " +
                      (too_many ? base::named_option("max-withheld") + " does not allow"
                                : std::string("need not have the minimum width")) +
                      "; nothing is released";
  }

  MethodFunction method_;
  const Problem& problem_;
  const ProtectOptions& given_;
  RunContext run_;
  counts::CountModel& model_;
  std::optional<table::Network> network_;
  ProtectOptions options_;
  MethodOutcome outcome_;
  AuditReport report_;
  double bound_ = 0;
  int solves_ = 0;
  std::int64_t added_ = 0, cuts_ = 0;
};

}  // namespace

bool withstands_integer_attack(Method method) {
  switch (method) {
    case Method::kSuppress:
    case Method::kInterval:
    case Method::kCombined:
    case Method::kRound:
    case Method::kPerturb:
    case Method::kMixed:
    case Method::kSmallCounts:
      return true;
    case Method::kAdjust:
    case Method::kCellKey:
      return false;
  }
  return false;
}

Result<MethodOutcome> protect_counts(MethodFunction method,
                                     const std::shared_ptr<const Problem>& problem,
                                     const ProtectOptions& options,
                                     const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(check_ways(*problem, options));
  LACUNA_TRY(counts::CountModel model,
             counts::CountModel::make(
                 *problem, states_by(*problem, options), zeros_shown(*problem, options)));
  return CountRepair(method, *problem, options, run, model).run_all();
}

}  // namespace lacuna::methods
