// SPDX-License-Identifier: Apache-2.0
// Whoever stops a method is heard whatever it is doing: also while its result is confirmed or
// rounded, after the search.
#include <gtest/gtest.h>

#include <string>

#include "app/generate/generate.h"
#include "lacuna/protect.h"

namespace lacuna::job {
namespace {

std::shared_ptr<const Problem> table() {
  generation::GenerateOptions options;
  options.kind = generation::GenerateKind::kOneHierarchy;
  options.rows = 3;
  options.columns = 3;
  options.tree_depth = 2;
  options.sensitive_percent = 15;
  options.attackers = 2;  // an audit looks at one after the other
  options.seed = 3;
  return std::make_shared<const Problem>(generation::generate(options).value());
}

ProtectResult run_method(const std::string& name, const RunContext& run) {
  ProtectOptions options;
  options.method = find_method(name).value();
  options.off_center = 0;
  const auto found = protect(table(), options, run);
  EXPECT_TRUE(found) << found.error().text();
  return found.value();
}

// What it is to be stopped in: the first report of this phase asks for the stop.
ProtectResult stopped_in(const std::string& phase, const std::string& method, int& reports) {
  std::stop_source source;
  RunContext run;
  run.stop = source.get_token();
  run.on_progress = [&](const Progress& progress) {
    if (progress.phase != phase)
      return;
    ++reports;
    source.request_stop();
  };
  return run_method(method, run);
}

// What was ready by then may be released, if the audit says so.
void expect_safe_or_nothing(const ProtectResult& found, const std::string& method) {
  EXPECT_EQ(found.why, StopReason::kCancelled) << method;
  EXPECT_FALSE(found.reproducible) << method;
  if (!found.complete)
    return;
  const auto decided = decide_release(table(), found, {}, {});
  ASSERT_TRUE(decided) << method << ": " << decided.error().text();
  EXPECT_TRUE(decided->release.has_value()) << method;
}

TEST(Stop, IsHeardWhileEndsAreConfirmed) {
  for (const std::string method : {"interval", "combined"}) {
    ASSERT_TRUE(run_method(method, {}).complete) << method;
    int reports = 0;
    const ProtectResult found = stopped_in("audit", method, reports);
    ASSERT_GT(reports, 0) << method;
    expect_safe_or_nothing(found, method);
  }
}

TEST(Stop, IsHeardWhileAnAdjustedTableIsRounded) {
  int reports = 0;
  const ProtectResult found = stopped_in("rounding", "adjust", reports);
  EXPECT_EQ(reports, 1);
  EXPECT_EQ(found.reason, "");
  expect_safe_or_nothing(found, "adjust");
}

// Asked for before anything is found: what there is soon is finished, or there is no result.
TEST(Stop, BeforeTheBeginningEndsSoon) {
  std::stop_source source;
  source.request_stop();
  RunContext run;
  run.stop = source.get_token();
  for (const std::string method : {"interval", "combined", "adjust"}) {
    const ProtectResult found = run_method(method, run);
    EXPECT_NE(found.why, StopReason::kOptimal) << method;
    EXPECT_EQ(found.reason, "") << method;
  }
}

}  // namespace
}  // namespace lacuna::job
