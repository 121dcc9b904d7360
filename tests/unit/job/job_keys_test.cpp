// SPDX-License-Identifier: Apache-2.0
// The keys of a job as data, by which forms and the page of reference are made.
#include "app/job/job_keys.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "lacuna/job_spec.h"

namespace lacuna::job {
namespace {

using ::testing::ElementsAre;

JobKey key_of(const std::string& section, const std::string& name) {
  for (const JobKey& each : job_keys()) {
    for (const JobKey& key : each.keys) {
      if (each.name == section && key.name == name)
        return key;
    }
  }
  return {};
}

TEST(JobKeys, EverySectionOfAJobIsThere) {
  std::vector<std::string> names, told;
  const JobSpec job;
  JobSpec::fields(job, [&](const FieldInfo& info, const auto&) { names.emplace_back(info.name); });
  for (const JobKey& section : job_keys())
    told.push_back(section.name);
  EXPECT_EQ(told, names);
}

TEST(JobKeys, ChoicesAreThoseOfTheReaders) {
  EXPECT_THAT(key_of("input", "totals").choices, ElementsAre("given", "computed", "recomputed"));
  EXPECT_EQ(key_of("rule", "type").choices.size(), JobSpec::Rule::types().size());
  EXPECT_EQ(key_of("levels", "formula").kind, "choice");
  EXPECT_THAT(key_of("levels", "formula").choices, ElementsAre("thesis", "argus"));
  EXPECT_THAT(key_of("attackers", "knowledge").choices, ElementsAre("all", "sensitive-only"));
  EXPECT_EQ(key_of("attackers", "singletons_know").kind, "flag");
  EXPECT_EQ(key_of("attackers", "coalition").kind, "scalar");
}

TEST(JobKeys, KindsOfJobsAndRules) {
  EXPECT_THAT(key_of("columns", "respondent").of, ElementsAre("records"));
  EXPECT_THAT(key_of("rule", "n").of, ElementsAre("frequency", "dominance"));
  EXPECT_EQ(key_of("columns", "value").kind, "text");
  EXPECT_EQ(key_of("attacker", "known").kind, "sections");
}

}  // namespace
}  // namespace lacuna::job
