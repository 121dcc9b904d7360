// SPDX-License-Identifier: Apache-2.0
#include "audit/judge_count.h"

#include <algorithm>

#include "base/check.h"
#include "base/rational.h"

namespace lacuna::inline audit {
namespace {

bool shown(const WholeEnd& end, const Integer& level) {
  return end.unbounded || end.reached >= level;
}
bool refuted(const WholeEnd& end, const Integer& level) {
  return end.has_bound && end.bound < level;
}

std::string short_of(const char* which, Units level) {
  return std::string("short of the ") + which + " protection level " + std::to_string(level);
}

// So many values must be possible.
void judge_number(const Integer& needed, const CountFacts& facts, CountFinding& finding) {
  const Integer found = to_integer(static_cast<Units>(facts.moves.size()));
  if (finding.low.unbounded || finding.high.unbounded || found >= needed) {
    finding.verdict = Verdict::kProtected;
    return;
  }
  if (!finding.low.has_bound || !finding.high.has_bound)
    return;
  Integer most = (finding.low.bound + finding.high.bound) / facts.step + 1;
  if (facts.step == 1)
    most -= facts.missing;
  if (most >= needed)
    return;
  finding.verdict = Verdict::kExposed;
  if (finding.question.kind == CountKind::kImplied)
    finding.reason = "the parts that are not published are known together, and below the threshold";
  else
    finding.reason = most == 1 ? "the count can be told exactly" : "too few values are left";
}

void judge_levels(const Requirement& need, CountFinding& finding) {
  const Integer upper = to_integer(need.upper), lower = to_integer(need.lower);
  const Integer sliding = to_integer(need.sliding);
  finding.verdict = Verdict::kExposed;
  const bool narrow = finding.low.has_bound && finding.high.has_bound &&
                      finding.low.bound + finding.high.bound < sliding;
  const bool wide = finding.low.unbounded || finding.high.unbounded ||
                    finding.low.reached + finding.high.reached >= sliding;
  if (refuted(finding.high, upper)) {
    finding.reason = short_of("upper", need.upper);
  } else if (refuted(finding.low, lower)) {
    finding.reason = short_of("lower", need.lower);
  } else if (narrow) {
    finding.reason = short_of("sliding", need.sliding);
  } else {
    const bool met = shown(finding.high, upper) && shown(finding.low, lower) && wide;
    finding.verdict = met ? Verdict::kProtected : Verdict::kUndecided;
  }
}

std::string reason_of(CountKind kind, std::int64_t coalition) {
  const std::string others =
      coalition == 0 ? "" : " (but for " + std::to_string(coalition) + " who may attack together)";
  switch (kind) {
    case CountKind::kSmall:
      return "the count is known to be below the threshold";
    case CountKind::kZero:
      return "the category is known to be empty";
    case CountKind::kAll:
      return "all of the group" + others + " are known to be in this part";
    case CountKind::kGroup:
      return "all of the group" + others + " are known to be in these parts";
    case CountKind::kExact:
    case CountKind::kImplied:
    case CountKind::kLevels:
      break;
  }
  fail_check("a kind with one level", __FILE__, __LINE__);
}

bool is_about_a_cell(CountKind kind) {
  return kind == CountKind::kExact || kind == CountKind::kSmall || kind == CountKind::kZero ||
         kind == CountKind::kLevels;
}

void judge_ends(const Problem& problem, CountFinding& finding) {
  const CountLevels levels = levels_of(problem, finding.question);
  const bool up = shown(finding.high, levels.high);
  const bool down = levels.either && shown(finding.low, levels.low);
  const bool no_way_down = !levels.either || refuted(finding.low, levels.low);
  if (up || down) {
    finding.verdict = Verdict::kProtected;
  } else if (refuted(finding.high, levels.high) && no_way_down) {
    finding.verdict = Verdict::kExposed;
    finding.reason = reason_of(finding.question.kind, problem.counts()->coalition);
  }
}

}  // namespace

Units form_value(const Table& table, const LinearForm& form) {
  Wide sum = 0;
  for (const Term& term : form)
    sum += Wide{term.coefficient} * table.value(term.cell);
  LACUNA_CHECK(sum <= kMaxUnits && sum >= -kMaxUnits);
  return static_cast<Units>(sum);
}

const Requirement& requirement_of(const Problem& problem, const CountQuestion& question) {
  const auto found = std::find_if(
      problem.requirements().begin(), problem.requirements().end(), [&](const Requirement& need) {
        return need.cell == question.cell && need.attacker == question.attacker;
      });
  LACUNA_CHECK(found != problem.requirements().end());
  return *found;
}

CountLevels levels_of(const Problem& problem, const CountQuestion& question) {
  const Integer value = to_integer(form_value(problem.table(), question.form));
  const CountRules& rules = *problem.counts();
  switch (question.kind) {
    case CountKind::kSmall:
      return {value, to_integer(rules.threshold) - value, true};
    case CountKind::kZero:
      return {0, 1 - value, false};
    case CountKind::kAll:
    case CountKind::kGroup:
      return {0, 1 + to_integer(rules.coalition) - value, false};
    case CountKind::kExact:
    case CountKind::kImplied:
      return {1, 1, true};
    case CountKind::kLevels: {
      const Requirement& need = requirement_of(problem, question);
      return {to_integer(need.lower), to_integer(need.upper), false};
    }
  }
  fail_check("known kind", __FILE__, __LINE__);
}

void judge(const Problem& problem, const CountFacts& facts, CountFinding& finding) {
  const CountQuestion& question = finding.question;
  finding.verdict = Verdict::kUndecided;
  if (facts.published && is_about_a_cell(question.kind)) {
    finding.verdict = Verdict::kExposed;
    finding.reason = "published as it is";
    return;
  }
  if (question.kind == CountKind::kLevels)
    judge_levels(requirement_of(problem, question), finding);
  else if (question.kind == CountKind::kExact)
    judge_number(to_integer(problem.counts()->ambiguity) + 1, facts, finding);
  else if (question.kind == CountKind::kImplied)
    judge_number(2, facts, finding);
  else
    judge_ends(problem, finding);
  if (finding.verdict == Verdict::kProtected)
    finding.reason.clear();
  else if (finding.verdict == Verdict::kUndecided && finding.reason.empty())
    finding.reason = "neither a witness nor a proof in whole numbers could be confirmed";
}

}  // namespace lacuna::inline audit
