// SPDX-License-Identifier: Apache-2.0
// The bench of safety must say no: to words that cannot all be right, to numbers that differ, and
// to files that someone has touched.
#include "bench/sets/safety_judge.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/generate/generate.h"
#include "app/job/jobs.h"
#include "bench/sets/safety.h"
#include "data/certificate/certificate.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"
#include "data/jobfile/problem_file.h"

namespace lacuna::bench {
namespace {

Opinions all_protected() {
  return {
      ReleaseKind::kReleased, "protected", "protected", "protected", "protected", "close", true};
}

TEST(Disagreements, OfAReleaseAllMustSayProtected) {
  EXPECT_TRUE(disagreements(all_protected()).empty());
  EXPECT_FALSE(calls_unsafe(all_protected()));
  for (std::string Opinions::*who :
       {&Opinions::result, &Opinions::shown, &Opinions::confirmed, &Opinions::verifier}) {
    for (const char* word : {"exposed", "undecided", "refused", ""}) {
      Opinions said = all_protected();
      said.*who = word;
      EXPECT_EQ(disagreements(said).size(), 1U) << word;
      EXPECT_EQ(calls_unsafe(said), std::string(word) == "exposed");
    }
  }
  Opinions said = all_protected();
  said.plain = "exposed";
  EXPECT_EQ(disagreements(said).size(), 1U);
  EXPECT_TRUE(calls_unsafe(said));
  said.plain = "refused";
  EXPECT_EQ(disagreements(said).size(), 1U);
}

TEST(Disagreements, AChangedReleaseIsJudgedAlike) {
  const Opinions unsafe{
      ReleaseKind::kChanged, "exposed", "", "exposed", "exposed", "exposed", true};
  EXPECT_TRUE(disagreements(unsafe).empty());
  EXPECT_TRUE(is_unsafe(unsafe));
  EXPECT_TRUE(is_refused(unsafe));
  for (std::string Opinions::*who :
       {&Opinions::result, &Opinions::confirmed, &Opinions::verifier}) {
    Opinions said = unsafe;
    said.*who = "protected";
    EXPECT_FALSE(disagreements(said).empty());
    EXPECT_FALSE(is_refused(said));
  }
  Opinions safe{ReleaseKind::kChanged, "exposed", "", "exposed", "exposed", "protected", true};
  EXPECT_EQ(disagreements(safe).size(), 1U);
  safe.plain_complete = false;  // it may not have looked where the audit did
  EXPECT_TRUE(disagreements(safe).empty());
  const Opinions refused{ReleaseKind::kChanged, "refused", "", "", "", "refused", false};
  EXPECT_TRUE(disagreements(refused).empty());
}

TEST(Disagreements, OldEvidenceProvesNothingUnsafe) {
  Opinions said{ReleaseKind::kTampered, "", "", "refused", "refused", "exposed", true};
  EXPECT_TRUE(disagreements(said).empty());
  said.confirmed = "protected";
  EXPECT_EQ(disagreements(said).size(), 2U);
  said.verifier = "protected";
  EXPECT_EQ(disagreements(said).size(), 1U);
  said.plain = "protected";
  EXPECT_TRUE(disagreements(said).empty());
}

Finding finding_of(Verdict verdict, int low, int high) {
  Finding finding;
  finding.question = question_of(Requirement{CellId{3}, 0, 1, 1, 0});
  finding.verdict = verdict;
  finding.low.reached = finding.low.bound = low;
  finding.high.reached = finding.high.bound = high;
  finding.low.has_bound = finding.high.has_bound = true;
  return finding;
}

PlainJudgement plain_of(PlainWord word, double low, double high) {
  PlainJudgement plain;
  plain.findings.push_back({3, 0, 100, low, high, true, word});
  return plain;
}

TEST(Disagreements, ByRequirement) {
  AuditReport report;
  report.findings = {finding_of(Verdict::kProtected, 2, 5)};
  EXPECT_TRUE(disagreements(report, plain_of(PlainWord::kProtected, 2, 5), {}).empty());
  EXPECT_TRUE(disagreements(report, plain_of(PlainWord::kClose, 2 + 1e-9, 5), {}).empty());
  EXPECT_EQ(disagreements(report, plain_of(PlainWord::kExposed, 2, 5), {}).size(), 1U);
  EXPECT_EQ(disagreements(report, plain_of(PlainWord::kProtected, 3, 5), {}).size(), 1U);
  EXPECT_EQ(disagreements(report, plain_of(PlainWord::kProtected, 3, 4), {}).size(), 2U);
  report.findings.front().verdict = Verdict::kExposed;
  EXPECT_EQ(disagreements(report, plain_of(PlainWord::kProtected, 2, 5), {}).size(), 1U);
  report.findings.clear();
  EXPECT_EQ(disagreements(report, plain_of(PlainWord::kProtected, 2, 5), {}).size(), 1U);
}

// Files of a run, judged as the bench does; the second verifier is another process and is asked by
// the bench itself (tests/cli/bench_safety.py).
class JudgeFiles : public ::testing::Test {
 protected:
  JudgeFiles() : folder_("safety_judge_test") {}

  void SetUp() override {
    generation::GenerateOptions options;
    options.sizes = {5, 4};
    options.sensitive_count = 3;
    const auto problem = generation::generate(options);
    ASSERT_TRUE(problem);
    ASSERT_TRUE(jobfile::write_problem(*problem, folder_.file("table.json")));
    job::ProtectJob job;
    job.input = files_.table = folder_.file("table.json");
    files_.result = folder_.file("result.json");
    job.outputs = {files_.result};
    files_.shown = folder_.file("public.json");
    job.public_files = {files_.shown};
    job.certificate = files_.certificate = folder_.file("certificate.json");
    files_.folder = folder_.file("");
    const auto output = job::run_job(job, {});
    ASSERT_TRUE(output);
    ASSERT_EQ(output->code, job::ExitCode::kDone);
  }

  Judgement judge(bool change = false) {
    base::Random random(7);
    Judgement judgement = judge_files(files_, change, random, {});
    for (CertifiedPair& pair : judgement.pairs)  // as if the second verifier were of one mind
      pair.opinions.verifier = pair.opinions.confirmed;
    return judgement;
  }

  std::int64_t complaints(bool change = false) {
    const Judgement judgement = judge(change);
    auto count = std::ssize(judgement.troubles);
    for (const CertifiedPair& pair : judgement.pairs)
      count += std::ssize(disagreements(pair.opinions));
    return count;
  }

  void replace(const std::string& path, const std::string& from, const std::string& to) {
    auto read = files::read_file(path);
    ASSERT_TRUE(read);
    std::string text = std::move(read).value();
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    ASSERT_TRUE(files::write_file_atomically(path, text));
  }

  files::TemporaryFolder folder_;
  ReleaseFiles files_;
};

TEST_F(JudgeFiles, WhatARunWritesIsFine) {
  EXPECT_EQ(complaints(), 0);
  EXPECT_GT(judge().looked_at, 0);
}

TEST_F(JudgeFiles, AChangedReleaseIsShownWithOldAndNewEvidence) {
  const Judgement judgement = judge(true);
  ASSERT_EQ(judgement.pairs.size(), 3U);
  EXPECT_EQ(judgement.pairs[1].opinions.kind, ReleaseKind::kChanged);
  EXPECT_EQ(judgement.pairs[2].opinions.kind, ReleaseKind::kTampered);
  EXPECT_EQ(complaints(true), 0);
}

TEST_F(JudgeFiles, LevelsThatWereRaisedAfterwards) {
  const auto text = files::read_file(files_.table);
  ASSERT_TRUE(text);
  const std::size_t at = text->find("\"requirements\":");
  ASSERT_NE(at, std::string::npos);
  std::string raised = *text;
  for (std::size_t level = raised.find("\"upper\":", at); level != std::string::npos;
       level = raised.find("\"upper\":", level + 1))
    raised.insert(level + 8, "1");  // ten times and more
  ASSERT_TRUE(files::write_file_atomically(files_.table, raised));
  EXPECT_GT(complaints(), 0);
}

TEST_F(JudgeFiles, APublicFileThatShowsMore) {
  replace(files_.shown,  // of a cell: its codes stand before it
          "],\"state\":\"withheld\"",
          "],\"state\":\"interval\",\"lower\":0,\"upper\":9e9");
  EXPECT_GT(complaints(), 0);
}

TEST_F(JudgeFiles, ACertificateWithoutItsEvidence) {
  Problem problem = *generate([] {
    generation::GenerateOptions options;
    options.sizes = {5, 4};
    options.sensitive_count = 3;
    return options;
  }());
  const auto text = files::read_file(files_.certificate);
  ASSERT_TRUE(text);
  auto read = certificate::read_certificate(*text, files_.certificate, problem);
  ASSERT_TRUE(read);
  certificate::Certificate certificate = std::move(read).value();
  for (Finding& finding : certificate.claimed.findings)
    finding.low = finding.high = {};
  ASSERT_TRUE(files::write_file_atomically(
      files_.certificate,
      certificate::write_certificate(problem, certificate.draft, certificate.claimed)));
  const Judgement judgement = judge();
  ASSERT_FALSE(judgement.pairs.empty());
  EXPECT_EQ(judgement.pairs.front().opinions.confirmed, "undecided");
  EXPECT_GT(complaints(), 0);
}

TEST_F(JudgeFiles, AFileThatIsNotThere) {
  std::filesystem::remove(files_.certificate);
  EXPECT_GT(complaints(), 0);
}

TEST(AskVerifier, WhoDoesNotAnswerIsAnError) {
  files::TemporaryFolder folder("ask_verifier_test");
  CertifiedPair pair;
  pair.table = pair.certificate = folder.file("none");
  ASSERT_TRUE(files::write_file_atomically(folder.file("mute.py"), "pass\n"));
  EXPECT_FALSE(ask_verifier(folder.file("mute.py"), folder.file("list"), {&pair}));
  ASSERT_TRUE(
      files::write_file_atomically(folder.file("word.py"), "print('bad input: no such file')\n"));
  EXPECT_TRUE(ask_verifier(folder.file("word.py"), folder.file("list"), {&pair}));
  EXPECT_EQ(pair.opinions.verifier, "refused");
}

TEST(SafetyOutcome, CrossesProcessesWhole) {
  SafetyOutcome outcome;
  outcome.counts["all|tables"] = 3;
  outcome.failures.push_back({7, "unsafe", "why", "how"});
  outcome.pairs.push_back({{"t", "c", true, all_protected()}, "command"});
  const SafetyOutcome read = unpack_outcome(pack(outcome));
  EXPECT_EQ(read.counts, outcome.counts);
  ASSERT_EQ(read.failures.size(), 1U);
  EXPECT_EQ(read.failures[0].text, "why");
  ASSERT_EQ(read.pairs.size(), 1U);
  EXPECT_EQ(read.pairs[0].pair.opinions.plain, "close");
  EXPECT_TRUE(read.pairs[0].pair.zeros_meant);
}

TEST(SafetyOutcome, FailuresAreSaidWithTheirCommandAndCode) {
  SafetyOutcome outcome;
  EXPECT_EQ(safety_code(outcome), job::ExitCode::kDone);
  outcome.failures.push_back({7, "disagreement", "why", "how"});
  EXPECT_EQ(safety_code(outcome), job::ExitCode::kNotProtected);
  EXPECT_NE(safety_text(outcome, 5).find("lacuna bench safety --seed 5 --first 7 --tables 1\n"),
            std::string::npos);
  EXPECT_NE(safety_text(outcome, 5).find("1 disagreements, 0 unsafe, 0 crashes"),
            std::string::npos);
  outcome.failures.push_back({8, "crash", "why", ""});
  EXPECT_EQ(safety_code(outcome), job::ExitCode::kInternal);
}

TEST(SafetyOutcome, AVerdictThatNobodySharesIsAFailure) {
  SafetyOutcome outcome;
  outcome.pairs.push_back({{"t", "c", false, all_protected()}, "command"});
  conclude(1, outcome);
  EXPECT_TRUE(outcome.failures.empty());
  Opinions said = all_protected();
  said.verifier = "exposed";
  outcome.pairs.push_back({{"t", "c", false, said}, "command"});
  conclude(2, outcome);
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].kind, "unsafe");
  EXPECT_EQ(outcome.failures[0].table, 2);
}

}  // namespace
}  // namespace lacuna::bench
