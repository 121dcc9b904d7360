// SPDX-License-Identifier: Apache-2.0
// What `protect` does with a method's outcome, good or bad: the audit decides, and a draft that it
// refuses is no error of the user's.
#include "app/job/audit_and_write.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "data/files/file.h"
#include "support/tables.h"
#include "support/temporary_folder.h"

namespace lacuna::job {
namespace {

namespace fs = std::filesystem;

class ReleaseFound : public ::testing::Test {
 protected:
  void SetUp() override {
    job_.outputs = {(folder_ / "out.json").string()};
    job_.certificate = (folder_ / "certificate.json").string();
    job_.json = true;
  }

  JobOutput release(const ProtectResult& found, const RunContext& run = {}) const {
    const ReleaseContext table{problem_,
                               load::summarize_attackers(*problem_, {}),
                               std::chrono::steady_clock::now(),
                               plan_outputs(job_, problem_->table(), {}).value()};
    auto decision = audit_result(job_, table, found, run);
    EXPECT_TRUE(decision) << decision.error().text();
    const auto output = write_audited(job_, table, std::move(decision).value());
    EXPECT_TRUE(output) << output.error().text();
    return output.value();
  }
  static ProtectResult outcome(Draft draft) {
    ProtectResult found;
    found.why = StopReason::kOptimal;
    found.complete = true;
    found.draft = std::move(draft);
    return found;
  }
  bool wrote_nothing() const { return fs::is_empty(folder_); }

  // The inner cell 0 is sensitive; 1, 3 and 4 can hide it.
  std::shared_ptr<const Problem> problem_ = testing::problem_of(
      testing::two_way({{10, 20, 30}, {30, 40, 70}, {40, 60, 100}}, {0, kUnboundedAbove}, 0, {0}),
      {{.cell = CellId{0}, .attacker = 0, .lower = 4, .upper = 4}});
  const testing::UniqueFolder place_;
  const fs::path folder_ = place_.path();
  ProtectJob job_;
};

TEST_F(ReleaseFound, WritesWhatTheAuditPasses) {
  const JobOutput output = release(outcome(testing::withholding({0, 1, 3, 4})));
  EXPECT_EQ(output.code, ExitCode::kDone);
  EXPECT_NE(output.text.find("\"verdict\":\"protected\""), std::string::npos) << output.text;
  EXPECT_NE(output.text.find("\"attackers\":{\"count\":1,\"kinds\":{\"outsider\":1"),
            std::string::npos)
      << output.text;
  EXPECT_TRUE(fs::exists(job_.outputs.front()));
  EXPECT_TRUE(fs::exists(job_.certificate));
}

TEST_F(ReleaseFound, ADraftThatTheAuditRefusesEndsWithTwoAndAnObject) {
  const ProtectResult unsafe = outcome(testing::withholding({0}));
  const JobOutput output = release(unsafe);
  EXPECT_EQ(output.code, ExitCode::kNotProtected);
  EXPECT_EQ(output.text,
            "{\"method\":\"suppress\",\"status\":\"optimal\",\"verdict\":\"exposed\","
            "\"reproducible\":false,\"message\":\"the audit does not pass the release: 1 "
            "requirement exposed, 0 undecided (" +
                problem_->table().label(CellId{0}) + "); nothing is released\"}\n");
  EXPECT_TRUE(wrote_nothing());
  job_.json = false;
  const JobOutput plain = release(unsafe);
  EXPECT_EQ(plain.code, ExitCode::kNotProtected);
  EXPECT_EQ(plain.text, "");
  EXPECT_NE(plain.message.find("1 requirement exposed"), std::string::npos);
}

TEST_F(ReleaseFound, NumbersThatDoNotAddUpAreNotTheUsersFault) {
  Draft draft;
  draft.publish_altered(CellId{0}, 15, {0, 100});
  const JobOutput output = release(outcome(draft));
  EXPECT_EQ(output.code, ExitCode::kNotProtected);
  EXPECT_NE(output.text.find("\"verdict\":\"undecided\""), std::string::npos) << output.text;
  EXPECT_NE(output.text.find("do not add up"), std::string::npos) << output.text;
  EXPECT_TRUE(wrote_nothing());
}

TEST_F(ReleaseFound, ADraftOfAnotherTableIsNotTheUsersFault) {
  const JobOutput output = release(outcome(testing::withholding({0, 99})));
  EXPECT_EQ(output.code, ExitCode::kNotProtected);
  EXPECT_NE(output.text.find("the release names cell 99"), std::string::npos) << output.text;
  EXPECT_TRUE(wrote_nothing());
}

TEST_F(ReleaseFound, WithoutACompleteDraftThereIsNoResult) {
  ProtectResult none = outcome({});
  none.complete = false;
  none.why = StopReason::kLimit;
  EXPECT_EQ(release(none).code, ExitCode::kNoResult);
  none.why = StopReason::kCancelled;
  const JobOutput stopped = release(none);
  EXPECT_EQ(stopped.code, ExitCode::kNoResult);
  EXPECT_NE(stopped.text.find("stopped without a complete result"), std::string::npos);
  EXPECT_TRUE(wrote_nothing());
}

// To withhold everything is safe; as the outcome of a run that was stopped it is no release.
TEST_F(ReleaseFound, NothingLeftAfterAStopIsNoResult) {
  std::vector<std::int32_t> all(9);
  std::iota(all.begin(), all.end(), 0);
  ProtectResult found = outcome(testing::withholding(all));
  for (const StopReason why : {StopReason::kLimit, StopReason::kCancelled, StopReason::kWork}) {
    found.why = why;
    const JobOutput output = release(found);
    EXPECT_EQ(output.code, ExitCode::kNoResult);
    EXPECT_NE(output.text.find("--accept-all-withheld"), std::string::npos) << output.text;
    EXPECT_TRUE(wrote_nothing());
  }
  found.why = StopReason::kOptimal;  // there is nothing better
  EXPECT_EQ(release(found).code, ExitCode::kDone);
  found.why = StopReason::kLimit;
  job_.accept_all_withheld = true;
  EXPECT_EQ(release(found).code, ExitCode::kDone);
  job_.accept_all_withheld = false;
  all.pop_back();  // something is left
  found.draft = testing::withholding(all);
  EXPECT_EQ(release(found).code, ExitCode::kDone);
}

// A method says how many decimals its numbers have. What they are judged by is the given table.
TEST_F(ReleaseFound, TheProblemOfTheAuditIsTheGivenOne) {
  ProtectResult found = outcome({});
  EXPECT_EQ(problem_to_audit(problem_, found).value(), problem_);
  found.decimals = 2;
  const auto finer = problem_to_audit(problem_, found).value();
  EXPECT_EQ(finer->table().decimals(), 2);
  EXPECT_EQ(finer->table().value(CellId{0}), 1000);
  EXPECT_EQ(finer->requirements()[0].upper, 400);
  found.decimals = 17;  // 100 does not fit
  EXPECT_FALSE(problem_to_audit(problem_, found));
}

}  // namespace
}  // namespace lacuna::job
