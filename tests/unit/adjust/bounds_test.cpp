// SPDX-License-Identifier: Apache-2.0
// Tree, bounds of equations, search for senses and exact rounding, each on its own, against the
// enumeration of all senses of small tables.
#include <gtest/gtest.h>

#include <cmath>

#include "app/generate/generate.h"
#include "protect/adjust/block_bound.h"
#include "protect/adjust/rounding.h"
#include "protect/adjust/sense_search.h"
#include "protect/adjust/tree.h"
#include "support/tables.h"
#include "unit/adjust/senses.h"

namespace lacuna::adjustment {
namespace {

using namespace adjustment;  // the internals under test
using testing::ceiling_of;
using testing::enumerate;
using testing::weighed;

constexpr std::size_t kMostSensitive = 6;

std::shared_ptr<const Problem> small_table(std::uint64_t seed) {
  if (seed % 2 == 0)
    return weighed(generation::generate_small(seed).value());
  generation::GenerateOptions options;
  options.seed = seed;
  options.kind = generation::GenerateKind::kFlat;
  options.sizes = {4, 4};
  options.sensitive_count = static_cast<std::int32_t>(2 + seed % 4);
  options.above_percent = seed % 3 == 0 ? 30 : 1000;
  options.below_percent = seed % 3 == 0 ? 30 : 100;
  return weighed(generation::generate(options).value());
}

// Calls visit(problem, model, part) for small parts with open senses, in both norms.
template <class Visit>
void for_parts(std::uint64_t seeds, const Visit& visit) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto problem = small_table(seed);
    for (const AdjustNorm norm : {AdjustNorm::kL1, AdjustNorm::kL2}) {
      const auto model = build_model(*problem, norm, SenseRule::kFree);
      if (!model)
        continue;
      for (const Part& part : model->parts) {
        if (part.sensitive.size() <= kMostSensitive)
          visit(*problem, *model, part);
      }
    }
  }
}

TEST(AdjustTree, BoundAndCostCloseInOnTheOptimum) {
  int solved = 0;
  int impossible = 0;
  for_parts(24, [&](const Problem&, const Model& model, const Part& part) {
    const double best = enumerate(part, model.norm);
    TreeOptions options;
    options.gap = 1e-5;
    Tree tree(part, model.norm, options);
    double last = 0;
    for (int slice = 0; slice < 200; ++slice) {
      tree.run(1, RunContext{});
      EXPECT_LE(tree.bound(), best * (1 + 1e-6) + 1e-9);
      EXPECT_GE(tree.bound(), last * (1 - 1e-9));
      last = tree.bound();
      if (tree.has_incumbent()) {
        EXPECT_GE(tree.cost(), best * (1 - 1e-6) - 1e-9);
        EXPECT_NEAR(true_cost(part, model.norm, tree.incumbent()),
                    tree.cost(),
                    1e-6 * std::max(1.0, tree.cost()));
      }
      if (tree.done() || tree.gap_closed())
        break;
    }
    if (std::isinf(best)) {
      ++impossible;
      EXPECT_TRUE(tree.proven_infeasible());
      return;
    }
    ++solved;
    ASSERT_TRUE(tree.has_incumbent());
    EXPECT_LE(tree.cost(), best * (1 + 1e-4) + 1e-6);
    EXPECT_GE(tree.bound(), best * (1 - 1e-4) - 1e-6);
  });
  EXPECT_GT(solved, 20);
}

TEST(BlockBound, AddsAndStaysBelowTheOptimum) {
  int compared = 0;
  int raised = 0;
  for_parts(40, [&](const Problem&, const Model& model, const Part& part) {
    const double best = enumerate(part, model.norm);
    if (std::isinf(best))
      return;
    InteriorPoint method(part, model.norm, make_kkt_system(part));
    PointOptions options;
    options.cutoff = ceiling_of(part, model.norm);
    const Point plain = method.solve(part.start, options, RunContext{});
    if (!std::isfinite(plain.bound) || plain.bound >= options.cutoff)
      return;
    BlockBound blocks(part, model.norm);
    blocks.choose(part, part.start, plain.g, RunContext{});
    const double extra = blocks.extra(part, part.start, plain.g, 1000, 0, RunContext{});
    ++compared;
    EXPECT_GE(extra, 0);
    EXPECT_LE(plain.bound + extra, best * (1 + 1e-6) + 1e-9);
    raised += extra > 1e-6 * best ? 1 : 0;
  });
  EXPECT_GT(compared, 20);
  EXPECT_GT(raised, 3);
}

// Three cells of equal level under a total that stays: fractions of senses balance, whole ones do
// not. Up, down and down again leaves one level, which somebody has to take up.
TEST(BlockBound, ThreeEqualLevelsDoNotBalance) {
  TableBuilder builder(0);
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(builder.add_cell(
        {.value = 100, .prior = {0, 300}, .weight = 1, .status = CellStatus::kPrimary}));
  ASSERT_TRUE(builder.add_cell({.value = 300, .prior = {300, 300}, .weight = 1}));
  ASSERT_TRUE(builder.add_equation(
      std::vector<Term>{{CellId{0}, 1}, {CellId{1}, 1}, {CellId{2}, 1}, {CellId{3}, -1}}));
  std::vector<Requirement> needs;
  for (const std::int32_t cell : {0, 1, 2})
    needs.push_back({.cell = CellId{cell}, .lower = 10, .upper = 10});
  const auto problem = testing::problem_of(std::move(builder), needs);
  const auto model = build_model(*problem, AdjustNorm::kL2, SenseRule::kFree);
  ASSERT_TRUE(model);
  ASSERT_EQ(model->parts.size(), 1U);
  const Part& part = model->parts.front();
  InteriorPoint method(part, AdjustNorm::kL2, make_kkt_system(part));
  const Point plain = method.solve(part.start, PointOptions{}, RunContext{});
  EXPECT_NEAR(plain.bound, 300, 0.01);  // three times 10 squared
  BlockBound blocks(part, AdjustNorm::kL2);
  blocks.choose(part, part.start, plain.g, RunContext{});
  const double extra = blocks.extra(part, part.start, plain.g, 1000, 0, RunContext{});
  EXPECT_NEAR(plain.bound + extra, 600, 0.1);  // 20, -10, -10
  EXPECT_NEAR(enumerate(part, AdjustNorm::kL2), 600, 0.1);
}

double cost_with(const Part& part, AdjustNorm norm, const Senses& senses) {
  InteriorPoint method(part, norm, make_kkt_system(part));
  PointOptions options;
  options.precision = 1e-8;
  options.cutoff = ceiling_of(part, norm);
  const Point point = method.solve(senses, options, RunContext{});
  return point.status != PointStatus::kCutOff && point.residual < 1e-6
             ? true_cost(part, norm, point.v)
             : kInfinity;
}

TEST(SenseSearch, DecidesAllAndTurnsOnlyWhatIsOpen) {
  int searched = 0;
  int best_found = 0;
  for_parts(30, [&](const Problem&, const Model& model, const Part& part) {
    const auto search = SenseSearch::make(part, model.norm, part.start);
    if (!search)
      return;
    const auto count = static_cast<Eigen::Index>(part.sensitive.size());
    const Senses rounded = nearer_sides(part, Vector::Zero(count), part.start);
    base::Random random(1);
    const Senses found = search->improve(rounded, 200, random, RunContext{});
    ASSERT_EQ(found.size(), part.start.size());
    for (std::size_t s = 0; s < found.size(); ++s) {
      EXPECT_NE(rounded[s], Sense::kUndecided);
      EXPECT_NE(found[s], Sense::kUndecided);
      if (part.start[s] != Sense::kUndecided) {
        EXPECT_EQ(found[s], part.start[s]);
      }
    }
    const double best = enumerate(part, model.norm);
    if (std::isinf(best))
      return;
    ++searched;
    const double cost = cost_with(part, model.norm, found);
    EXPECT_GE(cost, best * (1 - 1e-6) - 1e-9);
    best_found += cost <= best * 1.05 + 1e-6 ? 1 : 0;
  });
  EXPECT_GT(searched, 20);
  EXPECT_GT(2 * best_found, searched);  // a start worth its name
}

void expect_adds_up(const Table& table, const std::vector<Units>& moves) {
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    Wide sum = 0;
    for (const Term& term : table.equation(EquationId{e}))
      sum += Wide{term.coefficient} * moves[static_cast<std::size_t>(term.cell.value)];
    EXPECT_TRUE(sum == 0) << "equation " << e;
  }
}

TEST(ExactRounding, AddsUpExactlyWithinBoundsAndBeyondLevels) {
  int rounded = 0;
  int refused = 0;
  for_parts(30, [&](const Problem& problem, const Model& model, const Part& part) {
    if (model.parts.size() != 1)
      return;
    TreeOptions options;
    options.gap = 0.01;
    Tree tree(part, model.norm, options);
    tree.run(100, RunContext{});
    const ExactRounding rounding(problem.table(), model, RunContext{});
    if (!tree.has_incumbent() || !rounding.possible())
      return;
    std::vector<double> z(model.free.size(), 0);
    std::vector<Sense> senses(model.free.size(), Sense::kUndecided);
    for (std::size_t c = 0; c < part.cells.size(); ++c)
      z[static_cast<std::size_t>(part.cells[c].cell.value)] =
          tree.incumbent()[static_cast<Eigen::Index>(c)];
    for (std::size_t s = 0; s < part.sensitive.size(); ++s) {
      const PartCell& cell = part.cells[static_cast<std::size_t>(part.sensitive[s])];
      senses[static_cast<std::size_t>(cell.cell.value)] = tree.incumbent_senses()[s];
    }
    for (const int digits : {0, 2, 4}) {
      const auto moves = rounding.round(z, senses, digits);
      if (!moves) {
        ++refused;
        continue;
      }
      ++rounded;
      expect_adds_up(problem.table(), *moves);
      const auto factor = static_cast<Units>(std::llround(std::pow(10.0, digits)));
      for (std::size_t c = 0; c < moves->size(); ++c) {
        const Cell& cell = problem.table().cells()[c];
        const Units value = cell.value * factor + (*moves)[c];
        EXPECT_TRUE(!cell.prior.has_lower() || value >= cell.prior.lower * factor);
        EXPECT_TRUE(!cell.prior.has_upper() || value <= cell.prior.upper * factor);
        EXPECT_TRUE(model.free[c] || (*moves)[c] == 0);
        if (senses[c] == Sense::kUp) {
          EXPECT_GE((*moves)[c], model.levels[c].up * factor);
        }
        if (senses[c] == Sense::kDown) {
          EXPECT_LE((*moves)[c], -model.levels[c].down * factor);
        }
      }
    }
  });
  EXPECT_GT(rounded, 20);
  EXPECT_LT(refused, rounded);
}

// a + b = c with c nearly fixed: what a gains b has to lose.
TEST(ExactRounding, NothingWhereABoundOrALevelFails) {
  TableBuilder builder(0);
  ASSERT_TRUE(builder.add_cell(
      {.value = 50, .prior = {0, 100}, .weight = 1, .status = CellStatus::kPrimary}));
  ASSERT_TRUE(builder.add_cell({.value = 50, .prior = {0, 100}, .weight = 1}));
  ASSERT_TRUE(builder.add_cell({.value = 100, .prior = {95, 105}, .weight = 1}));
  ASSERT_TRUE(
      builder.add_equation(std::vector<Term>{{CellId{0}, 1}, {CellId{1}, 1}, {CellId{2}, -1}}));
  const auto problem =
      testing::problem_of(std::move(builder), {{.cell = CellId{0}, .lower = 10, .upper = 10}});
  const auto model = build_model(*problem, AdjustNorm::kL2, SenseRule::kFree);
  ASSERT_TRUE(model);
  const ExactRounding rounding(problem->table(), *model, RunContext{});
  ASSERT_TRUE(rounding.possible());
  const std::vector<Sense> up{Sense::kUp, Sense::kUndecided, Sense::kUndecided};
  const std::vector<Sense> down{Sense::kDown, Sense::kUndecided, Sense::kUndecided};
  EXPECT_EQ(rounding.round({10.4, -9.6, 0.8}, up, 0), (std::vector<Units>{10, -10, 0}));
  EXPECT_EQ(rounding.round({10.4, -9.6, 0.8}, up, 1), (std::vector<Units>{104, -96, 8}));
  EXPECT_EQ(rounding.round({10.4, 9.6, 20}, up, 0), std::nullopt);       // the total would pass 105
  EXPECT_EQ(rounding.round({10.4, -30, -19.6}, down, 0), std::nullopt);  // it would fall below 95
}

}  // namespace
}  // namespace lacuna::adjustment
