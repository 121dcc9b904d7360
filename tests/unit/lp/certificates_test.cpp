// SPDX-License-Identifier: Apache-2.0
// The auxiliary models must deliver certificates that the checker accepts, and none where there is
// nothing to certify.
#include "core/lp/certificates.h"

#include <gtest/gtest.h>

#include "core/lp/answer_check.h"

namespace lacuna::lp {
namespace {

LpModel two_columns(double row_upper) {
  LpModel model;  // min -x - y, x + y >= 6, x <= row_upper, 0 <= y <= 4, x >= 0
  model.add_column(0, kLpInfinity, -1);
  model.add_column(0, 4, -1);
  model.add_row(6, kLpInfinity, std::vector<std::int32_t>{0, 1}, std::vector<double>{1, 1});
  model.add_row(-kLpInfinity, row_upper, std::vector<std::int32_t>{0}, std::vector<double>{1});
  return model;
}

LpSolution solve(const LpModel& model) {
  auto solver = make_lp_solver();
  EXPECT_TRUE(solver);
  EXPECT_TRUE(solver.value()->load(model));
  return solver.value()->minimize({});
}

TEST(Certificates, ElasticDualsProveInfeasibility) {
  const LpModel model = two_columns(1);
  const LpSolution elastic = solve(elastic_model(model));
  ASSERT_EQ(elastic.status, LpStatus::kOptimal);
  EXPECT_NEAR(elastic.objective, 1, 1e-9);
  LpSolution claim;
  claim.status = LpStatus::kInfeasible;
  claim.ray = elastic.dual;
  EXPECT_EQ(AnswerChecker().believe(model, claim).status, LpStatus::kInfeasible);
}

TEST(Certificates, ElasticMinimumOfAFeasibleModelIsZero) {
  const LpSolution elastic = solve(elastic_model(two_columns(3)));
  ASSERT_EQ(elastic.status, LpStatus::kOptimal);
  EXPECT_NEAR(elastic.objective, 0, 1e-9);
}

TEST(Certificates, PointAndDirectionProveUnboundedness) {
  const LpModel model = two_columns(kLpInfinity);
  const LpSolution point = solve(any_point_model(model));
  const LpSolution direction = solve(direction_model(model));
  ASSERT_EQ(point.status, LpStatus::kOptimal);
  ASSERT_EQ(direction.status, LpStatus::kOptimal);
  EXPECT_NEAR(direction.objective, -1, 1e-9);
  LpSolution claim;
  claim.status = LpStatus::kUnbounded;
  claim.primal = point.primal;
  claim.ray = direction.primal;
  EXPECT_EQ(AnswerChecker().believe(model, claim).status, LpStatus::kUnbounded);
}

TEST(Certificates, BoundedModelHasNoDirection) {
  const LpSolution direction = solve(direction_model(two_columns(3)));
  ASSERT_EQ(direction.status, LpStatus::kOptimal);
  EXPECT_EQ(direction.objective, 0);
}

}  // namespace
}  // namespace lacuna::lp
