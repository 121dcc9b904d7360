// SPDX-License-Identifier: Apache-2.0
#include "core/draft/off_center.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/draft/significant_digits.h"

namespace lacuna::draft {
namespace {

constexpr CellId kCell{0};

// Cells without equations: what is published of each is what a reader knows.
Problem cells(int count, const Cell& cell) {
  TableBuilder builder(0);
  for (int c = 0; c < count; ++c)
    EXPECT_TRUE(builder.add_cell(cell));
  return std::move(make_problem(std::move(std::move(builder).build()).value(), {}, {})).value();
}

Problem lone(Units value, Bounds prior) {
  return cells(1, {.value = value, .prior = prior, .status = CellStatus::kPrimary});
}

Bounds moved(const Problem& problem, Bounds ends, const OffCenterOptions& options) {
  Draft draft;
  draft.publish_interval(kCell, ends);
  return move_off_center(problem, draft, {}, options).find(kCell)->bounds();
}

Bounds moved(const Problem& problem, Bounds ends, std::uint64_t seed) {
  return moved(problem, ends, OffCenterOptions{.seed = seed});
}

TEST(OffCenter, NeitherMiddleNorEndTellsTheTruthHoweverNarrow) {
  constexpr Units kTruth = 50;
  const Problem problem = lone(kTruth, {0, kUnboundedAbove});
  for (const Bounds ends : {Bounds{50, 50},
                            {50, 51},
                            {49, 50},
                            {49, 51},
                            {48, 52},
                            {50, 54},
                            {46, 50},
                            {10, 90},
                            {40, 90},
                            {50, 90}}) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const Bounds now = moved(problem, ends, seed);
      SCOPED_TRACE(::testing::Message() << ends.lower << ' ' << ends.upper << " seed " << seed);
      EXPECT_LE(now.lower, ends.lower);
      EXPECT_GE(now.upper, ends.upper);
      EXPECT_FALSE(is_centered(kTruth, now, {0, kUnboundedAbove}));
      EXPECT_NE(now.lower + now.upper, 2 * kTruth);
      EXPECT_NE(now.lower, kTruth);
      EXPECT_NE(now.upper, kTruth);
      const Units width = ends.upper - ends.lower;
      EXPECT_LE(now.upper - now.lower - width, std::max<Units>(4, width / 4));
    }
  }
}

// Of counts no number within the ends is ruled out: the truth is an end or the middle now and then.
TEST(OffCenter, TheFirstDrawDoesNotLookAtTheTruth) {
  constexpr Units kTruth = 50;
  const Problem problem = lone(kTruth, {0, kUnboundedAbove});
  int lower = 0, upper = 0, middle = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const OffCenterOptions options{.seed = seed, .first_draw = true};
    lower += moved(problem, {kTruth, kTruth + 2}, options).lower == kTruth ? 1 : 0;
    upper += moved(problem, {kTruth - 2, kTruth}, options).upper == kTruth ? 1 : 0;
    const Bounds now = moved(problem, {kTruth - 1, kTruth + 3}, options);
    middle += now.lower + now.upper == 2 * kTruth ? 1 : 0;
  }
  EXPECT_GT(lower, 20);
  EXPECT_GT(upper, 20);
  EXPECT_GT(middle, 20);
}

TEST(OffCenter, WhoKnowsTheRoomsHasNoShortList) {
  // The reader knows that the method found [a - 1, a + 1], and the width that was published.
  const Problem problem = lone(50, {});
  std::map<Units, std::set<Units>> places;  // by width: where the truth stood from the lower end
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Bounds now = moved(problem, {49, 51}, seed);
    places[now.upper - now.lower].insert(50 - now.lower);
  }
  for (const auto& [width, found] : places)
    EXPECT_GE(found.size(), 4U) << width;
}

TEST(OffCenter, TheMiddleKeepsItsDistanceAndGoesBothWays) {
  const Problem problem = lone(10000, {});
  std::int32_t below = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Bounds now = moved(problem, {9000, 11000}, seed);
    const Units added = now.upper - now.lower - 2000;
    EXPECT_GE(added, 250);
    EXPECT_LE(added, 500);
    const Units twice = now.lower + now.upper - 20000;
    EXPECT_GE(3 * std::abs(twice), added);
    below += twice < 0 ? 1 : 0;
  }
  EXPECT_GT(below, 60);
  EXPECT_LT(below, 140);
}

TEST(OffCenter, WhatEveryoneKnowsIsNotPassed) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    // The low side cannot move: the other does, and 0 is no news.
    const Bounds now = moved(lone(3, {0, kUnboundedAbove}), {0, 6}, seed);
    EXPECT_EQ(now.lower, 0);
    EXPECT_GT(now.upper, 6);
    EXPECT_FALSE(is_centered(3, now, {0, kUnboundedAbove}));
    const Bounds capped = moved(lone(3, {0, 7}), {1, 5}, seed);
    EXPECT_GE(capped.lower, 0);
    EXPECT_LE(capped.upper, 7);
    EXPECT_NE(capped.lower + capped.upper, 6);
    // A truth of 0 at the end that everyone knows.
    const Bounds zero = moved(lone(0, {0, kUnboundedAbove}), {0, 8}, seed);
    EXPECT_EQ(zero.lower, 0);
    EXPECT_GT(zero.upper, 8);
  }
}

TEST(OffCenter, WithoutRoomItSaysSo) {
  for (const Bounds prior : {Bounds{2, 4}, {3, 3}}) {
    const Problem problem = lone(3, prior);
    Draft draft;
    draft.publish_interval(kCell, prior);
    const Draft now = move_off_center(problem, draft, {}, {});
    EXPECT_EQ(now.find(kCell)->bounds(), prior);
    EXPECT_EQ(added_width(problem.table(), draft, now).stuck, 1);
  }
}

TEST(OffCenter, EndsThatAreNotThere) {
  const Problem problem = lone(50, {});
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Bounds above = moved(problem, {40, kUnboundedAbove}, seed);
    EXPECT_EQ(above.upper, kUnboundedAbove);
    EXPECT_GE(above.lower, 35);
    EXPECT_LE(above.lower, 37);
    EXPECT_LT(moved(problem, {50, kUnboundedAbove}, seed).lower, 50);
    EXPECT_GT(moved(problem, {kUnboundedBelow, 50}, seed).upper, 50);
    EXPECT_EQ(moved(problem, {}, seed), Bounds{});
    // Cut by what everyone knows there are two ends, and the low one is no news.
    const Bounds cut = moved(lone(50, {0, kUnboundedAbove}), {kUnboundedBelow, 100}, seed);
    EXPECT_EQ(cut.lower, kUnboundedBelow);
    EXPECT_GT(cut.upper, 100);
  }
  const Bounds huge = moved(lone(0, {}), {-kMaxUnits, kMaxUnits}, 1);
  EXPECT_EQ(huge, (Bounds{-kMaxUnits, kMaxUnits}));
}

TEST(OffCenter, DigitsComeAfterAndDoNotBringTheMiddleBack) {
  const Problem problem = lone(150, {0, kUnboundedAbove});
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Bounds now = moved(problem, {140, 160}, {.digits = 1, .seed = seed});
    EXPECT_EQ(now.lower, round_outward(now.lower, -1, 1));
    EXPECT_EQ(now.upper, round_outward(now.upper, 1, 1));
    EXPECT_NE(now.lower + now.upper, 300);
  }
}

TEST(OffCenter, SeedAndCellAloneDecide) {
  const Problem problem = cells(3, {.value = 1000, .prior = {}, .status = CellStatus::kPrimary});
  Draft all, last;
  for (int c = 0; c < 3; ++c)
    all.publish_interval(CellId{c}, {800, 1200});
  last.publish_interval(CellId{2}, {800, 1200});
  const Draft once = move_off_center(problem, all, {}, {.seed = 7});
  EXPECT_EQ(once.entries(), move_off_center(problem, all, {}, {.seed = 7}).entries());
  EXPECT_NE(once.entries(), move_off_center(problem, all, {}, {.seed = 8}).entries());
  EXPECT_EQ(once.find(CellId{2})->bounds(),
            move_off_center(problem, last, {}, {.seed = 7}).find(CellId{2})->bounds());
  EXPECT_NE(once.find(CellId{0})->bounds(), once.find(CellId{1})->bounds());
  EXPECT_EQ(move_off_center(problem, all, {}, {.share = 0}).entries(), all.entries());
}

TEST(OffCenter, SidesFollowAWitness) {
  const Problem problem = cells(4, {.value = 1000, .prior = {}, .status = CellStatus::kPrimary});
  Draft draft;
  for (int c = 0; c < 4; ++c)
    draft.publish_interval(CellId{c}, {800, 1200});
  const Displacement circuit{
      {CellId{0}, CellId{1}, CellId{2}, CellId{3}}, {200, -200, -200, 200}, 1};
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Draft now = move_off_center(problem, draft, {&circuit, 1}, {.seed = seed});
    const auto leans_up = [&](int c) {
      const Bounds ends = now.find(CellId{c})->bounds();
      return ends.lower + ends.upper > 2000;
    };
    EXPECT_EQ(leans_up(0), leans_up(3));
    EXPECT_NE(leans_up(0), leans_up(1));
    EXPECT_EQ(leans_up(1), leans_up(2));
  }
}

TEST(OffCenter, WideningAlongAWitnessMakesRoomForIt) {
  const Problem problem = lone(50, {0, kUnboundedAbove});
  Draft draft;
  draft.publish_interval(kCell, {40, 60});
  Draft now = draft;
  const Displacement up{{kCell}, {10}, 1};
  EXPECT_TRUE(widen_along(problem, draft, up, Fraction(13, 10), {}, now));
  EXPECT_EQ(now.find(kCell)->bounds(), (Bounds{40, 63}));
  EXPECT_FALSE(widen_along(problem, draft, up, Fraction(13, 10), {}, now));  // there is slack
  // Twice what may be added, 10 units, and no more.
  EXPECT_FALSE(widen_along(problem, draft, up, Fraction(21, 10), {}, now));
  EXPECT_EQ(now.find(kCell)->bounds(), (Bounds{40, 63}));
  // It never stops where the middle is the truth.
  const Displacement down{{kCell}, {-30}, 3};
  EXPECT_TRUE(widen_along(problem, draft, down, Fraction(13, 10), {}, now));
  EXPECT_EQ(now.find(kCell)->bounds(), (Bounds{36, 63}));
}

TEST(OffCenter, WideningIsForAllCellsOfAWitnessOrForNone) {
  const Problem problem = cells(2, {.value = 5, .prior = {0, 20}, .status = CellStatus::kPrimary});
  Draft draft;
  for (int c = 0; c < 2; ++c)
    draft.publish_interval(CellId{c}, {0, 10});
  Draft now = draft;
  const Displacement circuit{{CellId{0}, CellId{1}}, {5, -5}, 1};  // below 0 there is nothing
  EXPECT_FALSE(widen_along(problem, draft, circuit, Fraction(6, 5), {}, now));
  EXPECT_EQ(now.entries(), draft.entries());
  const Displacement together{{CellId{0}, CellId{1}}, {5, 5}, 1};
  EXPECT_TRUE(widen_along(problem, draft, together, Fraction(6, 5), {}, now));
  EXPECT_EQ(now.find(CellId{1})->bounds(), (Bounds{0, 11}));
}

TEST(OffCenter, WidthsAreCountedWithinWhatEveryoneKnows) {
  const Problem problem = lone(50, {0, kUnboundedAbove});
  Draft draft, now;
  draft.publish_interval(kCell, {-10, 60});
  now.publish_interval(kCell, {-20, 75});
  const AddedWidth added = added_width(problem.table(), draft, now);
  EXPECT_EQ(added.before, 60);
  EXPECT_EQ(added.after, 75);
  EXPECT_DOUBLE_EQ(added.loss(), 0.25);
  ASSERT_EQ(added.added.size(), 1U);
  EXPECT_EQ(added.added[0].below, 0);
  EXPECT_EQ(added.added[0].above, 15);
}

TEST(OffCenter, OptionsOutOfRange) {
  EXPECT_TRUE((OffCenterOptions{.share = 10}).validate());
  EXPECT_FALSE((OffCenterOptions{.share = 10.1}).validate());
  EXPECT_FALSE((OffCenterOptions{.share = -0.1}).validate());
  EXPECT_FALSE((OffCenterOptions{.digits = 19}).validate());
}

TEST(SignificantDigits, Outward) {
  EXPECT_EQ(round_outward(1234, 1, 2), 1300);
  EXPECT_EQ(round_outward(1234, -1, 2), 1200);
  EXPECT_EQ(round_outward(-1234, -1, 2), -1300);
  EXPECT_EQ(round_outward(-1234, 1, 2), -1200);
  EXPECT_EQ(round_outward(1200, 1, 2), 1200);
  EXPECT_EQ(round_outward(7, 1, 3), 7);
  EXPECT_EQ(round_outward(kMaxUnits, 1, 1), kMaxUnits);
  EXPECT_EQ(round_outward(-kMaxUnits, -1, 1), -kMaxUnits);
}

}  // namespace
}  // namespace lacuna::draft
