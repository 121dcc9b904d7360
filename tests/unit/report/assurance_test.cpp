// SPDX-License-Identifier: Apache-2.0
// Sentences about safety say what was computed, and nothing else.
#include "app/report/assurance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tables.h"

namespace lacuna::report {
namespace {

using testing::problem_of;
using testing::two_way;

std::shared_ptr<const Problem> small() {
  return problem_of(
      two_way({{15, 15, 30}, {35, 35, 70}, {50, 50, 100}}, {0, kUnboundedAbove}, 0, {0}),
      {{CellId{0}, 0, 5, 5, 0}});
}

AuditReport audited(const Draft& draft, bool intervals) {
  AuditOptions options;
  options.intervals = options.all_withheld = intervals;
  return testing::audit(small(), draft, options);
}

TEST(Assurance, FiguresAreWordsUnlessTheyWereComputed) {
  EXPECT_EQ(figure_text(FigureState::kComputed, "0"), "0");
  EXPECT_EQ(figure_text(FigureState::kBounded, "2"), "at least 2");
  EXPECT_EQ(figure_text(FigureState::kBounded, "2", BoundSide::kAtMost), "at most 2");
  EXPECT_EQ(figure_text(FigureState::kNotComputed, "0"), "not computed");
  EXPECT_EQ(figure_text(FigureState::kNotAsked, "0"), "not asked");
  EXPECT_EQ(figure_value(FigureState::kComputed, 0), 0);
  EXPECT_TRUE(std::isnan(figure_value(FigureState::kNotComputed, 0)));
  EXPECT_TRUE(std::isnan(figure_value(FigureState::kNotAsked, 0)));
}

TEST(Assurance, GuessesAreCountedOrNot) {
  const Draft draft = testing::withholding({0, 1, 3, 4});
  const Guesses known = reader_guesses(*small(), draft, audited(draft, true), 1);
  EXPECT_EQ(guess_sentence(known, std::nullopt),
            "a reader's best guess is within 1% of the truth for 1 of 1 sensitive cells and equal "
            "to it for 1\n");
  const Guesses unknown = reader_guesses(*small(), draft, audited(draft, false), 1);
  EXPECT_EQ(guess_sentence(unknown, std::nullopt),
            "what a reader would guess of the 1 sensitive cell was not computed (lacuna report "
            "computes it)\n");
  Draft interval;
  interval.publish_interval(CellId{0}, {0, 28});
  const Guesses middle = reader_guesses(*small(), interval, AuditReport{}, 1);
  EXPECT_EQ(
      guess_sentence(middle, middle),
      "the middle or number that is published is within 1% of the truth for 0 of 1 sensitive "
      "cells and equal to it for 0 (before the intervals were moved off centre: 0 and 0); what "
      "sums tell beyond it was not computed (lacuna report computes it)\n");
  EXPECT_EQ(guess_sentence(Guesses{}, std::nullopt), "");
}

TEST(Assurance, WhatReadersCouldWorkOutIsSaidToBeComputedIfItWas) {
  const Draft draft = testing::withholding({0, 1, 3, 4});
  const auto said = [&](bool intervals) {
    std::string text;
    for (const std::string& words :
         office_claim(small()->table(), draft, audited(draft, intervals), "").words)
      text += words;
    return text;
  };
  EXPECT_NE(said(true).find("could work out at best"), std::string::npos);
  EXPECT_EQ(said(false).find("could work out at best"), std::string::npos);
  EXPECT_NE(said(false).find("was not computed"), std::string::npos);
  EXPECT_NE(said(false).find("In all 1 case enough remains open."), std::string::npos);
}

TEST(Assurance, NothingAskedIsNotSafe) {
  const auto problem =
      problem_of(two_way({{15, 15, 30}, {35, 35, 70}, {50, 50, 100}}, {0, 200}), {});
  const AuditReport nothing = testing::audit(problem, {});
  for (const Claim& claim : {office_claim(problem->table(), {}, nothing, ""),
                             office_claim(problem->table(), {}, nothing, "p-percent 10"),
                             public_claim(problem->table(), {}, nothing, false),
                             public_claim(problem->table(), {}, nothing, true)}) {
    EXPECT_EQ(claim.mark, "unasked");
    EXPECT_EQ(claim.figure.find("\u2713"), std::string::npos) << claim.figure;
  }
  EXPECT_EQ(office_claim(problem->table(), {}, nothing, "p-percent 10").words.front(),
            "The rules (p-percent 10) were applied and make no cell sensitive, so there was "
            "nothing to protect and nothing to check.");
  EXPECT_EQ(
      public_claim(problem->table(), {}, nothing, true).words.front(),
      "The office's rules of confidentiality were applied, and no figure had to be withheld.");
  EXPECT_EQ(public_claim(problem->table(), {}, nothing, false).words.front().find("rules"),
            std::string::npos);
  // Cell keys change numbers whatever was asked: of these no rule has said that nothing is hidden.
  const Claim changed = public_claim(problem->table(), testing::withholding({0}), nothing, true);
  EXPECT_EQ(changed.words.front().find("rules"), std::string::npos);
  EXPECT_EQ(held_text(nothing), "nothing was asked");
  EXPECT_EQ(ends_state(nothing), FigureState::kNotAsked);
}

TEST(Assurance, WaiversAreNamedAndNeverCalledSafe) {
  Problem problem = *small();
  problem.set_waiver(Waiver::kExposed);
  const auto waiving = std::make_shared<const Problem>(problem);
  const Draft draft = testing::withholding({0});
  const AuditReport report = testing::audit(waiving, draft);
  ASSERT_EQ(report.verdict, Verdict::kWaived);
  const Claim office = office_claim(waiving->table(), draft, report, "");
  EXPECT_EQ(office.mark, "waived");
  EXPECT_EQ(office.figure, "Not all of it: 1 waived");
  EXPECT_EQ(office.words.back(), "Waived: " + waiving->table().label(CellId{0}) + ".");
  const Claim open = public_claim(waiving->table(), draft, report, false);
  EXPECT_EQ(open.figure.find("\u2713"), std::string::npos);
  EXPECT_NE(open.words.front().find("waived"), std::string::npos);
  EXPECT_EQ(open.words.front().find(waiving->table().label(CellId{0})), std::string::npos);
  EXPECT_EQ(open.figure, "Checked, and not met");  // there is nothing that the exceptions are of
  EXPECT_EQ(held_text(report), "0 of 1 requirements hold (0 exposed, 0 undecided, 1 waived)");
}

// Neither claim has a tick or calls the release safe.
void expect_no_promise(const Claim& claim) {
  for (const char* promise : {"\u2713", "Safe", "enough remains open", "could be worked out"}) {
    EXPECT_EQ(claim.figure.find(promise), std::string::npos) << promise;
    for (const std::string& words : claim.words)
      EXPECT_EQ(words.find(promise), std::string::npos) << words;
  }
}

// A release from elsewhere of a table that marks no cell: a width of one unit was asked of what is
// withheld, and nothing of what is published.
TEST(Assurance, WhatIsWithheldElsewhereIsAllThatWasAsked) {
  Requirement need{CellId{0}, 0, 0, 0, 1};
  need.origin = LevelOrigin::kImplied;
  const auto problem =
      problem_of(two_way({{15, 15, 30}, {35, 35, 70}, {50, 50, 100}}, {0, 200}), {need});
  const Draft draft = testing::withholding({0, 1, 3, 4});
  const AuditReport report = testing::audit(problem, draft);
  ASSERT_EQ(report.verdict, Verdict::kProtected);
  const Claim office = office_claim(problem->table(), draft, report, "");
  const Claim open = public_claim(problem->table(), draft, report, false);
  EXPECT_EQ(office.figure, "Only what is withheld was checked");
  EXPECT_EQ(open.figure, "Partly checked");
  expect_no_promise(office);
  EXPECT_EQ(open.figure.find("\u2713"), std::string::npos);
  EXPECT_EQ(open.mark, "unasked");
  // A cell that is marked without levels is an answer of the office.
  const auto marked =
      problem_of(two_way({{15, 15, 30}, {35, 35, 70}, {50, 50, 100}}, {0, 200}, 0, {0}), {need});
  EXPECT_EQ(public_claim(marked->table(), draft, testing::audit(marked, draft), false).figure,
            "\u2713 Confidentiality checked");
}

TEST(Assurance, ZeroLevelsThatWereMeantPromiseNothing) {
  Requirement need{CellId{0}, 0, 0, 0, 0};
  need.origin = LevelOrigin::kStated;
  const auto problem =
      problem_of(two_way({{15, 15, 30}, {35, 35, 70}, {50, 50, 100}}, {0, 200}, 0, {0}), {need});
  const Draft draft = testing::withholding({0});  // 30 - 15
  const AuditReport report = testing::audit(problem, draft);
  ASSERT_EQ(report.verdict, Verdict::kUnasked);
  const Claim office = office_claim(problem->table(), draft, report, "");
  EXPECT_EQ(office.figure, "Hidden, and nothing more");
  expect_no_promise(office);
  const Claim open = public_claim(problem->table(), draft, report, false);
  EXPECT_EQ(office.mark, "unasked");
  EXPECT_EQ(open.figure, "Nothing was checked");
  expect_no_promise(open);
  // Rules that made the cell sensitive are no answer.
  EXPECT_EQ(public_claim(problem->table(), draft, report, true).figure, "Nothing was checked");
  EXPECT_EQ(held_text(report), "nothing was asked except that 1 sensitive number is not printed");
}

TEST(Assurance, CellsKnownInAdvanceAreCountedBesideTheOthers) {
  Requirement known{CellId{0}, 0, 0, 0, 0};
  known.origin = LevelOrigin::kStated;
  const auto problem =
      problem_of(two_way({{15, 15, 30}, {35, 35, 70}, {50, 50, 100}}, {0, 200}, 0, {0, 1}),
                 {known, {CellId{1}, 0, 5, 5, 0}});
  const Draft draft = testing::withholding({0, 1, 3, 4});
  const AuditReport report = testing::audit(problem, draft);
  ASSERT_EQ(report.verdict, Verdict::kProtected);
  const Claim office = office_claim(problem->table(), draft, report, "");
  EXPECT_EQ(office.figure, "Checked, except for 1 cell");
  EXPECT_EQ(office.words.back(), "All other requirements were confirmed in exact arithmetic.");
  EXPECT_EQ(public_claim(problem->table(), draft, report, false).figure, "Partly checked");
  EXPECT_EQ(held_text(report),
            "1 of 1 requirements hold (0 exposed, 0 undecided); 1 asks for nothing");
}

// An adjusted table shows a distance, and says nothing of who knows the method.
TEST(Assurance, AdjustedTablesPromiseADistance) {
  Draft draft;
  const std::vector<Units> numbers{20, 10, 30, 30, 40, 70, 50, 50, 100};
  for (std::int32_t c = 0; c < 9; ++c)
    draft.publish_adjusted(CellId{c}, numbers[static_cast<std::size_t>(c)]);
  const AuditReport report = testing::audit(small(), draft);
  ASSERT_EQ(report.verdict, Verdict::kProtected);
  const Claim office = office_claim(small()->table(), draft, report, "");
  const Claim open = public_claim(small()->table(), draft, report, false);
  EXPECT_EQ(office.figure, "Distances alone");
  EXPECT_EQ(open.figure, "Figures were moved");
  EXPECT_EQ(open.heading, "Confidentiality");  // none is missing
  expect_no_promise(office);
  expect_no_promise(open);
}

// Whoever knows that numbers are counts can tell more, and nobody asked how much: nothing is green,
// whatever else was asked.
TEST(Assurance, CountsThatWereNotJudgedAsCountsPromiseNothing) {
  const Draft draft = testing::withholding({0, 1, 3, 4});
  const AuditReport report = audited(draft, true);
  ASSERT_EQ(report.verdict, Verdict::kProtected);
  const Claim office = office_claim(small()->table(), draft, report, "", true);
  const Claim open = public_claim(small()->table(), draft, report, false, true);
  EXPECT_EQ(office.figure, "Checked in part");
  EXPECT_EQ(open.figure, "Checked in part");
  EXPECT_EQ(open.heading, "Why some figures are missing");
  EXPECT_EQ(office.words.front(),
            "Confirmed in exact arithmetic, with the numbers judged as real numbers: 1 of 1 "
            "requirement.");
  EXPECT_EQ(open.words.back(),
            "The figures are counts, from which more can be worked out; that was not checked.");
  Draft moved;
  const std::vector<Units> numbers{20, 10, 30, 30, 40, 70, 50, 50, 100};
  for (std::int32_t c = 0; c < 9; ++c)
    moved.publish_adjusted(CellId{c}, numbers[static_cast<std::size_t>(c)]);
  const Claim distances =
      office_claim(small()->table(), moved, testing::audit(small(), moved), "", true);
  EXPECT_EQ(distances.figure, "Distances alone");
  for (const Claim& claim : {office, open, distances}) {
    expect_no_promise(claim);
    EXPECT_EQ(claim.mark, "unasked");
  }
}

// The line of the public workbook is that of the public page.
TEST(Assurance, TheWorkbookSaysInWhichPartItWasChecked) {
  const Auditor auditor(small());
  const auto release = auditor.release(testing::withholding({0, 1, 3, 4}), {}, RunContext{});
  ASSERT_TRUE(release);
  EXPECT_EQ(audit_words(*release, false), "protected: checked in exact arithmetic");
  EXPECT_EQ(audit_words(*release, true),
            "checked in part: The requirements of confidentiality were confirmed in exact "
            "arithmetic with the figures judged as real numbers. The figures are counts, from "
            "which more can be worked out; that was not checked.");
  Requirement hidden{CellId{0}, 0, 0, 0, 0};
  hidden.origin = LevelOrigin::kStated;
  const Auditor stated(
      problem_of(two_way({{15, 15, 30}, {35, 35, 70}, {50, 50, 100}}, {0, 200}, 0, {0}), {hidden}));
  const auto alone = stated.release(testing::withholding({0}), {}, RunContext{});
  ASSERT_TRUE(alone);
  EXPECT_EQ(audit_words(*alone, false).find("protected"), std::string::npos);
}

TEST(Assurance, TheHeadlineCountsWhatDoesNotHold) {
  const Draft draft = testing::withholding({0, 1, 3, 4});
  EXPECT_EQ(held_text(audited(draft, true)), "1 of 1 requirements hold (0 exposed, 0 undecided)");
  EXPECT_EQ(held_text(audited(testing::withholding({0}), true)),
            "0 of 1 requirements hold (1 exposed, 0 undecided)");
}

}  // namespace
}  // namespace lacuna::report
