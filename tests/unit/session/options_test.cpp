// SPDX-License-Identifier: Apache-2.0
#include "app/session/options.h"

#include <gtest/gtest.h>

#include "app/job/jobs.h"

namespace lacuna::session {
namespace {

TEST(HostOptions, WhatIsGivenGoesBeforeWhatTheJobSays) {
  const std::vector<jobfile::JobOption> settings = {{"gap", "0.5", "x.toml:1:1"},
                                                    {"engine", "clp", "x.toml:2:1"}};
  job::ProtectJob job;
  job::RunOptions run;
  ASSERT_TRUE(set_options(job, run, {{"gap", {"0.25"}}, {"threads", {"3"}}}, settings));
  EXPECT_EQ(job.engine, "clp");
  EXPECT_EQ(run.threads, 3);
  EXPECT_EQ(options_text({{"gap", {"0.25"}}}, describe_options<job::ProtectJob>()), "--gap 0.25");
}

TEST(HostOptions, ErrorsNameTheOptionOrThePlace) {
  job::ProtectJob job;
  job::RunOptions run;
  const Status unknown = set_options(job, run, {{"gapp", {"1"}}}, {});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("gap"), std::string::npos) << unknown.error().text();
  const Status wrong = set_options(job, run, {}, {{"gap", "much", "x.toml:3:1"}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().where, "x.toml:3:1");
}

TEST(HostOptions, EveryCommandTellsItsOptions) {
  for (const char* command :
       {"protect", "audit", "verify", "report", "compare", "generate", "argus", "run", "write"}) {
    const auto options = options_of(command);
    ASSERT_TRUE(options) << command;
    EXPECT_FALSE(options->empty()) << command;
  }
  EXPECT_FALSE(options_of("publish"));
}

TEST(HostOptions, SettingsOfAJobMustBeKnown) {
  const std::string good = "[options]\ngap = 0.1\n", bad = "[options]\ngapp = 0.1\n";
  const auto settings = settings_of("a.toml", &good);
  ASSERT_TRUE(settings) << settings.error().text();
  ASSERT_EQ(settings->size(), 1U);
  const auto refused = settings_of("a.toml", &bad);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("did you mean 'gap'"), std::string::npos);
  EXPECT_TRUE(settings_of("a.csv", &bad)->empty());  // no job
}

}  // namespace
}  // namespace lacuna::session
