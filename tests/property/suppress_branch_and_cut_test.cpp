// SPDX-License-Identifier: Apache-2.0
// Branch and cut finds and proves the optimum of the compact model on random small tables (flat,
// hierarchical, linked; one to three attackers; all kinds of levels), and every release passes the
// audit once more when problem and release are read back from disk.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "core/base/random.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"
#include "data/problems/problem_json.h"
#include "data/publish/pattern.h"
#include "data/publish/release_file.h"
#include "lacuna/audit.h"
#include "lacuna/suppress.h"
#include "property/seeds.h"
#include "protect/suppress/compact_model.h"
#include "protect/suppression_model/pattern_requirements.h"
#include "support/many_attackers.h"
#include "support/suppress_problems.h"

namespace lacuna {
namespace {

using testing::counts_are_checked;
using testing::for_each_seed;
using testing::part_of;
using testing::Shared;
using testing::suppress_problem;

constexpr double kSameCost = 1e-7;  // relative

// Written, read back, and audited as a stranger would.
void expect_safe_on_disk(const Shared& asked,
                         const Draft& draft,
                         const files::TemporaryFolder& folder) {
  const auto release = Auditor(asked).release(draft, {}, RunContext{});
  ASSERT_TRUE(release) << release.error().text();
  const std::string release_path = folder.file("release.json");
  ASSERT_TRUE(publish::write_release(*release, publish::RunSummary{}, release_path));
  const std::string problem_path = folder.file("problem.json");
  ASSERT_TRUE(files::write_file_atomically(problem_path, problems::write_problem_json(*asked)));
  const auto problem_text = files::read_file(problem_path);
  const auto release_text = files::read_file(release_path);
  ASSERT_TRUE(problem_text && release_text);
  auto problem = problems::read_problem_json(*problem_text, problem_path);
  ASSERT_TRUE(problem) << problem.error().text();
  const auto read = std::make_shared<const Problem>(std::move(problem).value());
  const auto pattern = publish::read_pattern(*release_text, release_path, read->table());
  ASSERT_TRUE(pattern) << pattern.error().text();
  EXPECT_EQ(pattern->entries(), draft.entries());
  const auto report = Auditor(read).audit(*pattern, {}, RunContext{});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->verdict, Verdict::kProtected);
}

struct Tally {
  int solved = 0, infeasible = 0;
  std::map<std::size_t, int> attackers;
};

void expect_optimum(const Shared& problem,
                    const SuppressOptions& options,
                    const files::TemporaryFolder& folder,
                    Tally& tally) {
  const auto compact = suppression::suppress_by_compact_model(problem, options, {}, RunContext{});
  ASSERT_TRUE(compact) << compact.error().text();
  const auto found = suppress(problem, options, RunContext{});
  if (compact->found.why == StopReason::kInfeasible) {
    ++tally.infeasible;
    EXPECT_FALSE(found);
    return;
  }
  ASSERT_EQ(compact->found.why, StopReason::kOptimal);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->why, StopReason::kOptimal);
  ASSERT_TRUE(found->complete);
  const double optimum = compact->found.cost;
  EXPECT_NEAR(found->cost, optimum, kSameCost * std::max(1.0, std::abs(optimum)));
  EXPECT_NEAR(found->bound, optimum, kSameCost * std::max(1.0, std::abs(optimum)));
  EXPECT_EQ(found->cost, suppression_model::withheld_weight(problem->table(), found->draft));
  if (options.max_withheld >= 0) {
    EXPECT_LE(found->draft.count(StatementKind::kWithheld), options.max_withheld);
  }
  const auto asked = std::make_shared<const Problem>(
      suppression_model::problem_of_pattern(*problem, options.minimum_width, found->draft));
  expect_safe_on_disk(asked, found->draft, folder);
  ++tally.solved;
  ++tally.attackers[problem->attackers().size()];
}

SuppressOptions exact_options() {
  SuppressOptions options;
  options.effort = Effort::kBest;
  return options;
}

// Columns of the compact model, which takes most of the time.
std::size_t compact_size(const Problem& problem) {
  return static_cast<std::size_t>(problem.table().num_cells()) *
         (1 + 2 * problem.requirements().size());
}

// The first ones whatever their size, then the smaller ones.
TEST(SuppressBranchAndCut, SameOptimumAsTheCompactModel) {
  const files::TemporaryFolder folder("optimum");
  Tally tally;
  for_each_seed(1, part_of(1450U), [&](std::uint64_t seed) {
    const Shared problem = suppress_problem(seed);
    if (seed <= part_of(250U) || compact_size(*problem) <= 300)
      expect_optimum(problem, exact_options(), folder, tally);
  });
  if (counts_are_checked()) {
    EXPECT_GE(tally.solved, part_of(1000));
    EXPECT_GE(tally.infeasible, part_of(20));
    EXPECT_GE(tally.attackers[1], part_of(200));
    EXPECT_GE(tally.attackers[3], part_of(100));
  }
}

TEST(SuppressBranchAndCut, SameOptimumAgainstManyAttackers) {
  const files::TemporaryFolder folder("attackers");
  Tally tally;
  for_each_seed(42'001, part_of(240U), [&](std::uint64_t seed) {
    const Shared problem = testing::with_many_attackers(
        *suppress_problem(seed), seed, 2 + static_cast<int>(seed % 5));
    if (compact_size(*problem) <= 700)
      expect_optimum(problem, exact_options(), folder, tally);
  });
  if (counts_are_checked()) {
    EXPECT_GE(tally.solved, part_of(60));
    EXPECT_GE(tally.infeasible, part_of(10));
  }
}

TEST(SuppressBranchAndCut, SameOptimumUnderALimitOnTheCells) {
  const files::TemporaryFolder folder("limit");
  Tally tally;
  for_each_seed(40'001, 150, [&](std::uint64_t seed) {
    base::Random random(seed);
    SuppressOptions options = exact_options();
    options.max_withheld = random.between(2, 12);
    expect_optimum(suppress_problem(seed), options, folder, tally);
  });
  if (counts_are_checked()) {
    EXPECT_GE(tally.solved, 50);
    EXPECT_GE(tally.infeasible, 20);
  }
}

TEST(SuppressBranchAndCut, SameOptimumUnderAMinimumWidth) {
  const files::TemporaryFolder folder("width");
  Tally tally;
  for_each_seed(41'001, 130, [&](std::uint64_t seed) {
    base::Random random(seed);
    SuppressOptions options = exact_options();
    options.minimum_width = static_cast<double>(random.between(1, 40));
    if (random.chance(1, 4))
      options.max_withheld = random.between(2, 12);
    const Shared problem = suppress_problem(seed);
    if (problem->table().num_cells() <=
        20)  // every cell has a requirement of its own: large models
      expect_optimum(problem, options, folder, tally);
  });
  if (counts_are_checked()) {
    EXPECT_GE(tally.solved, 50);
    EXPECT_GE(tally.infeasible, 10);
  }
}

TEST(SuppressBranchAndCut, ThreadsChangeNothing) {
  for_each_seed(1, 40, [&](std::uint64_t seed) {
    const Shared problem = suppress_problem(seed);
    const auto one = suppress(problem, exact_options(), RunContext{});
    for (const int threads : {2, 4}) {
      RunContext run;
      run.threads = threads;
      const auto more = suppress(problem, exact_options(), run);
      ASSERT_EQ(more.has_value(), one.has_value());
      if (!one)
        continue;
      EXPECT_EQ(more->draft.entries(), one->draft.entries());
      EXPECT_EQ(more->cost, one->cost);
      EXPECT_EQ(more->bound, one->bound);
    }
  });
}

}  // namespace
}  // namespace lacuna
