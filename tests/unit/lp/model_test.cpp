// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "core/base/check.h"
#include "lacuna/lp.h"

namespace lacuna::lp {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

LpModel small_model() {
  LpModel model;
  model.add_column(0, 1, 2);
  model.add_column(-kLpInfinity, kLpInfinity, -1);
  model.add_row(0, 5, std::vector<std::int32_t>{0, 1}, std::vector<double>{1, -2});
  model.add_row(-kLpInfinity, 3, std::vector<std::int32_t>{1}, std::vector<double>{4});
  return model;
}

TEST(LpModel, GrowsByColumnsAndRows) {
  const LpModel model = small_model();
  EXPECT_EQ(model.num_columns(), 2);
  EXPECT_EQ(model.num_rows(), 2);
  EXPECT_EQ(model.row_start, (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_TRUE(model.integer.empty());
  EXPECT_TRUE(model.validate());
  EXPECT_TRUE(LpModel{}.validate());
}

TEST(LpModel, MarksIntegersFromTheFirstOneOn) {
  LpModel model = small_model();
  EXPECT_EQ(model.add_column(0, 1, 0, true), 2);
  EXPECT_EQ(model.add_column(0, 1), 3);
  EXPECT_EQ(model.integer, (std::vector<bool>{false, false, true, false}));
  EXPECT_TRUE(model.validate());
}

TEST(LpModel, RowsNeedOneValuePerColumn) {
  LpModel model = small_model();
  EXPECT_THROW(model.add_row(0, 1, std::vector<std::int32_t>{0}, std::vector<double>{1, 2}),
               base::InternalError);
}

template <class Break>
void expect_rejected(Break&& break_it, std::string_view where) {
  LpModel model = small_model();
  break_it(model);
  const Status status = model.validate();
  ASSERT_FALSE(status) << where;
  EXPECT_EQ(status.error().code, ErrorCode::kOptionValue);
  EXPECT_EQ(status.error().where, where);
}

TEST(LpModel, ValidateNamesWhatIsWrong) {
  expect_rejected([](LpModel& m) { m.column_lower[1] = kNan; }, "column 1");
  expect_rejected([](LpModel& m) { m.column_upper[0] = -1; }, "column 0");
  expect_rejected([](LpModel& m) { m.column_lower[0] = m.column_upper[0] = kLpInfinity; },
                  "column 0");
  expect_rejected([](LpModel& m) { m.cost[1] = kLpInfinity; }, "column 1");
  expect_rejected([](LpModel& m) { m.cost.pop_back(); }, "columns");
  expect_rejected([](LpModel& m) { m.integer = {true}; }, "columns");
  expect_rejected([](LpModel& m) { m.row_upper.pop_back(); }, "rows");
  expect_rejected([](LpModel& m) { m.row_value.pop_back(); }, "rows");
  expect_rejected([](LpModel& m) { m.row_start[1] = 4; }, "row 1");
  expect_rejected([](LpModel& m) { m.row_upper[0] = -1; }, "row 0");
  expect_rejected([](LpModel& m) { m.row_lower[1] = kNan; }, "row 1");
  expect_rejected([](LpModel& m) { m.row_column[2] = 2; }, "row 1");
  expect_rejected([](LpModel& m) { m.row_column[0] = -1; }, "row 0");
  expect_rejected([](LpModel& m) { m.row_column[1] = 0; }, "row 0");
  expect_rejected([](LpModel& m) { m.row_value[2] = kNan; }, "row 1");
}

TEST(LpStatusNames, AreDistinct) {
  std::set<std::string_view> names;
  for (const LpStatus status : {LpStatus::kOptimal,
                                LpStatus::kInfeasible,
                                LpStatus::kUnbounded,
                                LpStatus::kLimit,
                                LpStatus::kNumericalTrouble}) {
    names.insert(to_string(status));
  }
  EXPECT_EQ(names.size(), 5U);
}

}  // namespace
}  // namespace lacuna::lp
