// SPDX-License-Identifier: Apache-2.0
#include "app/report/count_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "app/report/count_words.h"
#include "app/report/html_text.h"
#include "core/base/readable.h"

namespace lacuna::report {
namespace {

constexpr std::size_t kMostQuestions = 500;  // so that a page stays readable

const char* what_is_asked(CountKind kind) {
  switch (kind) {
    case CountKind::kExact:
      return "that nobody can know the count";
    case CountKind::kSmall:
      return "that nobody can be sure that the count is below the threshold, and not zero";
    case CountKind::kZero:
      return "that nobody can be sure that a category is empty";
    case CountKind::kAll:
      return "that nobody can be sure that all of a group are in one category";
    case CountKind::kGroup:
      return "that nobody can be sure that all of a group are in one of the listed categories";
    case CountKind::kImplied:
      return "that what is withheld of a sum is not a small number in disguise";
    case CountKind::kLevels:
      return "that the levels are met in whole numbers";
  }
  return "";
}

const char* what_it_rests_on(const std::string& evidence) {
  if (evidence == "witness")
    return "other tables that fit all that is published";
  if (evidence == "release")
    return "it is published as it is";
  if (evidence == "tree")
    return "a case distinction";
  if (evidence == "step")
    return "a proof: only multiples of a step are possible";
  if (evidence == "chain")
    return "sums, one after the other";
  return evidence == "proof" ? "a proof by sums of published numbers" : "nothing yet";
}

std::string kinds_table(const AuditReport& report) {
  std::string out =
      "<div class=\"scroll\"><table class=\"list narrow\" id=\"kinds\"><thead><tr><th>kind</th>"
      "<th>what is asked</th><th class=\"number\">protected</th><th class=\"number\">exposed</th>"
      "<th class=\"number\">undecided</th></tr></thead><tbody>\n";
  for (const KindCounts& each : kind_counts(report)) {
    const auto field = [&](Verdict verdict) {
      const std::int64_t number = each.of(verdict);
      const std::string mark = number > 0 ? " " + std::string(to_string(verdict)) : "";
      return "<td class=\"number" + mark + "\">" + base::grouped(number) + "</td>";
    };
    out += "<tr><td>" + enum_word(each.kind) + "</td><td>" + what_is_asked(each.kind) + "</td>" +
           field(Verdict::kProtected) + field(Verdict::kExposed) + field(Verdict::kUndecided) +
           "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::vector<const Finding*> worst_first(const AuditReport& report) {
  std::vector<const Finding*> all;
  for (const Finding& finding : report.of(Domain::kInteger))
    all.push_back(&finding);
  const auto rank = [](const Finding* each) {
    return each->verdict == Verdict::kExposed     ? 0
           : each->verdict == Verdict::kUndecided ? 1
           : each->verdict == Verdict::kWaived    ? 2
                                                  : 3;
  };
  std::stable_sort(all.begin(), all.end(), [&](const Finding* a, const Finding* b) {
    return rank(a) < rank(b);
  });
  return all;
}

std::string values_text(const Finding& finding) {
  std::string text;
  for (const Units value : finding.values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

std::string question_row(const Problem& problem,
                         const Draft& draft,
                         const AuditReport& report,
                         const Finding& finding) {
  const auto or_sign = [](const std::string& text, const char* sign) {
    return text.empty() ? std::string(sign) : text;
  };
  const std::string low = or_sign(count_end_text(problem, finding, Direction::kLow), "-\u221e");
  const std::string high = or_sign(count_end_text(problem, finding, Direction::kHigh), "\u221e");
  const bool exact = finding.low.exact() && finding.high.exact();
  const std::string told = sources_clause(problem, draft, report, finding);
  std::string why = what_it_rests_on(evidence_word(finding));
  if (!finding.reason.empty())
    why += ": " + finding.reason;
  if (!told.empty())
    why += "; " + told;
  const std::string verdict(to_string(finding.verdict));
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td class=\"number\">[{}, {}]{}</td><td>{}</td><td class=\"{}\">"
      "{}</td><td>{}</td></tr>\n",
      html_escaped(question_text(problem, finding.question)),
      enum_word(finding.question.kind),
      low,
      high,
      exact ? "" : " or more",
      values_text(finding),
      verdict,
      verdict,
      html_escaped(why));
}

std::string questions_table(const Problem& problem, const Draft& draft, const AuditReport& report) {
  const std::vector<const Finding*> all = worst_first(report);
  const bool values = std::any_of(
      all.begin(), all.end(), [](const Finding* each) { return !each->values.empty(); });
  std::string out =
      "<details class=\"fold\" id=\"questions\" open><summary>Questions about counts</summary>\n"
      "<div class=\"scroll\"><table class=\"list\">"
      "<thead><tr><th>about</th><th>kind</th><th class=\"number\">can be</th><th>" +
      std::string(values ? "all values" : "") +
      "</th><th>verdict</th><th>because of</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(all.size(), kMostQuestions); ++i)
    out += question_row(problem, draft, report, *all[i]);
  out += "</tbody></table></div>\n";
  if (all.size() > kMostQuestions)
    out += "<p class=\"soft\">and " +
           base::grouped(static_cast<std::int64_t>(all.size() - kMostQuestions)) +
           " more, which the JSON of the audit has</p>\n";
  return out + "</details>\n";
}

}  // namespace

std::string count_kinds_html(const Problem& problem,
                             const Draft& draft,
                             const AuditReport& report) {
  if (!problem.counts() || report.of(Domain::kInteger).empty())
    return "";
  return fmt::format(
      "<section id=\"kinds-part\"><h2>Counts</h2>\n<p>Counts are whole numbers, and a reader knows "
      "that. Counts below {} are sensitive; a blank tells a reader: {}. This is what is "
      "asked:</p>\n{}{}</section>\n",
      problem.counts()->threshold,
      problem.counts()->withheld_means == WithheldMeans::kAny       ? "nothing"
      : problem.counts()->withheld_means == WithheldMeans::kNonzero ? "that it is not zero"
                                                                    : "what the rule says of it",
      kinds_table(report),
      questions_table(problem, draft, report));
}

}  // namespace lacuna::report
