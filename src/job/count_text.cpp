// SPDX-License-Identifier: Apache-2.0
#include "job/count_text.h"

#include <fmt/core.h>

#include <array>

#include "base/rational.h"
#include "io/json_tree.h"
#include "job/count_sources.h"

namespace lacuna::inline job {
namespace {

constexpr std::size_t kLinesListed = 40;

template <class Word>
std::string word_of(Word word) {
  return std::string(enum_names(word)[static_cast<std::size_t>(word)]);
}

Integer value_of(const Table& table, const LinearForm& form) {
  Integer sum = 0;
  for (const Term& term : form)
    sum += term.coefficient * to_integer(table.value(term.cell));
  return sum;
}

// The end as a number of the table; empty: there is none.
std::string end_text(const Problem& problem, const CountFinding& finding, Direction direction) {
  const WholeEnd& end = direction == Direction::kHigh ? finding.high : finding.low;
  if (end.unbounded)
    return "";
  const Integer number =
      value_of(problem.table, finding.question.form) + sign(direction) * end.reached;
  return number.get_str();
}

std::string or_else(std::string text, const char* other) {
  return text.empty() ? other : text;
}

const char* evidence_of(const CountFinding& finding) {
  if (finding.verdict == Verdict::kProtected)
    return "witness";
  if (finding.reason == "published as it is")
    return "release";
  const auto either = [&](auto member) {
    return finding.low.*member >= 0 || finding.high.*member >= 0;
  };
  if (either(&WholeEnd::tree))
    return "tree";
  if (either(&WholeEnd::step))
    return "step";
  if (either(&WholeEnd::chain))
    return "chain";
  return either(&WholeEnd::proof) ? "proof" : "none";
}

// Of the same cell and attacker, as of numbers with decimals.
const Finding* real_finding(const AuditReport& report, const CountQuestion& question) {
  for (const Finding& finding : report.findings) {
    if (finding.requirement.cell == question.cell &&
        finding.requirement.attacker == question.attacker)
      return question.form.size() == 1 ? &finding : nullptr;
  }
  return nullptr;
}

std::string real_end(const Table& table, CellId cell, Direction direction, const End& end) {
  if (end.unbounded)
    return "null";
  const Fraction number = static_cast<long>(table.value(cell)) + sign(direction) * end.reached;
  if (number.get_den() == 1)
    return number.get_num().get_str();
  return json_quoted(number.get_str());
}

std::string about(const Problem& problem, const CountQuestion& question) {
  std::string text = problem.table.label(question.cell);
  if (question.kind == CountKind::kImplied || question.kind == CountKind::kGroup) {
    for (const Term& term : question.form) {
      if (term.cell != question.cell && term.cell != question.group)
        text += " + " + problem.table.label(term.cell);
    }
  }
  if (question.kind == CountKind::kAll || question.kind == CountKind::kGroup)
    text += " of " + problem.table.label(question.group);
  if (question.attacker > 0)
    text += " for " + problem.attackers[static_cast<std::size_t>(question.attacker)].name;
  return text;
}

std::string range_text(const Problem& problem, const CountFinding& finding) {
  std::string range = "[" + or_else(end_text(problem, finding, Direction::kLow), "-inf") + ", " +
                      or_else(end_text(problem, finding, Direction::kHigh), "inf") + "]";
  if (!finding.values.empty()) {
    range += ", values";
    for (const Units value : finding.values)
      range += " " + std::to_string(value);
  }
  return range;
}

// By which published numbers an exposed count is told, where the evidence names some.
std::string told_text(const Problem& problem,
                      const Draft& draft,
                      const AuditReport& report,
                      const CountFinding& finding) {
  if (finding.verdict != Verdict::kExposed)
    return "";
  const CellId about = finding.question.cell;
  const auto low = sources_of(problem, draft, report, finding, Direction::kLow);
  const auto high = sources_of(problem, draft, report, finding, Direction::kHigh);
  std::string text;
  if (!high.empty())
    text = (low == high ? "; told by " : "; at most ") + sources_text(problem.table, about, high);
  if (!low.empty() && low != high)
    text += "; at least " + sources_text(problem.table, about, low);
  return text;
}

std::string told_json(const Problem& problem,
                      const Draft& draft,
                      const AuditReport& report,
                      const CountFinding& finding) {
  std::string ends;
  for (const Direction side : {Direction::kLow, Direction::kHigh}) {
    const auto sources = sources_of(problem, draft, report, finding, side);
    if (!sources.empty())
      ends += (ends.empty() ? "\"" : ",\"") +
              std::string(side == Direction::kLow ? "lower" : "upper") +
              "\":" + sources_json(problem.table, sources);
  }
  return ends.empty() ? "" : ",\"from\":{" + ends + "}";
}

}  // namespace

std::string whole_json(const Problem& problem, const AuditReport& report) {
  if (!problem.counts || report.count_findings.empty())
    return "";
  return fmt::format(",\"whole\":true,\"withheld_means\":\"{}\",\"threshold\":{},\"questions\":{}",
                     word_of(problem.counts->withheld_means),
                     problem.counts->threshold,
                     report.count_findings.size());
}

std::string kinds_json(const AuditReport& report) {
  std::string out;
  for (std::size_t k = 0; k < enum_names(CountKind{}).size(); ++k) {
    std::array<std::int64_t, 3> counts{};
    for (const CountFinding& finding : report.count_findings) {
      if (finding.question.kind == static_cast<CountKind>(k))
        ++counts[static_cast<std::size_t>(finding.verdict)];
    }
    if (counts[0] + counts[1] + counts[2] == 0)
      continue;
    out += fmt::format("{}\"{}\":{{\"protected\":{},\"exposed\":{},\"undecided\":{}}}",
                       out.empty() ? "" : ",",
                       enum_names(CountKind{})[k],
                       counts[static_cast<std::size_t>(Verdict::kProtected)],
                       counts[static_cast<std::size_t>(Verdict::kExposed)],
                       counts[static_cast<std::size_t>(Verdict::kUndecided)]);
  }
  return "{" + out + "}";
}

std::string count_finding_json(const Problem& problem,
                               const Draft& draft,
                               const AuditReport& report,
                               const CountFinding& finding) {
  const CountQuestion& question = finding.question;
  const auto& name = problem.attackers[static_cast<std::size_t>(question.attacker)].name;
  std::string out = "{\"cell\":" + std::to_string(question.cell.value) + ",\"kind\":\"" +
                    word_of(question.kind) + '"';
  if (question.group.value >= 0)
    out += ",\"group\":" + std::to_string(question.group.value);
  out += ",\"about\":" + json_quoted(about(problem, question)) +
         ",\"attacker\":" + json_quoted(name) +
         ",\"lower\":" + or_else(end_text(problem, finding, Direction::kLow), "null") +
         ",\"upper\":" + or_else(end_text(problem, finding, Direction::kHigh), "null") +
         ",\"exact\":" + (finding.low.exact() && finding.high.exact() ? "true" : "false");
  if (!finding.values.empty()) {
    std::string list;
    for (const Units value : finding.values)
      list += (list.empty() ? "" : ",") + std::to_string(value);
    out += ",\"values\":[" + list + "]";
  }
  if (const Finding* real = real_finding(report, question)) {
    out += ",\"real\":[" + real_end(problem.table, question.cell, Direction::kLow, real->low) +
           "," + real_end(problem.table, question.cell, Direction::kHigh, real->high) + "]";
  }
  out += ",\"verdict\":\"" + std::string(to_string(finding.verdict)) + "\",\"by\":\"" +
         evidence_of(finding) + '"';
  if (!finding.reason.empty())
    out += ",\"reason\":" + json_quoted(finding.reason);
  if (finding.verdict == Verdict::kExposed)
    out += told_json(problem, draft, report, finding);
  return out + "}";
}

std::string count_findings_text(const Problem& problem,
                                const Draft& draft,
                                const AuditReport& report) {
  if (report.count_findings.empty())
    return "";
  std::string out = fmt::format(
      "in whole numbers: {} of {} questions about counts hold ({} exposed, {} "
      "undecided); threshold {}, withheld means {}\n",
      report.count_whole(Verdict::kProtected),
      report.count_findings.size(),
      report.count_whole(Verdict::kExposed),
      report.count_whole(Verdict::kUndecided),
      problem.counts->threshold,
      word_of(problem.counts->withheld_means));
  std::size_t listed = 0;
  for (const CountFinding& finding : report.count_findings) {
    if (finding.verdict == Verdict::kProtected && finding.values.empty())
      continue;
    if (++listed > kLinesListed)
      return out + "  ... (all of them with --json)\n";
    out += fmt::format("  {}  {} {}: can be {}{}{}\n",
                       about(problem, finding.question),
                       word_of(finding.question.kind),
                       to_string(finding.verdict),
                       range_text(problem, finding),
                       finding.reason.empty() ? "" : "; " + finding.reason,
                       told_text(problem, draft, report, finding));
  }
  return out;
}

}  // namespace lacuna::inline job
