// SPDX-License-Identifier: Apache-2.0
#include "app/explain/cell_explanation.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "app/explain/neighborhood.h"
#include "app/explain/tuning.h"
#include "app/report/count_words.h"
#include "core/base/index.h"
#include "core/base/rational.h"

namespace lacuna::explain {
namespace {

bool only_withholds(const Draft& draft) {
  return draft.count(StatementKind::kWithheld) == draft.num_entries();
}

// Why the cell cannot be thought of as published; empty if it can.
std::string no_answer_text(const Draft& draft) {
  if (draft.adjusted())
    return "the release is an adjusted table, whose readers do not know which numbers are altered";
  if (draft.by_keys())
    return "the release is made by cell keys, and all its numbers are read together";
  return "";
}

bool is_asked_about(const Problem& problem, CellId cell) {
  if (is_sensitive(problem, cell))
    return true;
  return problem.counts() &&
         std::any_of(problem.counts()->questions.begin(),
                     problem.counts()->questions.end(),
                     [&](const CountQuestion& asked) { return asked.cell == cell; });
}

CellRole role_of(const Problem& problem, const Draft& draft, CellId cell) {
  if (draft.is_exact(cell))
    return CellRole::kPublished;
  const CellStatus status = problem.table().cell(cell).status;
  if (status == CellStatus::kPrimary || is_asked_about(problem, cell))
    return CellRole::kSensitive;
  return status == CellStatus::kSecondary ? CellRole::kByInput : CellRole::kSecondary;
}

class Explainer {
 public:
  Explainer(const std::shared_ptr<const Problem>& problem,
            const Draft& draft,
            CellId cell,
            const ExplainOptions& options,
            const RunContext& run)
      : problem_(problem), draft_(draft), cell_(cell), options_(options), run_(run) {}

  Result<CellExplanation> run() {
    CellExplanation told;
    told.cell = cell_;
    told.role = role_of(*problem_, draft_, cell_);
    if (told.role == CellRole::kPublished)
      return told;
    if (told.role == CellRole::kSensitive) {
      LACUNA_TRY(told.findings, own_findings());
      told.exchange.why =
          "the cell is sensitive itself: whatever else is withheld, it may not be "
          "published as it is";
      told.if_published.why_not = told.exchange.why;
      return told;
    }
    told.if_published.why_not = no_answer_text(draft_);
    if (!told.if_published.why_not.empty()) {
      told.exchange.why = told.if_published.why_not;
      return told;
    }
    LACUNA_TRY(told.if_published, publish());
    LACUNA_TRY(told.exchange, exchange(told.if_published));
    return told;
  }

 private:
  Result<AuditReport> audit(const std::shared_ptr<const Problem>& asked,
                            const Draft& draft,
                            bool intervals,
                            const std::vector<Displacement>& hints = {}) const {
    AuditOptions audit;
    audit.intervals = intervals;
    audit.engine = options_.search.engine;
    audit.hints = hints;
    return Auditor(asked).audit(draft, audit, run_);
  }

  // Those of the problem with what is about other cells left out.
  std::shared_ptr<const Problem> about(
      const std::shared_ptr<const Problem>& from,
      const std::function<bool(CellId, std::int32_t attacker, CountKind, Domain)>& wanted) const {
    auto some = std::make_shared<Problem>(*from);
    some->drop_requirements([&](const Requirement& need) {
      return !wanted(need.cell, need.attacker, CountKind::kLevels, Domain::kRational);
    });
    if (some->counts()) {
      some->drop_questions([&](const CountQuestion& asked) {
        return !wanted(asked.cell, asked.attacker, asked.kind, Domain::kInteger);
      });
    }
    return some;
  }

  Result<std::vector<Finding>> own_findings() const {
    const auto own = about(problem_, [&](CellId cell, auto, auto, auto) { return cell == cell_; });
    LACUNA_TRY(AuditReport report, audit(own, draft_, true));
    return std::move(report.findings);
  }

  Result<IfPublished> publish() {
    const std::vector<bool> near = touched_by(problem_->table(), draft_, std::array{cell_});
    const auto asked = asked_of(*problem_, near);
    then_ = draft_;
    then_.publish_exact(cell_);
    IfPublished told;
    told.computed = true;
    LACUNA_TRY(const AuditReport now, audit(asked, draft_, false));
    LACUNA_TRY(const AuditReport then, audit(asked, then_, false, now.evidence.witnesses));
    told.now = now.verdict;
    told.then = then.verdict;
    told.asked = static_cast<std::int64_t>(now.findings.size());
    for (std::size_t i = 0; i < then.findings.size(); ++i) {
      const Finding& finding = then.findings[i];
      if (is_met(finding.verdict) || !holds_now(now, i, finding.question))
        continue;
      ++(finding.verdict == Verdict::kUndecided ? told.undecided : told.exposed);
      broken_.push_back(finding.question);
      told.keeps_safe.push_back(finding.question.cell);
    }
    one_of_each_cell_first();
    std::sort(told.keeps_safe.begin(), told.keeps_safe.end());
    told.keeps_safe.erase(std::unique(told.keeps_safe.begin(), told.keeps_safe.end()),
                          told.keeps_safe.end());
    open_ = problem_of(asked, broken_.size());
    if (!broken_.empty())
      LACUNA_RETURN_IF_ERROR(look_closer(told));
    return told;
  }

  void one_of_each_cell_first() {
    std::set<CellId> seen;
    std::vector<Question> others;
    std::vector<Question> ordered;
    for (Question& each : broken_)
      (seen.insert(each.cell).second ? ordered : others).push_back(std::move(each));
    std::move(others.begin(), others.end(), std::back_inserter(ordered));
    broken_ = std::move(ordered);
  }

  // Both reports list the same questions in the same order, but for those that a release raises.
  static bool holds_now(const AuditReport& now, std::size_t place, const Question& question) {
    if (place < now.findings.size() && now.findings[place].question == question)
      return is_met(now.findings[place].verdict);
    return std::any_of(now.findings.begin(), now.findings.end(), [&](const Finding& finding) {
      return finding.question == question && is_met(finding.verdict);
    });
  }

  // The first `count` of what breaks.
  std::shared_ptr<const Problem> problem_of(const std::shared_ptr<const Problem>& from,
                                            std::size_t count) const {
    std::set<std::tuple<CellId, std::int32_t, CountKind, Domain>> some;
    for (std::size_t i = 0; i < std::min(count, broken_.size()); ++i) {
      const Question& each = broken_[i];
      some.emplace(each.cell, each.attacker, each.kind, each.domain);
    }
    return about(from, [&](CellId cell, std::int32_t attacker, CountKind kind, Domain domain) {
      return some.contains({cell, attacker, kind, domain});
    });
  }

  Status look_closer(IfPublished& told) const {
    const auto some = problem_of(open_, kTuning.most_consequences);
    LACUNA_TRY(const AuditReport exact, audit(some, then_, true));
    std::set<CellId> seen;
    for (const Finding& finding : exact.findings) {
      if (told.consequences.size() >= kTuning.most_consequences)
        break;
      if (finding.verdict == Verdict::kProtected || finding.verdict == Verdict::kUnasked)
        continue;
      Consequence& consequence = told.consequences.emplace_back();
      consequence.finding = finding;
      const CellId cell = finding.question.cell;
      if (seen.insert(cell).second)
        consequence.more_of_cell = count_of(cell) - 1;
      consequence.sum = find_short_sum(*some, then_, finding.question);
      consequence.by_short_sum = consequence.sum.has_value();
      if (!consequence.sum) {
        consequence.sum = sum_of_evidence(*some, exact, finding);
        consequence.by_short_sum =
            consequence.sum && tells_alone(*consequence.sum, finding.question);
      }
      if (!consequence.sum && finding.question.domain == Domain::kInteger)
        consequence.source = report::sources_clause(*some, then_, exact, finding);
    }
    return ok_status();
  }

  std::int64_t count_of(CellId cell) const {
    return std::count_if(
        broken_.begin(), broken_.end(), [&](const Question& each) { return each.cell == cell; });
  }

  static bool tells_alone(const Sum& sum, const Question& question) {
    return base::at(sum.equations) <= kTuning.most_equations && tells_too_much(question, sum);
  }

  std::optional<Sum> sum_of_evidence(const Problem& problem,
                                     const AuditReport& report,
                                     const Finding& finding) const {
    if (finding.question.domain != Domain::kRational)
      return std::nullopt;
    const Units upper = finding.question.upper, lower = finding.question.lower;
    const auto fails = [](const End& end, Units level) {
      return end.has_bound && end.bound < base::to_integer(level);
    };
    const bool high_first = fails(finding.high, upper) || !fails(finding.low, lower);
    for (const End* end :
         {high_first ? &finding.high : &finding.low, high_first ? &finding.low : &finding.high}) {
      if (end->proof < 0)
        continue;
      auto sum = sum_of_proof(
          problem, then_, finding.question, report.evidence.proofs[base::at(end->proof)]);
      if (sum)
        return sum;
    }
    return std::nullopt;
  }

  Result<Exchange> exchange(const IfPublished& told) const {
    Exchange none;
    if (!options_.exchange)
      none.why = "nobody asked for it";
    else if (!only_withholds(draft_))
      none.why =
          "the release does not only withhold cells, but also publishes numbers that are not the "
          "true ones";
    else if (told.now != Verdict::kProtected && told.now != Verdict::kUnasked)
      none.why = "the release is not protected as it is";
    if (!none.why.empty())
      return none;
    return find_exchange(*problem_, draft_, cell_, *open_, options_.search, run_);
  }

  std::shared_ptr<const Problem> problem_;
  const Draft& draft_;
  CellId cell_;
  const ExplainOptions& options_;
  const RunContext& run_;
  Draft then_;                           // with the cell published
  std::vector<Question> broken_;         // what holds now, and not then
  std::shared_ptr<const Problem> open_;  // the same as a problem
};

}  // namespace

std::span<const std::string_view> enum_names(CellRole) {
  static constexpr std::array<std::string_view, 4> kNames{
      "published", "sensitive", "withheld by the table", "secondary"};
  return kNames;
}

Result<CellExplanation> explain_cell(const std::shared_ptr<const Problem>& problem,
                                     const Draft& draft,
                                     CellId cell,
                                     const ExplainOptions& options,
                                     const RunContext& run) {
  return Explainer(problem, draft, cell, options, run).run();
}

}  // namespace lacuna::explain
