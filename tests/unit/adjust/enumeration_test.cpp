// SPDX-License-Identifier: Apache-2.0
// The search against all 2^k senses, on more than 500 tables with up to 12 sensitive cells, in both
// norms; and the continuous problems behind the enumeration against methods that share nothing with
// the interior point code: an LP engine for L1, Dykstra's alternating projections for L2.
#include <gtest/gtest.h>

#include <cmath>

#include "app/generate/generate.h"
#include "lacuna/adjust.h"
#include "lacuna/audit.h"
#include "lacuna/lp.h"
#include "protect/adjust/interior_point.h"
#include "protect/adjust/model.h"
#include "protect/adjust/tree.h"
#include "unit/adjust/senses.h"

namespace lacuna::adjustment {
namespace {

using namespace adjustment;  // the internals under test
using testing::ceiling_of;
using testing::enumerate;
using testing::weighed;

double total(const Model& model) {
  double sum = 0;
  for (const Part& part : model.parts)
    sum += enumerate(part, model.norm);
  return sum;
}

// What must hold of a run on a table, whatever it is.
void check(const std::shared_ptr<const Problem>& problem, AdjustNorm norm, std::int64_t& solved) {
  const auto model = build_model(*problem, norm, SenseRule::kFree);
  AdjustOptions options;
  options.norm = norm;
  options.gap = 1e-5;
  options.decimals = AdjustOptions::kAsGapNeeds;
  const auto found = adjust(problem, options, {});
  ASSERT_EQ(model.has_value(), found.has_value());
  if (!model)
    return;  // a cell that cannot move at all
  const double best = total(*model);
  if (std::isinf(best)) {
    EXPECT_EQ(found->why, StopReason::kInfeasible);
    return;
  }
  ++solved;
  EXPECT_LE(found->bound, best * (1 + 1e-6) + 1e-9);
  ASSERT_TRUE(found->complete) << found->reason;
  EXPECT_GE(found->cost, best * (1 - 1e-6) - 1e-9);
  EXPECT_LE(found->cost, best * (1 + 1e-3) + 1e-6);
  EXPECT_GE(found->bound, best * (1 - 1e-4) - 1e-6);
  const auto finer =
      std::make_shared<const Problem>(with_decimals(*problem, found->decimals).value());
  const auto report = Auditor(finer).audit(found->draft, {}, {});
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->verdict, Verdict::kProtected);
}

TEST(Enumeration, SmallTablesOfAllKinds) {
  std::int64_t solved = 0;
  for (std::uint64_t seed = 1; seed <= 260; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = weighed(generation::generate_small(seed).value());
    check(problem, AdjustNorm::kL2, solved);
    check(problem, AdjustNorm::kL1, solved);
  }
  EXPECT_GE(solved, 300);
}

TEST(Enumeration, FlatAndHierarchicalTablesWithUpToTwelveSensitiveCells) {
  std::int64_t solved = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    generation::GenerateOptions options;
    options.seed = seed;
    options.kind =
        seed % 2 == 0 ? generation::GenerateKind::kFlat : generation::GenerateKind::kHierarchical;
    options.sizes = {4, 4};
    options.depths = {2, 1};
    options.fan_most = {3};
    options.sensitive_count = seed % 50 == 0   ? 12
                              : seed % 10 == 0 ? 9
                                               : static_cast<std::int32_t>(2 + seed % 5);
    options.asymmetry = 1 + static_cast<std::int32_t>(seed % 3);
    options.above_percent = seed % 4 == 0 ? 30 : 1000;
    options.below_percent = seed % 4 == 0 ? 30 : 100;
    const auto generated = generation::generate(options);
    ASSERT_TRUE(generated) << generated.error().text();
    const auto problem = weighed(*generated);
    check(problem, AdjustNorm::kL2, solved);
    check(problem, AdjustNorm::kL1, solved);
  }
  EXPECT_GE(solved, 400);
}

// ---- second opinions on the continuous problem with all senses upward

double by_engine(const Part& part) {
  LpModel lp;
  for (const PartCell& cell : part.cells) {
    lp.add_column(std::max(0.0, cell.sensitive ? cell.up : 0), cell.upper, cell.weight);
    lp.add_column(0, cell.sensitive ? 0 : -cell.lower, cell.weight);
  }
  for (std::size_t r = 0; r < part.equations.size(); ++r) {
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    for (const Entry* e = part.equations.begin(r); e != part.equations.end(r); ++e) {
      columns.insert(columns.end(), {2 * e->index, 2 * e->index + 1});
      values.insert(values.end(), {e->value, -e->value});
    }
    lp.add_row(0, 0, columns, values);
  }
  auto engine = make_lp_solver().value();
  EXPECT_TRUE(engine->load(lp));
  const LpSolution solution = engine->minimize({});
  return solution.status == LpStatus::kOptimal ? solution.objective : kInfinity;
}

// Dykstra: project zero onto the equations and onto the box in turn, in the norm of the weights.
double by_projections(const Part& part) {
  const auto n = static_cast<Eigen::Index>(part.cells.size());
  const auto m = static_cast<Eigen::Index>(part.equations.size());
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(m, n);
  for (std::size_t r = 0; r < part.equations.size(); ++r) {
    for (const Entry* e = part.equations.begin(r); e != part.equations.end(r); ++e)
      a(static_cast<Eigen::Index>(r), e->index) = e->value;
  }
  Vector w(n), low(n), high(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const PartCell& cell = part.cells[static_cast<std::size_t>(i)];
    w[i] = cell.weight;
    low[i] = cell.sensitive ? cell.up : cell.lower;
    high[i] = cell.upper;
  }
  const Eigen::MatrixXd scaled = a * w.cwiseInverse().asDiagonal();
  const Eigen::LDLT<Eigen::MatrixXd> gram(scaled * a.transpose());
  Vector z = Vector::Zero(n), correction = Vector::Zero(n);
  for (int round = 0; round < 40'000; ++round) {
    const Vector onto = z - scaled.transpose() * gram.solve(a * z);
    const Vector moved = onto + correction;
    const Vector next = moved.cwiseMax(low).cwiseMin(high);
    correction = moved - next;
    z = next;
  }
  return z.cwiseProduct(w).dot(z);
}

TEST(Enumeration, ContinuousProblemsAgreeWithOtherMethods) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = weighed(generation::generate_small(seed).value());
    for (const AdjustNorm norm : {AdjustNorm::kL1, AdjustNorm::kL2}) {
      const auto model = build_model(*problem, norm, SenseRule::kUp);
      if (!model)
        continue;
      for (const Part& part : model->parts) {
        InteriorPoint method(part, norm, make_kkt_system(part));
        PointOptions options;
        options.precision = 1e-8;
        options.cutoff = ceiling_of(part, norm);
        const Point point = method.solve(part.start, options, {});
        const double second = norm == AdjustNorm::kL1 ? by_engine(part) : 0;
        if (point.status == PointStatus::kCutOff || point.residual > 1e-6) {
          EXPECT_EQ(by_engine(part), kInfinity);
          continue;
        }
        ++compared;
        const double other = norm == AdjustNorm::kL1 ? second : by_projections(part);
        EXPECT_NEAR(true_cost(part, norm, point.v), other, 1e-4 * std::max(1.0, other));
        EXPECT_LE(point.bound, other * (1 + 1e-6) + 1e-9);
      }
    }
  }
  EXPECT_GE(compared, 40);
}

// Both linear algebras see the same problem.
TEST(Enumeration, LeafFormAndEquationFormAgree) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = weighed(generation::generate_small(seed).value());
    const auto model = build_model(*problem, AdjustNorm::kL2, SenseRule::kFree);
    if (!model)
      continue;
    for (const Part& part : model->parts) {
      if (part.conditions.size() > 0)
        continue;
      InteriorPoint leaves(part, AdjustNorm::kL2, make_leaf_system(part));
      InteriorPoint equations(part, AdjustNorm::kL2, make_equation_system(part));
      const Point a = leaves.solve(part.start, {}, {});
      const Point b = equations.solve(part.start, {}, {});
      if (a.status == PointStatus::kSolved && b.status == PointStatus::kSolved) {
        EXPECT_NEAR(a.bound, b.bound, 1e-4 * std::max(1.0, std::abs(b.bound)));
      }
    }
  }
}

}  // namespace
}  // namespace lacuna::adjustment
