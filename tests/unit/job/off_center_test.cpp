// SPDX-License-Identifier: Apache-2.0
// Intervals that were moved off centre, through files as in use: every release is read again and
// judged again.
#include "core/draft/off_center.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/job/guess_text.h"
#include "app/job/jobs.h"
#include "app/load/load.h"
#include "data/files/temporary_folder.h"
#include "protect/methods/interval_ends.h"

namespace lacuna::job {
namespace {

struct Shape {
  const char* name;
  std::vector<std::string> methods;  // of which each has a release of this table
  generation::GenerateOptions options;
};

std::vector<Shape> shapes() {
  std::vector<Shape> all(4);
  all[0].name = "flat";
  all[0].methods = {"interval", "combined", "mixed"};
  all[1].name = "hierarchical";
  all[1].methods = {"interval", "combined"};
  all[1].options.kind = generation::GenerateKind::kHierarchical;
  all[1].options.depths = {2, 1};
  all[1].options.fan_most = {3};
  all[2].name = "counts";
  all[2].methods = {"interval", "combined"};
  all[2].options.typical_value = 5;
  all[2].options.zero_percent = 10;
  all[3].name = "insiders";
  all[3].methods = {"interval", "combined"};
  all[3].options.attackers = 2;
  for (Shape& shape : all) {
    shape.options.sizes = {4, 4};
    shape.options.sensitive_percent = 20;
  }
  return all;
}

class IntervalEnds : public ::testing::Test {
 protected:
  // The release of a generated table as it was read back from its file; audited again.
  Draft released(const Shape& shape, const std::string& method, std::uint64_t seed, double share) {
    const std::string table = folder_.file("table.json"), result = folder_.file("result.json");
    EXPECT_TRUE(run_job(GenerateJob{shape.options, table}, RunContext{}));
    ProtectJob job;
    job.input = table;
    job.output = result;
    job.method = find_method(method).value();
    job.off_center = share;
    job.gap = 0.05;
    RunContext run;
    run.seed = seed;
    const auto done = run_job(job, run);
    EXPECT_TRUE(done && done->code == ExitCode::kDone) << shape.name << ' ' << method;
    AuditJob audit;
    audit.input = table;
    audit.pattern = result;
    audit.verdicts_only = true;
    const auto judged = run_job(audit, RunContext{});
    EXPECT_TRUE(judged && judged->code == ExitCode::kDone) << shape.name << ' ' << method;
    problem_ = std::make_shared<const Problem>(load_problem(table, RunContext{}).value());
    Problem copy = *problem_;
    return load_draft(result, copy).value();
  }

  std::int32_t centered(const Draft& draft) const {
    std::int32_t count = 0;
    for (const Requirement& need : problem_->requirements()) {
      const auto entry = draft.find(need.cell);
      const Cell& cell = problem_->table().cell(need.cell);
      count += entry != nullptr && entry->state() == StatementKind::kInterval &&
                       draft::is_centered(cell.value, entry->bounds(), cell.prior)
                   ? 1
                   : 0;
    }
    return count;
  }

  std::int64_t near(const Draft& draft) const {
    return reader_guesses(*problem_, draft, AuditReport{}, 1).near;
  }

  files::TemporaryFolder folder_{"interval_ends"};
  std::shared_ptr<const Problem> problem_;
};

TEST_F(IntervalEnds, NoMiddleAndNoEndTellsTheTruth) {
  std::int64_t near_before = 0, near_after = 0;
  for (const Shape& shape : shapes()) {
    for (const std::string& method : shape.methods) {
      SCOPED_TRACE(shape.name + (" " + method));
      const Draft plain = released(shape, method, 1, 0);
      EXPECT_GT(centered(plain), 0);
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Draft now = released(shape, method, seed, 0.25);
        EXPECT_EQ(centered(now), 0) << seed;
        near_before += near(plain);
        near_after += near(now);
      }
    }
  }
  EXPECT_LT(2 * near_after, near_before);
}

TEST_F(IntervalEnds, TheSeedDecidesAndTheLossIsAsStated) {
  for (const Shape& shape : shapes()) {
    const Draft plain = released(shape, "interval", 1, 0);
    const Draft once = released(shape, "interval", 7, 0.5);
    EXPECT_EQ(once.entries(), released(shape, "interval", 7, 0.5).entries());
    EXPECT_NE(once.entries(), released(shape, "interval", 8, 0.5).entries());
    const draft::AddedWidth added = draft::added_width(problem_->table(), plain, once);
    EXPECT_GT(added.loss(), 0) << shape.name;
    for (const draft::AddedWidth::Added& each : added.added) {
      const Bounds prior = problem_->table().cell(each.cell).prior;
      const Bounds ends = intersect(plain.find(each.cell)->bounds(), prior);
      const Units most = std::max<Units>(4, (ends.upper - ends.lower) / 2);
      EXPECT_LE(each.below + each.above, 2 * most + 1) << shape.name;
      EXPECT_GE(each.below, 0);
      EXPECT_GE(each.above, 0);
    }
  }
}

TEST_F(IntervalEnds, WhatCanBeInferredLeansAsWell) {
  for (const Shape& shape : shapes()) {
    if (std::string(shape.name) == "counts")  // too few whole numbers for all of them
      continue;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Draft now = released(shape, "interval", seed, 0.25);
      const auto report = Auditor(problem_).audit(now, {}, RunContext{});
      ASSERT_TRUE(report);
      EXPECT_EQ(reader_guesses(*problem_, now, *report, 0).exact, 0) << shape.name << ' ' << seed;
    }
  }
}

TEST_F(IntervalEnds, ObjectiveStaysAndTheCostOfTheMovesIsSaid) {
  released(shapes()[0], "interval", 1, 0);
  ProtectJob job;
  job.method = Method::kInterval;
  ASSERT_NE(problem_, nullptr);
  methods::MethodOutcome found = methods::protect_by_intervals(problem_, job, RunContext{}).value();
  const double objective = found.cost;
  const Draft plain = found.draft;
  ASSERT_TRUE(methods::move_intervals(problem_, job, RunContext{}, found));
  EXPECT_EQ(found.cost, objective);
  ASSERT_TRUE(found.centered);
  EXPECT_EQ(found.centered->entries(), plain.entries());
  double cost = 0, added = objective;  // weights are 1, numbers whole
  for (const auto& [name, value] : found.details)
    cost = name == "off_center_cost" ? value : cost;
  for (const draft::AddedWidth::Added& each :
       draft::added_width(problem_->table(), plain, found.draft).added)
    added += static_cast<double>(each.below + each.above);
  EXPECT_DOUBLE_EQ(cost, added);
  const GuessesOfRun guesses = guesses_of(*problem_, found, AuditReport{}, 1);
  ASSERT_TRUE(guesses.before);
  EXPECT_LT(guesses.now.near, guesses.before->near);
  job.off_center = 10.5;
  EXPECT_FALSE(methods::move_intervals(problem_, job, RunContext{}, found));
}

}  // namespace
}  // namespace lacuna::job
