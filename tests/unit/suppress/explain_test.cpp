// SPDX-License-Identifier: Apache-2.0
#include "protect/suppress/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/confidential.h"
#include "support/tables.h"

namespace lacuna::suppression {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::problem_of;

using Shared = std::shared_ptr<const Problem>;
using Cells = std::vector<CellId>;

// 5 + 8 + 7 = 20, with the statuses given.
Shared sum(const std::vector<CellStatus>& status,
           const std::vector<Requirement>& needs,
           const std::vector<Bounds>& priors = {},
           std::vector<Attacker> attackers = {}) {
  TableBuilder builder(0);
  const std::vector<Units> values{5, 8, 7, 20};
  for (std::size_t i = 0; i < values.size(); ++i) {
    Cell cell{.value = values[i], .weight = static_cast<double>(values[i]), .status = status[i]};
    if (!priors.empty())
      cell.prior = priors[i];
    EXPECT_TRUE(builder.add_cell(cell));
  }
  const std::vector<Term> terms{{CellId{0}, 1}, {CellId{1}, 1}, {CellId{2}, 1}, {CellId{3}, -1}};
  EXPECT_TRUE(builder.add_equation(terms));
  return problem_of(std::move(builder), needs, std::move(attackers));
}

std::optional<Explanation> explain(const Shared& problem, const SuppressOptions& options = {}) {
  auto explained = explain_infeasibility(problem, options, RunContext{});
  EXPECT_TRUE(explained) << (explained ? "" : explained.error().text());
  return std::move(explained).value();
}

constexpr auto kFree = CellStatus::kFree;
constexpr auto kPrimary = CellStatus::kPrimary;
constexpr auto kPublished = CellStatus::kMustPublish;
constexpr auto kKnown = CellStatus::kKnown;

TEST(Explain, NothingIfTheRequirementsCanBeMet) {
  EXPECT_FALSE(explain(sum({kPrimary, kFree, kFree, kFree}, {{.cell = CellId{0}, .upper = 5}})));
}

TEST(Explain, OnePublishedCellWouldHelp) {
  const Shared problem = sum({kPrimary, kPublished, kPublished, kPublished},
                             {{.cell = CellId{0}, .lower = 2, .upper = 3}});
  const auto explained = explain(problem);
  ASSERT_TRUE(explained);
  ASSERT_EQ(explained->unmet.size(), 1U);
  const UnmetLevel& unmet = explained->unmet.front();
  EXPECT_EQ(unmet.kind, LevelKind::kUpper);
  EXPECT_EQ(unmet.level, 3);
  EXPECT_EQ(unmet.possible, 0);
  EXPECT_EQ(unmet.published, (Cells{CellId{2}, CellId{1}, CellId{3}}));  // lightest first
  EXPECT_EQ(unmet.would_help, Cells{CellId{2}});
  EXPECT_EQ(base::in_full(to_error(*problem, *explained).text()),
            "cell 0: no pattern of withheld cells can give the cell its upper protection level 3 "
            "against 'outsider': cell 2, cell 1 and cell 3 must be published, what may be withheld "
            "leaves no room; it would help to lower the level to 0, or to allow that cell 2 is "
            "withheld");
}

// The 8 may be withheld but is known to be at least 6, so the 5 can be 2 more; the 7 is known.
TEST(Explain, BoundsAndKnownCellsStandInTheWay) {
  const Shared problem = sum({kPrimary, kFree, kKnown, kPublished},
                             {{.cell = CellId{0}, .upper = 4}},
                             {{0, 100}, {6, 100}, {7, 7}, {20, 20}});
  const auto explained = explain(problem);
  ASSERT_TRUE(explained);
  const UnmetLevel& unmet = explained->unmet.front();
  EXPECT_EQ(unmet.possible, 2);
  EXPECT_EQ(unmet.bounded, Cells{CellId{1}});
  EXPECT_EQ(unmet.known, (Cells{CellId{2}, CellId{3}}));
  EXPECT_THAT(unmet.published, IsEmpty());
  EXPECT_THAT(unmet.would_help, IsEmpty());
  EXPECT_EQ(base::in_full(text(*problem, unmet)),
            "no pattern of withheld cells can give the cell its upper protection level 4 against "
            "'outsider': cell 2 and cell 3 are known in advance, the known bounds of cell 1 leave "
            "room for 2; it would help to lower the level to 2");
}

// Each of the three published cells alone can make room for 2, and 6 are wanted.
TEST(Explain, SmallestSetThatWouldHelp) {
  const Shared problem = sum({kPrimary, kPublished, kPublished, kPublished},
                             {{.cell = CellId{0}, .upper = 6}},
                             {{0, 100}, {6, 100}, {5, 100}, {18, 22}});
  const auto explained = explain(problem);
  ASSERT_TRUE(explained);
  EXPECT_EQ(explained->unmet.front().would_help, (Cells{CellId{1}, CellId{2}, CellId{3}}));
}

TEST(Explain, LowerAndSlidingLevels) {
  const std::vector<Bounds> priors{{0, 100}, {8, 9}, {7, 7}, {20, 20}};
  const auto lower =
      explain(sum({kPrimary, kFree, kKnown, kKnown}, {{.cell = CellId{0}, .lower = 2}}, priors));
  ASSERT_TRUE(lower);
  EXPECT_EQ(lower->unmet.front().kind, LevelKind::kLower);
  EXPECT_EQ(lower->unmet.front().possible, 1);
  const Shared wide =
      sum({kPrimary, kFree, kKnown, kKnown}, {{.cell = CellId{0}, .sliding = 2}}, priors);
  const auto sliding = explain(wide);
  ASSERT_TRUE(sliding);
  EXPECT_EQ(sliding->unmet.front().kind, LevelKind::kSliding);
  EXPECT_EQ(sliding->unmet.front().possible, 1);
  EXPECT_THAT(base::in_full(text(*wide, sliding->unmet.front())),
              HasSubstr("its sliding protection level 2"));
}

TEST(Explain, NamesTheAttackerWhoKnowsTooMuch) {
  const Shared problem = sum({kPrimary, kFree, kPublished, kPublished},
                             {{.cell = CellId{0}, .attacker = 1, .upper = 4}},
                             {},
                             {outsider(), {"the baker", {{CellId{1}, {8, 8}}}}});
  const auto explained = explain(problem);
  ASSERT_TRUE(explained);
  ASSERT_EQ(explained->unmet.size(), 1U);
  EXPECT_THAT(text(*problem, explained->unmet.front()), HasSubstr("against 'the baker'"));
  EXPECT_EQ(explained->unmet.front().would_help, Cells{CellId{2}});
}

TEST(Explain, CountsFurtherRequirements) {
  const Shared problem = sum({kPrimary, kPrimary, kPublished, kPublished},
                             {{.cell = CellId{0}, .upper = 30}, {.cell = CellId{1}, .upper = 30}});
  const auto explained = explain(problem);
  ASSERT_TRUE(explained);
  EXPECT_EQ(explained->unmet.size(), 2U);
  EXPECT_EQ(explained->unmet.front().possible, 8);
  EXPECT_THAT(to_error(*problem, *explained).message,
              HasSubstr("(1 further requirement cannot be met either)"));
  const auto second = explain_infeasibility(problem, {}, RunContext{}, {1});
  ASSERT_TRUE(second && *second);
  ASSERT_EQ((*second)->unmet.size(), 1U);
  EXPECT_EQ((*second)->unmet.front().requirement.cell, CellId{1});
}

// Every cell has a unit of slack; the minimum width asks the 20 for three units, which it has not,
// so it must be published; the other two then share what there is.
TEST(Explain, CellsTooNarrowToBeWithheld) {
  const Shared problem = sum({kPrimary, kKnown, kKnown, kFree},
                             {{.cell = CellId{0}, .upper = 1}},
                             {{4, 6}, {8, 8}, {7, 7}, {19, 21}});
  EXPECT_FALSE(explain(problem));
  SuppressOptions options;
  options.minimum_width = 15;
  const auto pattern = largest_pattern(problem, options, RunContext{});
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->state(CellId{3}), StatementKind::kExact);
  const auto explained = explain(problem, options);
  ASSERT_TRUE(explained);
  const UnmetLevel& unmet = explained->unmet.front();
  EXPECT_EQ(unmet.narrow, Cells{CellId{3}});
  EXPECT_THAT(text(*problem, unmet), HasSubstr("cell 3 cannot be withheld with the minimum width"));
}

TEST(Explain, LimitOnTheNumberOfCells) {
  const Shared problem = sum({kPrimary, kFree, kFree, kFree},
                             {{.cell = CellId{0}, .upper = 10}},
                             {{0, 100}, {2, 100}, {3, 100}, {15, 100}});
  SuppressOptions options;
  options.max_withheld = 2;  // the 20 and the 5: slack without end
  EXPECT_FALSE(explain(problem, options));
  options.max_withheld = 1;
  const auto explained = explain(problem, options);
  ASSERT_TRUE(explained && explained->too_few);
  EXPECT_EQ(explained->too_few->least, 2);
  EXPECT_TRUE(explained->too_few->exact);
  EXPECT_EQ(base::in_full(to_error(*problem, *explained).text()),
            "--max-withheld: no safe pattern withholds at most 1 cell: 1 must be withheld in any "
            "case, and the smallest safe pattern has 2");
}

}  // namespace
}  // namespace lacuna::suppression
