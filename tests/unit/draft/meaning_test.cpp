// SPDX-License-Identifier: Apache-2.0
#include "core/draft/meaning.h"

#include <gtest/gtest.h>

#include "core/table/unpublished.h"
#include "support/tables.h"

namespace lacuna::draft {
namespace {

std::vector<CellId> all_cells(const Problem& problem) {
  std::vector<CellId> cells;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c)
    cells.push_back(CellId{c});
  return cells;
}

std::shared_ptr<const Problem> small_problem() {
  return testing::problem_of(testing::two_way({{4, 5, 9}, {1, 0, 1}, {5, 5, 10}}), {});
}

TEST(Meaning, NothingIsSaidOfNumbersAsTheyAre) {
  const auto problem = small_problem();
  EXPECT_TRUE(meanings_of(*problem, Draft{}, all_cells(*problem)).empty());
}

TEST(Meaning, EachKindHasASentenceInTheOrderOfKinds) {
  const auto problem = small_problem();
  Draft draft;
  draft.publish_altered(CellId{4}, 3, {0, 4});
  draft.publish_rounded(CellId{0}, 3, 3);
  draft.publish_interval(CellId{1}, {4, 9});
  draft.withhold(CellId{3});
  const auto told = meanings_of(*problem, draft, all_cells(*problem));
  ASSERT_EQ(told.size(), 4);
  EXPECT_EQ(told[0].kind, StatementKind::kWithheld);
  EXPECT_NE(told[0].text.find("is not necessarily zero"), std::string::npos);
  EXPECT_EQ(told[1].kind, StatementKind::kInterval);
  EXPECT_EQ(told[2].kind, StatementKind::kRounded);
  EXPECT_EQ(
      told[2].text,
      "Numbers are rounded for confidentiality to multiples of 3, up or down; the true number "
      "is at most 3 away.");
  EXPECT_EQ(told[3].kind, StatementKind::kAltered);
}

TEST(Meaning, OnlyOfTheCellsThatAreShown) {
  const auto problem = small_problem();
  Draft draft;
  draft.withhold(CellId{3});
  const std::vector<CellId> others{CellId{0}, CellId{1}};
  EXPECT_TRUE(meanings_of(*problem, draft, others).empty());
}

TEST(Meaning, CellsThatStandInNoTableAreNotMissed) {
  TableBuilder builder = testing::two_way({{4, 5, 9}, {1, 0, 1}, {5, 5, 10}});
  Cell hidden;
  hidden.value = 7;
  hidden.status = CellStatus::kSecondary;
  hidden.frequency = table::kUnpublished;
  ASSERT_TRUE(builder.add_cell(hidden));
  const auto problem = testing::problem_of(std::move(builder), {});
  Draft draft;
  draft.withhold(CellId{9});
  EXPECT_TRUE(meanings_of(*problem, draft, all_cells(*problem)).empty());
}

TEST(Meaning, BasesThatDifferAreNotNamed) {
  const auto problem = small_problem();
  Draft draft;
  draft.publish_rounded(CellId{0}, 3, 3);
  draft.publish_rounded(CellId{1}, 5, 5, 1);
  const auto told = meanings_of(*problem, draft, all_cells(*problem));
  ASSERT_EQ(told.size(), 1);
  EXPECT_NE(told[0].text.find("by different bases"), std::string::npos);
}

TEST(Meaning, AnAdjustedTableIsOneThing) {
  const auto problem = small_problem();
  Draft draft;
  draft.publish_adjusted(CellId{0}, 5);
  const auto told = meanings_of(*problem, draft, all_cells(*problem));
  ASSERT_EQ(told.size(), 1);
  EXPECT_EQ(told[0].kind, StatementKind::kAdjusted);
}

}  // namespace
}  // namespace lacuna::draft
