// SPDX-License-Identifier: Apache-2.0
// Adjustment from problem to published table: exact rounding, decimals, threads, what cannot be.
#include "lacuna/adjust.h"

#include <gtest/gtest.h>

#include "app/generate/generate.h"
#include "bench/models/cta_formulations.h"
#include "core/base/confidential.h"
#include "lacuna/audit.h"
#include "lacuna/lp.h"
#include "protect/adjust/model.h"
#include "protect/adjust/sensitive_form.h"
#include "support/tables.h"

namespace lacuna::adjustment {
namespace {

std::shared_ptr<const Problem> one_hierarchy(std::uint64_t seed, int percent) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kOneHierarchy;
  options.rows = 5;
  options.columns = 6;
  options.tree_depth = 2;
  options.sensitive_percent = percent;
  options.seed = seed;
  Problem problem = generation::generate(options).value();
  std::vector<double> weights;
  for (const Cell& cell : problem.table().cells())
    weights.push_back(cell.value == 0 ? 1 : 1 / static_cast<double>(cell.value));
  problem.set_weights(weights);
  return std::make_shared<const Problem>(std::move(problem));
}

// The worked example: one sensitive cell in a 2 x 2 table; raising it by 4 costs 4 cells 4 each.
std::shared_ptr<const Problem> tiny(Bounds prior) {
  return testing::problem_of(
      testing::two_way({{10, 20, 30}, {30, 40, 70}, {40, 60, 100}}, prior, 0, {0}),
      {{.cell = CellId{0}, .attacker = 0, .lower = 4, .upper = 4}});
}

TEST(Adjust, WorkedExample) {
  AdjustOptions options;
  options.norm = AdjustNorm::kL1;
  const auto found = adjust(tiny({0, 200}), options, {});
  ASSERT_TRUE(found && found->complete);
  // The cell and the totals of its row, its column and the table move by 4.
  EXPECT_NEAR(found->cost, 16, 1e-9);
  EXPECT_GE(found->bound, 16 * (1 - 1e-4));
}

TEST(Adjust, SensesUpward) {
  AdjustOptions options;
  options.senses = SenseRule::kUp;
  const auto problem = tiny({0, 200});
  const auto found = adjust(problem, options, {});
  ASSERT_TRUE(found && found->complete);
  const Problem finer = with_decimals(*problem, found->decimals).value();
  EXPECT_GE(found->draft.find(CellId{0})->number(), finer.table().value(CellId{0}));
}

TEST(Adjust, TheOnlyWayLeftIsTaken) {
  const auto problem = testing::problem_of(
      testing::two_way({{10, 20, 30}, {30, 40, 70}, {40, 60, 100}}, {0, 200}, 0, {0}),
      {{.cell = CellId{0}, .attacker = 0, .lower = 10, .upper = 190}});
  const auto found = adjust(problem, {}, {});
  ASSERT_TRUE(found && found->complete);
  EXPECT_EQ(found->draft.find(CellId{0})->number(), 0);
}

TEST(Adjust, ACellThatCannotMoveIsAnError) {
  TableBuilder builder = testing::two_way({{10, 20, 30}, {30, 40, 70}, {40, 60, 100}});
  const Cell fixed{.value = 5, .prior = {5, 5}, .status = CellStatus::kMustPublish};
  const Cell sensitive{.value = 5, .prior = {0, 20}, .status = CellStatus::kPrimary};
  const CellId a = builder.add_cell(fixed).value();
  const CellId b = builder.add_cell(sensitive).value();
  ASSERT_TRUE(builder.add_equation(std::vector<Term>{{a, 1}, {b, -1}}));
  const auto problem =
      testing::problem_of(std::move(builder), {{.cell = b, .attacker = 0, .lower = 1, .upper = 1}});
  const auto found = adjust(problem, {}, {});
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("no other value"), std::string::npos);
}

TEST(Adjust, FixedDecimalsAreKept) {
  for (const int decimals : {2, 4}) {
    AdjustOptions options;
    options.decimals = decimals;
    const auto problem = one_hierarchy(3, 10);
    const auto found = adjust(problem, options, {});
    ASSERT_TRUE(found && found->complete) << (found ? found->reason : "");
    EXPECT_EQ(found->decimals, decimals);
    const auto finer = std::make_shared<const Problem>(with_decimals(*problem, decimals).value());
    const auto report = Auditor(finer).audit(found->draft, {}, {});
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->verdict, Verdict::kProtected);
  }
}

// Three sums of pairs that must rise by exactly 1: each part by one half, or not at all.
std::shared_ptr<const Problem> odd_cycle() {
  TableBuilder builder(0);
  std::vector<CellId> part, sum;
  for (const Units value : {10, 20, 30})
    part.push_back(builder.add_cell({.value = value, .prior = {0, 100}}).value());
  for (const Units value : {30, 50, 40}) {
    sum.push_back(
        builder
            .add_cell({.value = value, .prior = {value, value + 1}, .status = CellStatus::kPrimary})
            .value());
  }
  std::vector<Requirement> needs;
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_TRUE(builder.add_equation(
        std::vector<Term>{{part[k], 1}, {part[(k + 1) % 3], 1}, {sum[k], -1}}));
    needs.push_back({.cell = sum[k], .attacker = 0, .lower = 0, .upper = 1});
  }
  return testing::problem_of(std::move(builder), std::move(needs));
}

TEST(Adjust, CountsStayWhole) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const AdjustNorm norm : {AdjustNorm::kL1, AdjustNorm::kL2}) {
      AdjustOptions options;
      options.norm = norm;
      options.max_nodes = 40;
      const auto problem = one_hierarchy(seed, 15);
      const auto found = adjust(problem, options, {});
      ASSERT_TRUE(found && found->complete) << (found ? found->reason : found.error().text());
      EXPECT_EQ(found->decimals, 0);
      const auto report = Auditor(problem).audit(found->draft, {}, {});
      ASSERT_TRUE(report) << report.error().text();
      EXPECT_EQ(report->verdict, Verdict::kProtected);
      EXPECT_LE(found->bound, found->cost);
      options.decimals = AdjustOptions::kAsGapNeeds;
      const auto finer = adjust(problem, options, {});
      ASSERT_TRUE(finer && finer->complete);
      EXPECT_LE(finer->bound, found->cost * (1 + 1e-9));  // whole numbers are some of all numbers
    }
  }
}

TEST(Adjust, WhereNoWholeTableIsTheDecimalsThatDoAreNamed) {
  const auto problem = odd_cycle();
  AdjustOptions options;
  const auto whole = adjust(problem, options, {});
  ASSERT_TRUE(whole);
  EXPECT_FALSE(whole->complete);
  EXPECT_NE(base::in_full(whole->reason).find("; --decimals 1 would work"), std::string::npos)
      << whole->reason;
  options.decimals = 1;
  const auto finer = adjust(problem, options, {});
  ASSERT_TRUE(finer && finer->complete);
  EXPECT_EQ(finer->draft.find(CellId{0})->number(), 105);
}

TEST(Adjust, SameTableForAnyNumberOfThreads) {
  for (const AdjustNorm norm : {AdjustNorm::kL1, AdjustNorm::kL2}) {
    AdjustOptions options;
    options.norm = norm;
    options.max_nodes = 40;
    RunContext one, four;
    four.threads = 4;
    const auto problem = one_hierarchy(7, 15);
    const auto a = adjust(problem, options, one);
    const auto b = adjust(problem, options, four);
    ASSERT_TRUE(a && b && a->complete);
    EXPECT_EQ(a->draft.entries(), b->draft.entries());
    EXPECT_EQ(a->bound, b->bound);
  }
}

TEST(Adjust, BoundBelowCostAndL1NoWorseThanL2InItsOwnNorm) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto problem = one_hierarchy(seed, 10);
    AdjustOptions options;
    options.max_nodes = 100;
    const auto l2 = adjust(problem, options, {});
    ASSERT_TRUE(l2 && l2->complete);
    EXPECT_LE(l2->bound, l2->cost);
    EXPECT_GT(l2->bound, 0.9 * l2->cost);
    const Problem finer = with_decimals(*problem, l2->decimals).value();
    const AdjustUtility utility = adjustment_utility(finer, l2->draft);
    EXPECT_NEAR(utility.chi_square, l2->cost, 1e-6 * l2->cost);  // weights 1 / a
    const AdjustRisk risk = adjustment_risk(finer, l2->draft);
    EXPECT_EQ(risk.cells, static_cast<std::int64_t>(problem->requirements().size()));
  }
}

// The paper's formulations are other ways to the same optimum.
TEST(Adjust, FormulationsAgree) {
  bool integers = false;
  for (const std::string& engine : lp_engines())
    integers = integers || make_lp_solver(engine).value()->supports_integers();
  if (!integers)
    GTEST_SKIP() << "no engine takes integers";
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const auto problem = one_hierarchy(seed, 5);
    const auto ours = adjust(problem, {}, {});
    ASSERT_TRUE(ours && ours->complete);
    for (const models::CtaFormulation which :
         {models::CtaFormulation::kMiqpPlus, models::CtaFormulation::kPerspectiveCuts}) {
      RunContext run;
      run.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
      const auto other = models::adjust_by_formulation(*problem, which, 1e-3, run);
      ASSERT_TRUE(other);
      EXPECT_LE(other->bound, ours->cost * (1 + 1e-6));
      EXPECT_GE(other->cost, ours->bound * (1 - 1e-6));
    }
  }
}

// D never exceeds Q: the form that is left is positive semidefinite.
TEST(SensitiveForm, LeavesAPositiveForm) {
  const auto problem = one_hierarchy(5, 15);
  const auto model = adjustment::build_model(*problem, AdjustNorm::kL2, SenseRule::kFree);
  ASSERT_TRUE(model);
  for (const adjustment::Part& part : model->parts) {
    const auto system = adjustment::make_kkt_system(part);
    const auto q = adjustment::sensitive_matrix(part, *system, {});
    ASSERT_NE(q, nullptr);
    const adjustment::SensitiveForm form = adjustment::sensitive_form(part, *q, part.start, {}, {});
    const Eigen::SelfAdjointEigenSolver<adjustment::Matrix> eigen(*form.form);
    EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-9 * q->diagonal().maxCoeff());
    for (const adjustment::PartCell& cell : form.part.cells)
      EXPECT_GT(cell.weight, 0);
  }
}

}  // namespace
}  // namespace lacuna::adjustment
