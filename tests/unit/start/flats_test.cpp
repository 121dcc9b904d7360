// SPDX-License-Identifier: Apache-2.0
// Flats of the kernel: the columns of the ground are displacements, small programs agree with the
// exact oracle of the audit, and patterns are safe and the same for any number of
// threads.
#include "protect/start/flats.h"

#include <gtest/gtest.h>

#include <memory>

#include "app/generate/generate.h"
#include "core/base/work.h"
#include "lacuna/audit.h"
#include "protect/start/flat_contraction.h"
#include "protect/start/flat_ground.h"
#include "protect/start/flat_slacks.h"
#include "support/tables.h"

namespace lacuna::start {
namespace {

using testing::audit;
using SharedProblem = std::shared_ptr<const Problem>;

SharedProblem deep_table(std::uint64_t seed) {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kHierarchical;
  options.depths = {2, 2, 1};
  options.seed = seed;
  auto made = generation::generate(options);
  EXPECT_TRUE(made);
  return std::make_shared<const Problem>(std::move(made).value());
}

std::vector<CellId> all_cells(const Problem& problem) {
  std::vector<CellId> cells;
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c)
    cells.push_back(CellId{c});
  return cells;
}

Draft draft_of(const Problem& problem, const FlatPattern& pattern) {
  Draft draft = Draft::withholding_primaries(problem.table());
  for (const Requirement& goal : problem.requirements())
    draft.withhold(goal.cell);
  for (const CellId cell : pattern.cells)
    draft.withhold(cell);
  return draft;
}

TEST(Residue, ManyAtOnceAreThoseOneByOne) {
  base::Random random(7);
  std::vector<Residue> a;
  std::vector<Residue> b;
  for (int i = 0; i < 37; ++i) {
    a.push_back(i == 5 ? 0 : residues::draw(random));
    b.push_back(i % 3 == 0 ? presolve::residue::kPrime - 1 : residues::draw(random));
  }
  std::vector<Residue> changed = a;
  for (const Residue factor : {0U, 1U, 12345U, presolve::residue::kPrime - 1}) {
    const std::vector<Residue> before = changed;
    residues::subtract_multiple(changed, factor, b);
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_EQ(presolve::residue::add(changed[i], presolve::residue::multiply(factor, b[i])),
                before[i]);
  }
  std::vector<Residue> inverses;
  residues::invert_all(b, inverses);
  for (std::size_t i = 0; i < b.size(); ++i)
    EXPECT_EQ(presolve::residue::multiply(b[i], inverses[i]), 1U);
  EXPECT_EQ(residues::number(presolve::residue::negate(3)), -3);
  EXPECT_EQ(residues::number(presolve::residue::multiply(3, presolve::residue::inverse(4))), 0.75);
}

// Classes are together all cells that can move, and every column balances every equation.
TEST(FlatGround, ColumnsAreDisplacements) {
  const SharedProblem problem = deep_table(2);
  const PatternState pattern_state(*problem, {});
  const auto ground = FlatGround::make(
      pattern_state, list_goals(pattern_state), all_cells(*problem), 1'000'000, RunContext{});
  ASSERT_TRUE(ground);
  const Table& table = problem->table();
  for (std::size_t j = 0; j < ground->columns().columns(); ++j) {
    std::vector<Residue> moves(static_cast<std::size_t>(table.num_cells()), 0);
    for (std::size_t c = 0; c < ground->classes().size(); ++c) {
      for (const auto& member : ground->classes()[c].members)
        moves[static_cast<std::size_t>(member.cell.value)] =
            presolve::residue::multiply(member.residue, ground->columns().column(j)[c]);
    }
    for (std::int32_t e = 0; e < table.num_equations(); ++e) {
      Residue sum = 0;
      for (const Term& term : table.equation(EquationId{e}))
        sum = presolve::residue::add(
            sum,
            presolve::residue::multiply(presolve::residue::of(term.coefficient),
                                        moves[static_cast<std::size_t>(term.cell.value)]));
      EXPECT_EQ(sum, 0U);
    }
  }
}

// x + y <= 4, x <= 3, y <= 2, x, y >= -1: how far x - y and x + y go.
TEST(SmallProgram, ReachesWhatBoundsAllow) {
  SmallProgram program(4, {0, 1}, {1, 0, 0, 1, 1, 1, 1, -1});
  program.set_bounds(0, 1, 3);
  program.set_bounds(1, 1, 2);
  program.set_bounds(2, 10, 4);
  program.set_bounds(3, 10, 10);
  EXPECT_TRUE(program.reach(2, 1, 4));
  EXPECT_FALSE(program.reach(2, 1, 4.5));
  EXPECT_TRUE(program.reach(2, -1, 2));
  EXPECT_FALSE(program.reach(2, -1, 2.01));
  EXPECT_TRUE(program.reach(0, 1, 3));
  EXPECT_FALSE(program.reach(3, -1, 3.5));
  const auto farthest = program.reach(3, 1, 4);
  ASSERT_TRUE(farthest);
  EXPECT_NEAR((*farthest)[0], 3, 1e-9);
  EXPECT_NEAR((*farthest)[1], -1, 1e-9);
}

TEST(SearchFlats, PatternsAreSafe) {
  int served = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const SharedProblem problem = deep_table(seed);
    const auto patterns =
        search_flats(*problem, {}, all_cells(*problem), with_work(RunContext{}, 50'000));
    for (const FlatPattern& pattern : patterns) {
      if (!pattern.served)
        continue;
      ++served;
      EXPECT_EQ(audit(problem, draft_of(*problem, pattern)).verdict, Verdict::kProtected) << seed;
    }
  }
  EXPECT_GT(served, 0);
}

TEST(SearchFlats, TheSameForAnyNumberOfThreads) {
  const SharedProblem problem = deep_table(4);
  std::vector<std::vector<FlatPattern>> found;
  for (const int threads : {1, 3}) {
    RunContext run = with_work(RunContext{}, 100'000);
    run.threads = threads;
    found.push_back(search_flats(*problem, {}, all_cells(*problem), run));
  }
  ASSERT_EQ(found[0].size(), found[1].size());
  ASSERT_FALSE(found[0].empty());
  for (std::size_t i = 0; i < found[0].size(); ++i)
    EXPECT_EQ(found[0][i].cells, found[1][i].cells);
}

TEST(SearchFlats, NothingWhereDisplacementsAreTooMany) {
  const SharedProblem problem = deep_table(4);
  const PatternState pattern_state(*problem, {});
  EXPECT_FALSE(FlatGround::make(
      pattern_state, list_goals(pattern_state), all_cells(*problem), 10, RunContext{}));
}

}  // namespace
}  // namespace lacuna::start
