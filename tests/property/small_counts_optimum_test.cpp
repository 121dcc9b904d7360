// SPDX-License-Identifier: Apache-2.0
// Small-count rounding against the enumeration of {0, f, b}^n on random tables: flat, with trees,
// linked, and with inner cells that are not published; every release added up, written, read again
// and audited.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/random.h"
#include "lacuna/audit.h"
#include "lacuna/count_rules.h"
#include "lacuna/protect.h"
#include "lacuna/small_counts.h"
#include "property/seeds.h"
#include "support/number_tables.h"
#include "support/tables.h"

namespace lacuna {
namespace {

// A table as sums of inner cells: what the enumeration needs to know.
struct Made {
  std::shared_ptr<const Problem> problem;
  std::vector<Units> inner;
  std::vector<std::vector<std::size_t>> members;  // inner cells of each cell
};

// r x c inner cells with row sums (in groups of two, if there is a tree) and column sums. Where
// `hidden`, some inner cells are not published, and no sum gives one of them away by chance alone.
Made two_way(base::Random& random, bool tree, bool hidden) {
  const auto rows = static_cast<std::size_t>(random.between(2, tree ? 4 : 3));
  const auto columns = static_cast<std::size_t>(random.between(2, 3));
  Made made;
  for (std::size_t i = 0; i < rows * columns; ++i)
    made.inner.push_back(random.chance(1, 5) ? random.between(6, 20) : random.between(0, 5));
  TableBuilder builder(0);
  std::vector<std::vector<std::size_t>> bands;  // of rows
  for (std::size_t r = 0; r < rows; ++r)
    bands.push_back({r});
  const std::size_t whole = rows + (tree && rows == 4 ? 2 : 0);
  if (whole > rows) {
    bands.push_back({0, 1});
    bands.push_back({2, 3});
  }
  bands.emplace_back();
  for (std::size_t r = 0; r < rows; ++r)
    bands.back().push_back(r);
  for (const auto& band : bands) {
    for (std::size_t c = 0; c <= columns; ++c) {
      std::vector<std::size_t> of;
      Units value = 0;
      for (const std::size_t r : band) {
        for (std::size_t k = 0; k < columns; ++k) {
          if (c == columns || c == k) {
            of.push_back(r * columns + k);
            value += made.inner[of.back()];
          }
        }
      }
      Cell cell{.value = value, .weight = static_cast<double>(random.between(1, 3))};
      if (hidden && of.size() == 1)
        cell.status = CellStatus::kSecondary;
      EXPECT_TRUE(builder.add_cell(cell));
      made.members.push_back(of);
    }
  }
  const auto cell = [&](std::size_t band, std::size_t c) {
    return CellId{static_cast<std::int32_t>(band * (columns + 1) + c)};
  };
  for (std::size_t b = 0; b < bands.size(); ++b) {
    std::vector<Term> terms{{cell(b, columns), -1}};
    for (std::size_t c = 0; c < columns; ++c)
      terms.push_back({cell(b, c), 1});
    EXPECT_TRUE(builder.add_equation(terms));
  }
  for (std::size_t c = 0; c <= columns; ++c) {
    for (std::size_t b = rows; b < bands.size(); ++b) {
      std::vector<Term> terms{{cell(b, c), -1}};
      if (b + 1 == bands.size() && whole > rows) {
        terms.push_back({cell(rows, c), 1});
        terms.push_back({cell(rows + 1, c), 1});
      } else {
        for (const std::size_t r : bands[b])
          terms.push_back({cell(r, c), 1});
      }
      EXPECT_TRUE(builder.add_equation(terms));
    }
  }
  made.problem = testing::problem_of(std::move(builder), {});
  return made;
}

std::size_t rank(std::vector<std::vector<double>> rows) {
  std::size_t found = 0;
  for (std::size_t c = 0; !rows.empty() && c < rows.front().size(); ++c) {
    std::size_t pivot = found;
    while (pivot < rows.size() && std::abs(rows[pivot][c]) < 1e-9)
      ++pivot;
    if (pivot == rows.size())
      continue;
    std::swap(rows[pivot], rows[found]);
    for (std::size_t r = found + 1; r < rows.size(); ++r) {
      const double factor = rows[r][c] / rows[found][c];
      for (std::size_t k = 0; k < rows[r].size(); ++k)
        rows[r][k] -= factor * rows[found][k];
    }
    ++found;
  }
  return found;
}

// Inner cells that readers can compute, who are taken to know which ones are empty.
std::vector<bool> computable(const Made& made) {
  std::vector<std::vector<double>> published;
  for (std::size_t c = 0; c < made.members.size(); ++c) {
    const Cell& cell = made.problem->table().cell(CellId{static_cast<std::int32_t>(c)});
    if (cell.status == CellStatus::kSecondary)
      continue;
    auto& row = published.emplace_back(made.inner.size(), 0.0);
    for (const std::size_t i : made.members[c])
      row[i] = made.inner[i] > 0 ? 1 : 0;
  }
  std::vector<bool> result;
  for (std::size_t i = 0; i < made.inner.size(); ++i) {
    auto more = published;
    more.emplace_back(made.inner.size(), 0.0)[i] = 1;
    result.push_back(rank(more) == rank(published));
  }
  return result;
}

// The cost of the cheapest choice; inner cells of 1 .. b-1 that nobody can compute may stay.
class Enumeration {
 public:
  Enumeration(const Made& made, Units base)
      : made_(made), base_(base), seen_(computable(made)), x_(made.inner) {
    fill(0);
  }
  double best = std::numeric_limits<double>::infinity();

 private:
  void fill(std::size_t i) {
    if (i == x_.size()) {
      judge();
      return;
    }
    const Units f = made_.inner[i];
    std::vector<Units> choices{f};
    if (f > 0 && f < base_) {
      choices = {0, base_};
      if (!seen_[i])
        choices.push_back(f);
    }
    for (const Units x : choices) {
      x_[i] = x;
      fill(i + 1);
    }
  }
  void judge() {
    double cost = 0;
    for (std::size_t c = 0; c < made_.members.size(); ++c) {
      const Cell& cell = made_.problem->table().cell(CellId{static_cast<std::int32_t>(c)});
      if (cell.status == CellStatus::kSecondary)
        continue;
      Units sum = 0;
      for (const std::size_t i : made_.members[c])
        sum += x_[i];
      if (sum > 0 && sum < base_)
        return;
      cost += cell.weight * static_cast<double>(std::abs(sum - cell.value));
    }
    best = std::min(best, cost);
  }

  const Made& made_;
  Units base_;
  std::vector<bool> seen_;
  std::vector<Units> x_;
};

Units shown(const Table& table, const Draft& draft, CellId cell) {
  const auto entry = draft.find(cell);
  return entry == nullptr ? table.value(cell) : entry->number().value_or(-1);
}

// No small number, additive, within what it says of itself.
void expect_rounded(const Problem& problem, const Draft& draft, Units base) {
  EXPECT_TRUE(check_draft(problem.table(), draft));
  EXPECT_TRUE(draft::check_sums(problem.table(), draft));
  for (std::int32_t c = 0; c < problem.table().num_cells(); ++c) {
    if (problem.table().cell(CellId{c}).status == CellStatus::kSecondary) {
      EXPECT_EQ(draft.state(CellId{c}), StatementKind::kWithheld);
      continue;
    }
    const Units number = shown(problem.table(), draft, CellId{c});
    EXPECT_TRUE(number == 0 || number >= base) << number;
  }
}

TEST(SmallCountsOptimum, SameAsEnumeration) {
  std::int64_t better = 0, stayed = 0;
  testing::for_each_seed(1, 400, [&](std::uint64_t seed) {
    base::Random random(seed);
    const bool hidden = random.chance(1, 3);
    const Made made = two_way(random, random.chance(1, 2), hidden);
    SmallCountOptions options;
    const Units base = random.between(2, 5);
    options.base = base;
    const auto found = round_small_counts(made.problem, options, RunContext{});
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_TRUE(found->complete);
    EXPECT_EQ(found->why, StopReason::kOptimal);
    const double best = Enumeration(made, base).best;
    EXPECT_NEAR(found->cost, best, 1e-6);
    EXPECT_NEAR(found->bound, best, 1e-6);
    stayed += found->small - found->raised - found->dropped;
    expect_rounded(*made.problem, found->draft, base);
    testing::expect_safe_on_disk(made.problem, found->draft, found->witnesses);
    options.effort = Effort::kFast;
    const auto quick = round_small_counts(made.problem, options, RunContext{});
    ASSERT_TRUE(quick && quick->complete);
    expect_rounded(*made.problem, quick->draft, base);
    EXPECT_GE(quick->cost, best - 1e-6);
    EXPECT_LE(quick->bound, best + 1e-6);
    better += quick->cost > best + 1e-6 ? 1 : 0;
  });
  if (std::getenv("LACUNA_SEED") == nullptr) {  // all cases are met
    EXPECT_GT(better, 10);
    EXPECT_GT(stayed, 20);
  }
}

// A base of at least the threshold leaves the counts open, also to members of the groups that are
// counted, who know of one person there.
TEST(SmallCountsOptimum, StandsReadersOfWholeNumbers) {
  std::int64_t insiders = 0;
  testing::for_each_seed(1, 200, [&](std::uint64_t seed) {
    base::Random random(seed);
    const Made made = two_way(random, random.chance(1, 2), false);
    std::vector<Attacker> attackers{outsider()};
    const auto own =
        static_cast<std::int32_t>(random.between(0, made.problem->table().num_cells() - 1));
    if (made.problem->table().value(CellId{own}) > 0 && random.chance(2, 3)) {
      attackers.push_back({"a member", {{CellId{own}, {1, kUnboundedAbove}}}});
      ++insiders;
    }
    const auto with_members = make_problem(made.problem->table(), attackers, {});
    ASSERT_TRUE(with_members) << with_members.error().text();
    CountOptions rules;
    rules.threshold = random.between(2, 5);
    rules.kinds = {CountKind::kExact, CountKind::kSmall};
    const auto counted = with_count_rules(*with_members, rules);
    ASSERT_TRUE(counted) << counted.error().text();
    const auto problem = std::make_shared<const Problem>(*counted);
    ProtectOptions options;
    options.method = Method::kSmallCounts;
    options.small_counts.base = rules.threshold + random.between(0, 2);
    const auto found = protect(problem, options, RunContext{});
    ASSERT_TRUE(found) << found.error().text();
    const auto decision = decide_release(problem, *found, {}, RunContext{});
    ASSERT_TRUE(decision) << decision.error().text();
    EXPECT_TRUE(decision->release) << refusal_text(decision->refusal);
  });
  if (std::getenv("LACUNA_SEED") == nullptr) {
    EXPECT_GT(insiders, 50);
  }
}

}  // namespace
}  // namespace lacuna
