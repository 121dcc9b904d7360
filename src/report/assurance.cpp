// SPDX-License-Identifier: Apache-2.0
#include "report/assurance.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/decimal.h"
#include "base/readable.h"

namespace lacuna {

std::string_view to_string(FigureState state) {
  switch (state) {
    case FigureState::kComputed:
      return "computed";
    case FigureState::kBounded:
      return "bounded";
    case FigureState::kNotComputed:
      return "not computed";
    case FigureState::kNotAsked:
      return "not asked";
  }
  return "?";
}

}  // namespace lacuna

namespace lacuna::inline report {
namespace {

bool nothing_asked(const AuditReport& report) {
  return report.findings.empty() && report.count_findings.empty();
}

std::int64_t number_of(const AuditReport& report, Verdict verdict) {
  return report.count(verdict) + report.count_whole(verdict);
}

std::int64_t number_asked(const AuditReport& report) {
  return static_cast<std::int64_t>(report.findings.size() + report.count_findings.size());
}

std::string number_and(std::int64_t number, const char* one, const char* many) {
  return grouped(number) + " " + (number == 1 ? one : many);
}

Claim unasked_claim(const std::string& rules) {
  if (!rules.empty()) {
    return {"Is it safe?",
            "The rules ask nothing",
            {fmt::format("The rules ({}) were applied and make no cell sensitive, so there was "
                         "nothing to protect and nothing to check.",
                         rules)},
            "unasked"};
  }
  return {"Is it safe?",
          "Nothing was asked",
          {"No cell is marked as sensitive and nothing is asked about counts, so nothing was "
           "checked: this page does not say that the table is safe to publish.",
           "Name the column that says which cells are sensitive, or rules that find them."},
          "unasked"};
}

// The first few cells that were waived, by their codes.
std::string waived_cells(const Table& table, const AuditReport& report) {
  constexpr std::size_t kNamed = 5;
  std::vector<CellId> cells;
  const auto add = [&](Verdict verdict, CellId cell) {
    if (verdict == Verdict::kWaived && std::find(cells.begin(), cells.end(), cell) == cells.end())
      cells.push_back(cell);
  };
  for (const Finding& finding : report.findings)
    add(finding.verdict, finding.requirement.cell);
  for (const CountFinding& finding : report.count_findings)
    add(finding.verdict, finding.question.cell);
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, cells.size()); ++i)
    names += (i > 0 ? ", " : "") + table.label(cells[i]);
  if (cells.size() > kNamed)
    names += fmt::format(" and {} more", grouped(static_cast<std::int64_t>(cells.size() - kNamed)));
  return names;
}

Claim waived_claim(const Table& table, const AuditReport& report) {
  const std::int64_t waived = number_of(report, Verdict::kWaived);
  return {"Is it safe?",
          "Not all of it: " + grouped(waived) + " waived",
          {fmt::format("Of {}, {} hold. {} not hold and {} waived by whoever asked for this "
                       "release: readers can work out more than the levels allow.",
                       number_and(number_asked(report), "requirement", "requirements"),
                       grouped(number_of(report, Verdict::kProtected)),
                       number_and(waived, "does", "do"),
                       waived == 1 ? "was" : "were"),
           "Waived: " + waived_cells(table, report) + "."},
          "waived"};
}

std::vector<std::string> protected_words(const Draft& draft, const AuditReport& report) {
  const std::int64_t all = number_asked(report);
  if (draft.adjusted()) {
    return {fmt::format(
        "Checked for this report in exact arithmetic: the numbers add up, and each sensitive one "
        "is shown far enough from its true value ({} of {} requirements).",
        grouped(number_of(report, Verdict::kProtected)),
        grouped(all))};
  }
  const std::string left =
      fmt::format("In all {} enough remains open.", number_and(all, "case", "cases"));
  if (ends_state(report) == FigureState::kComputed)
    return {
        "What each reader could work out at best from everything that is published was computed "
        "for this report, in exact arithmetic.",
        left};
  return {
      "For each requirement other values were found, in exact arithmetic, that fit everything that "
      "is published and are far enough from the truth. Exactly how much each reader could work out "
      "was not computed.",
      left};
}

std::string guesses_counted(const Guesses& guesses) {
  return fmt::format("within {}% of the truth for {} of {} sensitive cells and equal to it for {}",
                     format_double(guesses.near_percent),
                     guesses.near,
                     guesses.cells,
                     guesses.exact);
}

}  // namespace

std::string figure_text(FigureState state, const std::string& value, BoundSide side) {
  if (state == FigureState::kBounded)
    return (side == BoundSide::kAtLeast ? "at least " : "at most ") + value;
  return state == FigureState::kComputed ? value : std::string(to_string(state));
}

std::string width_text(const InformationLoss& loss, const std::string& width) {
  return loss.endless ? "unbounded" : figure_text(loss.width_state(), width, BoundSide::kAtMost);
}

std::string guess_sentence(const Guesses& now, const std::optional<Guesses>& before) {
  std::string text;
  switch (now.state()) {
    case FigureState::kNotAsked:
      return "";
    case FigureState::kNotComputed:
      return fmt::format(
          "what a reader would guess of the {} was not computed (lacuna report computes it)\n",
          number_and(now.cells, "sensitive cell", "sensitive cells"));
    case FigureState::kComputed:
      text = "a reader's best guess is " + guesses_counted(now);
      break;
    case FigureState::kBounded:
      text = "the middle of what is published is " + guesses_counted(now);
      break;
  }
  if (before) {
    text += fmt::format(
        " (before the intervals were moved off centre: {} and {})", before->near, before->exact);
  }
  if (now.state() == FigureState::kBounded)
    text += "; what sums tell beyond it was not computed (lacuna report computes it)";
  return text + "\n";
}

FigureState ends_state(const AuditReport& report) {
  if (nothing_asked(report))
    return FigureState::kNotAsked;
  const auto exact = [](const auto& finding) {
    return finding.low.exact() && finding.high.exact();
  };
  const bool all =
      std::all_of(report.findings.begin(), report.findings.end(), exact) &&
      std::all_of(report.count_findings.begin(), report.count_findings.end(), exact);
  return all ? FigureState::kComputed : FigureState::kNotComputed;
}

std::string held_text(const AuditReport& report) {
  if (nothing_asked(report))
    return "nothing was asked";
  std::string text = fmt::format("{} of {} requirements",
                                 grouped(report.count(Verdict::kProtected)),
                                 grouped(static_cast<std::int64_t>(report.findings.size())));
  if (!report.count_findings.empty()) {
    text += fmt::format(" and {} of {} questions about counts",
                        grouped(report.count_whole(Verdict::kProtected)),
                        grouped(static_cast<std::int64_t>(report.count_findings.size())));
  }
  text += " hold";
  std::string others;
  for (const Verdict verdict : {Verdict::kExposed, Verdict::kUndecided, Verdict::kWaived}) {
    if (const std::int64_t number = number_of(report, verdict); number > 0)
      others += (others.empty() ? "" : ", ") + grouped(number) + " " + std::string(to_string(verdict));
  }
  return others.empty() ? text : text + " (" + others + ")";
}

Claim office_claim(const Table& table,
                   const Draft& draft,
                   const AuditReport& report,
                   const std::string& rules) {
  const std::string mark(to_string(report.verdict));
  switch (report.verdict) {
    case Verdict::kUnasked:
      return unasked_claim(rules);
    case Verdict::kWaived:
      return waived_claim(table, report);
    case Verdict::kProtected:
      return {"Why it is safe", "\u2713 Safe, and checked", protected_words(draft, report), mark};
    case Verdict::kExposed:
    case Verdict::kUndecided:
      break;
  }
  return {"Is it safe?",
          report.verdict == Verdict::kExposed ? "\u2717 Not safe" : "? Not proven to be safe",
          {fmt::format("Of {} checked, {} hold; in {} too much can be worked out, and {} could not "
                       "be decided. This must not be published.",
                       number_and(number_asked(report), "requirement", "requirements"),
                       grouped(number_of(report, Verdict::kProtected)),
                       grouped(number_of(report, Verdict::kExposed)),
                       grouped(number_of(report, Verdict::kUndecided)))},
          mark};
}

Claim public_claim(const Draft& draft, const AuditReport& report, bool by_rules) {
  const bool hides = !draft.entries().empty();
  const std::string heading = hides ? "Why some figures are missing" : "Confidentiality";
  const std::string hidden =
      "Figures that would tell something about single contributors are not shown as they are, "
      "and neither are those from which they could be worked out.";
  switch (report.verdict) {
    case Verdict::kProtected:
      return {heading,
              "\u2713 Confidentiality checked",
              {hidden,
               "Every requirement of confidentiality was confirmed in exact arithmetic before "
               "release."},
              "protected"};
    case Verdict::kWaived:
      return {heading,
              "Checked, with exceptions",
              {"Not every requirement of confidentiality is met. Those that are not were waived by "
               "the publisher before release."},
              "waived"};
    case Verdict::kUnasked:
    case Verdict::kExposed:
    case Verdict::kUndecided:
      break;
  }
  const char* words = "All figures are shown as they are. Whether one of them is confidential was "
                      "not checked.";
  if (hides)
    words = "Some figures are not shown as they are. Whether they can be worked out from the others "
            "was not checked.";
  else if (by_rules)
    words = "The office's rules of confidentiality were applied, and no figure had to be withheld.";
  return {heading, by_rules ? "Rules applied" : "Nothing was checked", {words}, "unasked"};
}

}  // namespace lacuna::inline report
