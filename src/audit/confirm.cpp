// SPDX-License-Identifier: Apache-2.0
#include "audit/confirm.h"

#include "attack/evidence_check.h"
#include "audit/adjusted.h"
#include "audit/count_audit.h"
#include "audit/judge.h"
#include "release/system.h"

namespace lacuna::inline audit {
namespace {

Error bad_evidence(const Table& table, CellId cell, std::string message) {
  return {ErrorCode::kWrongEvidence, std::move(message), table.label(cell)};
}

Status confirm_witness(const Table& table,
                       std::span<const Room> rooms,
                       CellId cell,
                       Direction direction,
                       const Displacement& witness,
                       End& end) {
  const Status valid =
      end.unbounded ? check_ray(table, rooms, witness) : check_displacement(table, rooms, witness);
  if (!valid)
    return bad_evidence(table, cell, valid.error().message);
  end.reached = displacement_of(witness, cell, direction);
  if (end.unbounded && !(Fraction{} < end.reached))
    return bad_evidence(table, cell, "a ray does not move the cell");
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

}  // namespace

Status confirm_end(const Table& table,
                   std::span<const Room> rooms,
                   CellId cell,
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
    if (static_cast<std::size_t>(witness) >= evidence.witnesses.size()) {
      return bad_evidence(table, cell, "the evidence names a witness that is not there");
    }
    LACUNA_RETURN_IF_ERROR(confirm_witness(
        table, rooms, cell, direction, evidence.witnesses[static_cast<std::size_t>(witness)], end));
  }
  if (proof >= 0) {
    if (static_cast<std::size_t>(proof) >= evidence.proofs.size()) {
      return bad_evidence(table, cell, "the evidence names a proof that is not there");
    }
    const auto bound = proven_bound(
        table, rooms, cell, direction, evidence.proofs[static_cast<std::size_t>(proof)]);
    if (!bound)
      return bad_evidence(table, cell, "a proof does not bound the cell");
    end.has_bound = true;
    end.bound = *bound;
  }
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
  const std::span<Finding> rational = std::span(confirmed.findings).first(problem.requirements().size());
  const auto groups = by_attacker(rational, problem.attackers().size());
  for (std::size_t a = 0; a < groups.size(); ++a) {
    if (groups[a].empty())
      continue;
    const std::vector<Room> rooms = attacker_rooms(problem.table(), draft, problem.attackers()[a]);
    for (const std::size_t i : groups[a]) {
      Finding& finding = rational[i];
      const CellId cell = finding.question.cell;
      finding.reason.clear();
      LACUNA_RETURN_IF_ERROR(confirm_end(
          problem.table(), rooms, cell, Direction::kLow, claimed.evidence, finding.low));
      LACUNA_RETURN_IF_ERROR(confirm_end(
          problem.table(), rooms, cell, Direction::kHigh, claimed.evidence, finding.high));
      Facts facts;
      facts.published = is_published(problem.table(), draft, cell);
      judge(problem, facts, finding);
    }
  }
  if (problem.counts())
    LACUNA_RETURN_IF_ERROR(confirm_counts(problem, draft, confirmed));
  confirmed.verdict = overall(confirmed);
  return confirmed;
}

}  // namespace lacuna
