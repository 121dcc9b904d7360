// SPDX-License-Identifier: Apache-2.0
#include "app/job/count_text.h"

#include <fmt/core.h>

#include "app/report/count_sources.h"
#include "app/report/count_words.h"
#include "core/base/rational.h"

namespace lacuna::job {
namespace {

constexpr std::size_t kLinesListed = 40;

// Of the same cell and attacker, as of numbers with decimals.
const Finding* real_finding(const AuditReport& report, const Question& question) {
  for (const Finding& finding : report.of(Domain::kRational)) {
    if (finding.question.cell == question.cell && finding.question.attacker == question.attacker)
      return question.form.size() == 1 ? &finding : nullptr;
  }
  return nullptr;
}

void write_fraction(base::JsonWriter& json, const Fraction& number) {
  if (number.denominator() == 1)
    json.value(number.numerator());
  else
    json.value(number.text());
}

void write_real_end(
    base::JsonWriter& json, const Table& table, CellId cell, Direction direction, const End& end) {
  if (end.unbounded)
    json.null();
  else
    write_fraction(json, base::to_integer(table.value(cell)) + sign(direction) * end.reached);
}

// [{"cell":"ward=7|district=Total","times":1}, ...]
void write_sources(base::JsonWriter& json,
                   const Table& table,
                   const std::vector<report::CountSource>& sources) {
  json.list(sources, [&](const report::CountSource& source) {
    json.object([&] {
      json.member("cell", table.label(source.cell));
      write_fraction(json.key("times"), source.times);
    });
  });
}

void write_told(base::JsonWriter& json,
                const Problem& problem,
                const Draft& draft,
                const AuditReport& report,
                const Finding& finding) {
  const auto low = report::sources_of(problem, draft, report, finding, Direction::kLow);
  const auto high = report::sources_of(problem, draft, report, finding, Direction::kHigh);
  if (low.empty() && high.empty())
    return;
  json.key("from").object([&] {
    if (!low.empty())
      write_sources(json.key("lower"), problem.table(), low);
    if (!high.empty())
      write_sources(json.key("upper"), problem.table(), high);
  });
}

// A number, or null where nobody knows the end.
void write_count_end(base::JsonWriter& json,
                     const Problem& problem,
                     const Finding& finding,
                     Direction direction) {
  const std::string text = report::count_end_text(problem, finding, direction);
  json.raw(text.empty() ? "null" : text);
}

}  // namespace

void write_whole(base::JsonWriter& json, const Problem& problem, const AuditReport& report) {
  if (!problem.counts() || report.of(Domain::kInteger).empty())
    return;
  json.member("whole", true);
  json.member("withheld_means", report::enum_word(problem.counts()->withheld_means));
  json.member("threshold", problem.counts()->threshold);
  json.member("questions", report.of(Domain::kInteger).size());
}

std::vector<KindVerdicts> kinds_of(const AuditReport& report) {
  std::vector<KindVerdicts> kinds;
  for (const report::KindCounts& each : report::kind_counts(report)) {
    KindVerdicts& kind = kinds.emplace_back();
    kind.kind = report::enum_word(each.kind);
    std::size_t at = 0;
    for (const Verdict verdict : kVerdictsOfQuestions)
      kind.verdicts[at++] = {std::string(to_string(verdict)), each.of(verdict)};
    kind.unasked = each.of(Verdict::kUnasked);
  }
  return kinds;
}

void write_kinds(base::JsonWriter& json, const AuditReport& report) {
  json.object([&] {
    for (const KindVerdicts& each : kinds_of(report)) {
      json.key(each.kind).object([&] {
        for (const auto& [verdict, number] : each.verdicts)
          json.member(verdict, number);
        if (each.unasked > 0)
          json.member(to_string(Verdict::kUnasked), each.unasked);
      });
    }
  });
}

void write_finding_of_counts(base::JsonWriter& json,
                             const Problem& problem,
                             const Draft& draft,
                             const AuditReport& report,
                             const Finding& finding) {
  const Question& question = finding.question;
  json.object([&] {
    json.member("cell", question.cell.value).member("kind", report::enum_word(question.kind));
    if (question.group.value >= 0)
      json.member("group", question.group.value);
    json.member("about", report::question_text(problem, question));
    json.member("attacker", problem.attackers()[static_cast<std::size_t>(question.attacker)].name);
    write_count_end(json.key("lower"), problem, finding, Direction::kLow);
    write_count_end(json.key("upper"), problem, finding, Direction::kHigh);
    json.member("exact", finding.low.exact() && finding.high.exact());
    if (!finding.values.empty())
      json.key("values").values(finding.values);
    if (const Finding* real = real_finding(report, question)) {
      json.key("real").list([&] {
        write_real_end(json, problem.table(), question.cell, Direction::kLow, real->low);
        write_real_end(json, problem.table(), question.cell, Direction::kHigh, real->high);
      });
    }
    json.member("verdict", to_string(finding.verdict)).member("by", report::evidence_word(finding));
    if (!finding.reason.empty())
      json.member("reason", finding.reason);
    if (finding.verdict == Verdict::kExposed || finding.verdict == Verdict::kWaived)
      write_told(json, problem, draft, report, finding);
  });
}

std::string findings_of_counts_text(const Problem& problem,
                                    const Draft& draft,
                                    const AuditReport& report) {
  if (report.of(Domain::kInteger).empty())
    return "";
  std::string out = fmt::format(
      "in whole numbers: {} of {} questions about counts hold ({} exposed, {} "
      "undecided); threshold {}, withheld means {}\n",
      report.count(Verdict::kProtected, Domain::kInteger),
      report.count_asked(Domain::kInteger),
      report.count(Verdict::kExposed, Domain::kInteger),
      report.count(Verdict::kUndecided, Domain::kInteger),
      problem.counts()->threshold,
      report::enum_word(problem.counts()->withheld_means));
  std::size_t listed = 0;
  for (const Finding& finding : report.of(Domain::kInteger)) {
    if (finding.verdict == Verdict::kProtected && finding.values.empty())
      continue;
    if (++listed > kLinesListed)
      return out + "  ... (all of them with --json)\n";
    const std::string told = report::sources_clause(problem, draft, report, finding);
    out += fmt::format("  {}  {} {}: can be {}{}{}\n",
                       report::question_text(problem, finding.question),
                       report::enum_word(finding.question.kind),
                       to_string(finding.verdict),
                       report::count_range_text(problem, finding),
                       finding.reason.empty() ? "" : "; " + finding.reason,
                       told.empty() ? "" : "; " + told);
  }
  return out;
}

}  // namespace lacuna::job
