// SPDX-License-Identifier: Apache-2.0
// The LP over a whole part against the exact oracle: same optimum, an exact witness and an exact
// proof of it; over fewer cells it falls short, over fewer equations it overshoots.
#include "judge/attack/form_lp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/generate/generate.h"
#include "core/base/random.h"
#include "support/random_system.h"
#include "unit/attack/extents.h"

namespace lacuna::attack {
namespace {

using testing::RandomView;

LinearForm one(const LocalSystem& system, CellId cell) {
  return {{system.local(cell), 1}};
}

struct Tally {
  int witnesses = 0, proofs = 0, rays = 0;
};

void check_part(RandomView& given, std::int32_t part, const std::string& engine, Tally& tally) {
  const AttackView& view = given.view;
  const Table& table = given.problem->table();
  const auto cells = view.part(part);
  const auto solver = make_lp_solver(engine).value();
  const LocalSystem system(view, {cells.begin(), cells.end()}, equations_through(view, cells));
  FormLp lp(system, Domain::kRational, *solver);
  lp.load();
  for (const std::int32_t free : cells) {
    const CellId cell = view.free_cell(free).cell;
    for (const Direction direction : {Direction::kHigh, Direction::kLow}) {
      const auto extent = given.extent(cell, direction);
      const double value = lp.maximize(one(system, cell), direction, kUnboundedAbove, RunContext{});
      if (!extent) {
        EXPECT_EQ(lp.status(), LpStatus::kUnbounded);
        if (auto ray = lp.ray()) {
          ++tally.rays;
          EXPECT_TRUE(check_ray(table, view.slacks(), system.lift(*std::move(ray))));
        }
        continue;
      }
      ASSERT_EQ(lp.status(), LpStatus::kOptimal);
      EXPECT_NEAR(value, extent->to_double(), 1e-6 * std::max(1.0, extent->to_double()));
      if (auto found = lp.witness()) {
        ++tally.witnesses;
        const Displacement witness = system.lift(*std::move(found));
        EXPECT_TRUE(check_displacement(table, view.slacks(), witness));
        EXPECT_EQ(displacement_of(witness, cell, direction), *extent);
      }
      const auto proof = lp.proof([&](const Multipliers& candidate) {
        return proven_bound(table, given.slacks(), cell, direction, system.lift(candidate)) ==
               *extent;
      });
      tally.proofs += proof ? 1 : 0;
    }
  }
}

TEST(FormLp, OptimumOfTheWholePart) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    base::Random random(seed);
    std::shared_ptr<const Problem> problem;
    if (seed % 2 == 0)
      problem = testing::random_system(random);
    else
      problem = std::make_shared<const Problem>(generation::generate_small(seed).value());
    RandomView given(problem, testing::random_pattern(*problem, random, 1));
    const auto engines = lp_engines();
    for (std::int32_t part = 0; part < given.view.num_parts(); ++part)
      check_part(given, part, engines[seed % engines.size()], tally);
  }
  EXPECT_GT(tally.witnesses, 200);
  EXPECT_GT(tally.proofs, 200);
}

TEST(FormLp, PartsOfAPartAreBounds) {
  int below = 0;
  int above = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    base::Random random(seed);
    const auto problem = std::make_shared<const Problem>(generation::generate_small(seed).value());
    RandomView given(problem, testing::random_pattern(*problem, random, 1));
    if (given.view.num_parts() == 0)
      continue;
    const auto cells = given.view.part(0);
    const auto rows = equations_through(given.view, cells);
    const std::int32_t free = cells.front();
    const auto extent = given.extent(given.view.free_cell(free).cell, Direction::kHigh);
    if (!extent || rows.size() < 2)
      continue;
    const auto solver = make_lp_solver().value();
    const std::vector<std::int32_t> some(cells.begin(), cells.begin() + std::ssize(cells) / 2 + 1);
    const LocalSystem part_of_cells(given.view, some, equations_through(given.view, some));
    FormLp fewer_cells(part_of_cells, Domain::kRational, *solver);
    fewer_cells.load();
    const CellId cell = given.view.free_cell(free).cell;
    const double least = fewer_cells.maximize(
        one(part_of_cells, cell), Direction::kHigh, kUnboundedAbove, RunContext{});
    EXPECT_LE(least, extent->to_double() * (1 + 1e-6) + 1e-6);
    below += least < extent->to_double() - 1e-6 ? 1 : 0;
    const auto other = make_lp_solver().value();
    const LocalSystem part_of_rows(given.view,
                                   {cells.begin(), cells.end()},
                                   {rows.begin(), rows.begin() + std::ssize(rows) / 2});
    FormLp fewer_rows(part_of_rows, Domain::kRational, *other);
    fewer_rows.load();
    const double most = fewer_rows.maximize(
        one(part_of_rows, cell), Direction::kHigh, kUnboundedAbove, RunContext{});
    if (fewer_rows.status() == LpStatus::kOptimal) {
      EXPECT_GE(most, extent->to_double() * (1 - 1e-6) - 1e-6);
      above += most > extent->to_double() + 1e-6 ? 1 : 0;
    }
  }
  EXPECT_GT(below, 3);
  EXPECT_GT(above, 0);
}

}  // namespace
}  // namespace lacuna::attack
