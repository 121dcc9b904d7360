// SPDX-License-Identifier: Apache-2.0
// CheckedSolver around an engine that lies on purpose: false claims are asked for again, believed
// once they are true, and reported as numerical trouble if they never are.
#include "core/lp/checked_solver.h"

#include <gtest/gtest.h>

#include "core/base/check.h"

namespace lacuna::lp {
namespace {

// Answers with the scripted claims in turn, the last one for ever.
class ScriptedEngine final : public LpEngine {
 public:
  struct Log {
    std::vector<LpSolution> script;
    std::vector<SolveRecipe> asked;
    std::vector<std::int32_t> changed_costs;
  };
  explicit ScriptedEngine(Log* log) : log_(log) {}

  std::string_view name() const override { return "scripted"; }
  std::string version() const override { return "1"; }
  bool supports_integers() const override { return false; }
  std::unique_ptr<LpEngine> make_another() const override {
    return std::make_unique<ScriptedEngine>(log_);
  }
  Status load(const LpModel&) override { return ok_status(); }
  void change_column_bounds(const LpModel&, std::span<const std::int32_t>) override {}
  void change_row_bounds(const LpModel&, std::span<const std::int32_t>) override {}
  void change_costs(const LpModel&, std::span<const std::int32_t> columns) override {
    log_->changed_costs.assign(columns.begin(), columns.end());
  }
  void add_rows(const LpModel&) override {}
  void delete_rows(std::span<const std::int32_t>) override {}
  void set_basis(const LpBasis&) override {}
  LpBasis basis() const override { return {}; }
  LpSolution solve(const SolveRecipe& recipe, const RunContext&) override {
    const std::size_t turn = std::min(log_->asked.size(), log_->script.size() - 1);
    log_->asked.push_back(recipe);
    return log_->script[turn];
  }

 private:
  Log* log_;
};

// min x + y with x + y >= 2 and both in [0, 5].
struct CheckedSolverTest : ::testing::Test {
  CheckedSolverTest() : solver(std::make_unique<ScriptedEngine>(&log), LpOptions{}) {
    LpModel model;
    model.add_column(0, 5, 1);
    model.add_column(0, 5, 1);
    model.add_row(2, kLpInfinity, std::vector<std::int32_t>{0, 1}, std::vector<double>{1, 1});
    EXPECT_TRUE(solver.load(model));
    truth.status = LpStatus::kOptimal;
    truth.objective = 2;
    truth.primal = {2, 0};
    truth.dual = {1};
    truth.iterations = 1;
    lie = truth;
    lie.primal = {1, 0};
    lie.objective = 1;
  }
  ScriptedEngine::Log log;
  CheckedSolver solver;
  LpSolution truth, lie;
};

TEST_F(CheckedSolverTest, BelievesATrueClaimAtOnce) {
  log.script = {truth};
  EXPECT_EQ(solver.minimize({}).status, LpStatus::kOptimal);
  EXPECT_EQ(log.asked.size(), 1U);
}

TEST_F(CheckedSolverTest, AsksAgainFromScratchAfterALie) {
  log.script = {lie, lie, truth};
  const LpSolution answer = solver.minimize({});
  EXPECT_EQ(answer.status, LpStatus::kOptimal);
  EXPECT_EQ(answer.iterations, 3);
  ASSERT_EQ(log.asked.size(), 3U);
  EXPECT_FALSE(log.asked[0].from_scratch);
  EXPECT_TRUE(log.asked[1].from_scratch);
  EXPECT_NE(log.asked[1].simplex, log.asked[2].simplex);
}

TEST_F(CheckedSolverTest, ReportsTroubleIfTheEngineNeverTellsTheTruth) {
  log.script = {lie};
  const LpSolution answer = solver.minimize({});
  EXPECT_EQ(answer.status, LpStatus::kNumericalTrouble);
  EXPECT_TRUE(answer.primal.empty());
  EXPECT_GT(log.asked.size(), 3U);
  EXPECT_TRUE(solver.basis().empty());
}

TEST_F(CheckedSolverTest, FalseProofsAreNotBelieved) {
  LpSolution infeasible;
  infeasible.status = LpStatus::kInfeasible;
  infeasible.ray = {1};
  log.script = {infeasible};
  EXPECT_EQ(solver.minimize({}).status, LpStatus::kNumericalTrouble);
}

TEST_F(CheckedSolverTest, PicksPrimalSimplexAfterCostsAndDualAfterBounds) {
  log.script = {truth};
  (void)solver.minimize({});
  EXPECT_EQ(log.asked.back().simplex, SimplexKind::kDual);
  solver.set_cost(1, 3);
  solver.set_cost(1, 4);
  (void)solver.minimize({});
  EXPECT_EQ(log.asked.back().simplex, SimplexKind::kPrimal);
  EXPECT_EQ(log.changed_costs, std::vector<std::int32_t>{1});
  solver.set_column_bounds(1, 0, 4);
  (void)solver.minimize({});
  EXPECT_EQ(log.asked.back().simplex, SimplexKind::kDual);
}

TEST_F(CheckedSolverTest, ChecksAgainstTheChangedModel) {
  log.script = {truth};
  EXPECT_EQ(solver.minimize({}).status, LpStatus::kOptimal);
  solver.set_row_bounds(0, 3, kLpInfinity);
  EXPECT_EQ(solver.minimize({}).status, LpStatus::kNumericalTrouble);
}

TEST_F(CheckedSolverTest, MisuseIsABug) {
  EXPECT_THROW(solver.set_cost(2, 0), base::InternalError);
  EXPECT_THROW(solver.set_cost(0, std::numeric_limits<double>::quiet_NaN()), base::InternalError);
  EXPECT_THROW(solver.set_column_bounds(0, std::numeric_limits<double>::quiet_NaN(), 1),
               base::InternalError);
  EXPECT_THROW(solver.set_row_bounds(1, 0, 1), base::InternalError);
  EXPECT_THROW(solver.delete_rows(std::vector<std::int32_t>{1}), base::InternalError);
  LpModel rows;
  rows.add_row(0, 1, std::vector<std::int32_t>{7}, std::vector<double>{1});
  EXPECT_THROW(solver.add_rows(rows), base::InternalError);
  EXPECT_THROW(solver.set_basis({.columns = {BasisStatus::kBasic}, .rows = {}}),
               base::InternalError);
}

}  // namespace
}  // namespace lacuna::lp
