// SPDX-License-Identifier: Apache-2.0
// The four measures on the tables of Example 3.6 of the thesis (Figure 3.8).
#include <gtest/gtest.h>

#include "lacuna/report.h"
#include "support/tables.h"

namespace lacuna::report {
namespace {

using testing::problem_of;
using testing::two_way;

InformationLoss loss_of(const std::vector<std::vector<Units>>& rows, bool ranges) {
  const auto problem = problem_of(two_way(rows, {0, kUnboundedAbove}, 0, {0}), {});
  const Draft draft = testing::withholding({0, 1, 3, 4});
  AuditOptions options;
  options.all_withheld = ranges;
  return information_loss(*problem, draft, testing::audit(problem, draft, options));
}

TEST(InformationLoss, Example36HasWidths8And104) {
  const InformationLoss a = loss_of({{100, 1, 101}, {1, 1, 2}, {101, 2, 103}}, true);
  EXPECT_EQ(a.cells, 4);
  EXPECT_TRUE(a.value == 103);
  EXPECT_TRUE(a.exact_width);
  EXPECT_EQ(a.width, 8);
  EXPECT_FALSE(a.has_contributions);
  // Values that give the printed intervals [51, 77], [0, 26], [0, 26], [0, 26]; their widths add up
  // to 104, not to the 128 that the thesis prints.
  const InformationLoss b = loss_of({{64, 13, 77}, {13, 13, 26}, {77, 26, 103}}, true);
  EXPECT_EQ(b.cells, 4);
  EXPECT_TRUE(b.value == 103);
  EXPECT_EQ(b.width, 26 * 4);
}

TEST(InformationLoss, WithoutRangesWidthsAreNotProven) {
  const InformationLoss loss = loss_of({{100, 1, 101}, {1, 1, 2}, {101, 2, 103}}, false);
  EXPECT_FALSE(loss.exact_width);
  EXPECT_FALSE(loss.has_width);  // the priors have no upper end
  EXPECT_FALSE(loss.endless);    // but what can be inferred has: nobody has computed it
  EXPECT_EQ(loss.width_state(), FigureState::kNotComputed);
  EXPECT_NE(information_loss_json(loss, 0).find("\"width\":null"), std::string::npos);
  EXPECT_NE(information_loss_json(loss, 0).find("\"width_state\":\"not computed\""),
            std::string::npos);
}

TEST(InformationLoss, AnEndThatIsProvenToBeMissingIsComputed) {
  const auto problem = problem_of(
      two_way({{10, 20, 30}, {10, 20, 30}}, {kUnboundedBelow, kUnboundedAbove}, 0, {0}), {});
  const Draft draft = testing::withholding({0, 1, 2, 3, 4, 5});
  AuditOptions all;
  all.all_withheld = true;
  const InformationLoss loss =
      information_loss(*problem, draft, testing::audit(problem, draft, all));
  EXPECT_TRUE(loss.endless);
  EXPECT_NE(information_loss_json(loss, 0).find("\"width_state\":\"unbounded\""),
            std::string::npos);
}

TEST(InformationLoss, PublishedIntervalsBoundTheWidth) {
  const auto problem = problem_of(
      two_way({{100, 1, 101}, {1, 1, 2}, {101, 2, 103}}, {0, kUnboundedAbove}, 0, {0}), {});
  Draft draft;
  for (const std::int32_t cell : {0, 1, 3, 4}) {
    const Units value = problem->table().value(CellId{cell});
    draft.publish_interval(CellId{cell}, {value - 1, value + 1});
  }
  AuditOptions verdicts;
  verdicts.intervals = false;
  const InformationLoss loss =
      information_loss(*problem, draft, testing::audit(problem, draft, verdicts));
  EXPECT_TRUE(loss.has_width);
  EXPECT_FALSE(loss.exact_width);
  EXPECT_EQ(loss.width, 8);
  EXPECT_EQ(information_loss_json(loss, 1),
            "{\"cells\":4,\"value\":10.3,\"width\":0.8,\"width_exact\":false,"
            "\"width_state\":\"bounded\",\"contributions\":null}");
}

}  // namespace
}  // namespace lacuna::report
