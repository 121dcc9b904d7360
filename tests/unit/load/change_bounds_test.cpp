// SPDX-License-Identifier: Apache-2.0
// Whose bound of change holds of a cell, and what is no bound.
#include "app/load/change_bounds.h"

#include <gtest/gtest.h>

#include "read_table.h"

namespace lacuna::load {
namespace {

using testing::branches;
using testing::cell_at;

Result<ChangeBounds> bounds(const JobSpec::Changes& said, const std::string& file = "") {
  static const Problem problem = branches({400, 100, 130, 170});
  return ChangeBounds::make(said, "job.toml:3:1", problem.table(), [&](const std::string&) {
    return Result<std::string>(file);
  });
}

std::string percent(const ChangeBounds& made, const std::string& code) {
  const Problem problem = branches({400, 100, 130, 170});
  const auto bound = made.of(problem.table(), cell_at(problem.table(), code));
  return bound ? bound->text() : "none";
}

std::string refused(const JobSpec::Changes& said, const std::string& file = "") {
  const auto made = bounds(said, file);
  return made ? "accepted" : made.error().text();
}

TEST(ChangeBounds, WhatIsCloserToTheCellGoesFirst) {
  JobSpec::Changes said;
  said.change = "20%";
  said.classes = {{"branch", {"a", "b"}, "50%"}, {"branch", {"b"}, "2.5%"}};
  said.change_file = "changes.csv";
  const auto made = bounds(said, "branch;most\na;7%\n");
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_TRUE(made->any());
  EXPECT_EQ(percent(*made, "a"), "7");    // its line
  EXPECT_EQ(percent(*made, "b"), "2.5");  // the narrowest of its classes
  EXPECT_EQ(percent(*made, "c"), "20");   // what holds of all
  EXPECT_EQ(percent(*made, "all"), "20");
}

TEST(ChangeBounds, UnboundedIsABound) {
  JobSpec::Changes said;
  said.change = "20%";
  said.classes = {{"branch", {"a"}, "unbounded"}};
  const auto made = bounds(said);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(percent(*made, "a"), "none");
  EXPECT_EQ(percent(*made, "b"), "20");
  EXPECT_FALSE(bounds({})->any());
}

TEST(ChangeBounds, WhatIsNoBound) {
  JobSpec::Changes said;
  said.change = "20";
  EXPECT_EQ(refused(said),
            "job.toml:3:1: change must be a percentage such as \"20%\", or \"unbounded\", not "
            "'20'");
  said.change = "-5%";
  EXPECT_NE(refused(said), "accepted");
  said.change = "";
  said.classes = {{"brunch", {"a"}, "5%"}};
  EXPECT_EQ(refused(said),
            "job.toml:3:1: there is no dimension 'brunch'; did you mean 'branch'?");
  said.classes = {{"branch", {"d"}, "5%"}};
  EXPECT_EQ(refused(said), "job.toml:3:1: there is no code 'd'");
}

TEST(ChangeBounds, ALineOfTheFileHasItsPlace) {
  JobSpec::Changes said;
  said.change_file = "changes.csv";
  EXPECT_EQ(refused(said, "branch;most\na;5%\nd;5%\n"),
            "changes.csv:3:1: there is no code 'd'");
  EXPECT_EQ(refused(said, "branch;most\na;5%\na;6%\n"),
            "changes.csv:3:1: an earlier line has the same codes");
  EXPECT_NE(refused(said, "branch;most\na;much\n").find("changes.csv:2:3: change must be"),
            std::string::npos);
  EXPECT_NE(refused(said, "branch;most;least\na;5%;1%\n").find("one more with percentages"),
            std::string::npos);
}

}  // namespace
}  // namespace lacuna::load
