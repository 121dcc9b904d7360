// SPDX-License-Identifier: Apache-2.0
#include "lacuna/draft.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/base/random.h"

namespace lacuna::draft {
namespace {

Table table_of(const std::vector<CellStatus>& statuses) {
  TableBuilder builder(0);
  for (const CellStatus status : statuses)
    EXPECT_TRUE(builder.add_cell({.value = 17, .status = status}));
  return std::move(std::move(builder).build()).value();
}

std::string refusal(const Table& table, const Draft& draft) {
  const Status status = check_draft(table, draft);
  EXPECT_FALSE(status);
  return status ? "" : status.error().text();
}

TEST(Draft, PublishesEverythingAtFirst) {
  const Table table = table_of({CellStatus::kFree});
  const Draft draft;
  EXPECT_EQ(draft.state(CellId{0}), StatementKind::kExact);
  EXPECT_EQ(draft.find(CellId{0}), nullptr);
  EXPECT_TRUE(draft.entries().empty());
  EXPECT_EQ(draft.implied(table, CellId{0}), (Bounds{17, 17}));
}

TEST(Draft, EveryStateImpliesItsRange) {
  const Table table = table_of({CellStatus::kFree});
  const CellId cell{0};
  Draft draft;
  draft.withhold(cell);
  EXPECT_EQ(draft.implied(table, cell), Bounds{});
  draft.publish_interval(cell, {10, 20});
  EXPECT_EQ(draft.implied(table, cell), (Bounds{10, 20}));
  draft.publish_rounded(cell, 15, 5);
  EXPECT_EQ(draft.implied(table, cell), (Bounds{10, 20}));
  EXPECT_EQ(draft.find(cell)->number(), 15);
  draft.publish_rounded(cell, 15, 5, 2);
  EXPECT_EQ(draft.implied(table, cell), (Bounds{0, 30}));
  draft.publish_altered(cell, 18, {13, 23});
  EXPECT_EQ(draft.implied(table, cell), (Bounds{13, 23}));
  EXPECT_EQ(draft.state(cell), StatementKind::kAltered);
  EXPECT_EQ(draft.entries().size(), 1U);
  draft.publish_exact(cell);
  EXPECT_TRUE(draft.entries().empty());
  draft.set({cell, Exact{}});
  EXPECT_TRUE(draft.entries().empty());
}

TEST(Draft, CountsAndListsByCell) {
  const std::vector<CellId> cells{CellId{5}, CellId{2}, CellId{9}, CellId{2}};
  const Draft draft = Draft::withholding(cells);
  EXPECT_EQ(draft.count(StatementKind::kWithheld), 3);
  EXPECT_EQ(draft.count(StatementKind::kRounded), 0);
  ASSERT_EQ(draft.entries().size(), 3U);
  EXPECT_EQ(draft.entries()[0].cell, CellId{2});
  EXPECT_EQ(draft.entries()[2].cell, CellId{9});
}

// As a map from cells to entries would, for cells in any order and far apart, and for those that no
// table has: a draft keeps what it is told, and check_draft refuses it.
TEST(Draft, KeepsWhatItIsTold) {
  base::Random random(7);
  const auto any_cell = [&] {
    const auto near = static_cast<std::int32_t>(random.between(-3, 400));
    const bool far = random.chance(1, 20);
    return CellId{far ? INT32_MAX - std::max(near, 0) * 1'000'000 : near};
  };
  const auto any_statement = [&]() -> Statement {
    const Units value = random.between(-9, 9);
    const std::vector<Statement> all{Exact{},
                                     Exact{},
                                     Withheld{},
                                     Withheld{},
                                     IntervalEnds{{value, value + 4}, {value, value + 4}},
                                     Rounded{value, 5, 1},
                                     Altered{value, {value, value + 2}}};
    return all[static_cast<std::size_t>(random.between(0, std::ssize(all) - 1))];
  };
  Draft draft;
  std::map<CellId, CellEntry> told;
  for (int i = 0; i < 4000; ++i) {
    const CellEntry entry{any_cell(), any_statement()};
    draft.set(entry);
    if (entry.state() == StatementKind::kExact)
      told.erase(entry.cell);
    else
      told[entry.cell] = entry;
    const CellId asked = any_cell();
    const auto found = draft.find(asked);
    ASSERT_EQ(found == nullptr, !told.contains(asked)) << asked.value;
    ASSERT_EQ(draft.is_exact(asked), !told.contains(asked)) << asked.value;
    if (found) {
      ASSERT_EQ(*found, told.at(asked)) << asked.value;
    }
    if (i % 500 != 0)
      continue;
    ASSERT_EQ(draft.num_entries(), std::ssize(told));
    ASSERT_TRUE(std::ranges::equal(
        draft.each(), told, {}, {}, &std::map<CellId, CellEntry>::value_type::second));
    const Draft copy = draft;
    ASSERT_EQ(copy.entries(), draft.entries());
    ASSERT_EQ(copy.count(StatementKind::kWithheld),
              std::ranges::count(told, StatementKind::kWithheld, [](const auto& each) {
                return each.second.state();
              }));
  }
}

// What is found stays as it is while other cells are stated, and lists are not copied for it.
TEST(Draft, FindsWithoutACopy) {
  Draft draft;
  draft.set({CellId{300}, IntervalEnds{{1, 9}, {1, 4, 9}}});
  draft.withhold(CellId{301});
  const std::span<const Units> among = draft.find(CellId{300})->among();
  EXPECT_EQ(among.data(), draft.find(CellId{300})->among().data());
  EXPECT_EQ(among.data(), draft.each().begin()->among().data());
  EXPECT_EQ(*draft.find(CellId{301}), (CellEntry{CellId{301}, Withheld{}}));
  for (std::int32_t c = 0; c < 256; ++c)
    draft.withhold(CellId{c});
  EXPECT_EQ(among.back(), 9);
}

TEST(Draft, WithholdsPrimariesAndWhatIsWithheldAlready) {
  const Table table = table_of({CellStatus::kFree,
                                CellStatus::kPrimary,
                                CellStatus::kSecondary,
                                CellStatus::kMustPublish,
                                CellStatus::kKnown});
  const Draft draft = Draft::withholding_primaries(table);
  ASSERT_EQ(draft.entries().size(), 2U);
  EXPECT_EQ(draft.state(CellId{1}), StatementKind::kWithheld);
  EXPECT_EQ(draft.state(CellId{2}), StatementKind::kWithheld);
}

TEST(CheckDraft, RefusesCellsThatAreNotThere) {
  const Table table = table_of({CellStatus::kFree});
  EXPECT_EQ(refusal(table, Draft::withholding(std::vector<CellId>{CellId{1}})),
            "the release names cell 1, but the table has 1 cells");
  EXPECT_FALSE(check_draft(table, Draft::withholding(std::vector<CellId>{CellId{-1}})));
}

TEST(CheckDraft, RefusesLies) {
  const Table table = table_of({CellStatus::kFree});
  const std::string said =
      "cell 0: what the release says about the cell does not contain its true value";
  Draft draft;
  draft.publish_interval(CellId{0}, {18, 20});
  EXPECT_EQ(refusal(table, draft), said);
  draft.publish_rounded(CellId{0}, 10, 5);
  EXPECT_EQ(refusal(table, draft), said);
  draft.publish_altered(CellId{0}, 25, {20, 30});
  EXPECT_EQ(refusal(table, draft), said);
  draft.publish_interval(CellId{0}, {0, kUnboundedAbove - 1});
  EXPECT_EQ(refusal(table, draft), "cell 0: a range of the release does not fit 62 bits");
}

TEST(CheckDraft, CellsThatMustBePublishedMayBeRoundedButNotHidden) {
  const Table table = table_of({CellStatus::kMustPublish});
  const std::string said = "cell 0: the release hides a cell that must be published";
  Draft draft;
  draft.withhold(CellId{0});
  EXPECT_EQ(refusal(table, draft), said);
  draft.publish_interval(CellId{0}, {10, 20});
  EXPECT_EQ(refusal(table, draft), said);
  draft.publish_rounded(CellId{0}, 15, 5);
  EXPECT_TRUE(check_draft(table, draft));
  draft.publish_altered(CellId{0}, 16, {10, 20});
  EXPECT_TRUE(check_draft(table, draft));
}

TEST(CheckDraft, RefusesNumbersWithoutTheirRange) {
  const Table table = table_of({CellStatus::kFree, CellStatus::kFree});
  Draft draft;
  draft.publish_altered(CellId{0}, 17, {});
  EXPECT_EQ(refusal(table, draft),
            "cell 0: an altered number needs both ends of the range that contains the true value");
  draft.publish_altered(CellId{0}, 17, {10, kUnboundedAbove});
  EXPECT_FALSE(check_draft(table, draft));
  draft.publish_interval(CellId{0}, {kUnboundedBelow, 20});
  EXPECT_EQ(refusal(table, draft), "cell 0: an interval needs both ends");
  draft.publish_rounded(CellId{0}, 17, 0);
  EXPECT_EQ(refusal(table, draft), "cell 0: a rounded cell needs a base above zero");
  draft.publish_rounded(CellId{0}, 17, 5, 101);
  EXPECT_FALSE(check_draft(table, draft));
  draft.publish_rounded(CellId{0}, 17, kMaxUnits / 50, 99);
  EXPECT_EQ(refusal(table, draft), "cell 0: a range of the release does not fit 62 bits");
  draft.set({CellId{0}, Adjusted{17}});
  EXPECT_EQ(refusal(table, draft),
            "cell 0: a number is published without its range; only a release that is adjusted as a "
            "whole may do so");
}

TEST(CheckDraft, AnAdjustedReleaseIsSoAsAWhole) {
  const Table table = table_of({CellStatus::kFree, CellStatus::kFree});
  Draft draft;
  draft.publish_adjusted(CellId{0}, 21);
  EXPECT_TRUE(draft.adjusted());
  EXPECT_TRUE(check_draft(table, draft));
  draft.withhold(CellId{1});
  EXPECT_EQ(refusal(table, draft),
            "cell 1: an adjusted table must have a number for every cell, and no ranges");
}

TEST(SameRelease, LooksAtWhatReadersSee) {
  const Table table = table_of({CellStatus::kFree, CellStatus::kFree});
  Draft one, other;
  one.publish_adjusted(CellId{0}, 21);
  other.publish_adjusted(CellId{0}, 21);
  other.publish_adjusted(CellId{1}, 17);  // the truth, as in `one`
  EXPECT_TRUE(same_release(table, one, other));
  other.publish_adjusted(CellId{1}, 18);
  EXPECT_FALSE(same_release(table, one, other));
  Draft altered;
  altered.publish_altered(CellId{0}, 21, {10, 30});
  EXPECT_FALSE(same_release(table, one, altered));
  EXPECT_TRUE(same_release(table, altered, altered));
}

TEST(StatementKind, HasNames) {
  EXPECT_EQ(to_string(StatementKind::kExact), "exact");
  EXPECT_EQ(to_string(StatementKind::kWithheld), "withheld");
  EXPECT_EQ(to_string(StatementKind::kInterval), "interval");
  EXPECT_EQ(to_string(StatementKind::kRounded), "rounded");
  EXPECT_EQ(to_string(StatementKind::kAltered), "altered");
  EXPECT_EQ(to_string(StatementKind::kAdjusted), "adjusted");
}

}  // namespace
}  // namespace lacuna::draft
