// SPDX-License-Identifier: Apache-2.0
// Rounding, perturbation, mixtures and adjustment under a limit of work: the same release for any
// number of threads, whatever ends it.
#include <gtest/gtest.h>

#include <thread>

#include "app/generate/generate.h"
#include "lacuna/protect.h"

namespace lacuna::methods {
namespace {

std::shared_ptr<const Problem> table_of(std::vector<std::int32_t> sizes) {
  generation::GenerateOptions options;
  options.seed = 5;
  options.sizes = std::move(sizes);
  options.typical_value = 40;
  options.sensitive_percent = 8;
  return std::make_shared<const Problem>(generation::generate(options).value());
}

ProtectResult protected_with(const std::shared_ptr<const Problem>& problem,
                             const ProtectOptions& options,
                             std::int64_t work,
                             int threads) {
  ProtectResult result;
  std::thread fresh([&] {  // its work is counted from 0, to the last nanosecond
    RunContext run;
    run.threads = threads;
    auto found = protect(problem, options, with_work(run, work));
    EXPECT_TRUE(found) << found.error().text();
    if (found)
      result = std::move(found).value();
  });
  fresh.join();
  return result;
}

// How it ends with so much work, and that threads make no difference.
StopReason ends_alike(const std::shared_ptr<const Problem>& problem,
                      const ProtectOptions& options,
                      std::int64_t work) {
  const ProtectResult one = protected_with(problem, options, work, 1);
  EXPECT_TRUE(one.reproducible);
  for (const int threads : {2, 8}) {
    const ProtectResult other = protected_with(problem, options, work, threads);
    EXPECT_EQ(other.why, one.why) << threads;
    EXPECT_EQ(other.complete, one.complete) << threads;
    EXPECT_EQ(other.work, one.work) << threads;
    EXPECT_EQ(other.cost, one.cost) << threads;
    EXPECT_EQ(other.bound, one.bound) << threads;
    EXPECT_TRUE(other.draft.entries() == one.draft.entries()) << threads;
  }
  return one.why;
}

TEST(DiscreteWork, AdjustmentEndsTheSameWhateverTheThreads) {
  ProtectOptions options;
  options.method = Method::kAdjust;
  options.gap = 1e-6;
  for (const AdjustNorm norm : {AdjustNorm::kL1, AdjustNorm::kL2}) {
    options.adjust.norm = norm;
    EXPECT_EQ(ends_alike(table_of({8, 8, 8}), options, 30'000), StopReason::kWork);
  }
}

TEST(DiscreteWork, RoundingEndsTheSameWhateverTheThreads) {
  ProtectOptions options;
  options.method = Method::kRound;
  options.round.base = 60;
  ends_alike(table_of({9, 9, 9}), options, 10'000);
  options.effort = Effort::kFast;
  EXPECT_EQ(ends_alike(table_of({9, 9, 9}), options, 1'000), StopReason::kWork);
  EXPECT_EQ(ends_alike(table_of({9, 9, 9}), options, 1), StopReason::kWork);  // without a release
}

TEST(DiscreteWork, PerturbationEndsTheSameWhateverTheThreads) {
  ProtectOptions options;
  options.method = Method::kPerturb;
  options.perturb.range = 30;
  EXPECT_EQ(ends_alike(table_of({4, 4, 4}), options, 20'000), StopReason::kWork);
}

TEST(DiscreteWork, MixturesEndTheSameWhateverTheThreads) {
  ProtectOptions options;
  options.method = Method::kMixed;
  options.perturb.range = 30;
  ends_alike(table_of({8, 8}), options, 20'000);
  ends_alike(table_of({4, 4, 4}), options, 1'000'000);
}

// More work never makes it worse: the course is the same, and goes on.
TEST(DiscreteWork, MoreWorkIsNeverWorse) {
  ProtectOptions options;
  options.method = Method::kAdjust;
  options.gap = 1e-6;
  const auto problem = table_of({6, 6, 6});
  double cost = 0;
  for (const std::int64_t work : {40'000, 80'000, 160'000}) {
    const ProtectResult found = protected_with(problem, options, work, 1);
    ASSERT_TRUE(found.complete) << work;
    if (cost > 0) {
      EXPECT_LE(found.cost, cost * (1 + 1e-6)) << work;
    }
    cost = found.cost;
  }
}

}  // namespace
}  // namespace lacuna::methods
