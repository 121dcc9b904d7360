// SPDX-License-Identifier: Apache-2.0
#include "audit/judge.h"

#include "base/check.h"
#include "base/decimal.h"
#include "base/rational.h"

namespace lacuna::inline audit {
namespace {

bool shown(const End& end, Units level) {
  return end.unbounded || end.reached >= to_integer(level);
}
bool refuted(const End& end, Units level) {
  return end.has_bound && end.bound < to_integer(level);
}

bool width_shown(const Finding& finding) {
  if (finding.low.unbounded || finding.high.unbounded)
    return true;
  return finding.low.reached + finding.high.reached >= to_integer(finding.requirement.sliding);
}

bool width_refuted(const Finding& finding) {
  if (!finding.low.has_bound || !finding.high.has_bound)
    return false;
  return finding.low.bound + finding.high.bound < to_integer(finding.requirement.sliding);
}

std::string short_of(const char* which, Units level, int decimals) {
  return std::string("short of the ") + which + " protection level " +
         format_units(level, decimals);
}

}  // namespace
}  // namespace lacuna::inline audit

namespace lacuna {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kProtected:
      return "protected";
    case Verdict::kExposed:
      return "exposed";
    case Verdict::kUndecided:
      return "undecided";
    case Verdict::kWaived:
      return "waived";
    case Verdict::kUnasked:
      return "unasked";
  }
  fail_check("known verdict", __FILE__, __LINE__);
}

std::optional<Verdict> find_verdict(std::string_view word) {
  for (const Verdict verdict : {Verdict::kProtected,
                                Verdict::kExposed,
                                Verdict::kUndecided,
                                Verdict::kWaived,
                                Verdict::kUnasked}) {
    if (to_string(verdict) == word)
      return verdict;
  }
  return std::nullopt;
}

Verdict worse(Verdict a, Verdict b) {
  for (const Verdict worst :
       {Verdict::kExposed, Verdict::kUndecided, Verdict::kWaived, Verdict::kProtected}) {
    if (a == worst || b == worst)
      return worst;
  }
  return Verdict::kUnasked;
}

bool is_met(Verdict verdict) {
  return verdict == Verdict::kProtected || verdict == Verdict::kUnasked;
}

bool passes(Verdict verdict) {
  return verdict != Verdict::kExposed && verdict != Verdict::kUndecided;
}

std::string_view to_string(Exposure exposure) {
  switch (exposure) {
    case Exposure::kNotExposed:
      return "not exposed";
    case Exposure::kInitially:
      return "initially exposed";
    case Exposure::kConsequentially:
      return "consequentially exposed";
    case Exposure::kUnknown:
      return "unknown";
  }
  fail_check("known exposure class", __FILE__, __LINE__);
}

}  // namespace lacuna

namespace lacuna::inline audit {

bool is_published(const Table& table, const Draft& draft, CellId cell) {
  return draft.implied(table, cell).is_point();
}

Verdict met(const Requirement& need) {
  return need.asks_nothing() ? Verdict::kUnasked : Verdict::kProtected;
}

void judge(Finding& finding, bool published, int decimals) {
  const Requirement& need = finding.requirement;
  finding.verdict = Verdict::kExposed;
  if (published) {
    finding.reason = "published as it is";
  } else if (refuted(finding.high, need.upper)) {
    finding.reason = short_of("upper", need.upper, decimals);
  } else if (refuted(finding.low, need.lower)) {
    finding.reason = short_of("lower", need.lower, decimals);
  } else if (width_refuted(finding)) {
    finding.reason = short_of("sliding", need.sliding, decimals);
  } else if (shown(finding.high, need.upper) && shown(finding.low, need.lower) &&
             width_shown(finding)) {
    finding.verdict = met(need);
    finding.reason.clear();
  } else {
    finding.verdict = Verdict::kUndecided;
    if (finding.reason.empty())
      finding.reason = "neither a witness nor a proof could be confirmed";
  }
}

Verdict waived(const Problem& problem, Verdict found) {
  const bool waives = problem.waiver() == Waiver::kExposed && found == Verdict::kExposed;
  return waives ? Verdict::kWaived : found;
}

Verdict overall(const AuditReport& report) {
  Verdict worst = Verdict::kUnasked;
  for (const Finding& finding : report.findings)
    worst = worse(worst, finding.verdict);
  for (const CountFinding& finding : report.count_findings)
    worst = worse(worst, finding.verdict);
  return worst;
}

std::vector<std::vector<std::size_t>> by_attacker(const std::vector<Finding>& findings,
                                                  std::size_t attackers) {
  std::vector<std::vector<std::size_t>> groups(attackers);
  for (std::size_t i = 0; i < findings.size(); ++i)
    groups[static_cast<std::size_t>(findings[i].requirement.attacker)].push_back(i);
  return groups;
}

}  // namespace lacuna::inline audit

namespace lacuna {

std::int32_t AuditReport::count(Verdict which) const {
  std::int32_t total = 0;
  for (const Finding& finding : findings)
    total += finding.verdict == which ? 1 : 0;
  return total;
}

std::int32_t AuditReport::count_asked() const {
  return static_cast<std::int32_t>(findings.size()) - count(Verdict::kUnasked);
}

std::int32_t AuditReport::count_whole(Verdict which) const {
  std::int32_t total = 0;
  for (const CountFinding& finding : count_findings)
    total += finding.verdict == which ? 1 : 0;
  return total;
}

}  // namespace lacuna
