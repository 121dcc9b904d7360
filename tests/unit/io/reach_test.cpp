// SPDX-License-Identifier: Apache-2.0
#include "io/reach.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "io/byte_stream.h"
#include "io/column_files.h"
#include "io/file.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

class ReachTest : public ::testing::Test {
 protected:
  void SetUp() override {
    top_ = fs::temp_directory_path() / ("lacuna_reach_test_" + std::to_string(::getpid()));
    fs::remove_all(top_);
    fs::create_directories(top_ / "in" / "sub");
    fs::create_directories(top_ / "inside_by_name");
    for (const char* name : {"in/a.csv", "in/sub/b.csv", "out.csv", "inside_by_name/c.csv"})
      std::ofstream(top_ / name) << "a;b\n";
    fs::create_symlink(top_ / "out.csv", top_ / "in" / "link.csv");
    fs::create_symlink(top_ / "in" / "a.csv", top_ / "in" / "near.csv");
  }
  void TearDown() override {
    confine_reading({});
    fs::remove_all(top_);
  }
  std::string path(const std::string& name) const { return (top_ / name).string(); }

  fs::path top_;
};

TEST_F(ReachTest, AnythingUnlessConfined) {
  EXPECT_TRUE(read_file(path("out.csv")));
  EXPECT_TRUE(check_reach("/dev/null"));
}

TEST_F(ReachTest, FilesBelowTheFoldersAlone) {
  confine_reading({path("in")});
  for (const char* name : {"in/a.csv", "in/sub/b.csv", "in/sub/../a.csv", "in/near.csv"})
    EXPECT_TRUE(read_file(path(name))) << name;
  for (const char* name :
       {"out.csv", "in/../out.csv", "in/link.csv", "in/sub/../../out.csv", "inside_by_name/c.csv"})
    EXPECT_FALSE(read_file(path(name))) << name;
  EXPECT_FALSE(read_file("/etc/passwd"));
  EXPECT_FALSE(read_file("/dev/null"));
}

TEST_F(ReachTest, HoldsForEveryWayToOpenAFile) {
  confine_reading({path("in")});
  EXPECT_TRUE(open_byte_stream(path("in/a.csv")));
  EXPECT_FALSE(open_byte_stream(path("out.csv")));
  fs::copy(path("out.csv"), path("out.arrow"));
  const auto records = open_column_records(path("out.arrow"), 1);
  ASSERT_FALSE(records);
  EXPECT_NE(records.error().message.find("outside"), std::string::npos) << records.error().message;
}

TEST_F(ReachTest, WhatIsNotThereSaysSo) {
  confine_reading({path("in")});
  const auto missing = read_file(path("in/none.csv"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "the file does not exist");
}

TEST_F(ReachTest, PipesAreNoFiles) {
  ASSERT_EQ(::mkfifo(path("in/pipe.csv").c_str(), 0600), 0);
  confine_reading({path("in")});
  EXPECT_FALSE(read_file(path("in/pipe.csv")));
}

TEST_F(ReachTest, AFolderThatIsNotThereLetsNothingThrough) {
  confine_reading({path("nowhere")});
  EXPECT_FALSE(read_file(path("in/a.csv")));
}

}  // namespace
}  // namespace lacuna
