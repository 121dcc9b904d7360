// SPDX-License-Identifier: Apache-2.0
#include "job/process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>

namespace lacuna {
namespace {

TEST(RunApart, ReturnsWhatTheWorkReturns) {
  const std::string text(300'000, 'x');  // more than a pipe holds
  const ChildResult child = run_apart([&] { return text; }, {});
  EXPECT_TRUE(child.finished);
  EXPECT_EQ(child.output, text);
  EXPECT_GT(child.peak_kib, 0);
}

TEST(RunApart, PeakMemoryIsThatOfTheRun) {
  constexpr std::size_t kMany = 64U << 20U;
  const auto with = run_apart([] { return std::string(kMany, 'x').substr(0, 1); }, {});
  const auto without = run_apart([] { return std::string("x"); }, {});
  EXPECT_GT(with.peak_kib, without.peak_kib + 50'000);
}

TEST(RunApart, CrashesAndExceptionsStayThere) {
  const ChildResult crashed = run_apart(
      []() -> std::string {
        std::raise(SIGKILL);
        return "";
      },
      {});
  EXPECT_FALSE(crashed.finished);
  EXPECT_EQ(crashed.trouble, "crashed: Killed");
  const ChildResult threw =
      run_apart([]() -> std::string { throw std::runtime_error("no way"); }, {});
  EXPECT_FALSE(threw.finished);
  EXPECT_EQ(threw.trouble, "exit code 3: no way");
}

TEST(RunApart, WhatHangsIsEnded) {
  const ChildResult child = run_program({"sleep", "30"}, {std::chrono::seconds(0), {}});
  EXPECT_FALSE(child.finished);
  EXPECT_EQ(child.trouble, "killed after the longest time");
}

TEST(RunProgram, OutputAndErrorsAreKeptApart) {
  const ChildResult child = run_program({"sh", "-c", "echo out; echo why >&2; exit 5"}, {});
  EXPECT_FALSE(child.finished);
  EXPECT_EQ(child.output, "out\n");
  EXPECT_EQ(child.trouble, "exit code 5: why");
  EXPECT_EQ(run_program({"no-such-program"}, {}).trouble,
            "exit code 127: no-such-program cannot be run");
}

}  // namespace
}  // namespace lacuna
