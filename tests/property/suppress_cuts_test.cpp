// SPDX-License-Identifier: Apache-2.0
// No inequality of any family removes a pattern it must not: tiny random problems, all safe
// patterns by enumeration, inequalities separated at random points and at the patterns themselves.
// Capacity and cover inequalities hold for every safe pattern; bridgeless inequalities for every
// safe pattern of which no cell can be published again.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/base/random.h"
#include "property/seeds.h"
#include "protect/suppression_model/cuts/bridgeless.h"
#include "protect/suppression_model/cuts/cover.h"
#include "protect/suppression_model/cuts/cut.h"
#include "protect/suppression_model/dual_ascent.h"
#include "protect/suppression_model/pattern_requirements.h"
#include "protect/suppression_model/separator.h"
#include "protect/suppression_model/suppress_model.h"
#include "support/enumerate.h"
#include "support/many_attackers.h"
#include "support/safe_points.h"
#include "support/suppress_problems.h"

namespace lacuna {
namespace {

using testing::counts_are_checked;
using testing::for_each_seed;
using testing::PatternEnumeration;
using testing::Shared;
using testing::suppress_problem;

using Point = std::vector<double>;  // by column

constexpr double kTolerance = 1e-6;  // of an inequality scaled to its largest number

using SafePattern = testing::SafePoint;

double scale_of(const suppression_model::Cut& cut) {
  double largest = std::max(1.0, std::abs(cut.rhs));
  for (const double value : cut.values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

// Whether the inequality removes a safe pattern that it must keep.
bool removes_one(const suppression_model::Cut& cut, const std::vector<SafePattern>& safe) {
  return std::any_of(safe.begin(), safe.end(), [&](const SafePattern& pattern) {
    const bool must_stay =
        cut.family != suppression_model::CutFamily::kBridgeless || pattern.minimal;
    return must_stay && cut.violation(pattern.x) > kTolerance * scale_of(cut);
  });
}

// The same with a right-hand side one tenth of its largest coefficient too large.
suppression_model::Cut too_strong(suppression_model::Cut cut) {
  double largest = 0;
  for (const double value : cut.values)
    largest = std::max(largest, value);
  cut.rhs += largest / 10;
  return cut;
}

struct Tally {
  std::map<suppression_model::CutFamily, int> seen;
  std::map<suppression_model::CutFamily, int> refused;  // once made too strong
};

void expect_valid(const suppression_model::Cut& cut,
                  const std::vector<SafePattern>& safe,
                  Tally& tally) {
  ++tally.seen[cut.family];
  EXPECT_TRUE(std::is_sorted(cut.columns.begin(), cut.columns.end()));
  EXPECT_EQ(cut.columns.size(), cut.values.size());
  EXPECT_FALSE(removes_one(cut, safe)) << "family " << static_cast<int>(cut.family);
  tally.refused[cut.family] += removes_one(too_strong(cut), safe) ? 1 : 0;
}

// Fractional, integral, and half of each.
Point random_point(std::size_t columns, base::Random& random) {
  const auto kind = random.between(0, 2);
  Point x(columns);
  for (double& share : x) {
    const bool whole = kind == 0 || (kind == 1 && random.chance(1, 2));
    share = whole ? static_cast<double>(random.between(0, 1))
                  : static_cast<double>(random.between(0, 1000)) / 1000;
  }
  return x;
}

// Its constraints hold for every safe pattern, and none costs less than its bound.
void check_ascent(const suppression_model::SuppressModel& model,
                  const std::vector<SafePattern>& safe,
                  Tally& tally) {
  suppression_model::DualAscent ascent(model, "");
  ascent.climb(RunContext{});
  for (const suppression_model::Cut& cut : ascent.cuts())
    expect_valid(cut, safe, tally);
  for (const SafePattern& pattern : safe) {
    double cost = 0;
    for (std::size_t j = 0; j < pattern.x.size(); ++j)
      cost += pattern.x[j] * model.weights()[j];
    EXPECT_LE(ascent.bound(), cost * (1 + kTolerance) + kTolerance);
  }
  for (std::size_t j = 0; j < model.weights().size(); ++j)
    EXPECT_GE(ascent.reduced_costs()[j], -kTolerance * model.weights()[j]);
}

void check_part(const suppression_model::SuppressModel& model,
                const std::vector<SafePattern>& safe,
                base::Random& random,
                Tally& tally) {
  check_ascent(model, safe, tally);
  suppression_model::Separator separator(model, "", 1);
  const auto columns = static_cast<std::size_t>(model.num_columns());
  std::vector<suppression_model::Cut> capacity;
  for (int round = 0; round < 12; ++round) {
    const Point x = round == 0 ? Point(columns, 0) : random_point(columns, random);
    std::vector<suppression_model::Cut> cuts = separator.from_equations(x);
    const auto more = separator.from_attackers(0, x, {.cuts = 50, .bridges = true}, RunContext{});
    cuts.insert(cuts.end(), more.begin(), more.end());
    for (std::int32_t e = 0; e < model.attacked().num_rows(); ++e) {
      if (auto bridge = suppression_model::bridgeless_row(model, e, x))
        cuts.push_back(*bridge);
    }
    for (const suppression_model::Cut& cut : cuts) {
      expect_valid(cut, safe, tally);
      if (cut.family == suppression_model::CutFamily::kCapacity)
        capacity.push_back(cut);
    }
    for (const suppression_model::Cut& constraint : capacity) {
      if (const auto cover = suppression_model::cover_cut(constraint, x))
        expect_valid(*cover, safe, tally);
    }
    separator.share_witnesses();
    if (::testing::Test::HasFailure())
      return;
  }
}

void check_problem(const Shared& problem, const SuppressOptions& options, Tally& tally) {
  PatternEnumeration all(*problem, options);
  if (!all.is_small(11))
    return;
  base::Random random(all.candidates().size() + 17);
  for (const auto& part : suppression_model::parts_with_needs(*problem)) {
    const suppression_model::SuppressModel model(
        problem, part, presolve::always_withheld(*problem), options.minimum_width);
    check_part(model, testing::safe_points(model, all), random, tally);
  }
}

TEST(SuppressCuts, NoFamilyRemovesASafePattern) {
  Tally tally;
  for_each_seed(
      30'001, 600, [&](std::uint64_t seed) { check_problem(suppress_problem(seed), {}, tally); });
  if (counts_are_checked()) {
    for (const suppression_model::CutFamily family : {suppression_model::CutFamily::kCapacity,
                                                      suppression_model::CutFamily::kBridgeless,
                                                      suppression_model::CutFamily::kCover}) {
      EXPECT_GE(tally.seen[family], 100) << static_cast<int>(family);
      EXPECT_GE(tally.refused[family], 10) << "nothing wrong would be seen in this family";
    }
  }
}

TEST(SuppressCuts, NorOfManyAttackers) {
  Tally tally;
  for_each_seed(32'001, 300, [&](std::uint64_t seed) {
    const int count = 2 + static_cast<int>(seed % 7);
    check_problem(
        testing::with_many_attackers(*suppress_problem(seed), seed, count), {}, tally);
  });
  if (counts_are_checked()) {
    EXPECT_GE(tally.seen[suppression_model::CutFamily::kCapacity], 100);
    EXPECT_GE(tally.refused[suppression_model::CutFamily::kCapacity], 10);
  }
}

TEST(SuppressCuts, NorUnderAMinimumWidth) {
  Tally tally;
  for_each_seed(31'001, 200, [&](std::uint64_t seed) {
    base::Random random(seed);
    SuppressOptions options;
    options.minimum_width = static_cast<double>(random.between(1, 40));
    check_problem(suppress_problem(seed), options, tally);
  });
  if (counts_are_checked()) {
    EXPECT_GE(tally.seen[suppression_model::CutFamily::kCapacity], 100);
  }
}

}  // namespace
}  // namespace lacuna
