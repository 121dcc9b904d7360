// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "lacuna/report.h"
#include "support/tables.h"

namespace lacuna::report {
namespace {

using testing::problem_of;
using testing::two_way;

// 10 and 200 are sensitive.
std::shared_ptr<const Problem> small() {
  return problem_of(
      two_way({{10, 190, 200}, {40, 10, 50}, {50, 200, 250}}, {0, kUnboundedAbove}, 0, {0, 2}),
      {{CellId{0}, 0, 2, 4, 0}, {CellId{2}, 0, 10, 10, 0}});
}

Guesses guesses(const Draft& draft, double percent = 1) {
  return reader_guesses(*small(), draft, AuditReport{}, percent);
}

TEST(Guesses, MiddlesOfPublishedIntervals) {
  Draft draft;
  draft.publish_interval(CellId{0}, {8, 12});
  draft.publish_interval(CellId{2}, {189, 214});  // middle 201.5
  EXPECT_EQ(guesses(draft).cells, 2);
  EXPECT_EQ(guesses(draft).guessed, 2);
  EXPECT_EQ(guesses(draft).exact, 1);
  EXPECT_EQ(guesses(draft).near, 2);
  EXPECT_EQ(guesses(draft, 0.7).near, 1);
  EXPECT_EQ(guesses(draft, 0.75).near, 2);
  EXPECT_DOUBLE_EQ(guesses(draft).share(1), 50);
  EXPECT_EQ(guesses(draft).at_end, 0);
  // What sums tell beyond the published ends was not looked at.
  EXPECT_EQ(guesses(draft).state(), FigureState::kBounded);
}

TEST(Guesses, PriorsCutWhatIsPublished) {
  Draft draft;
  draft.publish_interval(CellId{0}, {-4, 24});  // [0, 24] to every reader
  draft.publish_interval(CellId{2}, {200, 230});
  EXPECT_EQ(guesses(draft).exact, 0);
  EXPECT_EQ(guesses(draft).near, 0);
  EXPECT_EQ(guesses(draft).at_end, 1);
}

TEST(Guesses, MiddlesOfWhatCanBeInferred) {
  const auto problem =
      problem_of(two_way({{15, 15, 30}, {35, 35, 70}, {50, 50, 100}}, {0, kUnboundedAbove}, 0, {0}),
                 {{CellId{0}, 0, 5, 5, 0}});
  const Draft draft = testing::withholding({0, 1, 3, 4});
  EXPECT_EQ(reader_guesses(*problem, draft, AuditReport{}, 0).guessed, 0);
  EXPECT_EQ(reader_guesses(*problem, draft, AuditReport{}, 0).state(), FigureState::kNotComputed);
  // Cell 0 is in [0, 30].
  const Guesses known = reader_guesses(*problem, draft, testing::audit(problem, draft), 0);
  EXPECT_EQ(known.guessed, 1);
  EXPECT_EQ(known.exact, 1);
  EXPECT_EQ(known.near, 1);
  EXPECT_EQ(known.state(), FigureState::kComputed);
}

TEST(Guesses, WithheldWithoutEndsCannotBeGuessed) {
  const Draft draft = testing::withholding({0, 2});
  EXPECT_EQ(guesses(draft).guessed, 0);
  EXPECT_EQ(guesses(draft, 100).near, 0);
  EXPECT_EQ(guesses(draft).state(), FigureState::kNotComputed);
}

// Bounds that everyone knows are no guess of what sums tell.
TEST(Guesses, OfWithheldCellsThePriorsAreNoFigure) {
  const auto problem =
      problem_of(two_way({{10, 20, 30}, {40, 30, 70}, {50, 50, 100}}, {0, 200}, 0, {0}),
                 {{CellId{0}, 0, 5, 5, 0}});
  const Draft draft = testing::withholding({0, 1, 3, 4});
  EXPECT_EQ(reader_guesses(*problem, draft, AuditReport{}, 1).state(), FigureState::kNotComputed);
  EXPECT_EQ(reader_guesses(*problem, draft, testing::audit(problem, draft), 1).state(),
            FigureState::kComputed);
}

TEST(Guesses, WithoutSensitiveCellsNobodyAsks) {
  const auto problem =
      problem_of(two_way({{10, 20, 30}, {40, 30, 70}, {50, 50, 100}}, {0, 200}), {});
  EXPECT_EQ(reader_guesses(*problem, {}, AuditReport{}, 1).state(), FigureState::kNotAsked);
}

TEST(Guesses, PublishedNumbersAndTheLevelsBehindThem) {
  Draft draft;
  draft.publish_rounded(CellId{0}, 10, 5);  // a multiple of its base
  draft.publish_rounded(CellId{2}, 205, 5);
  EXPECT_EQ(guesses(draft).exact, 1);
  // What sums and bounds tell beyond the numbers was not looked at.
  EXPECT_EQ(guesses(draft).state(), FigureState::kBounded);
  EXPECT_EQ(guesses(draft, 2.4).near, 1);
  EXPECT_EQ(guesses(draft, 2.5).near, 2);
  draft.publish_altered(CellId{0}, 14, {8, 20});  // at the upper level, 4
  draft.publish_altered(CellId{2}, 190, {170, 210});
  EXPECT_EQ(guesses(draft).exact, 2);
  draft.publish_altered(CellId{0}, 6, {0, 12});  // at neither level
  EXPECT_EQ(guesses(draft).exact, 1);
}

// 5 is shown as 0, in multiples of 10: by 0 and 10 its middle is the truth.
TEST(Guesses, MiddlesOfRoundedNumbers) {
  const auto problem =
      problem_of(two_way({{18, 40, 58}, {5, 37, 42}, {23, 77, 100}}, {0, kUnboundedAbove}, 0, {3}),
                 {{CellId{3}, 0, 1, 1, 0}});
  Draft draft;
  const std::vector<Units> shown{20, 40, 60, 0, 40, 40, 20, 80, 100};
  for (std::int32_t c = 0; c < 9; ++c)
    draft.publish_rounded(CellId{c}, shown[static_cast<std::size_t>(c)], 10);
  EXPECT_EQ(reader_guesses(*problem, draft, AuditReport{}, 1).state(), FigureState::kBounded);
  const Guesses known = reader_guesses(*problem, draft, testing::audit(problem, draft), 1);
  EXPECT_EQ(known.state(), FigureState::kComputed);
  EXPECT_EQ(known.exact, 1);
}

TEST(Guesses, ASensitiveCellAsItIsNeedsNoGuess) {
  EXPECT_EQ(guesses(Draft{}).exact, 2);
}

}  // namespace
}  // namespace lacuna::report
