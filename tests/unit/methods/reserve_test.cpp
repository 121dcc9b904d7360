// SPDX-License-Identifier: Apache-2.0
// The deadline of a method leaves time for the audit.
#include "protect/methods/reserve.h"

#include <gtest/gtest.h>

#include <chrono>

#include "app/generate/generate.h"

namespace lacuna::methods {
namespace {

using Clock = std::chrono::steady_clock;

Problem table(std::int32_t size) {
  generation::GenerateOptions options;
  options.sizes = {size, size};
  return generation::generate(options).value();
}

TEST(Reserve, GrowsWithTheTable) {
  EXPECT_GT(work_after(table(40)), work_after(table(10)));
  EXPECT_GT(work_after(table(1)), 0);
}

TEST(Reserve, IsTakenFromTheDeadline) {
  RunContext run;
  EXPECT_EQ(run_of_method(run, table(5)).deadline, run.deadline);
  run.deadline = Clock::now() + std::chrono::hours(1);
  const auto earlier = run_of_method(run, table(5)).deadline;
  EXPECT_EQ(run.deadline - earlier, std::chrono::microseconds(work_after(table(5))));
}

TEST(Reserve, LeavesMostOfAShortLimitToTheMethod) {
  RunContext run;
  run.deadline = Clock::now() + std::chrono::milliseconds(1);
  const auto earlier = run_of_method(run, table(40)).deadline;
  EXPECT_LE(run.deadline - earlier, std::chrono::microseconds(334));
  run.deadline = Clock::now() - std::chrono::hours(1);
  EXPECT_EQ(run_of_method(run, table(5)).deadline, run.deadline);
}

}  // namespace
}  // namespace lacuna::methods
