// SPDX-License-Identifier: Apache-2.0
// The combined method that its work ends: the same ends on any number of threads.
#include "core/base/work.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/generate/generate.h"
#include "lacuna/combined.h"

namespace lacuna::combined {
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

TEST(CombinedWork, ThreadsDoNotMatterWhereWorkEndsIt) {
  const auto problem = hierarchical(3);
  for (const std::int64_t units : {1'000, 50'000, 150'000}) {
    SCOPED_TRACE(units);
    RunContext run;
    const auto one = publish_combined(problem, {}, with_work(run, units));
    ASSERT_TRUE(one);
    EXPECT_TRUE(one->complete);
    EXPECT_EQ(one->why, StopReason::kWork);
    for (const int threads : {2, 8}) {
      run.threads = threads;
      const auto other = publish_combined(problem, {}, with_work(run, units));
      ASSERT_TRUE(other);
      EXPECT_TRUE(std::ranges::equal(other->draft.entries(), one->draft.entries()));
      EXPECT_EQ(other->bound, one->bound);
    }
  }
}

}  // namespace
}  // namespace lacuna::combined
