// SPDX-License-Identifier: Apache-2.0
#include "judge/audit/judge.h"

#include <algorithm>
#include <optional>

#include "core/base/check.h"
#include "core/base/decimal.h"
#include "core/base/rational.h"

namespace lacuna::audit {
namespace {

bool shown(const End& end, Units level) {
  return end.unbounded || end.reached >= base::to_integer(level);
}
bool refuted(const End& end, Units level) {
  return end.has_bound && end.bound < base::to_integer(level);
}

bool width_shown(const Finding& finding) {
  const Units sliding = finding.question.sliding;
  return finding.low.unbounded || finding.high.unbounded ||
         finding.low.reached + finding.high.reached >= base::to_integer(sliding);
}
bool width_refuted(const Finding& finding) {
  return finding.low.has_bound && finding.high.has_bound &&
         finding.low.bound + finding.high.bound < base::to_integer(finding.question.sliding);
}

bool is_about_a_cell(CountKind kind) {
  return kind == CountKind::kExact || kind == CountKind::kSmall || kind == CountKind::kZero ||
         kind == CountKind::kLevels;
}

Verdict by_levels(const Finding& finding) {
  const Question& asked = finding.question;
  const bool up = shown(finding.high, asked.upper), down = shown(finding.low, asked.lower);
  const bool not_up = refuted(finding.high, asked.upper);
  const bool not_down = refuted(finding.low, asked.lower);
  if (asked.either ? not_up && not_down : not_up || not_down || width_refuted(finding))
    return Verdict::kExposed;
  const bool holds = asked.either ? up || down : up && down && width_shown(finding);
  return holds ? met(asked) : Verdict::kUndecided;
}

// How many values can be left; nothing if an end has no bound.
std::optional<Integer> most_values(const Facts& facts, const Finding& finding) {
  if (!finding.low.has_bound || !finding.high.has_bound)
    return std::nullopt;
  const Integer width = base::rounded_down(finding.low.bound + finding.high.bound);
  Integer most = width / facts.step + 1;
  if (facts.step == 1)
    most -= facts.missing;
  return most;
}

Verdict by_values(const Facts& facts, const Finding& finding) {
  const Integer needed = base::to_integer(finding.question.values);
  if (finding.low.unbounded || finding.high.unbounded ||
      base::to_integer(static_cast<Units>(facts.moves.size())) >= needed)
    return Verdict::kProtected;
  const auto most = most_values(facts, finding);
  return most && *most < needed ? Verdict::kExposed : Verdict::kUndecided;
}

std::string short_of(const char* which, Units level, int decimals) {
  return std::string("short of the ") + which + " protection level " +
         base::format_units(level, decimals);
}

std::string failing_level(const Finding& finding, int decimals) {
  const Question& asked = finding.question;
  if (refuted(finding.high, asked.upper))
    return short_of("upper", asked.upper, decimals);
  if (refuted(finding.low, asked.lower))
    return short_of("lower", asked.lower, decimals);
  return short_of("sliding", asked.sliding, decimals);
}

// Why a question is exposed.
std::string reason_of(const Problem& problem, const Facts& facts, const Finding& finding) {
  const std::int64_t coalition = problem.counts() ? problem.counts()->coalition : 0;
  const std::string others =
      coalition == 0 ? "" : " (except for " + std::to_string(coalition) + " who may attack together)";
  switch (finding.question.kind) {
    case CountKind::kSmall:
      return "the count is known to be below the threshold";
    case CountKind::kZero:
      return "the category is known to be empty";
    case CountKind::kAll:
      return "all of the group" + others + " are known to be in this part";
    case CountKind::kGroup:
      return "all of the group" + others + " are known to be in these parts";
    case CountKind::kImplied:
      return "the sum of the parts that are not published is known, and it is below the threshold";
    case CountKind::kExact:
      return *most_values(facts, finding) == 1 ? "the count can be computed exactly"
                                               : "too few values remain possible";
    case CountKind::kLevels:
      return failing_level(finding, problem.table().decimals());
  }
  base::fail_check("known kind", __FILE__, __LINE__);
}

}  // namespace
}  // namespace lacuna::audit

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
  base::fail_check("known verdict", __FILE__, __LINE__);
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
  base::fail_check("known exposure class", __FILE__, __LINE__);
}

}  // namespace lacuna

namespace lacuna::audit {

bool is_published(const Table& table, const Draft& draft, CellId cell) {
  return draft.implied(table, cell).is_point();
}

Verdict met(const Question& question) {
  return question.asks_nothing() ? Verdict::kUnasked : Verdict::kProtected;
}

void judge(const Problem& problem, const Facts& facts, Finding& finding) {
  const Question& asked = finding.question;
  if (facts.published && is_about_a_cell(asked.kind)) {
    finding.verdict = Verdict::kExposed;
    finding.reason = "published as it is";
  } else {
    finding.verdict = asked.values > 0 ? by_values(facts, finding) : by_levels(finding);
    if (finding.verdict == Verdict::kExposed)
      finding.reason = reason_of(problem, facts, finding);
  }
  if (is_met(finding.verdict))
    finding.reason.clear();
  else if (finding.verdict == Verdict::kUndecided && finding.reason.empty())
    finding.reason = asked.domain == Domain::kRational
                         ? "neither a witness nor a proof could be confirmed"
                         : "neither a witness nor a proof in whole numbers could be confirmed";
  finding.verdict = waived(problem, finding.verdict);
}

Verdict waived(const Problem& problem, Verdict found) {
  const bool waives = problem.waiver() == Waiver::kExposed && found == Verdict::kExposed;
  return waives ? Verdict::kWaived : found;
}

Verdict overall(const AuditReport& report) {
  Verdict worst = Verdict::kUnasked;
  for (const Finding& finding : report.findings)
    worst = worse(worst, finding.verdict);
  return worst;
}

std::vector<std::vector<std::size_t>> by_attacker(std::span<const Finding> findings,
                                                  std::size_t attackers) {
  std::vector<std::vector<std::size_t>> groups(attackers);
  for (std::size_t i = 0; i < findings.size(); ++i)
    groups[static_cast<std::size_t>(findings[i].question.attacker)].push_back(i);
  return groups;
}

}  // namespace lacuna::audit

namespace lacuna {

std::span<const Finding> AuditReport::of(Domain domain) const {
  const auto whole =
      std::partition_point(findings.begin(), findings.end(), [](const Finding& each) {
        return each.question.domain == Domain::kRational;
      });
  return domain == Domain::kRational ? std::span(findings.begin(), whole)
                                     : std::span(whole, findings.end());
}

std::int32_t AuditReport::count(Verdict which) const {
  return count(which, Domain::kRational) + count(which, Domain::kInteger);
}

std::int32_t AuditReport::count(Verdict which, Domain domain) const {
  const auto has_it = [&](const Finding& finding) { return finding.verdict == which; };
  const auto some = of(domain);
  return static_cast<std::int32_t>(std::count_if(some.begin(), some.end(), has_it));
}

std::int32_t AuditReport::count_asked() const {
  return static_cast<std::int32_t>(findings.size()) - count(Verdict::kUnasked);
}

std::int32_t AuditReport::count_asked(Domain domain) const {
  return static_cast<std::int32_t>(of(domain).size()) - count(Verdict::kUnasked, domain);
}

}  // namespace lacuna
