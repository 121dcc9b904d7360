// SPDX-License-Identifier: Apache-2.0
// Interval publication that its work ends: the same ends on any number of threads, and never worse
// with more work. And what is ready at any time: evidence of the first pattern, evidence at slacks.
#include "core/base/work.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/generate/generate.h"
#include "lacuna/audit.h"
#include "protect/interval/find_slacks.h"
#include "protect/interval/publish.h"

namespace lacuna::interval {
namespace {

std::shared_ptr<const Problem> hierarchical(std::uint64_t seed) {
  generation::GenerateOptions shape;
  shape.kind = generation::GenerateKind::kHierarchical;
  shape.depths = {2, 2, 2};
  shape.fan_least = {2};
  shape.fan_most = {3};
  shape.seed = seed;
  return std::make_shared<const Problem>(generation::generate(shape).value());
}

RunContext with_threads(int threads) {
  RunContext run;
  run.threads = threads;
  return run;
}

bool is_protected(const std::shared_ptr<const Problem>& problem,
                  const Draft& draft,
                  const std::vector<Displacement>& hints) {
  AuditOptions options;
  options.intervals = false;
  options.hints = hints;
  const auto report = Auditor(problem).audit(draft, options, {});
  return report && report->verdict == Verdict::kProtected;
}

TEST(IntervalWork, ThreadsDoNotMatterWhereWorkEndsIt) {
  const auto problem = hierarchical(3);
  for (const std::int64_t units : {1'000, 20'000, 60'000}) {
    SCOPED_TRACE(units);
    const std::int64_t before = work_done();
    const auto one = publish_intervals(problem, {}, with_work(with_threads(1), units));
    const std::int64_t taken = work_done() - before;
    ASSERT_TRUE(one);
    EXPECT_TRUE(one->complete);
    EXPECT_EQ(one->why, StopReason::kWork);
    EXPECT_TRUE(is_protected(problem, one->draft, one->witnesses));
    for (const int threads : {2, 8}) {
      const std::int64_t start = work_done();
      const auto other = publish_intervals(problem, {}, with_work(with_threads(threads), units));
      ASSERT_TRUE(other);
      EXPECT_NEAR(work_done() - start, taken, 1);  // readings are rounded down
      EXPECT_TRUE(std::ranges::equal(other->draft.entries(), one->draft.entries()));
      EXPECT_EQ(other->bound, one->bound);
    }
  }
}

TEST(IntervalWork, MoreIsNeverWorse) {
  const auto problem = hierarchical(5);
  double last = kLpInfinity;
  for (const std::int64_t units : {1'000, 10'000, 100'000}) {
    const auto found = publish_intervals(problem, {}, with_work({}, units));
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->complete);
    EXPECT_LE(found->cost, last);
    last = found->cost;
  }
}

TEST(FirstEvidence, ItsSmallestRoomsAreSafe) {
  int safe = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const auto problem = std::make_shared<const Problem>(generation::generate_small(seed).value());
    const auto model = make_model(*problem, {});
    ASSERT_TRUE(model);
    const auto evidence = first_evidence(*model, "", {});
    if (!evidence)
      continue;
    ++safe;
    const Ends ends = holding(*evidence, *model, round_up(*model, model->least));
    EXPECT_TRUE(is_protected(problem, draft_of(*model, ends, 0), *evidence));
  }
  EXPECT_GT(safe, 30);
}

TEST(EvidenceWithin, ShowsThatRoomsAreSafe) {
  std::size_t hints = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const auto problem = std::make_shared<const Problem>(generation::generate_small(seed).value());
    const auto model = make_model(*problem, {});
    ASSERT_TRUE(model);
    const auto slacks = find_cheapest_slacks(*model, {}, {});
    ASSERT_TRUE(slacks);
    if (slacks->z.empty())
      continue;
    const auto evidence = evidence_within(*model, slacks->z, {});
    hints += evidence.size();
    const Ends ends = holding(evidence, *model, round_up(*model, slacks->z));
    EXPECT_TRUE(is_protected(problem, draft_of(*model, ends, 0), evidence));
  }
  EXPECT_GT(hints, 100U);
}

}  // namespace
}  // namespace lacuna::interval
