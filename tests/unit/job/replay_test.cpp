// SPDX-License-Identifier: Apache-2.0
// Tables that replay: what is ruled out without a run never replays, and what stored inequalities
// tell of does, both by running the program on tables that fit random releases.
#include "app/job/replay.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "app/job/safe_tables.h"
#include "app/job/stored_bound.h"
#include "core/base/random.h"
#include "lacuna/count_rules.h"
#include "support/tables.h"

namespace lacuna::job {
namespace {

using testing::problem_of;
using testing::two_way;
using Inner = std::array<std::array<Units, 3>, 3>;

std::vector<std::vector<Units>> completed(const Inner& inner) {
  std::vector<std::vector<Units>> rows(4, std::vector<Units>(4, 0));
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      for (const std::size_t row : {r, std::size_t{3}}) {
        for (const std::size_t column : {c, std::size_t{3}})
          rows[row][column] += inner[r][c];
      }
    }
  }
  return rows;
}

Inner drawn(base::Random& random, Units most) {
  Inner inner{};
  for (auto& row : inner) {
    for (Units& value : row)
      value = random.between(1, most);
  }
  return inner;
}

// Levels of a quarter of the value where `stated` is 0, else that many units on both sides;
// weights drawn at random.
std::shared_ptr<const Problem> drawn_problem(base::Random& random, Units stated) {
  const auto rows = completed(drawn(random, 12));
  const auto row = static_cast<std::size_t>(random.between(0, 2));
  const auto column = static_cast<std::size_t>(random.between(0, 2));
  const Units value = rows[row][column];
  const Units level = stated > 0 ? stated : (value + 3) / 4;
  const CellId cell{static_cast<std::int32_t>(4 * row + column)};
  const auto plain = problem_of(two_way(rows, {0, kUnboundedAbove}, 0, {cell.value}),
                                {{.cell = cell, .lower = std::min(level, value), .upper = level}});
  Problem weighed = *plain;
  std::vector<double> weights;
  for (std::int32_t c = 0; c < plain->table().num_cells(); ++c)
    weights.push_back(static_cast<double>(random.between(1, 30)));
  weighed.set_weights(weights);
  return std::make_shared<const Problem>(std::move(weighed));
}

Draft released(const std::shared_ptr<const Problem>& problem, const ProtectJob& job) {
  const auto found = protect(problem, job, RunContext{});
  EXPECT_TRUE(found && found->complete);
  return found->draft;
}

Rerun rerun_of(const std::shared_ptr<const Problem>& problem,
               const Draft& release,
               const ProtectJob& job) {
  auto made = Rerun::of_job(problem, release, job, RunContext{});
  EXPECT_TRUE(made) << made.error().text();
  return std::move(made).value();
}

// Tables that differ by up to so many units in one square of inner cells, or in one inner cell and
// its sums, and fit.
std::vector<TableMove> moves_that_fit(const Problem& problem, const Draft& release, Units most) {
  std::vector<TableMove> found;
  const auto add = [&](const Inner& by) {
    TableMove moved;
    const auto rows = completed(by);
    for (std::int32_t c = 0; c < 16; ++c) {
      const Units move = rows[static_cast<std::size_t>(c / 4)][static_cast<std::size_t>(c % 4)];
      if (move == 0)
        continue;
      if (release.is_exact(CellId{c}) || problem.table().value(CellId{c}) + move < 0)
        return;
      moved[c] = move;
    }
    if (!moved.empty())
      found.push_back(std::move(moved));
  };
  for (Units by = -most; by <= most; ++by) {
    for (std::size_t a = 0; a < 9; ++a) {
      Inner alone{};
      alone[a / 3][a % 3] = by;
      add(alone);
      for (std::size_t b = a + 1; b < 9; ++b) {
        Inner square{};
        square[a / 3][a % 3] += by;
        square[b / 3][b % 3] += by;
        square[a / 3][b % 3] -= by;
        square[b / 3][a % 3] -= by;
        add(square);
      }
    }
  }
  return found;
}

bool is_within(const Problem& problem, const std::vector<Bounds>& safe, const TableMove& moved) {
  return std::all_of(moved.begin(), moved.end(), [&](const auto& each) {
    const Units value = problem.table().value(CellId{each.first}) + each.second;
    return safe[static_cast<std::size_t>(each.first)].contains(value);
  });
}

struct Seen {
  int within = 0, outside = 0, replayed = 0, told = 0;
};

// On random tables: nothing outside of S replays, and all that is told does.
Seen see(Units stated, int tables) {
  Seen seen;
  for (int number = 0; number < tables; ++number) {
    base::Random random = base::Random::of_item(31, static_cast<std::uint64_t>(number));
    const auto problem = drawn_problem(random, stated);
    const ProtectJob job;
    const Draft release = released(problem, job);
    Rerun rerun = rerun_of(problem, release, job);
    const auto safe = safe_values(*problem, testing::audit(problem, release), rerun);
    const auto stored = StoredBound::make(*problem, release, rerun);
    for (const TableMove& moved : moves_that_fit(*problem, release, 6)) {
      const bool within = is_within(*problem, safe, moved);
      const bool replays = rerun.replays(moved);
      const bool told = within && stored && stored->tells(rerun.problem_at(moved).value());
      EXPECT_TRUE(within || !replays) << "table " << number;
      EXPECT_TRUE(replays || !told) << "table " << number;
      ++(within ? seen.within : seen.outside);
      seen.replayed += replays ? 1 : 0;
      seen.told += told ? 1 : 0;
    }
  }
  return seen;
}

TEST(Replays, LevelsOfTheValueRuleTablesOut) {
  const Seen seen = see(0, 12);
  EXPECT_GT(seen.outside, 0);
  EXPECT_GT(seen.replayed, 0);
  EXPECT_LT(seen.replayed, seen.within + seen.outside);
}

TEST(Replays, StatedLevelsDoAsWellAndStoredInequalitiesTell) {
  const Seen seen = see(3, 12);
  EXPECT_GT(seen.outside, 0);
  EXPECT_GT(seen.told, 0);
  EXPECT_GE(seen.replayed, seen.told);
}

// A pattern with an equal in weight is told of nowhere.
TEST(Replays, TiesAreNotTold) {
  const auto problem = problem_of(two_way(completed({{{5, 5, 5}, {5, 5, 5}, {5, 5, 5}}}),
                                          {0, kUnboundedAbove},
                                          0,
                                          {0}),
                                  {{.cell = CellId{0}, .lower = 1, .upper = 1}});
  Problem equal = *problem;
  std::vector<double> weights(16, 1);
  for (const std::size_t total : {3, 7, 11, 12, 13, 14, 15})
    weights[total] = 50;
  equal.set_weights(weights);
  const auto priced = std::make_shared<const Problem>(std::move(equal));
  const ProtectJob job;
  const Draft release = released(priced, job);
  EXPECT_FALSE(StoredBound::make(*priced, release, rerun_of(priced, release, job)));
}

// What is found replays when it is run again, and the ranges are made of it.
TEST(Replays, RangesAreMadeOfTablesThatReplay) {
  base::Random random(5);
  const auto problem = drawn_problem(random, 0);
  const ProtectJob job;
  const Draft release = released(problem, job);
  Rerun rerun = rerun_of(problem, release, job);
  const auto found =
      find_replays(*problem, release, testing::audit(problem, release), 8, rerun);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->ranges.size(), 1U);
  Units low = 0, high = 0;
  for (const Displacement& each : found->witnesses) {
    TableMove moved;
    for (std::size_t i = 0; i < each.cells.size(); ++i)
      moved[each.cells[i].value] = each.moves[i].to_int64().value();
    EXPECT_TRUE(rerun.replays(moved));
    low = std::min(low, moved[found->ranges[0].cell.value]);
    high = std::max(high, moved[found->ranges[0].cell.value]);
  }
  EXPECT_EQ(found->ranges[0].low, -low);
  EXPECT_EQ(found->ranges[0].high, high);
}

// ---- counts

std::shared_ptr<const Problem> counts_of(const Inner& inner) {
  const auto plain = problem_of(two_way(completed(inner)), {});
  auto made = with_count_rules(*plain, CountOptions{});
  EXPECT_TRUE(made) << made.error().text();
  return std::make_shared<const Problem>(std::move(made).value());
}

TEST(Replays, OfCountsTheRuleIsAppliedToEveryTable) {
  const auto problem = counts_of({{{2, 9, 14}, {11, 8, 7}, {12, 10, 6}}});
  ProtectJob job;
  job.weights = "value";
  const Draft release = released(problem, job);
  Rerun rerun = rerun_of(problem, release, job);
  const auto larger = rerun.problem_at({{0, 3}, {1, -3}, {4, -3}, {5, 3}});
  ASSERT_TRUE(larger);
  EXPECT_TRUE(larger->requirements().empty());  // 5 is not small
  const auto smaller = rerun.problem_at({{0, -1}, {1, 1}, {4, 1}, {5, -1}});
  ASSERT_TRUE(smaller);
  EXPECT_EQ(smaller->counts(), problem->counts());
  int replayed = 0, other = 0;
  for (const TableMove& moved : moves_that_fit(*problem, release, 3))
    ++(rerun.replays(moved) ? replayed : other);
  EXPECT_GT(replayed, 0);
  EXPECT_GT(other, 0);
}

TEST(Replays, OfCountsWitnessesAreWholeTables) {
  const auto problem = counts_of({{{2, 9, 14}, {11, 8, 7}, {12, 10, 6}}});
  ProtectJob job;
  job.weights = "value";
  const Draft release = released(problem, job);
  Rerun rerun = rerun_of(problem, release, job);
  const auto found =
      find_replays(*problem, release, testing::audit(problem, release), 8, rerun);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->witnesses.empty());
  for (const Displacement& each : found->witnesses)
    EXPECT_EQ(each.denominator, Integer(1));
}

TEST(Replays, CountedPersonsAsAttackersAreRefused) {
  const auto alone = counts_of({{{2, 9, 14}, {11, 8, 7}, {12, 10, 6}}});
  const Problem more = testing::changed(*alone, [](ProblemParts& parts) {
    parts.attackers.push_back({.name = "a person", .known = {}});
  });
  const auto rerun =
      Rerun::of_job(std::make_shared<const Problem>(more), Draft(), ProtectJob(), RunContext{});
  ASSERT_FALSE(rerun);
  EXPECT_NE(rerun.error().message.find("outsiders alone"), std::string::npos);
}

}  // namespace
}  // namespace lacuna::job
