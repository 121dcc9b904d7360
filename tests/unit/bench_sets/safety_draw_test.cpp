// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/safety_draw.h"

#include <gtest/gtest.h>

#include <set>

#include "data/certificate/certificate.h"
#include "data/files/temporary_folder.h"

namespace lacuna::bench {
namespace {

TEST(SafetyDraw, DependsOnSeedAndNumberAlone) {
  const auto digest = [](std::uint64_t seed, std::int64_t number) {
    base::Random random = safety_stream(seed, number);
    const auto drawn = draw_table(random);
    return drawn ? certificate::problem_digest(drawn->problem) : "";
  };
  EXPECT_EQ(digest(1, 5), digest(1, 5));
  EXPECT_NE(digest(1, 5), "");
  EXPECT_NE(digest(1, 5), digest(1, 6));
  EXPECT_NE(digest(1, 5), digest(2, 5));
}

TEST(SafetyDraw, EveryShapeMethodAndOptionComesUp) {
  const files::TemporaryFolder folder("safety_draw_test");
  std::set<std::string> seen;
  for (std::int64_t number = 0; number < 400; ++number) {
    base::Random random = safety_stream(3, number);
    const auto drawn = draw_table(random);
    ASSERT_TRUE(drawn) << drawn.error().text();
    seen.insert(drawn->traits.begin(), drawn->traits.end());
    for (int r = 0; r < 3; ++r) {
      const auto run =
          draw_run(drawn->problem, {{"result.json", "public.csv"}}, folder.file(""), random);
      ASSERT_TRUE(run) << run.error().text();
      for (const std::string& option : run->options)
        seen.insert(std::string(to_string(run->job.method)) + " " + option);
    }
  }
  for (const char* wanted : {"kind linked",
                             "kind 1h2d",
                             "kind flat, 3 dimensions",
                             "levels given",
                             "levels all zero",
                             "levels sliding only",
                             "levels of several sorts",
                             "negative values",
                             "cells withheld already",
                             "1 attacker",
                             "3 attackers",
                             "suppress --prefer",
                             "suppress --checkpoint",
                             "suppress --max-withheld",
                             "suppress --minimum-width",
                             "interval --interval-digits",
                             "combined --max-intervals",
                             "combined --interval-level",
                             "adjust --norm",
                             "adjust --decimals",
                             "round --unbiased",
                             "round --steps",
                             "round --no-small-counts",
                             "round --exact-multiples",
                             "round --cells",
                             "perturb --range-unknown",
                             "perturb --grid",
                             "perturb --max-changed",
                             "mixed --totals-as",
                             "mixed --cells",
                             "interval --released",
                             "round --levels",
                             "perturb --zero-levels",
                             "suppress --time-limit"})
    EXPECT_TRUE(seen.contains(wanted)) << wanted;
}

}  // namespace
}  // namespace lacuna::bench
