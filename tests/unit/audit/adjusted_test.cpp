// SPDX-License-Identifier: Apache-2.0
// The audit of adjusted tables says no where it must: not additive, out of bounds, inside the
// protection interval, published as it is, a cell without a number.
#include <gtest/gtest.h>

#include "lacuna/audit.h"
#include "support/tables.h"

namespace lacuna::audit {
namespace {

// 10 20 | 30      the first cell is sensitive with lower level 3 and upper level 4
// 30 40 | 70
// 40 60 | 100
std::shared_ptr<const Problem> small() {
  return testing::problem_of(
      testing::two_way({{10, 20, 30}, {30, 40, 70}, {40, 60, 100}}, {0, 200}, 0, {0}),
      {{.cell = CellId{0}, .attacker = 0, .lower = 3, .upper = 4}});
}

Draft table_of(const std::vector<Units>& values) {
  Draft draft;
  for (std::size_t c = 0; c < values.size(); ++c)
    draft.publish_adjusted(CellId{static_cast<std::int32_t>(c)}, values[c]);
  draft.set_adjusted(true);
  return draft;
}

TEST(Adjusted, MovedByItsLevelIsProtected) {
  const Auditor auditor(small());
  for (const Draft& draft : {table_of({14, 16, 30, 26, 44, 70, 40, 60, 100}),
                             table_of({7, 23, 30, 33, 37, 70, 40, 60, 100})}) {
    const auto report = auditor.audit(draft, {}, {});
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->verdict, Verdict::kProtected);
    EXPECT_TRUE(auditor.release(draft, {}, {}));
  }
}

TEST(Adjusted, InsideTheIntervalIsExposed) {
  const Auditor auditor(small());
  for (const Draft& draft : {table_of({13, 17, 30, 27, 43, 70, 40, 60, 100}),
                             table_of({8, 22, 30, 32, 38, 70, 40, 60, 100}),
                             table_of({10, 20, 30, 30, 40, 70, 40, 60, 100})}) {
    const auto report = auditor.audit(draft, {}, {});
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->verdict, Verdict::kExposed);
    EXPECT_FALSE(auditor.release(draft, {}, {}));
  }
}

TEST(Adjusted, NotAdditiveIsRefused) {
  const auto report =
      Auditor(small()).audit(table_of({14, 16, 30, 26, 44, 70, 40, 60, 101}), {}, {});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kNotAdditive);
}

TEST(Adjusted, OutOfBoundsIsRefused) {
  const auto report =
      Auditor(small()).audit(table_of({-10, 40, 30, 50, 20, 70, 40, 60, 100}), {}, {});
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("bounds"), std::string::npos);
}

TEST(Adjusted, EveryCellNeedsANumber) {
  Draft draft = table_of({14, 16, 30, 26, 44, 70, 40, 60, 100});
  draft.withhold(CellId{4});
  EXPECT_FALSE(Auditor(small()).audit(draft, {}, {}));
}

TEST(Adjusted, ASlidingLevelAsksForHalfOnEitherSide) {
  const auto problem = testing::problem_of(
      testing::two_way({{10, 20, 30}, {30, 40, 70}, {40, 60, 100}}, {0, 200}, 0, {0}),
      {{.cell = CellId{0}, .attacker = 0, .sliding = 9}});
  const auto near = Auditor(problem).audit(table_of({14, 16, 30, 26, 44, 70, 40, 60, 100}), {}, {});
  const auto far = Auditor(problem).audit(table_of({15, 15, 30, 25, 45, 70, 40, 60, 100}), {}, {});
  EXPECT_EQ(near->verdict, Verdict::kExposed);
  EXPECT_EQ(far->verdict, Verdict::kProtected);
}

}  // namespace
}  // namespace lacuna::audit
