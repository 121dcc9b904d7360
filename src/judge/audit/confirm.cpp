// SPDX-License-Identifier: Apache-2.0
#include "judge/audit/confirm.h"

#include <algorithm>

#include "core/base/rational.h"
#include "core/draft/system.h"
#include "judge/attack/count_slacks.h"
#include "judge/audit/adjusted.h"

namespace lacuna::audit {
namespace {

std::string covered(const char* what, std::size_t found, std::size_t asked) {
  return "the evidence covers " + std::to_string(found) + " " + what + " of " +
         std::to_string(asked);
}

// The findings are those of the questions that problem and draft raise, one by one. An adjusted
// table is judged by its requirements alone.
Status set_questions(const Problem& problem, const Draft& draft, AuditReport& report) {
  const std::size_t rational = report.of(Domain::kRational).size();
  const std::size_t needs = problem.requirements().size();
  if (rational != needs)
    return Error{ErrorCode::kWrongEvidence, covered("requirements", rational, needs), ""};
  if (!problem.counts() || draft.adjusted())
    report.findings.resize(needs);
  std::vector<Question> questions = questions_of(problem);
  if (draft.adjusted())
    questions.resize(needs);
  if (report.findings.size() != questions.size()) {
    return Error{
        ErrorCode::kWrongEvidence,
        covered("questions about counts", report.findings.size() - needs, questions.size() - needs),
        ""};
  }
  for (std::size_t i = 0; i < questions.size(); ++i)
    report.findings[i].question = std::move(questions[i]);
  return ok_status();
}

}  // namespace

Result<Confirmer> Confirmer::make(const Problem& problem,
                                  const Draft& draft,
                                  std::size_t attacker,
                                  Domain domain) {
  const Attacker& who = problem.attackers()[attacker];
  if (domain == Domain::kRational)
    return Confirmer(problem, draft, domain, attack::attacker_slacks(problem.table(), draft, who));
  LACUNA_TRY(attack::CountSlacks known, attack::count_slacks(problem, draft, who));
  return Confirmer(problem, draft, domain, std::move(known.slacks), std::move(known.holes));
}

void Confirmer::become(const Attacker& attacker) {
  checker_.know(attack::slacks_of_knowledge(problem_.table(), draft_, attacker));
}

Status Confirmer::confirm(const Evidence& evidence, Finding& finding) {
  finding.reason.clear();
  Facts facts;
  LACUNA_RETURN_IF_ERROR(
      confirm_end(evidence, finding.question.form, Direction::kLow, finding.low));
  LACUNA_RETURN_IF_ERROR(
      confirm_end(evidence, finding.question.form, Direction::kHigh, finding.high));
  LACUNA_RETURN_IF_ERROR(add_shown(evidence, finding, facts));
  conclude(evidence, std::move(facts), finding);
  return ok_status();
}

// The moves that further witnesses show.
Status Confirmer::add_shown(const Evidence& evidence, const Finding& finding, Facts& facts) {
  for (const std::int32_t index : finding.shown) {
    End end;
    end.witness = index;
    if (domain_ == Domain::kRational || index < 0)
      return Error{ErrorCode::kWrongEvidence, "a value names a witness that is not there", ""};
    LACUNA_RETURN_IF_ERROR(confirm_end(evidence, finding.question.form, Direction::kHigh, end));
    facts.moves.insert(end.reached.numerator());
  }
  return ok_status();
}

void Confirmer::conclude(const Evidence& evidence, Facts facts, Finding& finding) const {
  facts.published = is_published(problem_.table(), draft_, finding.question.cell);
  if (domain_ == Domain::kInteger)
    add_facts(evidence, finding, facts);
  keep_true_values(facts, finding);
  judge(problem_, facts, finding);
}

void Confirmer::add_facts(const Evidence& evidence, const Finding& finding, Facts& facts) const {
  facts.moves.insert(0);
  facts.moves.insert(finding.high.reached.numerator());
  facts.moves.insert(Integer(-finding.low.reached.numerator()));
  for (const End* end : {&finding.low, &finding.high}) {
    if (end->has_bound && end->tree < 0 && end->step >= 0)
      facts.step = std::max(facts.step, evidence.steps[static_cast<std::size_t>(end->step)].q);
  }
  const LinearForm& form = finding.question.form;
  if (form.size() == 1 && finding.low.has_bound && finding.high.has_bound)
    facts.missing = checker_.holes().missing(
        form.front().cell, finding.low.bound.numerator(), finding.high.bound.numerator());
}

// A list of values stays if its witnesses show each of them and no other.
void Confirmer::keep_true_values(const Facts& facts, Finding& finding) const {
  if (finding.values.empty())
    return;
  const Units truth = form_value(problem_.table(), finding.question.form);
  std::vector<Units> found;
  for (const Integer& move : facts.moves) {
    if (base::fits_units(move))
      found.push_back(truth + base::to_units(move));
  }
  if (finding.values != found)
    finding.values.clear();
}

}  // namespace lacuna::audit

namespace lacuna {

Result<AuditReport> confirm(const Problem& given,
                            const Draft& given_draft,
                            const AuditReport& claimed) {
  LACUNA_RETURN_IF_ERROR(check_draft(given.table(), given_draft));
  const draft::ReleaseSystem system(given, given_draft);
  const Problem& problem = system.problem();
  const Draft& draft = system.draft();
  AuditReport confirmed = claimed;
  confirmed.ranges.clear();
  LACUNA_RETURN_IF_ERROR(audit::set_questions(problem, draft, confirmed));
  if (draft.adjusted()) {  // the numbers themselves are the evidence
    LACUNA_RETURN_IF_ERROR(audit::check_adjusted(problem.table(), draft));
    for (Finding& finding : confirmed.findings)
      audit::judge_adjusted(problem, draft, finding);
    confirmed.verdict = audit::overall(confirmed);
    return confirmed;
  }
  const auto groups = audit::by_attacker(confirmed.findings, problem.attackers().size());
  const auto confirm_all = [&](audit::Confirmer& confirmer, std::size_t a, Domain domain) {
    for (const std::size_t i : groups[a]) {
      Finding& finding = confirmed.findings[i];
      if (finding.question.domain != domain)
        continue;
      if (const Status holds = confirmer.confirm(claimed.evidence, finding); !holds)
        return Status(Error{ErrorCode::kWrongEvidence,
                            holds.error().message,
                            problem.table().label(finding.question.cell)});
    }
    return ok_status();
  };
  LACUNA_TRY(audit::Confirmer all, audit::Confirmer::make(problem, draft, 0, Domain::kRational));
  for (std::size_t a = 0; a < groups.size(); ++a) {
    if (groups[a].empty())
      continue;
    all.become(problem.attackers()[a]);
    LACUNA_RETURN_IF_ERROR(confirm_all(all, a, Domain::kRational));
  }
  // What counters are told must fit the release also where nothing is asked.
  for (std::size_t a = 0; problem.counts() && a < groups.size(); ++a) {
    LACUNA_TRY(audit::Confirmer confirmer,
               audit::Confirmer::make(problem, draft, a, Domain::kInteger));
    LACUNA_RETURN_IF_ERROR(confirm_all(confirmer, a, Domain::kInteger));
  }
  confirmed.verdict = audit::overall(confirmed);
  return confirmed;
}

}  // namespace lacuna
