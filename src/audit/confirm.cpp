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

}  // namespace

Status confirm_end(const Table& table,
                   std::span<const Room> rooms,
                   CellId cell,
                   Direction direction,
                   const AuditReport& evidence,
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
  if (claimed.findings.size() != problem.requirements().size()) {
    return Error{ErrorCode::kWrongEvidence,
                 "the evidence covers " + std::to_string(claimed.findings.size()) +
                     " requirements of " + std::to_string(problem.requirements().size()),
                 ""};
  }
  AuditReport confirmed = claimed;
  confirmed.ranges.clear();
  if (!problem.counts() || draft.adjusted())
    confirmed.count_findings.clear();
  for (std::size_t i = 0; i < confirmed.findings.size(); ++i)
    confirmed.findings[i].requirement = problem.requirements()[i];
  if (draft.adjusted()) {  // the numbers themselves are the evidence
    LACUNA_RETURN_IF_ERROR(check_adjusted(problem.table(), draft));
    for (Finding& finding : confirmed.findings) {
      judge_adjusted(problem.table(), draft, finding);
      finding.verdict = waived(problem, finding.verdict);
    }
    confirmed.verdict = overall(confirmed);
    return confirmed;
  }
  const auto groups = by_attacker(confirmed.findings, problem.attackers().size());
  for (std::size_t a = 0; a < groups.size(); ++a) {
    if (groups[a].empty())
      continue;
    const std::vector<Room> rooms = attacker_rooms(problem.table(), draft, problem.attackers()[a]);
    for (const std::size_t i : groups[a]) {
      Finding& finding = confirmed.findings[i];
      const CellId cell = finding.requirement.cell;
      finding.reason.clear();
      LACUNA_RETURN_IF_ERROR(
          confirm_end(problem.table(), rooms, cell, Direction::kLow, claimed, finding.low));
      LACUNA_RETURN_IF_ERROR(
          confirm_end(problem.table(), rooms, cell, Direction::kHigh, claimed, finding.high));
      judge(finding, is_published(problem.table(), draft, cell), problem.table().decimals());
      finding.verdict = waived(problem, finding.verdict);
    }
  }
  if (problem.counts())
    LACUNA_RETURN_IF_ERROR(confirm_counts(problem, draft, confirmed));
  confirmed.verdict = overall(confirmed);
  return confirmed;
}

}  // namespace lacuna
