// SPDX-License-Identifier: Apache-2.0
#include "job/count_text.h"

#include <fmt/core.h>

#include "base/rational.h"
#include "io/json_tree.h"
#include "report/count_sources.h"
#include "report/count_words.h"

namespace lacuna::inline job {
namespace {

constexpr std::size_t kLinesListed = 40;

std::string or_else(std::string text, const char* other) {
  return text.empty() ? other : text;
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
  const Fraction number = to_integer(table.value(cell)) + sign(direction) * end.reached;
  if (number.denominator() == 1)
    return number.numerator().text();
  return json_quoted(number.text());
}

// [{"cell":"ward=7|district=Total","times":1}, ...]
std::string sources_json(const Table& table, const std::vector<CountSource>& sources) {
  std::string out;
  for (const CountSource& source : sources) {
    const std::string times = source.times.text();
    out += (out.empty() ? "" : ",") + std::string("{\"cell\":") +
           json_quoted(table.label(source.cell)) +
           ",\"times\":" + (source.times.denominator() == 1 ? times : json_quoted(times)) + "}";
  }
  return "[" + out + "]";
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
              "\":" + sources_json(problem.table(), sources);
  }
  return ends.empty() ? "" : ",\"from\":{" + ends + "}";
}

}  // namespace

std::string whole_json(const Problem& problem, const AuditReport& report) {
  if (!problem.counts() || report.count_findings.empty())
    return "";
  return fmt::format(",\"whole\":true,\"withheld_means\":\"{}\",\"threshold\":{},\"questions\":{}",
                     enum_word(problem.counts()->withheld_means),
                     problem.counts()->threshold,
                     report.count_findings.size());
}

std::vector<KindVerdicts> kinds_of(const AuditReport& report) {
  std::vector<KindVerdicts> kinds;
  for (const KindCounts& each : kind_counts(report)) {
    KindVerdicts& kind = kinds.emplace_back();
    kind.kind = enum_word(each.kind);
    std::size_t at = 0;
    for (const Verdict verdict : kVerdictsOfQuestions)
      kind.verdicts[at++] = {std::string(to_string(verdict)), each.of(verdict)};
  }
  return kinds;
}

std::string kinds_json(const AuditReport& report) {
  std::string out;
  for (const KindVerdicts& each : kinds_of(report)) {
    std::string verdicts;
    for (const auto& [verdict, number] : each.verdicts)
      verdicts += fmt::format("{}\"{}\":{}", verdicts.empty() ? "" : ",", verdict, number);
    out += fmt::format("{}\"{}\":{{{}}}", out.empty() ? "" : ",", each.kind, verdicts);
  }
  return "{" + out + "}";
}

std::string count_finding_json(const Problem& problem,
                               const Draft& draft,
                               const AuditReport& report,
                               const CountFinding& finding) {
  const CountQuestion& question = finding.question;
  const auto& name = problem.attackers()[static_cast<std::size_t>(question.attacker)].name;
  std::string out = "{\"cell\":" + std::to_string(question.cell.value) + ",\"kind\":\"" +
                    enum_word(question.kind) + '"';
  if (question.group.value >= 0)
    out += ",\"group\":" + std::to_string(question.group.value);
  out += ",\"about\":" + json_quoted(question_text(problem, question)) +
         ",\"attacker\":" + json_quoted(name) +
         ",\"lower\":" + or_else(count_end_text(problem, finding, Direction::kLow), "null") +
         ",\"upper\":" + or_else(count_end_text(problem, finding, Direction::kHigh), "null") +
         ",\"exact\":" + (finding.low.exact() && finding.high.exact() ? "true" : "false");
  if (!finding.values.empty()) {
    std::string list;
    for (const Units value : finding.values)
      list += (list.empty() ? "" : ",") + std::to_string(value);
    out += ",\"values\":[" + list + "]";
  }
  if (const Finding* real = real_finding(report, question)) {
    out += ",\"real\":[" + real_end(problem.table(), question.cell, Direction::kLow, real->low) +
           "," + real_end(problem.table(), question.cell, Direction::kHigh, real->high) + "]";
  }
  out += ",\"verdict\":\"" + std::string(to_string(finding.verdict)) + "\",\"by\":\"" +
         evidence_word(finding) + '"';
  if (!finding.reason.empty())
    out += ",\"reason\":" + json_quoted(finding.reason);
  if (finding.verdict == Verdict::kExposed || finding.verdict == Verdict::kWaived)
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
      problem.counts()->threshold,
      enum_word(problem.counts()->withheld_means));
  std::size_t listed = 0;
  for (const CountFinding& finding : report.count_findings) {
    if (finding.verdict == Verdict::kProtected && finding.values.empty())
      continue;
    if (++listed > kLinesListed)
      return out + "  ... (all of them with --json)\n";
    const std::string told = told_text(problem, draft, report, finding);
    out += fmt::format("  {}  {} {}: can be {}{}{}\n",
                       question_text(problem, finding.question),
                       enum_word(finding.question.kind),
                       to_string(finding.verdict),
                       count_range_text(problem, finding),
                       finding.reason.empty() ? "" : "; " + finding.reason,
                       told.empty() ? "" : "; " + told);
  }
  return out;
}

}  // namespace lacuna::inline job
