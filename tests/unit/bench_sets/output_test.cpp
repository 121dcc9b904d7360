// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/output.h"

#include <gtest/gtest.h>

namespace lacuna::bench {
namespace {

BenchRow row(const char* instance, const char* method, double seconds, const char* verdict) {
  BenchRow made;
  made.instance = instance;
  made.method = method;
  made.cells = 10;
  made.status = "optimal";
  made.verdict = verdict;
  made.objective = 4;
  made.bound = 3;
  made.seconds = seconds;
  made.trace = {{0, 8, 2}, {1, 4, 3}};
  return made;
}

TEST(BenchCsv, OneQuotedLinePerRun) {
  BenchRow odd = row("a,b", "suppress", 1.5, "protected");
  odd.peak_memory = 12.34;
  const std::string text = bench_csv(std::vector<BenchRow>{odd});
  EXPECT_NE(text.find("\n\"a,b\",10,0,0,suppress,,1,optimal,4,3,0.25,0,1.500000,12.3,protected,"),
            std::string::npos)
      << text;
}

TEST(BenchPlots, ARunThatIsNotProtectedDoesNotCountAsFinished) {
  const std::vector<BenchRow> rows{row("a", "fast", 1, "exposed"),
                                   row("a", "slow", 2, "protected")};
  const std::string svg = profile_svg(rows);
  EXPECT_EQ(svg.find("<polyline"), svg.rfind("<polyline"));  // one line alone
  EXPECT_NE(svg.find("<polyline"), std::string::npos);
}

TEST(BenchPlots, GapsComeFromTheHistory) {
  const std::vector<BenchRow> rows{row("a", "suppress", 1, "protected")};
  EXPECT_NE(gap_time_svg(rows).find("<polyline"), std::string::npos);
  EXPECT_NE(time_size_svg(rows).find("<circle"), std::string::npos);
}

TEST(Markdown, ShortLinesArePadded) {
  EXPECT_EQ(markdown_table({"a", "b"}, {{"1"}}), "| a | b |\n|---|---|\n| 1 |  |\n");
}

}  // namespace
}  // namespace lacuna::bench
