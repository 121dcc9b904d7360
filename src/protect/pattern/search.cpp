// SPDX-License-Identifier: Apache-2.0
#include "protect/pattern/search.h"

#include <algorithm>
#include <array>

#include "core/base/rational.h"
#include "lacuna/tolerance.h"
#include "protect/pattern/conflict.h"
#include "protect/pattern/tuning.h"

namespace lacuna::pattern {
namespace {

class Search {
 public:
  Search(const std::shared_ptr<const Problem>& problem,
         const Plan& plan,
         const SearchOptions& options,
         const RunContext& run)
      : problem_(problem),
        plan_(plan),
        options_(options),
        run_(run),
        auditor_(problem),
        master_(plan) {}

  Result<SearchResult> find() {
    result_.bound = -kLpInfinity;
    std::int64_t allowed = first_work();
    while (true) {
      LACUNA_TRY(const MasterAnswer answer,
                 master_.solve(options_.engine, options_.gap, with_work(run_, allowed)));
      ++result_.rounds;
      result_.bound = std::max(result_.bound, answer.bound);
      if (answer.status == LpStatus::kInfeasible)
        return infeasible();
      const bool proven = answer.status == LpStatus::kOptimal;
      Judgement judged = Judgement::kNone;
      if (answer.pattern) {
        LACUNA_TRY(judged, judge(*answer.pattern));
      }
      if (judged == Judgement::kSafe)
        take(*answer.pattern);
      if (judged == Judgement::kSafe && proven) {
        finish();
        return agree();
      }
      const bool in_vain = !proven && answer.status != LpStatus::kLimit;
      if (judged == Judgement::kUnclear || in_vain || run_.should_stop())
        return stopped();
      if (!proven)
        allowed *= kTuning.more_work;
      report();
    }
  }

 private:
  enum class Judgement : std::uint8_t { kNone, kSafe, kCut, kUnclear };

  std::int64_t first_work() const {
    return kTuning.first_work +
           kTuning.first_work_per_cell * static_cast<std::int64_t>(plan_.cells.size());
  }

  // A safe pattern, if it is the best so far.
  void take(const Pattern& pattern) {
    const double cost = cost_of(plan_, pattern);
    if (!result_.complete || cost < result_.cost) {
      result_.complete = true;
      result_.pattern = pattern;
      result_.cost = cost;
    }
    result_.bound = std::min(result_.bound, result_.cost);
  }

  void finish() {
    const double gap = result_.cost - result_.bound;
    const bool closed = gap <= tol::kObjective * std::max(1.0, result_.cost);
    result_.why = closed ? StopReason::kOptimal : StopReason::kGapReached;
  }

  Result<SearchResult> stopped() {
    result_.why = ended_by(run_);
    return std::move(result_);
  }

  Result<SearchResult> infeasible() {
    result_.why = StopReason::kInfeasible;
    result_.conflict = explain_conflict(plan_, master_, options_.engine, run_);
    return std::move(result_);
  }

  void report() const {
    if (run_.on_progress)
      run_.on_progress({"cuts", 0, result_.complete ? result_.cost : 0, result_.bound});
  }

  // Audits the pattern and adds the cuts of what the audit refutes. A pattern at hand is judged
  // even when the work is done; after a brake the first is left to the audit of the release.
  Result<Judgement> judge(const Pattern& pattern) {
    if (!adds_up(plan_, pattern))  // numbers too large for the engine's tolerances
      return Judgement::kUnclear;
    if (run_.braked())
      return unjudged();
    AuditOptions verdicts;
    verdicts.intervals = false;
    verdicts.hints = result_.witnesses;
    RunContext graced = run_;
    graced.work_end = kNoWorkLimit;
    LACUNA_TRY(const AuditReport report,
               auditor_.audit(draft_of(plan_, pattern), verdicts, graced));
    const auto& more = report.evidence.witnesses;
    result_.witnesses.insert(result_.witnesses.end(), more.begin(), more.end());
    if (passes(report.verdict))
      return Judgement::kSafe;
    if (run_.braked() && report.verdict == Verdict::kUndecided)
      return unjudged();
    bool cut = false;
    const auto findings = report.of(Domain::kRational);
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (findings[i].verdict == Verdict::kExposed)
        cut = add_cuts(report, static_cast<std::int32_t>(i), pattern) || cut;
    }
    return cut ? Judgement::kCut : Judgement::kUnclear;
  }

  // Better than nothing: the audit of the release decides.
  Judgement unjudged() {
    if (result_.complete)
      return Judgement::kUnclear;
    result_.judged = false;
    return Judgement::kSafe;
  }

  bool add_cuts(const AuditReport& report, std::int32_t index, const Pattern& pattern) {
    const Finding& finding = report.of(Domain::kRational)[static_cast<std::size_t>(index)];
    const Question& need = finding.question;
    const auto proof = [&](const End& end, int sign) {
      const auto& proofs = report.evidence.proofs;
      return Proof{sign, end.proof < 0 ? nullptr : &proofs[static_cast<std::size_t>(end.proof)]};
    };
    const Proof high = proof(finding.high, 1), low = proof(finding.low, -1);
    const std::int64_t before = result_.cuts;
    const auto add = [&](std::span<const Proof> proofs, Units level) {
      master_.add_cut(need, index, proofs, level, pattern);
      ++result_.cuts;
    };
    if (high.multipliers != nullptr && finding.high.bound < base::to_integer(need.upper))
      add(std::span(&high, 1), need.upper);
    if (low.multipliers != nullptr && finding.low.bound < base::to_integer(need.lower))
      add(std::span(&low, 1), need.lower);
    if (high.multipliers != nullptr && low.multipliers != nullptr &&
        finding.high.bound + finding.low.bound < base::to_integer(need.sliding)) {
      const std::array<Proof, 2> both{high, low};
      add(both, need.sliding);
    }
    return result_.cuts > before;
  }

  // Among the patterns near the optimum, one that agrees with the wishes.
  Result<SearchResult> agree() {
    if (options_.wishes.empty())
      return std::move(result_);
    const double most = result_.cost * (1 + options_.wish_cost);
    while (!run_.should_stop()) {
      LACUNA_TRY(const MasterAnswer answer,
                 master_.solve_wishes(options_.wishes, most, options_.engine, run_));
      if (!answer.pattern)
        break;
      LACUNA_TRY(const Judgement judged, judge(*answer.pattern));
      if (judged == Judgement::kSafe) {
        result_.pattern = *answer.pattern;
        result_.cost = cost_of(plan_, *answer.pattern);
        result_.bound = std::min(result_.bound, result_.cost);
        finish();
        break;
      }
      if (judged == Judgement::kUnclear)
        break;
    }
    return std::move(result_);
  }

  std::shared_ptr<const Problem> problem_;
  const Plan& plan_;
  const SearchOptions& options_;
  const RunContext& run_;
  Auditor auditor_;
  Master master_;
  SearchResult result_;
};

}  // namespace

Result<SearchResult> search(const std::shared_ptr<const Problem>& problem,
                            const Plan& plan,
                            const SearchOptions& options,
                            const RunContext& run) {
  return Search(problem, plan, options, run).find();
}

}  // namespace lacuna::pattern
