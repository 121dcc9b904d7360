// SPDX-License-Identifier: Apache-2.0
// The course of a run against the owner of the program is the same for all tables with the same
// public parts: by many random tables, each with others that fit its first choice.
#include "protect/owner/public_course.h"

#include <gtest/gtest.h>

#include <array>

#include "core/base/random.h"
#include "protect/owner/center.h"
#include "support/tables.h"

namespace lacuna {
namespace {

using testing::problem_of;
using testing::two_way;
using Inner = std::array<std::array<Units, 3>, 3>;

constexpr std::int32_t kWidth = 4, kCells = 16;
constexpr int kOthers = 6;  // that are run, per table

std::vector<std::vector<Units>> completed(const Inner& inner) {
  std::vector<std::vector<Units>> rows(4, std::vector<Units>(4, 0));
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      rows[r][c] = inner[r][c];
      rows[r][3] += inner[r][c];
      rows[3][c] += inner[r][c];
      rows[3][3] += inner[r][c];
    }
  }
  return rows;
}

std::vector<Units> numbers_of(const Inner& inner) {
  std::vector<Units> numbers;
  for (const auto& row : completed(inner))
    numbers.insert(numbers.end(), row.begin(), row.end());
  return numbers;
}

Inner drawn(base::Random& random) {
  Inner inner{};
  for (auto& row : inner) {
    for (Units& value : row)
      value = random.between(1, 9);
  }
  return inner;
}

std::shared_ptr<const Problem> problem_with(const Inner& inner,
                                            std::int32_t primary,
                                            Units width) {
  return problem_of(two_way(completed(inner), {0, kUnboundedAbove}, 0, {primary}),
                    {{.cell = CellId{primary}, .sliding = width}});
}

owner::PublicParts parts_of(const Inner& before, const Table& table) {
  owner::PublicParts parts{numbers_of(before), {}};
  parts.weights.assign(parts.sizes.begin(), parts.sizes.end());
  parts.weights = owner::with_tie_break(table, std::move(parts.weights));
  return parts;
}

bool fits(const Table& table, const Draft& pattern, const Table& other) {
  for (std::int32_t c = 0; c < kCells; ++c) {
    if (pattern.is_exact(CellId{c}) && table.value(CellId{c}) != other.value(CellId{c}))
      return false;
  }
  return true;
}

// All tables that differ by a swap of up to so many units in one square of inner cells, or in one
// inner cell and its sums.
std::vector<Inner> neighbours(const Inner& inner, Units most) {
  std::vector<Inner> found;
  const auto add = [&](Inner other) {
    for (const auto& row : other) {
      for (const Units value : row) {
        if (value < 0)
          return;
      }
    }
    found.push_back(other);
  };
  for (Units by = -most; by <= most; ++by) {
    for (std::size_t a = 0; a < 9; ++a) {
      Inner alone = inner;
      alone[a / 3][a % 3] += by;
      add(alone);
      for (std::size_t b = a + 1; b < 9; ++b) {
        Inner other = inner;
        other[a / 3][a % 3] += by;
        other[b / 3][b % 3] += by;
        other[a / 3][b % 3] -= by;
        other[b / 3][a % 3] -= by;
        if (a / 3 != b / 3 && a % 3 != b % 3)
          add(other);
      }
    }
  }
  return found;
}

struct Runs {
  int tables = 0, others = 0, differ = 0, repaired = 0;
};

// Of every table that fits the first choice of another, whether it has the release of that one.
Runs run_on_neighbours(bool planted, double reserve, int tables) {
  Runs runs;
  for (int number = 0; number < tables; ++number) {
    base::Random random = base::Random::of_item(7, static_cast<std::uint64_t>(number));
    const Inner truth = drawn(random), before = drawn(random);
    const auto primary = static_cast<std::int32_t>(random.between(0, 2) * kWidth +
                                                   random.between(0, 2));
    const Units width = random.between(2, 8);
    owner::CourseOptions options;
    options.reserve = reserve;
    const auto run_of = [&](const Inner& inner) {
      const auto problem = problem_with(inner, primary, width);
      const auto parts = parts_of(planted ? inner : before, problem->table());
      auto course = owner::suppress_by_public_parts(problem, parts, options, RunContext{});
      EXPECT_TRUE(course) << course.error().text();
      return std::move(course).value();
    };
    const owner::Course own = run_of(truth);
    const auto problem = problem_with(truth, primary, width);
    EXPECT_EQ(testing::audit(problem, own.draft).verdict, Verdict::kProtected);
    ++runs.tables;
    runs.repaired += own.short_first.empty() ? 0 : 1;
    int left = kOthers;
    for (const Inner& other : neighbours(truth, 1)) {
      if (left == 0 || !fits(problem->table(), own.first, problem_with(other, primary, width)->table()))
        continue;
      --left;
      ++runs.others;
      runs.differ += run_of(other).draft.entries() == own.draft.entries() ? 0 : 1;
    }
  }
  return runs;
}

TEST(PublicCourse, TablesThatFitTheFirstChoiceHaveOneRelease) {
  const Runs runs = run_on_neighbours(false, 2, 6);
  EXPECT_EQ(runs.differ, 0);
  EXPECT_GT(runs.others, 6);
}

TEST(PublicCourse, SoTheyHaveWhereItHadToBeRepaired) {
  const Runs runs = run_on_neighbours(false, 1, 12);
  EXPECT_EQ(runs.differ, 0);
  EXPECT_GT(runs.repaired, 0);
}

TEST(PublicCourse, SizesOfTodayArePlantedAndFound) {
  EXPECT_GT(run_on_neighbours(true, 2, 12).differ, 0);
}

TEST(PublicCourse, TheFirstChoiceNeverSeesTheTable) {
  base::Random random(3);
  const Inner before = drawn(random);
  std::optional<std::vector<CellEntry>> first;
  for (int number = 0; number < 10; ++number) {
    const auto problem = problem_with(drawn(random), 5, 4);
    const auto open = owner::public_problem(*problem, parts_of(before, problem->table()), 2);
    ASSERT_TRUE(open);
    const auto chosen = owner::first_choice(*open, {}, RunContext{});
    ASSERT_TRUE(chosen);
    if (first) {
      EXPECT_EQ(chosen->entries(), *first);
    }
    first = chosen->entries();
  }
}

TEST(PublicCourse, RefusesLevelsThatAreNoWidths) {
  base::Random random(3);
  const auto problem = problem_of(two_way(completed(drawn(random)), {0, kUnboundedAbove}, 0, {0}),
                                  {{.cell = CellId{0}, .lower = 1, .upper = 1}});
  const auto course = owner::suppress_by_public_parts(
      problem, parts_of(drawn(random), problem->table()), {}, RunContext{});
  ASSERT_FALSE(course);
  EXPECT_NE(course.error().message.find("only widths"), std::string::npos);
}

// Of all tables that fit, the same one.
TEST(Center, IsTheSameForAllTablesThatFit) {
  base::Random random(11);
  const Inner truth = drawn(random), before = drawn(random);
  const Table table = std::move(two_way(completed(truth))).build().value();
  const Draft pattern = testing::withholding({0, 1, 4, 5});
  const auto center = owner::center_of(table, pattern, numbers_of(before), "", RunContext{});
  ASSERT_TRUE(center);
  for (const Inner& other : neighbours(truth, 3)) {
    const Table same = two_way(completed(other)).build().value();
    if (!fits(table, pattern, same))
      continue;
    const auto again = owner::center_of(same, pattern, numbers_of(before), "", RunContext{});
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *center);
  }
}

TEST(TieBreak, TotalsComeAfterTheirParts) {
  base::Random random(11);
  const Table table = two_way(completed(drawn(random))).build().value();
  const auto weights = owner::with_tie_break(table, std::vector<double>(kCells, 1));
  for (std::int32_t c = 0; c < kCells; ++c) {
    const bool total = c % kWidth == 3 || c / kWidth == 3;
    EXPECT_EQ(weights[static_cast<std::size_t>(c)] > weights[10], total || c > 10) << c;
  }
}

}  // namespace
}  // namespace lacuna
