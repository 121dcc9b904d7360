// SPDX-License-Identifier: Apache-2.0
// Small tables of counts against all whole tables near them: what is published is whole, no bound
// passes the best one, and what is called optimal is the best one.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/base/random.h"
#include "lacuna/adjust.h"
#include "lacuna/audit.h"
#include "support/tables.h"

namespace lacuna::adjustment {
namespace {

constexpr Units kReach = 6;  // of the four inner cells; far beyond any level

struct Counts {
  std::array<Units, 4> inner{};
  std::array<Units, 4> level{};  // 0: not sensitive

  std::array<Units, 9> table() const {
    const auto& [a, b, c, d] = inner;
    return {a, b, a + b, c, d, c + d, a + c, b + d, a + b + c + d};
  }
};

Counts draw(base::Random& random) {
  Counts counts;
  for (std::size_t k = 0; k < 4; ++k) {
    counts.inner[k] = random.between(0, 9);
    counts.level[k] = random.between(0, 2) > 0 ? random.between(1, 2) : 0;
  }
  counts.level[0] = std::max<Units>(counts.level[0], 1);
  return counts;
}

constexpr std::array<std::size_t, 4> kInner{0, 1, 3, 4};  // places in the table of nine cells

double cost_of(const Counts& truth, const Counts& shown, AdjustNorm norm) {
  const auto a = truth.table(), x = shown.table();
  double cost = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    const auto off = static_cast<double>(std::abs(x[c] - a[c]));
    cost += norm == AdjustNorm::kL2 ? off * off : off;
  }
  return cost;
}

double best_whole(const Counts& truth, AdjustNorm norm) {
  double best = std::numeric_limits<double>::infinity();
  Counts shown = truth;
  const auto choose = [&](const auto& self, std::size_t k) -> void {
    if (k == 4) {
      best = std::min(best, cost_of(truth, shown, norm));
      return;
    }
    for (Units move = -kReach; move <= kReach; ++move) {
      if (truth.inner[k] + move < 0 || std::abs(move) < truth.level[k])
        continue;
      shown.inner[k] = truth.inner[k] + move;
      self(self, k + 1);
    }
  };
  choose(choose, 0);
  return best;
}

std::shared_ptr<const Problem> problem_of(const Counts& counts) {
  const auto t = counts.table();
  std::vector<std::int32_t> primaries;
  std::vector<Requirement> needs;
  for (std::size_t k = 0; k < 4; ++k) {
    if (counts.level[k] == 0)
      continue;
    const auto cell = static_cast<std::int32_t>(kInner[k]);
    primaries.push_back(cell);
    // The cell cannot fall below 0, whatever its level asks for.
    needs.push_back({.cell = CellId{cell},
                     .attacker = 0,
                     .lower = std::min(counts.level[k], counts.inner[k]),
                     .upper = counts.level[k]});
  }
  return testing::problem_of(
      testing::two_way(
          {{t[0], t[1], t[2]}, {t[3], t[4], t[5]}, {t[6], t[7], t[8]}}, {0, 100}, 0, primaries),
      needs);
}

TEST(WholeAdjustment, AgreesWithAllWholeTables) {
  const char* given = std::getenv("LACUNA_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
  SCOPED_TRACE("LACUNA_SEED=" + std::to_string(seed));
  base::Random random(seed);
  int optimal = 0;
  for (int round = 0; round < 12; ++round) {
    Counts counts = draw(random);
    for (std::size_t k = 0; k < 4; ++k)  // so that both levels are the same
      counts.inner[k] = std::max(counts.inner[k], counts.level[k]);
    const auto problem = problem_of(counts);
    for (const AdjustNorm norm : {AdjustNorm::kL1, AdjustNorm::kL2}) {
      AdjustOptions options;
      options.norm = norm;
      const auto found = adjust(problem, options, {});
      ASSERT_TRUE(found) << found.error().text();
      ASSERT_TRUE(found->complete) << found->reason;
      EXPECT_EQ(found->decimals, 0);
      const double best = best_whole(counts, norm);
      EXPECT_GE(found->cost, best - 1e-9);
      EXPECT_LE(found->bound, best + 1e-6);
      if (found->why == StopReason::kOptimal) {
        EXPECT_NEAR(found->cost, best, 1e-6);
        ++optimal;
      }
      const auto report = Auditor(problem).audit(found->draft, {}, {});
      ASSERT_TRUE(report) << report.error().text();
      EXPECT_EQ(report->verdict, Verdict::kProtected);
    }
  }
  EXPECT_GT(optimal, 12);
}

}  // namespace
}  // namespace lacuna::adjustment
