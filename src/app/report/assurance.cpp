// SPDX-License-Identifier: Apache-2.0
#include "app/report/assurance.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "core/base/decimal.h"
#include "core/base/readable.h"

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

namespace lacuna::report {
namespace {

std::string number_and(std::int64_t number, const char* one, const char* many) {
  return base::grouped(number) + " " + (number == 1 ? one : many);
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
  for (const Finding& finding : report.findings) {
    const CellId cell = finding.question.cell;
    if (finding.verdict == Verdict::kWaived &&
        std::find(cells.begin(), cells.end(), cell) == cells.end())
      cells.push_back(cell);
  }
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, cells.size()); ++i)
    names += (i > 0 ? ", " : "") + table.label(cells[i]);
  if (cells.size() > kNamed)
    names += fmt::format(" and {} more",
                         base::grouped(static_cast<std::int64_t>(cells.size() - kNamed)));
  return names;
}

Claim waived_claim(const Table& table, const AuditReport& report) {
  const std::int64_t waived = report.count(Verdict::kWaived);
  return {"Is it safe?",
          "Not all of it: " + base::grouped(waived) + " waived",
          {fmt::format("Of {}, {} hold. {} not hold and {} waived by whoever asked for this "
                       "release: readers can work out more than the levels allow.",
                       number_and(report.count_asked(), "requirement", "requirements"),
                       base::grouped(report.count(Verdict::kProtected)),
                       number_and(waived, "does", "do"),
                       waived == 1 ? "was" : "were"),
           "Waived: " + waived_cells(table, report) + "."},
          "waived"};
}

// Nobody has marked a cell: it was asked of those that a release from elsewhere withholds, and of
// no others.
bool only_withheld_asked(const Table& table, const AuditReport& report) {
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (table.cell(CellId{c}).status == CellStatus::kPrimary)
      return false;
  }
  const auto needs = report.of(Domain::kRational);
  return !needs.empty() && std::all_of(needs.begin(), needs.end(), [](const Finding& finding) {
    return finding.question.origin == LevelOrigin::kImplied;
  });
}

// Cells of which nothing is asked but that the number is not printed, as zero levels were stated
// for them or readers know them in advance: totals may tell them.
std::int64_t only_hidden(const AuditReport& report) {
  std::set<CellId> hidden;
  for (const Finding& finding : report.findings)
    hidden.insert(finding.question.cell);
  for (const Finding& finding : report.findings) {
    if (!finding.question.asks_nothing())
      hidden.erase(finding.question.cell);
  }
  return static_cast<std::int64_t>(hidden.size());
}

Claim withheld_claim(const AuditReport& report) {
  return {"Is it safe?",
          "Only what is withheld was checked",
          {fmt::format("No cell is marked as sensitive. It was confirmed in exact arithmetic that "
                       "{} cannot be worked out exactly. Nothing else was asked: neither how "
                       "closely they can be worked out, nor whether a published number should "
                       "have been withheld.",
                       number_and(static_cast<std::int64_t>(report.of(Domain::kRational).size()),
                                  "withheld cell",
                                  "withheld cells")),
           "Name the column that says which cells are sensitive, or rules that find them."},
          "unasked"};
}

Claim hidden_claim(const AuditReport& report) {
  const std::int64_t cells = only_hidden(report);
  const bool all = report.count_asked() == 0;
  std::vector<std::string> words{fmt::format(
      "For {} nothing was asked except that the number is not printed: zero levels were stated, or "
      "readers know the value in advance. Totals may disclose it exactly.",
      number_and(cells, "sensitive cell", "sensitive cells"))};
  if (!all)
    words.push_back("All other requirements were confirmed in exact arithmetic.");
  return {"Is it safe?",
          all ? "Hidden, and nothing more"
              : "Checked, except for " + number_and(cells, "cell", "cells"),
          words,
          all ? "unasked" : "waived"};
}

Claim adjusted_claim(const AuditReport& report) {
  return {"What was checked",
          "Distances alone",
          {fmt::format("Checked for this report in exact arithmetic: the numbers add up, and each "
                       "sensitive one is shown far enough from its true value ({} of {} "
                       "requirements).",
                       base::grouped(report.count(Verdict::kProtected)),
                       base::grouped(report.count_asked())),
           "What a reader who knows the method can guess from them is not part of this verdict; it "
           "is counted under \u201cWhat a reader would guess\u201d."},
          "protected"};
}

std::vector<std::string> protected_words(const AuditReport& report) {
  const std::string left = fmt::format("In all {} enough remains open.",
                                       number_and(report.count_asked(), "case", "cases"));
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

Claim public_protected(const std::string& heading,
                       const Table& table,
                       const Draft& draft,
                       const AuditReport& report) {
  if (only_withheld_asked(table, report))
    return {heading,
            "Partly checked",
            {"No figure that is withheld can be worked out exactly from the others; nothing else "
             "was checked."},
            "unasked"};
  if (only_hidden(report) > 0)
    return {heading,
            "Partly checked",
            {"Some figures are not shown. It was not asked of all of them that they cannot be "
             "worked out from the others."},
            "waived"};
  if (draft.adjusted())
    return {heading,
            "Figures were moved",
            {"Confidential figures are shown at a distance from their true values, which was "
             "checked in exact arithmetic before release."},
            "protected"};
  return {heading,
          "\u2713 Confidentiality checked",
          {"Figures that the office calls confidential are disclosed no more closely than it "
           "allows: they are withheld, rounded or changed, and so are others from which they could "
           "be worked out.",
           "Every requirement of confidentiality that was stated was confirmed in exact arithmetic "
           "before release."},
          "protected"};
}

Claim office_protected(const Table& table, const Draft& draft, const AuditReport& report) {
  if (only_withheld_asked(table, report))
    return withheld_claim(report);
  if (only_hidden(report) > 0)
    return hidden_claim(report);
  if (draft.adjusted())
    return adjusted_claim(report);
  return {"Why it is safe", "\u2713 Safe, and checked", protected_words(report), "protected"};
}

// A claim of everything has a tick; all others say what was left out.
bool is_integer(const Claim& claim) {
  return claim.figure.starts_with("\u2713");
}

// The numbers are counts, and what that tells a reader was not asked: nothing is green.
Claim office_without_counts(Claim claim, const AuditReport& report) {
  if (is_integer(claim))
    claim = {"Is it safe?",
             "Checked in part",
             {fmt::format("Confirmed in exact arithmetic, with the numbers judged as real numbers: "
                          "{} of {}.",
                          base::grouped(report.count(Verdict::kProtected)),
                          number_and(report.count_asked(), "requirement", "requirements"))},
             ""};
  claim.words.emplace_back(
      "They are counts, and a reader who knows that can work out more; how much more was not "
      "asked.");
  claim.mark = "unasked";
  return claim;
}

Claim public_without_counts(Claim claim) {
  if (is_integer(claim)) {
    claim.figure = "Checked in part";
    claim.words = {
        "The requirements of confidentiality were confirmed in exact arithmetic with the figures "
        "judged as real numbers."};
  }
  claim.words.emplace_back(
      "The figures are counts, from which more can be worked out; that was not checked.");
  claim.mark = "unasked";
  return claim;
}

Claim public_waived(const std::string& heading, const AuditReport& report) {
  const bool some = report.count(Verdict::kProtected) > 0;
  return {heading,
          some ? "Checked, with exceptions" : "Checked, and not met",
          {some ? "Not every requirement of confidentiality is met. Those that are not were waived "
                  "by the publisher before release."
                : "No requirement of confidentiality is met. All were waived by the publisher "
                  "before release."},
          "waived"};
}

std::string guesses_counted(const Guesses& guesses) {
  return fmt::format("within {}% of the truth for {} of {} sensitive cells and equal to it for {}",
                     base::format_double(guesses.near_percent),
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
      text = "the middle or number that is published is " + guesses_counted(now);
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
  if (report.findings.empty())
    return FigureState::kNotAsked;
  const bool all =
      std::all_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
        return finding.low.exact() && finding.high.exact();
      });
  return all ? FigureState::kComputed : FigureState::kNotComputed;
}

std::string share_text(const AuditReport& report, Verdict verdict) {
  const auto share = [&](Domain domain, const char* what) {
    return fmt::format("{} of {} {}",
                       base::grouped(report.count(verdict, domain)),
                       base::grouped(report.count_asked(domain)),
                       what);
  };
  const bool needs = report.count_asked(Domain::kRational) > 0;
  const bool questions = report.count_asked(Domain::kInteger) > 0;
  std::string text = needs || !questions ? share(Domain::kRational, "requirements") : "";
  if (questions)
    text += (text.empty() ? "" : " and ") + share(Domain::kInteger, "questions about counts");
  return text;
}

std::string asks_nothing_text(const AuditReport& report) {
  const std::int32_t nothing = report.count(Verdict::kUnasked, Domain::kRational);
  return nothing == 0 ? "" : "; " + number_and(nothing, "asks", "ask") + " for nothing";
}

std::string held_text(const AuditReport& report) {
  if (report.count_asked() == 0) {
    const std::int64_t hidden = only_hidden(report);
    return hidden == 0
               ? "nothing was asked"
               : "nothing was asked except that " + number_and(hidden,
                                                               "sensitive number is not printed",
                                                               "sensitive numbers are not printed");
  }
  const std::int64_t waived = report.count(Verdict::kWaived);
  return fmt::format("{} hold ({} exposed, {} undecided{}){}",
                     share_text(report, Verdict::kProtected),
                     base::grouped(report.count(Verdict::kExposed)),
                     base::grouped(report.count(Verdict::kUndecided)),
                     waived == 0 ? "" : fmt::format(", {} waived", base::grouped(waived)),
                     asks_nothing_text(report));
}

Claim office_claim(const Table& table,
                   const Draft& draft,
                   const AuditReport& report,
                   const std::string& rules,
                   bool counts_left_out) {
  const std::string mark(to_string(report.verdict));
  switch (report.verdict) {
    case Verdict::kUnasked:
      return report.of(Domain::kRational).empty() ? unasked_claim(rules) : hidden_claim(report);
    case Verdict::kWaived:
      return waived_claim(table, report);
    case Verdict::kProtected: {
      const Claim claim = office_protected(table, draft, report);
      return counts_left_out ? office_without_counts(claim, report) : claim;
    }
    case Verdict::kExposed:
    case Verdict::kUndecided:
      break;
  }
  return {"Is it safe?",
          report.verdict == Verdict::kExposed ? "\u2717 Not safe" : "? Not proven to be safe",
          {fmt::format("Of {} checked, {} hold; in {} too much can be worked out, and {} could not "
                       "be decided. This must not be published.",
                       number_and(report.count_asked(), "requirement", "requirements"),
                       base::grouped(report.count(Verdict::kProtected)),
                       base::grouped(report.count(Verdict::kExposed)),
                       base::grouped(report.count(Verdict::kUndecided)))},
          mark};
}

Claim public_claim(const Table& table,
                   const Draft& draft,
                   const AuditReport& report,
                   bool by_rules,
                   bool counts_left_out) {
  const bool hides = !draft.adjusted() && draft.num_entries() > 0;
  const std::string heading = hides ? "Why some figures are missing" : "Confidentiality";
  switch (report.verdict) {
    case Verdict::kProtected: {
      const Claim claim = public_protected(heading, table, draft, report);
      return counts_left_out ? public_without_counts(claim) : claim;
    }
    case Verdict::kWaived:
      return public_waived(heading, report);
    case Verdict::kUnasked:
    case Verdict::kExposed:
    case Verdict::kUndecided:
      break;
  }
  const char* words =
      "All figures are shown as they are. Whether one of them is confidential was "
      "not checked.";
  if (draft.adjusted())
    words =
        "The figures are those of an adjusted table, and need not be the true ones. Whether "
        "one of them is confidential was not checked.";
  else if (hides)
    words =
        "Some figures are not shown as they are. Whether they can be worked out from the others "
        "was not checked.";
  const bool nothing = by_rules && report.of(Domain::kRational).empty();
  if (!draft.adjusted() && !hides && nothing)
    words = "The office's rules of confidentiality were applied, and no figure had to be withheld.";
  return {heading, nothing ? "Rules applied" : "Nothing was checked", {words}, "unasked"};
}

std::string audit_words(const AuditedRelease& release, bool counts_left_out) {
  const AuditReport& report = release.report();
  switch (report.verdict) {
    case Verdict::kWaived:
      return "checked in exact arithmetic: not every requirement is met, and those that are not "
             "were waived by the publisher";
    case Verdict::kProtected:
      break;
    case Verdict::kUnasked:
    case Verdict::kExposed:
    case Verdict::kUndecided:
      return "nothing was asked, and nothing was checked";
  }
  const Claim claim =
      public_claim(release.problem().table(), release.content(), report, false, counts_left_out);
  if (is_integer(claim))
    return "protected: checked in exact arithmetic";
  std::string text = "checked in part:";
  for (const std::string& words : claim.words)
    text += " " + words;
  return text;
}

std::string checked_sentence(const CheckedByThree& checked) {
  const std::string bound = checked.bound.empty() ? "" : " And of the bound: " + checked.bound + ".";
  return "The certificate of this release was checked by three programs, one of them proven "
         "correct. Each of them says: " +
         checked.said + "." + bound;
}

std::vector<std::string> checked_meaning() {
  return {
      "The certificate holds the evidence for every answer: tables that are possible to a reader, or "
      "sums of equations that rule tables out. It can be checked without the program that found it.",
      "The three programs share no code. The first is this one. The second is written in Python "
      "(scripts/verify_certificate.py). The third is lacuna-proven: a proof in Coq, which a machine "
      "has checked, says that where it answers \"protected\" no way of reasoning takes a reader "
      "further than was allowed.",
      "What the proof does not cover is what was asked: the attackers, what they know, and the "
      "levels. The pages docs/proof.md and docs/threats.md say what is proven, what is trusted, and "
      "what a verdict does not cover."};
}

}  // namespace lacuna::report
