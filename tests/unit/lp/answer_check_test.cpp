// SPDX-License-Identifier: Apache-2.0
// The checker must be seen to say no: each test starts from a true claim, which is believed, and
// spoils one thing.
#include "core/lp/answer_check.h"

#include <gtest/gtest.h>

#include <limits>

namespace lacuna::lp {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void add_row(LpModel& model, double lower, double upper, std::vector<double> values) {
  std::vector<std::int32_t> columns;
  for (std::size_t j = 0; j < values.size(); ++j) {
    columns.push_back(static_cast<std::int32_t>(j));
  }
  model.add_row(lower, upper, columns, values);
}

LpStatus verdict(const LpModel& model, const LpSolution& claim) {
  return AnswerChecker().believe(model, claim).status;
}

// min x + 2y, x + y >= 4, x - y <= 2, 0 <= x <= 10, y >= 0: optimum (3, 1), duals (1.5, -0.5).
struct OptimalClaim : ::testing::Test {
  OptimalClaim() {
    model.add_column(0, 10, 1);
    model.add_column(0, kLpInfinity, 2);
    add_row(model, 4, kLpInfinity, {1, 1});
    add_row(model, -kLpInfinity, 2, {1, -1});
    claim.status = LpStatus::kOptimal;
    claim.objective = 5;
    claim.primal = {3, 1};
    claim.dual = {1.5, -0.5};
  }
  void expect_refused() const { EXPECT_EQ(verdict(model, claim), LpStatus::kNumericalTrouble); }
  LpModel model;
  LpSolution claim;
};

TEST_F(OptimalClaim, TrueIsBelievedAndCompleted) {
  const LpSolution answer = AnswerChecker().believe(model, claim);
  ASSERT_EQ(answer.status, LpStatus::kOptimal);
  EXPECT_EQ(answer.row_activity, (std::vector<double>{4, 2}));
  EXPECT_EQ(answer.reduced_cost, (std::vector<double>{0, 0}));
  EXPECT_EQ(answer.bound, 5);
}

TEST_F(OptimalClaim, RefusedAnswersCarryNoNumbers) {
  claim.objective = 7;
  const LpSolution answer = AnswerChecker().believe(model, claim);
  EXPECT_EQ(answer.status, LpStatus::kNumericalTrouble);
  EXPECT_TRUE(answer.primal.empty());
  EXPECT_TRUE(answer.dual.empty());
  EXPECT_NE(answer.objective, answer.objective);
}

TEST_F(OptimalClaim, EngineToleranceIsMovedOntoTheBound) {
  model.column_upper[0] = 3;
  claim.primal[0] = 3 + 1e-9;
  const LpSolution answer = AnswerChecker().believe(model, claim);
  ASSERT_EQ(answer.status, LpStatus::kOptimal);
  EXPECT_EQ(answer.primal[0], 3);
}

TEST_F(OptimalClaim, WrongPrimalIsRefused) {
  claim.primal = {3, 0.999};  // breaks the first row
  claim.objective = 4.998;
  expect_refused();
}

TEST_F(OptimalClaim, PrimalOutsideColumnBoundsIsRefused) {
  model.column_upper[0] = 2.9;
  expect_refused();
}

TEST_F(OptimalClaim, FeasibleButNotOptimalIsRefused) {
  claim.primal = {3, 2};
  claim.objective = 7;
  expect_refused();
}

TEST_F(OptimalClaim, WrongObjectiveIsRefused) {
  claim.objective = 5.001;
  expect_refused();
}

TEST_F(OptimalClaim, WrongDualIsRefused) {
  claim.dual = {1.4, -0.5};
  expect_refused();
}

TEST_F(OptimalClaim, DualOfTheWrongSignIsRefused) {
  claim.dual = {-1.5, 0.5};
  expect_refused();
}

TEST_F(OptimalClaim, MissingPartsAreRefused) {
  LpSolution good = claim;
  claim.dual.clear();
  expect_refused();
  claim = good;
  claim.primal.pop_back();
  expect_refused();
}

TEST_F(OptimalClaim, NanAndInfinityAreRefusedAnywhere) {
  const LpSolution good = claim;
  for (const double bad : {kNan, kLpInfinity, -kLpInfinity}) {
    claim.objective = bad;
    expect_refused();
    for (std::size_t k = 0; k < 2; ++k) {
      claim = good;
      claim.primal[k] = bad;
      expect_refused();
      claim = good;
      claim.dual[k] = bad;
      expect_refused();
    }
    claim = good;
  }
}

// A violation of one unit is no smaller for the other terms being large.
TEST(AnswerChecker, LargeTermsExcuseOnlyTheirRounding) {
  LpModel model;
  model.add_column(0, 2e9, 0);
  model.add_column(0, 2e9, 0);
  model.add_column(0, 10, 1);
  add_row(model, 0, 0, {1, -1, 1});
  LpSolution claim;
  claim.status = LpStatus::kOptimal;
  claim.objective = 0;
  claim.primal = {1e9, 1e9, 0};
  claim.dual = {0};
  EXPECT_EQ(verdict(model, claim), LpStatus::kOptimal);
  claim.primal = {1e9, 1e9 + 1, 0};
  EXPECT_EQ(verdict(model, claim), LpStatus::kNumericalTrouble);
}

// A reduced cost of 1e-10 is within any engine's tolerance, but not over a range of 1e12.
TEST(AnswerChecker, SmallReducedCostsOverLongRangesAreRefused) {
  LpModel model;
  model.add_column(0, 1e12, -1e-10);
  model.add_column(0, 1, 0);
  add_row(model, -kLpInfinity, 1e13, {1, 1});
  LpSolution claim;
  claim.status = LpStatus::kOptimal;
  claim.objective = 0;
  claim.primal = {0, 0};
  claim.dual = {0};
  EXPECT_EQ(verdict(model, claim), LpStatus::kNumericalTrouble);
  claim.primal = {1e12, 0};
  claim.objective = -100;
  EXPECT_EQ(verdict(model, claim), LpStatus::kOptimal);
}

// x + y >= 6, x <= 1, y <= 4, x and y at least 0.
struct InfeasibleClaim : ::testing::Test {
  InfeasibleClaim() {
    model.add_column(0, kLpInfinity, 0);
    model.add_column(0, 4, 0);
    add_row(model, 6, kLpInfinity, {1, 1});
    add_row(model, -kLpInfinity, 1, {1, 0});
    claim.status = LpStatus::kInfeasible;
    claim.ray = {2, -2};
  }
  LpModel model;
  LpSolution claim;
};

TEST_F(InfeasibleClaim, ProofIsBelievedUpToSignAndScale) {
  const LpSolution answer = AnswerChecker().believe(model, claim);
  ASSERT_EQ(answer.status, LpStatus::kInfeasible);
  EXPECT_EQ(answer.ray, (std::vector<double>{1, -1}));
  claim.ray = {-300, 300};
  EXPECT_EQ(AnswerChecker().believe(model, claim).ray, answer.ray);
}

TEST_F(InfeasibleClaim, WrongProofsAreRefused) {
  for (const std::vector<double>& ray : std::vector<std::vector<double>>{
           {}, {1}, {0, 0}, {1, 0}, {0, 1}, {1, 1}, {1, -0.9}, {1, kNan}, {kLpInfinity, -1}}) {
    claim.ray = ray;
    EXPECT_EQ(verdict(model, claim), LpStatus::kNumericalTrouble);
  }
}

TEST_F(InfeasibleClaim, FeasibleModelHasNoProof) {
  model.row_lower[0] = 5;
  EXPECT_EQ(verdict(model, claim), LpStatus::kNumericalTrouble);
}

TEST_F(InfeasibleClaim, CrossedBoundsNeedNoMultipliers) {
  model.column_upper[1] = -1;
  claim.ray.clear();
  const LpSolution answer = AnswerChecker().believe(model, claim);
  EXPECT_EQ(answer.status, LpStatus::kInfeasible);
  EXPECT_EQ(answer.ray, (std::vector<double>{0, 0}));
}

// min -x - y, x - y <= 3, x and y at least 0, z in [0, 1].
struct UnboundedClaim : ::testing::Test {
  UnboundedClaim() {
    model.add_column(0, kLpInfinity, -1);
    model.add_column(0, kLpInfinity, -1);
    model.add_column(0, 1, 0);
    add_row(model, -kLpInfinity, 3, {1, -1, 0});
    claim.status = LpStatus::kUnbounded;
    claim.primal = {0, 0, 0};
    claim.ray = {4, 4, 0};
  }
  void expect_refused() const { EXPECT_EQ(verdict(model, claim), LpStatus::kNumericalTrouble); }
  LpModel model;
  LpSolution claim;
};

TEST_F(UnboundedClaim, TrueIsBelievedAndScaled) {
  const LpSolution answer = AnswerChecker().believe(model, claim);
  ASSERT_EQ(answer.status, LpStatus::kUnbounded);
  EXPECT_EQ(answer.ray, (std::vector<double>{1, 1, 0}));
  EXPECT_TRUE(answer.primal.empty());
}

TEST_F(UnboundedClaim, WrongRaysAreRefused) {
  for (const std::vector<double>& ray : std::vector<std::vector<double>>{{},
                                                                         {1, 1},
                                                                         {0, 0, 0},
                                                                         {1, 0.9, 0},
                                                                         {1, 1, 0.1},
                                                                         {-1, 2, 0},
                                                                         {-1, -1, 0},
                                                                         {1, kNan, 0},
                                                                         {kLpInfinity, 1, 0}}) {
    claim.ray = ray;
    expect_refused();
  }
}

TEST_F(UnboundedClaim, NeedsAFeasiblePoint) {
  claim.primal = {4, 0, 0};
  expect_refused();
  claim.primal.clear();
  expect_refused();
}

TEST_F(UnboundedClaim, NeedsADescent) {
  model.cost = {1, -1, 0};
  expect_refused();
}

// max 2x + y over binaries with 2x + 2y <= 3.
struct MipClaim : ::testing::Test {
  MipClaim() {
    model.add_column(0, 1, -2, true);
    model.add_column(0, 1, -1, true);
    add_row(model, -kLpInfinity, 3, {2, 2});
    claim.status = LpStatus::kOptimal;
    claim.objective = -2;
    claim.bound = -2;
    claim.primal = {1, 0};
  }
  void expect_refused() const { EXPECT_EQ(verdict(model, claim), LpStatus::kNumericalTrouble); }
  LpModel model;
  LpSolution claim;
};

TEST_F(MipClaim, TrueIsBelievedAndRounded) {
  claim.primal = {1 - 1e-8, 1e-8};
  const LpSolution answer = AnswerChecker().believe(model, claim);
  ASSERT_EQ(answer.status, LpStatus::kOptimal);
  EXPECT_EQ(answer.primal, (std::vector<double>{1, 0}));
  EXPECT_EQ(answer.objective, -2);
}

TEST_F(MipClaim, FractionsAreRefused) {
  claim.primal = {1, 0.5};
  claim.objective = claim.bound = -2.5;
  expect_refused();
}

TEST_F(MipClaim, BoundMustMeetTheObjective) {
  claim.bound = -2.5;
  expect_refused();
  claim.bound = kNan;
  expect_refused();
  claim.bound = -2.1;
  EXPECT_EQ(AnswerChecker(0.1).believe(model, claim).status, LpStatus::kOptimal);
}

TEST_F(MipClaim, RoundingMustKeepTheRows) {
  model.row_value = {2e9, -2e9};
  model.row_upper = {0};
  claim.primal = {1e-7, 1e-7};
  claim.objective = claim.bound = -3e-7;
  EXPECT_EQ(verdict(model, claim), LpStatus::kOptimal);
  model.row_lower = {100};
  model.row_upper = {300};
  claim.primal = {1e-7, 0};
  expect_refused();
}

TEST_F(MipClaim, LimitKeepsOnlyAFeasibleIncumbent) {
  claim.status = LpStatus::kLimit;
  claim.bound = -2.5;
  LpSolution answer = AnswerChecker().believe(model, claim);
  EXPECT_EQ(answer.status, LpStatus::kLimit);
  EXPECT_EQ(answer.objective, -2);
  EXPECT_EQ(answer.bound, -2.5);
  EXPECT_EQ(answer.primal, claim.primal);
  claim.primal = {1, 1};
  answer = AnswerChecker().believe(model, claim);
  EXPECT_EQ(answer.status, LpStatus::kLimit);
  EXPECT_TRUE(answer.primal.empty());
}

}  // namespace
}  // namespace lacuna::lp
