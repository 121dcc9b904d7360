// SPDX-License-Identifier: Apache-2.0
#include "app/report/cell_view.h"

#include <gtest/gtest.h>

#include "app/report/page_data.h"
#include "lacuna/report.h"
#include "support/tables.h"

namespace lacuna::report {
namespace {

// 10 = 7 + 3, all at least 0; the last is sensitive.
Problem small() {
  TableBuilder builder(0, {});
  for (const Units value : {10, 7, 3}) {
    Cell cell{.value = value};
    cell.prior.lower = 0;
    cell.status = value == 3 ? CellStatus::kPrimary : CellStatus::kFree;
    EXPECT_TRUE(builder.add_cell(cell));
  }
  EXPECT_TRUE(
      builder.add_equation(std::vector<Term>{{CellId{0}, -1}, {CellId{1}, 1}, {CellId{2}, 1}}));
  return make_problem(*std::move(builder).build(), {outsider()}, {}).value();
}

std::string shown(const Problem& problem, const Draft& draft, std::int32_t cell) {
  return published_text(problem.table(), published_view(problem.table(), draft, CellId{cell}));
}

TEST(CellView, TellsWhatReadersSee) {
  const Problem problem = small();
  Draft draft;
  draft.publish_interval(CellId{1}, {-2, 9});  // everyone knows that it is not negative
  draft.publish_rounded(CellId{2}, 5, 5);
  EXPECT_EQ(shown(problem, draft, 0), "10");
  EXPECT_EQ(shown(problem, draft, 1), "[0, 9]");
  EXPECT_EQ(shown(problem, draft, 2), "5 [0, 10]");
  draft.withhold(CellId{2});
  EXPECT_EQ(shown(problem, draft, 2), "");
  Draft adjusted;
  adjusted.publish_adjusted(CellId{2}, 4);
  EXPECT_EQ(shown(problem, adjusted, 2), "4");
}

// The page and whoever else tells of a cell say the same of it.
TEST(CellView, ThePageTellsTheSame) {
  const Problem problem = small();
  Draft draft;
  draft.publish_interval(CellId{1}, {-2, 9});
  draft.publish_altered(CellId{2}, 4, {-1, 6});
  const std::string page = public_data(problem.table(), draft, {}, Listed::kAll);
  EXPECT_NE(page.find("10|" + shown(problem, draft, 1) + "|" + shown(problem, draft, 2)),
            std::string::npos)
      << page;
}

TEST(CellView, EndsAreAsExactAsTheyAreKnown) {
  const Problem problem = small();
  End end;
  end.unbounded = true;
  EXPECT_EQ(inferred_end(problem.table(), CellId{2}, Direction::kHigh, end).text("inf"), "inf");
  end.unbounded = false;
  end.reached = Fraction(5, 3);
  const InferredEnd third = inferred_end(problem.table(), CellId{2}, Direction::kHigh, end);
  EXPECT_EQ(third.fraction, "14/3");
  EXPECT_EQ(third.decimal.substr(0, 6), "4.6666");
  end.reached = 2;
  const InferredEnd whole = inferred_end(problem.table(), CellId{2}, Direction::kLow, end);
  EXPECT_EQ(whole.decimal, "1");
  EXPECT_EQ(whole.fraction, "");
}

TEST(CellView, TellsLevelsByAttacker) {
  const Problem problem = small();
  const std::vector<std::string> reasons{"", "", "too few"};
  const CellView view = cell_view(problem, reasons, CellId{2});
  ASSERT_EQ(view.levels.size(), 1U);
  EXPECT_EQ(view.levels[0].attacker, "outsider");
  EXPECT_EQ(view.levels[0].sliding, 1);
  EXPECT_EQ(view.reason, "too few");
  EXPECT_TRUE(cell_view(problem, reasons, CellId{1}).levels.empty());
}

}  // namespace
}  // namespace lacuna::report
