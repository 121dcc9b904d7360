// SPDX-License-Identifier: Apache-2.0
#include "audit/confirm.h"

#include <algorithm>
#include <utility>

#include "attack/evidence_check.h"
#include "audit/adjusted.h"
#include "base/index.h"
#include "base/rational.h"
#include "release/system.h"

namespace lacuna::inline audit {
namespace {

Status confirm_witness(const Table& table,
                       std::span<const Room> rooms,
                       const Question& question,
                       Direction direction,
                       const Displacement& witness,
                       End& end) {
  LACUNA_RETURN_IF_ERROR(end.unbounded ? check_ray(table, rooms, witness)
                                       : check_displacement(table, rooms, witness));
  end.reached = displacement_of(witness, question.form, direction);
  if (end.unbounded && !(Fraction{} < end.reached))
    return Error{ErrorCode::kWrongEvidence, "a ray does not move the cell", "evidence"};
  return ok_status();
}

// Of fractions: a witness and multipliers.
Status confirm_fractions(const Table& table,
                         std::span<const Room> rooms,
                         const Question& question,
                         Direction direction,
                         const Evidence& evidence,
                         End& end) {
  const std::int32_t witness = end.witness;
  const std::int32_t proof = end.proof;
  const bool unbounded = end.unbounded && witness >= 0;
  end = End{};
  end.witness = witness;
  end.unbounded = unbounded;
  end.proof = proof;
  if (witness >= 0) {
    if (at(witness) >= evidence.witnesses.size()) {
      return Error{
          ErrorCode::kWrongEvidence, "the evidence names a witness that is not there", "evidence"};
    }
    LACUNA_RETURN_IF_ERROR(confirm_witness(
        table, rooms, question, direction, evidence.witnesses[at(witness)], end));
  }
  if (proof >= 0) {
    if (at(proof) >= evidence.proofs.size()) {
      return Error{
          ErrorCode::kWrongEvidence, "the evidence names a proof that is not there", "evidence"};
    }
    const auto bound =
        proven_bound(table, rooms, question.form, direction, evidence.proofs[at(proof)]);
    if (!bound)
      return Error{ErrorCode::kWrongEvidence, "a proof does not bound the cell", "evidence"};
    end.has_bound = true;
    end.bound = *bound;
  }
  return ok_status();
}

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
    return Error{ErrorCode::kWrongEvidence,
                 covered("questions about counts",
                         report.findings.size() - needs,
                         questions.size() - needs),
                 ""};
  }
  for (std::size_t i = 0; i < questions.size(); ++i)
    report.findings[i].question = std::move(questions[i]);
  return ok_status();
}

// All findings of one attacker in one domain, from the evidence that they name.
Status confirm_findings(const Problem& problem,
                        const Draft& draft,
                        const Attacker& attacker,
                        Domain domain,
                        std::span<const std::size_t> group,
                        AuditReport& report) {
  LACUNA_TRY(const CountedRooms known, known_to(problem, draft, attacker, domain));
  if (group.empty())
    return ok_status();
  Confirmation confirmation(problem, draft, domain, known.rooms, known.holes);
  for (const std::size_t i : group) {
    Finding& finding = report.findings[i];
    finding.reason.clear();
    Status holds = confirmation.confirm_end(
        report.evidence, finding.question, Direction::kLow, finding.low);
    if (holds)
      holds = confirmation.confirm_end(
          report.evidence, finding.question, Direction::kHigh, finding.high);
    if (holds)
      holds = confirmation.judge_ends(report.evidence, finding);
    if (!holds) {
      return Error{ErrorCode::kWrongEvidence,
                   holds.error().message,
                   problem.table().label(finding.question.cell)};
    }
  }
  return ok_status();
}

}  // namespace

Result<CountedRooms> known_to(const Problem& problem,
                              const Draft& draft,
                              const Attacker& attacker,
                              Domain domain) {
  if (domain == Domain::kInteger)
    return counted_rooms(problem, draft, attacker);
  return CountedRooms{attacker_rooms(problem.table(), draft, attacker), {}};
}

Confirmation::Confirmation(const Problem& problem,
                           const Draft& draft,
                           Domain domain,
                           std::span<const Room> rooms,
                           const Holes& holes)
    : problem_(problem), draft_(draft), rooms_(rooms), holes_(holes) {
  if (domain == Domain::kInteger)
    checker_.emplace(problem.table(), rooms, holes);
}

Status Confirmation::confirm_end(const Evidence& evidence,
                                 const Question& question,
                                 Direction direction,
                                 End& end) {
  if (checker_)
    return checker_->confirm(question.form, direction, evidence, end);
  return confirm_fractions(problem_.table(), rooms_, question, direction, evidence, end);
}

// The moves that further witnesses show.
Status Confirmation::add_shown(const Evidence& evidence, const Finding& finding, Facts& facts) {
  for (const std::int32_t index : finding.shown) {
    if (index < 0 || at(index) >= evidence.witnesses.size())
      return Error{ErrorCode::kWrongEvidence, "a value names a witness that is not there", ""};
    End end;
    end.witness = index;
    LACUNA_RETURN_IF_ERROR(confirm_end(evidence, finding.question, Direction::kHigh, end));
    facts.moves.insert(end.reached.numerator());
  }
  return ok_status();
}

// A list of values stays if its witnesses show each of them and no other.
void Confirmation::keep_true_values(const Facts& facts, Finding& finding) const {
  const Units truth = form_value(problem_.table(), finding.question.form);
  std::vector<Units> found;
  for (const Integer& move : facts.moves) {
    if (fits_units(move))
      found.push_back(truth + to_units(move));
  }
  if (finding.values != found)
    finding.values.clear();
}

Status Confirmation::judge_ends(const Evidence& evidence, Finding& finding) {
  Facts facts;
  facts.published = is_published(problem_.table(), draft_, finding.question.cell);
  if (checker_) {
    LACUNA_RETURN_IF_ERROR(add_shown(evidence, finding, facts));
    facts.moves.insert(0);
    facts.moves.insert(finding.high.reached.numerator());
    facts.moves.insert(Integer(-finding.low.reached.numerator()));
    for (const End* end : {&finding.low, &finding.high}) {
      if (end->has_bound && end->tree < 0 && end->step >= 0)
        facts.step = std::max(facts.step, evidence.steps[at(end->step)].q);
    }
    const LinearForm& form = finding.question.form;
    if (form.size() == 1 && finding.low.has_bound && finding.high.has_bound)
      facts.missing = holes_.missing(
          form.front().cell, finding.low.bound.numerator(), finding.high.bound.numerator());
    keep_true_values(facts, finding);
  }
  judge(problem_, facts, finding);
  return ok_status();
}

}  // namespace lacuna::inline audit

namespace lacuna {

Result<AuditReport> confirm(const Problem& given,
                            const Draft& given_draft,
                            const AuditReport& claimed) {
  LACUNA_RETURN_IF_ERROR(check_draft(given.table(), given_draft));
  const ReleaseSystem system(given, given_draft);
  const Problem& problem = system.problem();
  const Draft& draft = system.draft();
  AuditReport confirmed = claimed;
  confirmed.ranges.clear();
  LACUNA_RETURN_IF_ERROR(set_questions(problem, draft, confirmed));
  if (draft.adjusted()) {  // the numbers themselves are the evidence
    LACUNA_RETURN_IF_ERROR(check_adjusted(problem.table(), draft));
    for (Finding& finding : confirmed.findings)
      judge_adjusted(problem, draft, finding);
    confirmed.verdict = overall(confirmed);
    return confirmed;
  }
  const auto groups = by_attacker(confirmed.findings, problem.attackers().size());
  for (const Domain domain : {Domain::kRational, Domain::kInteger}) {
    if (domain == Domain::kInteger && !problem.counts())
      continue;
    for (std::size_t a = 0; a < groups.size(); ++a) {
      std::vector<std::size_t> group;
      for (const std::size_t i : groups[a]) {
        if (confirmed.findings[i].question.domain == domain)
          group.push_back(i);
      }
      if (group.empty() && domain == Domain::kRational)
        continue;  // what is told of whole numbers must fit the release all the same
      LACUNA_RETURN_IF_ERROR(
          confirm_findings(problem, draft, problem.attackers()[a], domain, group, confirmed));
    }
  }
  confirmed.verdict = overall(confirmed);
  return confirmed;
}

}  // namespace lacuna
