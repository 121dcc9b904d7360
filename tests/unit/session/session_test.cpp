// SPDX-License-Identifier: Apache-2.0
// A release that is kept as texts comes back audited, and what was changed meanwhile does not.
#include "app/session/session.h"

#include <gtest/gtest.h>

#include "data/publish/release_file.h"
#include "support/temporary_folder.h"

namespace lacuna::session {
namespace {

constexpr const char* kTable =
    "region;size;value;status\nN;a;10;u\nN;b;20;s\nN;All;30;s\nS;a;30;s\nS;b;40;s\nS;All;70;s\n"
    "All;a;40;s\nAll;b;60;s\nAll;All;100;s\n";
constexpr const char* kJob = R"([input]
table = "sales.csv"
[columns]
value = "value"
status = "status"
[[dimension]]
name = "region"
total = "All"
[[dimension]]
name = "size"
total = "All"
)";

SessionProblem sales() {
  load::Inputs inputs;
  inputs.texts["sales.csv"] = kTable;
  inputs.texts["sales.toml"] = kJob;
  job::RunOptions run;
  SessionProblem problem = begin_problem("sales.toml", inputs, {}, run).value();
  const Status read = read_problem(problem, false, inputs, {});
  EXPECT_TRUE(read) << read.error().text();
  return problem;
}

SessionRelease released(const SessionProblem& problem, const GivenOptions& given) {
  SessionRelease release;
  job::RunOptions run;
  release.problem = problem;
  release.given = given;
  release.job = protect_job(problem, given, {}, run).value();
  release.made = job::run_protect(release.job, {}).value();
  EXPECT_TRUE(release.made.decision.passed);
  return release;
}

SavedRelease kept(const SessionRelease& release) {
  return {release.result_text(), publish::run_json(release.run().summary), ""};
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, from.size(), to);
}

TEST(Held, ProblemsAreCountedAndTitled) {
  const SessionProblem problem = sales();
  const ProblemCounts counts = counts_of(problem);
  EXPECT_EQ(counts.cells, 9);
  EXPECT_EQ(counts.sensitive, 1);
  EXPECT_EQ(cells_of(problem)->num_rows(), 9U);
  EXPECT_EQ(released(problem, {}).title(), "sales");
}

TEST(Held, AReleaseComesBack) {
  const SessionProblem problem = sales();
  for (const GivenOptions& given : std::vector<GivenOptions>{
           {}, {{"method", {"interval"}}}, {{"method", {"round"}}, {"base", {"10"}}}}) {
    const SessionRelease release = released(problem, given);
    for (const std::string& certificate : {std::string(), release.certificate_text()}) {
      SavedRelease texts = kept(release);
      texts.certificate = certificate;
      const auto back = restore_release(problem, given, {}, texts);
      ASSERT_TRUE(back) << back.error().text();
      EXPECT_EQ(back->result_text(), release.result_text());
      EXPECT_EQ(back->certificate_text(), release.certificate_text());
    }
  }
}

TEST(Held, WhatIsNotSafeDoesNot) {
  const SessionProblem problem = sales();
  const SessionRelease release = released(problem, {});
  SavedRelease open = kept(release);
  const std::size_t at = open.result.find("\"release\":");
  open.result = open.result.substr(0, at) + "\"release\":[]}\n";
  EXPECT_FALSE(restore_release(problem, {}, {}, open));
  SavedRelease without_run = kept(release);
  without_run.run = "{}";
  EXPECT_FALSE(restore_release(problem, {}, {}, without_run));
  SavedRelease renamed = kept(release);
  replace(renamed.result, "\"withheld\"", "\"rounded\"");
  EXPECT_FALSE(restore_release(problem, {}, {}, renamed));
}

TEST(Held, WhatAWorkerReturnsIsProvenFirst) {
  const SessionProblem problem = sales();
  const SessionRelease release = released(problem, {});
  SavedRelease returned = kept(release);
  EXPECT_FALSE(accept_release(problem, {}, {}, returned));  // no evidence
  returned.certificate = release.certificate_text();
  const auto accepted = accept_release(problem, {}, {}, returned);
  ASSERT_TRUE(accepted) << accepted.error().text();
  EXPECT_EQ(accepted->result_text(), release.result_text());
  EXPECT_EQ(accepted->certificate_text(), release.certificate_text());

  SavedRelease open = returned;  // the evidence of another release
  open.result = open.result.substr(0, open.result.find("\"release\":")) + "\"release\":[]}\n";
  EXPECT_FALSE(accept_release(problem, {}, {}, open));
  SavedRelease without_witness = returned;
  replace(without_witness.certificate, "\"witness\"", "\"witnesz\"");
  EXPECT_FALSE(accept_release(problem, {}, {}, without_witness));
}

// To prefer an earlier release of the same table is to count it as known, also when what was made
// with it comes back: evidence that does not know of it proves nothing.
TEST(Held, APreferredReleaseOfTheSameTableIsKnown) {
  const SessionProblem problem = sales();
  const SessionRelease first = released(problem, {});
  const std::string path = "earlier.json";
  load::Inputs named;
  named.texts[path] = first.result_text();
  const GivenOptions given{{"prefer", {path}}};
  job::RunOptions run;
  SessionRelease second;
  second.problem = problem;
  second.job = protect_job(problem, given, named, run).value();
  second.made = job::run_protect(second.job, {}).value();
  SavedRelease returned = kept(second);
  returned.certificate = second.certificate_text();
  const auto accepted = accept_release(problem, given, named, returned);
  ASSERT_TRUE(accepted) << accepted.error().text();
  EXPECT_EQ(accepted->certificate_text(), second.certificate_text());
  returned.certificate = first.certificate_text();
  EXPECT_FALSE(accept_release(problem, given, named, returned));
}

TEST(Held, AColumnWithANameThatIsTakenGetsAnUnderscore) {
  columns::OutputColumn column;
  column.name = "state";
  columns::OutputColumn other = column;
  const columns::OutputTable table = named_apart({{column, other, column}, {}});
  EXPECT_EQ(table.columns[1].name, "state_");
  EXPECT_EQ(table.columns[2].name, "state__");
}

// The sales with another name for the regions.
SessionProblem sales_by(const std::string& name) {
  load::Inputs inputs;
  std::string table = kTable, job = kJob;
  replace(table, "region;", name + ";");
  replace(table, ";value;", ";amount;");
  replace(job, "\"region\"", "\"" + name + "\"");
  replace(job, "\"value\"", "\"amount\"");
  replace(table, ";status", ";mark");
  replace(job, "\"status\"", "\"mark\"");
  inputs.texts["sales.csv"] = table;
  inputs.texts["sales.toml"] = job;
  job::RunOptions run;
  SessionProblem problem = begin_problem("sales.toml", inputs, {}, run).value();
  const Status read = read_problem(problem, false, inputs, {});
  EXPECT_TRUE(read) << name << ": " << read.error().text();
  return problem;
}

std::string verdict_of(const SessionProblem& problem, const std::string& file) {
  job::RunOptions run;
  job::AuditJob job = job_on<job::AuditJob>(problem, {}, {}, run).value();
  job.pattern = file;
  const auto made = job::run_audit(job, {});
  return made ? std::string(to_string(made->report.verdict)) : made.error().text();
}

TEST(Held, DimensionsMayHaveTheNamesOfOurColumns) {
  const testing::UniqueFolder folder;
  for (const char* name :
       {"state", "value", "lower", "upper", "base", "steps", "published", "flag"}) {
    const SessionProblem problem = sales_by(name);
    for (const GivenOptions& given : std::vector<GivenOptions>{
             {}, {{"method", {"interval"}}}, {{"method", {"round"}}, {"base", {"10"}}}}) {
      const SessionRelease release = released(problem, given);
      for (const char* ending : {"csv", "arrow", "json"}) {
        const std::string file = folder.file(std::string(name) + "." + ending);
        const Status written = write_release(release, {{file}, {}, ""}, {});
        ASSERT_TRUE(written) << name << " " << ending << ": " << written.error().text();
        EXPECT_EQ(verdict_of(problem, file), "protected") << name << " " << ending;
      }
      const std::string kept_file = folder.file(std::string(name) + ".office.csv");
      ASSERT_TRUE(write_release(release, {{}, {kept_file}, ""}, {})) << name;
      EXPECT_EQ(verdict_of(problem, kept_file), "protected") << name;
    }
  }
}

}  // namespace
}  // namespace lacuna::session
