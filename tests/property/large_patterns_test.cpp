// SPDX-License-Identifier: Apache-2.0
// Hierarchical and linked tables of some hundred to some thousand cells under the quick effort: the
// pattern, written to disk and read again, passes an audit that knows nothing of how it was made;
// the number of threads does not matter; a run that goes on from another's end is no worse.
#include <gtest/gtest.h>

#include "app/generate/generate.h"
#include "data/publish/pattern.h"
#include "judge/attack/view.h"
#include "lacuna/suppress.h"
#include "property/seeds.h"
#include "protect/start/construct.h"
#include "support/tables.h"

namespace lacuna {
namespace {

using Shared = std::shared_ptr<const Problem>;

Shared large_problem(std::uint64_t seed) {
  generation::GenerateOptions options;
  options.seed = seed;
  options.kind =
      seed % 3 == 0 ? generation::GenerateKind::kLinked : generation::GenerateKind::kHierarchical;
  options.depths =
      seed % 3 == 1 ? std::vector<std::int32_t>{2, 2, 1} : std::vector<std::int32_t>{3, 2};
  options.fan_least.assign(options.depths.size(), 2);
  options.fan_most.assign(options.depths.size(), 4);
  options.one_child_percent = seed % 2 == 0 ? 20 : 0;
  options.absent_percent = seed % 4 == 1 ? 30 : 0;
  options.skew = 6;
  options.weight = generation::GenerateWeight::kValue;
  options.above_percent = -1;
  auto made = generation::generate(options);
  EXPECT_TRUE(made) << made.error().text();
  return std::make_shared<const Problem>(std::move(made).value());
}

SuppressResult protect(const Shared& problem, SuppressOptions options, int threads) {
  options.effort = Effort::kFast;
  RunContext run;
  run.threads = threads;
  auto found = suppress(problem, options, with_work(run, 3'000'000));
  EXPECT_TRUE(found) << found.error().text();
  return std::move(found).value();
}

TEST(LargePatterns, AreSafeOnceRead) {
  testing::for_each_seed(1, testing::part_of(8U), [](std::uint64_t seed) {
    const Shared problem = large_problem(seed);
    SuppressOptions options;
    std::vector<CellId> last;
    std::vector<Displacement> evidence;
    options.on_pattern =
        [&](const Draft& draft, const std::vector<Displacement>& known, const SuppressStage&) {
          last.clear();
          for (const CellEntry& entry : draft.entries())
            last.push_back(entry.cell);
          evidence = known;
        };
    const SuppressResult one = protect(problem, options, 1);
    ASSERT_TRUE(one.complete);
    EXPECT_EQ(last.size(), one.draft.entries().size());  // a checkpoint ends with the result
    EXPECT_LE(one.bound, one.cost);
    const auto text = publish::write_pattern(one.draft);
    ASSERT_TRUE(text);
    const auto read = publish::read_pattern(*text, "pattern", problem->table());
    ASSERT_TRUE(read);
    EXPECT_EQ(testing::audit(problem, *read).verdict, Verdict::kProtected);
    SuppressOptions resumed;
    resumed.start = last;
    resumed.start_evidence = evidence;
    const SuppressResult again = protect(problem, resumed, 1);
    EXPECT_TRUE(again.complete);
    EXPECT_LE(again.cost, one.cost * (1 + 1e-9));
    EXPECT_EQ(testing::audit(problem, again.draft).verdict, Verdict::kProtected);
  });
}

// By rounds, not by the clock, which differs from run to run.
TEST(LargePatterns, DoNotDependOnThreads) {
  testing::for_each_seed(1, 6, [](std::uint64_t seed) {
    const Shared problem = large_problem(seed);
    start::ConstructOptions options;
    options.max_rounds = 2;
    std::vector<std::vector<CellEntry>> found;
    for (const int threads : {1, 2, 3}) {
      RunContext run;
      run.threads = threads;
      const auto made = start::construct_pattern(*problem, options, run);
      ASSERT_TRUE(made);
      found.push_back(made->draft.entries());
    }
    EXPECT_TRUE(found[0] == found[1] && found[0] == found[2]);
  });
}

// A revision makes some values and sensitive cells different: what is still safe stays.
TEST(LargePatterns, KeepAnEarlierRelease) {
  testing::for_each_seed(1, testing::part_of(4U), [](std::uint64_t seed) {
    const Shared problem = large_problem(seed);
    SuppressOptions options;
    const SuppressResult first = protect(problem, options, 1);
    ASSERT_TRUE(first.complete);
    options.preferred.emplace();
    for (const CellEntry& entry : first.draft.entries())
      options.preferred->push_back(entry.cell);
    const SuppressResult same = protect(problem, options, 1);
    EXPECT_EQ(same.draft.entries(), first.draft.entries());
    ProblemParts revised = problem->parts();
    for (std::size_t i = 0; i < revised.requirements.size(); i += 7) {
      Requirement& need = revised.requirements[i];
      const Cell& cell = revised.table.cell(need.cell);
      const attack::Slack slack = attack::slack_within(cell.value, cell.prior);
      need.upper = std::min(2 * need.upper, slack.up);
      need.lower = std::min(2 * need.lower, slack.down);
    }
    const auto harder =
        std::make_shared<const Problem>(assemble_problem(std::move(revised)).value());
    const SuppressResult kept = protect(harder, options, 1);
    ASSERT_TRUE(kept.complete);
    EXPECT_EQ(testing::audit(harder, kept.draft).verdict, Verdict::kProtected);
    std::size_t still = 0;
    for (const CellId cell : options.earlier())
      still += kept.draft.state(cell) == StatementKind::kWithheld ? 1U : 0U;
    EXPECT_GT(10 * still, 8 * options.earlier().size());
  });
}

}  // namespace
}  // namespace lacuna
