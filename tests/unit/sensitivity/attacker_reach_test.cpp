// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/attacker_reach.h"

#include <gtest/gtest.h>

#include "lacuna/records.h"
#include "lacuna/tabulate.h"

namespace lacuna::sensitivity {
namespace {

// As many firms as there are cells below the total, each alone in its own.
Tabulation alone(int firms) {
  std::vector<std::vector<std::string>> rows;
  for (int i = 0; i < firms; ++i) {
    rows.push_back(
        {std::to_string(i / 30), std::to_string(i % 30), "10", "firm" + std::to_string(i)});
  }
  RowRecords source({"reg", "act", "v", "firm"}, std::move(rows));
  TabulateOptions options;
  options.dimensions = {flat_dimension("reg", "reg"), flat_dimension("act", "act")};
  options.value = "v";
  options.respondent = "firm";
  options.keep_contributions = true;
  return tabulate(source, options, {}).value();
}

SensitivityOptions three() {
  SensitivityOptions rules;
  rules.minimum_frequency = 3;
  return rules;
}

TEST(Reach, ManyContributorsAndCellsAreKeptToTheirSums) {
  const Tabulation tabulation = alone(600);
  SensitivityOptions rules = three();
  SensitivityReport report;
  std::vector<std::string> notes;
  const auto problem = problem_in_reach(tabulation, rules, false, {}, report, notes);
  ASSERT_TRUE(problem) << problem.error().text();
  EXPECT_EQ(report.sensitive, 600);
  EXPECT_GT(report.attackers.out_of_reach, 250'000);
  EXPECT_LT(problem->requirements().size(), 60'000U);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(notes[0].starts_with("600 contributors and 600 sensitive cells: ")) << notes[0];
  EXPECT_NE(notes[0].find("reach = \"table\""), std::string::npos);
}

TEST(Reach, FewAreKeptFromAll) {
  const Tabulation tabulation = alone(60);
  SensitivityOptions rules = three();
  SensitivityReport report;
  std::vector<std::string> notes;
  const auto problem = problem_in_reach(tabulation, rules, false, {}, report, notes);
  ASSERT_TRUE(problem);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(report.attackers.out_of_reach, 0);
}

TEST(Reach, WhatTheJobStatesIsDone) {
  const Tabulation tabulation = alone(60);
  SensitivityOptions rules = three();
  rules.attacker_reach = AttackerReach::kEquation;
  SensitivityReport report;
  std::vector<std::string> notes;
  ASSERT_TRUE(problem_in_reach(tabulation, rules, true, {}, report, notes));
  EXPECT_TRUE(notes.empty());
  EXPECT_GT(report.attackers.out_of_reach, 0);
}

TEST(Reach, OutOfMemoryNamesTheKeys) {
  const std::string text = out_of_memory().text();
  EXPECT_NE(text.find("not enough memory"), std::string::npos);
  EXPECT_NE(text.find("reach = \"equation\""), std::string::npos);
  EXPECT_NE(text.find("respondents = false"), std::string::npos);
}

}  // namespace
}  // namespace lacuna::sensitivity
