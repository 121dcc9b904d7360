// SPDX-License-Identifier: Apache-2.0
// Policies are read as they stand, and a job keeps what it says itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/policies/apply.h"
#include "data/policies/policy.h"
#include "data/spec/spec_text.h"

namespace lacuna::policies {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kSource = R"([policy]
title = "Rule"
agency = "Office"
source = "Handbook"
address = "https://example.org"
date = "2026"
read = "2026-11-19"
licence = "ours"
says = "Small counts are hidden."
readers = "Nothing."
without = "rates"
)";
const std::string kRules = R"(
[counts]
threshold = 11
withheld_means = "nonzero"

[[rule]]
type = "frequency"
n = 10

[[rule]]
type = "dominance"
n = 1
k = 50

[[rule]]
type = "dominance"
n = 2
k = 67

[levels]
frequency_range = 15

[options]
method = "round"
)";
const std::string kCounts = "[input]\ntable = \"t.csv\"\n[columns]\nfrequency = \"n\"\n";
const std::string kAmounts =
    "[input]\ntable = \"t.csv\"\n[columns]\nvalue = \"v\"\nfrequency = \"n\"\nlargest = \"m\"\n";

Policy policy(const std::string& rules = kRules) {
  return read_policy(kSource + rules, "office", "office.toml").value();
}

spec::ReadSpec job(const std::string& text) {
  return spec::read_spec_toml(text, "job.toml").value();
}

Error refusal(const std::string& text) {
  const auto read = read_policy(text, "office", "office.toml");
  return read ? Error{} : read.error();
}

std::string with(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), now);
}

// ---- reading

TEST(Policies, EveryShippedOneIsReadAndIsFoundByItsName) {
  std::string before;
  for (const ShippedPolicy& each : shipped_policies()) {
    EXPECT_LT(before, each.name);
    before = each.name;
    const auto found = find_policy(before, {}, "");
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ(found->name, before);
    EXPECT_FALSE(found->source.says.empty());
  }
  EXPECT_GE(shipped_policies().size(), 8u);
}

TEST(Policies, AnUnknownNameIsToldWithTheNearest) {
  const auto found = find_policy("cms-cel-size", {}, "--policy");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().where, "--policy");
  EXPECT_THAT(found.error().message, HasSubstr("there is no policy 'cms-cel-size'"));
  EXPECT_THAT(found.error().message, HasSubstr("did you mean 'cms-cell-size'?"));
}

TEST(Policies, AFileIsWhatHasASlashOrEndsInToml) {
  EXPECT_TRUE(is_policy_file("office.toml"));
  EXPECT_TRUE(is_policy_file("rules/office"));
  EXPECT_FALSE(is_policy_file("cms-cell-size"));
  const auto found = find_policy(
      "rules/office", [](const std::string&) { return Result(kSource + kRules); }, "");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->source.agency, "Office");
}

TEST(Policies, BrokenFilesAreToldByTheirPlace) {
  EXPECT_THAT(refusal(kRules).text(), HasSubstr("a policy begins with a section [policy]"));
  EXPECT_EQ(refusal(with(kSource, "licence = \"ours\"\n", "") + kRules).text(),
            "office.toml:1:1: [policy] needs licence (licence of its text)");
  EXPECT_EQ(refusal(with(kSource, "licence", "license") + kRules).text(),
            "office.toml:8:1: unknown key 'license' in [policy]; did you mean 'licence'?");
  EXPECT_EQ(refusal(with(kSource, "\"2026\"", "2026") + kRules).text(),
            "office.toml:6:1: date must be a text in quotes");
  EXPECT_THAT(refusal(kSource).text(), HasSubstr("a policy needs a rule"));
  EXPECT_THAT(refusal(kSource + kRules + "[input]\ntable = \"t.csv\"\n").text(),
              HasSubstr("office.toml:36:2: a policy has [[rule]], [levels], [counts]"));
  EXPECT_THAT(refusal(kSource + with(kRules, "threshold", "treshold")).text(),
              HasSubstr("did you mean 'threshold'?"));
  EXPECT_THAT(refusal("[policy\n").text(), HasSubstr("office.toml:1"));
}

// ---- putting it into a job

TEST(Policies, CountsTakeTheCountsAlone) {
  spec::ReadSpec counts = job("policy = \"office\"\n" + kCounts);
  const auto applied = apply_policy(policy(), {}, counts);
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_THAT(applied->notes, IsEmpty());
  EXPECT_EQ(applied->text,
            "policy office: Rule (Office, 2026; https://example.org); not applied: rates");
  ASSERT_TRUE(counts.job.counts);
  EXPECT_EQ(counts.job.counts->threshold, 11);
  EXPECT_EQ(counts.job.counts->withheld_means, WithheldMeans::kNonzero);
  EXPECT_THAT(counts.job.rules, IsEmpty());
  EXPECT_EQ(counts.job.policy, "");
  EXPECT_EQ(counts.places.where("counts.threshold"), "office.toml:14:13");
}

TEST(Policies, AmountsTakeRulesAndLevels) {
  spec::ReadSpec amounts = job(kAmounts);
  ASSERT_TRUE(apply_policy(policy(), {}, amounts));
  EXPECT_FALSE(amounts.job.counts);
  ASSERT_EQ(amounts.job.rules.size(), 3u);
  EXPECT_EQ(amounts.job.rules[2].k.text, "67");
  EXPECT_EQ(amounts.job.levels.frequency_range.text, "15");
  EXPECT_EQ(amounts.places.where("rule[1].k"), "office.toml:24:5");
}

TEST(Policies, WhatTheJobSaysStaysAndIsTold) {
  spec::ReadSpec counts =
      job(kCounts + "[counts]\nthreshold = 5\n[options]\nmethod = \"cellkey\"\n");
  const auto applied = apply_policy(policy(), {}, counts);
  ASSERT_TRUE(applied);
  EXPECT_EQ(counts.job.counts->threshold, 5);
  EXPECT_EQ(counts.job.counts->withheld_means, WithheldMeans::kNonzero);
  EXPECT_THAT(applied->notes,
              ElementsAre("the policy 'office': its threshold 11 is replaced by 5, which "
                          "job.toml:6:13 states",
                          "the policy 'office': its method round is replaced by cellkey, which "
                          "job.toml:8:10 states"));
  EXPECT_THAT(applied->text, HasSubstr("; replaced: threshold 11, method round; not applied: "));
}

TEST(Policies, WhatIsTheSameIsNotTold) {
  spec::ReadSpec counts = job(kCounts + "[counts]\nthreshold = 11\n");
  EXPECT_THAT(apply_policy(policy(), {}, counts).value().notes, IsEmpty());
}

TEST(Policies, AJobThatIsAValueKeepsWhatItSaysToo) {
  JobSpec value;
  value.columns = JobSpec::Columns{};
  value.columns->frequency = "n";
  value.counts = JobSpec::Counts{};
  value.counts->threshold = 5;
  spec::ReadSpec counts{value, spec::SpecPlaces(), false};
  const auto applied = apply_policy(policy(), {}, counts);
  ASSERT_TRUE(applied);
  EXPECT_EQ(counts.job.counts->threshold, 5);
  EXPECT_EQ(applied->notes.size(), 1u);
}

TEST(Policies, ARuleOfTheJobReplacesAllOfItsType) {
  spec::ReadSpec amounts = job(kAmounts + "[[rule]]\ntype = \"dominance\"\nn = 1\nk = 85\n");
  const auto applied = apply_policy(policy(), {}, amounts);
  ASSERT_TRUE(applied);
  ASSERT_EQ(amounts.job.rules.size(), 2u);
  EXPECT_EQ(amounts.job.rules[0].k.text, "85");
  EXPECT_EQ(amounts.job.rules[1].type, "frequency");
  EXPECT_THAT(applied->notes,
              ElementsAre("the policy 'office': its rule dominance (n = 1, k = 50; n = 2, k = 67) "
                          "is replaced by (n = 1, k = 85), which job.toml:7:1 states"));
}

TEST(Policies, OptionsOfTheRunAreTold) {
  spec::ReadSpec counts = job(kCounts);
  SaidBesides said;
  said.of_counts = {{"threshold", "5"}, {"withheld_means", "nonzero"}};
  said.reals = true;
  const auto applied = apply_policy(policy(), said, counts);
  ASSERT_TRUE(applied);
  ASSERT_EQ(applied->notes.size(), 2u);
  EXPECT_THAT(applied->notes[0], HasSubstr("its threshold 11 is replaced by 5, which "));
  EXPECT_THAT(applied->notes[1], HasSubstr("replaced by one in real numbers"));
}

TEST(Policies, KindsOfAPolicyTakeNothingFromWhatIsAsked) {
  const Policy narrow = policy("\n[counts]\nthreshold = 11\nkinds = [\"exact\", \"small\"]\n");
  const auto kinds = [&](const std::string& text, const SaidBesides& said) {
    spec::ReadSpec counts = job(text);
    EXPECT_TRUE(apply_policy(narrow, said, counts));
    return counts.job.counts->kinds;
  };
  using enum CountKind;
  EXPECT_THAT(kinds(kCounts, {}), ElementsAre(kExact, kSmall));
  SaidBesides zeros;
  zeros.of_counts = {{"zeros", "sensitive"}};
  EXPECT_THAT(kinds(kCounts, zeros), ElementsAre(kExact, kSmall, kZero));
  EXPECT_THAT(kinds(kCounts + "[counts]\nthreshold = 5\n", {}), ElementsAre(kExact, kSmall, kAll));
  EXPECT_THAT(kinds(kCounts + "[counts]\nzeros = \"sensitive\"\n", {}),
              ElementsAre(kExact, kSmall, kAll, kZero));
  EXPECT_THAT(kinds(kCounts + "[counts]\nkinds = [\"all\"]\n", {}), ElementsAre(kAll));
}

TEST(Policies, AFrequencyRuleOfTheJobIsItsThreshold) {
  spec::ReadSpec counts = job(kCounts + "[[rule]]\ntype = \"frequency\"\nn = 20\n");
  const auto applied = apply_policy(policy(), {}, counts);
  ASSERT_TRUE(applied);
  EXPECT_FALSE(counts.job.counts->threshold);
  EXPECT_THAT(applied->notes, ElementsAre(HasSubstr("its threshold 11 is replaced by 20, which ")));
}

// ---- to which tables it applies

TEST(Policies, AmountsAreNotTakenForCounts) {
  const std::string alone = "\n[counts]\nthreshold = 11\n";
  spec::ReadSpec amounts = job(kAmounts);
  const auto applied = apply_policy(policy(alone), {}, amounts);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, ErrorCode::kFactsMissing);
  EXPECT_THAT(applied.error().message, HasSubstr("is about counts, and nothing says"));
  SaidBesides said;
  said.counts = true;
  EXPECT_TRUE(apply_policy(policy(alone), said, amounts));
  spec::ReadSpec named = job("[input]\ntable = \"t.csv\"\n[columns]\nvalue = \"count\"\n");
  EXPECT_TRUE(apply_policy(policy(alone), {}, named));
}

TEST(Policies, RulesNeedTheirFacts) {
  spec::ReadSpec bare = job("[input]\ntable = \"t.csv\"\n[columns]\nvalue = \"v\"\n");
  const auto applied = apply_policy(policy(), {}, bare);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().where, "job.toml:3:1");
  EXPECT_THAT(applied.error().message, HasSubstr("the number of contributors of each cell"));
  EXPECT_THAT(applied.error().message, HasSubstr("the largest contributions to each cell"));
}

TEST(Policies, RecordsHaveAllFacts) {
  const std::string records = "[input]\nrecords = \"r.csv\"\n";
  spec::ReadSpec amounts = job(records + "[columns]\nvalue = \"v\"\n");
  ASSERT_TRUE(apply_policy(policy(), {}, amounts));
  EXPECT_EQ(amounts.job.rules.size(), 3u);
  spec::ReadSpec counts = job(records);
  ASSERT_TRUE(apply_policy(policy(), {}, counts));
  EXPECT_TRUE(counts.job.counts);
}

}  // namespace
}  // namespace lacuna::policies
