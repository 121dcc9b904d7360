// SPDX-License-Identifier: Apache-2.0
#include "app/report/count_words.h"

#include "app/report/count_sources.h"
#include "core/base/rational.h"

namespace lacuna::report {
namespace {

std::string or_else(std::string text, const char* other) {
  return text.empty() ? other : text;
}

}  // namespace

std::vector<KindCounts> kind_counts(const AuditReport& report) {
  std::vector<KindCounts> counts;
  for (std::size_t k = 0; k < enum_names(CountKind{}).size(); ++k) {
    KindCounts each{.kind = static_cast<CountKind>(k)};
    for (const Finding& finding : report.of(Domain::kInteger)) {
      if (finding.question.kind == each.kind)
        ++each.verdicts[static_cast<std::size_t>(finding.verdict)];
    }
    if (each.all() > 0)
      counts.push_back(each);
  }
  return counts;
}

std::string question_text(const Problem& problem, const Question& question) {
  std::string text = problem.table().label(question.cell);
  if (question.kind == CountKind::kImplied || question.kind == CountKind::kGroup) {
    for (const Term& term : question.form) {
      if (term.cell != question.cell && term.cell != question.group)
        text += " + " + problem.table().label(term.cell);
    }
  }
  if (question.kind == CountKind::kAll || question.kind == CountKind::kGroup)
    text += " of " + problem.table().label(question.group);
  if (question.attacker > 0)
    text += " for " + problem.attackers()[static_cast<std::size_t>(question.attacker)].name;
  return text;
}

std::string count_end_text(const Problem& problem, const Finding& finding, Direction direction) {
  const End& end = direction == Direction::kHigh ? finding.high : finding.low;
  if (end.unbounded)
    return "";
  const Fraction number = base::to_integer(form_value(problem.table(), finding.question.form)) +
                          sign(direction) * end.reached;
  return number.text();
}

std::string count_range_text(const Problem& problem, const Finding& finding) {
  std::string range = "[" + or_else(count_end_text(problem, finding, Direction::kLow), "-inf") +
                      ", " + or_else(count_end_text(problem, finding, Direction::kHigh), "inf") +
                      "]";
  if (!finding.values.empty()) {
    range += ", values";
    for (const Units value : finding.values)
      range += " " + std::to_string(value);
  }
  return range;
}

std::string evidence_word(const Finding& finding) {
  if (finding.verdict == Verdict::kProtected)
    return "witness";
  if (finding.reason == "published as it is")
    return "release";
  const auto either = [&](auto member) {
    return finding.low.*member >= 0 || finding.high.*member >= 0;
  };
  if (either(&End::tree))
    return "tree";
  if (either(&End::step))
    return "step";
  if (either(&End::chain))
    return "chain";
  return either(&End::proof) ? "proof" : "none";
}

std::string sources_clause(const Problem& problem,
                           const Draft& draft,
                           const AuditReport& report,
                           const Finding& finding) {
  if (finding.verdict != Verdict::kExposed && finding.verdict != Verdict::kWaived)
    return "";
  const CellId about = finding.question.cell;
  const auto low = sources_of(problem, draft, report, finding, Direction::kLow);
  const auto high = sources_of(problem, draft, report, finding, Direction::kHigh);
  std::string text;
  if (!high.empty())
    text = (low == high ? "told by " : "at most ") + sources_text(problem.table(), about, high);
  if (!low.empty() && low != high)
    text +=
        (text.empty() ? "at least " : "; at least ") + sources_text(problem.table(), about, low);
  return text;
}

}  // namespace lacuna::report
