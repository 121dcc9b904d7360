// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>
#include <thread>

namespace lacuna::bench {
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

TEST(RunProgram, SignalsAreSentOnceThePatienceIsOver) {
  ChildLimits limits;
  limits.signal = SIGINT;
  // A shell that has not come to its first line dies of the signal: then it gets more time.
  ChildResult heard;
  for (auto patience = std::chrono::milliseconds(50);
       heard.code != 7 && patience < std::chrono::minutes(2);
       patience *= 2) {
    limits.patience = patience;
    heard = run_program({"sh", "-c", "trap 'exit 7' INT; while :; do sleep 0.01; done"}, limits);
  }
  EXPECT_EQ(heard.code, 7);
  limits.signal = SIGKILL;
  limits.patience = std::chrono::milliseconds(0);
  const ChildResult killed = run_program({"sleep", "30"}, limits);
  EXPECT_EQ(killed.code, -1);
  EXPECT_EQ(killed.trouble, "crashed: Killed");
}

TEST(RunApart, ChildrenMayHaveChildrenAndStartTogether) {
  std::vector<std::string> outputs(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& output : outputs) {
      threads.emplace_back([&output] {
        output = run_apart([] { return run_apart([] { return "inner"; }, {}).output; }, {}).output;
      });
    }
  }
  EXPECT_EQ(outputs, std::vector<std::string>(4, "inner"));
}

}  // namespace
}  // namespace lacuna::bench
