// SPDX-License-Identifier: Apache-2.0
#include "app/job/count_text.h"

#include <fmt/core.h>

#include "core/base/rational.h"
#include "app/report/count_sources.h"
#include "app/report/count_words.h"

namespace lacuna::inline job {
namespace {

constexpr std::size_t kLinesListed = 40;

// Of the same cell and attacker, as of numbers with decimals.
const Finding* real_finding(const AuditReport& report, const Question& question) {
  for (const Finding& finding : report.of(Domain::kRational)) {
    if (finding.question.cell == question.cell &&
        finding.question.attacker == question.attacker)
      return question.form.size() == 1 ? &finding : nullptr;
  }
  return nullptr;
}

void write_fraction(JsonWriter& json, const Fraction& number) {
  if (number.denominator() == 1)
    json.value(number.numerator());
  else
    json.value(number.text());
}

void write_real_end(
    JsonWriter& json, const Table& table, CellId cell, Direction direction, const End& end) {
  if (end.unbounded)
    json.null();
  else
    write_fraction(json, to_integer(table.value(cell)) + sign(direction) * end.reached);
}

// [{"cell":"ward=7|district=Total","times":1}, ...]
void write_sources(JsonWriter& json, const Table& table, const std::vector<CountSource>& sources) {
  json.list(sources, [&](const CountSource& source) {
    json.object([&] {
      json.member("cell", table.label(source.cell));
      write_fraction(json.key("times"), source.times);
    });
  });
}

void write_told(JsonWriter& json,
                const Problem& problem,
                const Draft& draft,
                const AuditReport& report,
                const Finding& finding) {
  const auto low = sources_of(problem, draft, report, finding, Direction::kLow);
  const auto high = sources_of(problem, draft, report, finding, Direction::kHigh);
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
void write_count_end(JsonWriter& json,
                     const Problem& problem,
                     const Finding& finding,
                     Direction direction) {
  const std::string text = count_end_text(problem, finding, direction);
  json.raw(text.empty() ? "null" : text);
}

}  // namespace

void write_whole(JsonWriter& json, const Problem& problem, const AuditReport& report) {
  if (!problem.counts() || report.of(Domain::kInteger).empty())
    return;
  json.member("whole", true);
  json.member("withheld_means", enum_word(problem.counts()->withheld_means));
  json.member("threshold", problem.counts()->threshold);
  json.member("questions", report.of(Domain::kInteger).size());
}

std::vector<KindVerdicts> kinds_of(const AuditReport& report) {
  std::vector<KindVerdicts> kinds;
  for (const KindCounts& each : kind_counts(report)) {
    KindVerdicts& kind = kinds.emplace_back();
    kind.kind = enum_word(each.kind);
    std::size_t at = 0;
    for (const Verdict verdict : kVerdictsOfQuestions)
      kind.verdicts[at++] = {std::string(to_string(verdict)), each.of(verdict)};
    kind.unasked = each.of(Verdict::kUnasked);
  }
  return kinds;
}

void write_kinds(JsonWriter& json, const AuditReport& report) {
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

void write_finding_of_counts(JsonWriter& json,
                         const Problem& problem,
                         const Draft& draft,
                         const AuditReport& report,
                         const Finding& finding) {
  const Question& question = finding.question;
  json.object([&] {
    json.member("cell", question.cell.value).member("kind", enum_word(question.kind));
    if (question.group.value >= 0)
      json.member("group", question.group.value);
    json.member("about", question_text(problem, question));
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
    json.member("verdict", to_string(finding.verdict)).member("by", evidence_word(finding));
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
      enum_word(problem.counts()->withheld_means));
  std::size_t listed = 0;
  for (const Finding& finding : report.of(Domain::kInteger)) {
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
