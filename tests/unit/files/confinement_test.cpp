// SPDX-License-Identifier: Apache-2.0
#include "data/files/confinement.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "data/files/byte_stream.h"
#include "data/files/column_files.h"
#include "data/files/file.h"
#include "support/temporary_folder.h"

namespace lacuna::files {
namespace {

namespace fs = std::filesystem;

class ReachTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(top_ / "in" / "sub");
    fs::create_directories(top_ / "inside_by_name");
    for (const char* name : {"in/a.csv", "in/sub/b.csv", "out.csv", "inside_by_name/c.csv"})
      std::ofstream(top_ / name) << "a;b\n";
    fs::create_symlink(top_ / "out.csv", top_ / "in" / "link.csv");
    fs::create_symlink(top_ / "in" / "a.csv", top_ / "in" / "near.csv");
  }
  std::string path(const std::string& name) const { return (top_ / name).string(); }

  const testing::UniqueFolder place_;
  const fs::path top_ = place_.path();
};

TEST_F(ReachTest, AnythingUnlessConfined) {
  EXPECT_TRUE(read_file(path("out.csv")));
  EXPECT_TRUE(check_readable("/dev/null"));
}

TEST_F(ReachTest, FilesBelowTheFoldersAlone) {
  const Confinement confined({.read_below = {path("in")}});
  for (const char* name : {"in/a.csv", "in/sub/b.csv", "in/sub/../a.csv", "in/near.csv"})
    EXPECT_TRUE(read_file(path(name))) << name;
  for (const char* name :
       {"out.csv", "in/../out.csv", "in/link.csv", "in/sub/../../out.csv", "inside_by_name/c.csv"})
    EXPECT_FALSE(read_file(path(name))) << name;
  EXPECT_FALSE(read_file("/etc/passwd"));
  EXPECT_FALSE(read_file("/dev/null"));
}

// It belongs to whoever made it: what ends leaves nothing behind, and nobody makes a second one.
TEST_F(ReachTest, EndsWithItsOwner) {
  {
    const Confinement confined({.read_below = {path("in")}});
    EXPECT_TRUE(reading_is_confined());
    EXPECT_ANY_THROW(Confinement({.read_below = {path("")}}));
    EXPECT_FALSE(read_file(path("out.csv")));
  }
  EXPECT_FALSE(reading_is_confined());
  EXPECT_TRUE(read_file(path("out.csv")));
}

TEST_F(ReachTest, HoldsForEveryWayToOpenAFile) {
  const Confinement confined({.read_below = {path("in")}});
  EXPECT_TRUE(open_byte_stream(path("in/a.csv")));
  EXPECT_FALSE(open_byte_stream(path("out.csv")));
  fs::copy(path("out.csv"), path("out.arrow"));
  const auto records = open_column_records(path("out.arrow"), 1);
  ASSERT_FALSE(records);
  EXPECT_NE(records.error().message.find("outside"), std::string::npos) << records.error().message;
}

TEST_F(ReachTest, WhatIsNotThereSaysSo) {
  const Confinement confined({.read_below = {path("in")}});
  const auto missing = read_file(path("in/none.csv"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "the file does not exist");
}

TEST_F(ReachTest, PipesAreNoFiles) {
  ASSERT_EQ(::mkfifo(path("in/pipe.csv").c_str(), 0600), 0);
  const Confinement confined({.read_below = {path("in")}});
  EXPECT_FALSE(read_file(path("in/pipe.csv")));
}

TEST_F(ReachTest, AFolderThatIsNotThereLetsNothingThrough) {
  const Confinement confined({.read_below = {path("nowhere")}});
  EXPECT_FALSE(read_file(path("in/a.csv")));
}

TEST_F(ReachTest, WritesBelowTheFoldersAlone) {
  EXPECT_TRUE(write_file_atomically(path("free.csv"), "x"));
  fs::create_symlink(top_ / "dangled.csv", top_ / "in" / "dangling.csv");
  fs::create_symlink(top_, top_ / "in" / "up");
  const Confinement confined({.write_below = {path("in")}});
  EXPECT_TRUE(write_file_atomically(path("in/new.csv"), "x"));
  EXPECT_TRUE(write_file_atomically(path("in/sub/../new.csv"), "y"));
  EXPECT_TRUE(write_file_atomically(path("in/near.csv"), "y"));
  for (const char* name : {"out.csv",
                           "new.csv",
                           "in/../new.csv",
                           "in/link.csv",
                           "in/dangling.csv",
                           "in/up/new.csv",
                           "inside_by_name/new.csv"})
    EXPECT_FALSE(write_file_atomically(path(name), "x")) << name;
  EXPECT_FALSE(write_file_atomically("-", "x"));
  EXPECT_FALSE(write_file_atomically("/dev/null", "x"));
  EXPECT_FALSE(fs::exists(path("dangled.csv")) || fs::exists(path("new.csv")));
  EXPECT_EQ(read_file(path("out.csv")).value(), "a;b\n");
}

TEST_F(ReachTest, PackedFilesGrowNoFurtherThanAllowed) {
  const std::string text(std::size_t{3} << 20U, 'x');
  ASSERT_TRUE(write_file_atomically(path("in/packed.csv.gz"), text));
  EXPECT_TRUE(read_file(path("in/packed.csv.gz")));
  {
    const Confinement enough({.unpacked_megabytes = 3, .remedy = "unpack it"});
    EXPECT_EQ(read_file(path("in/packed.csv.gz")).value().size(), text.size());
  }
  const Confinement confined({.unpacked_megabytes = 2, .remedy = "unpack it"});
  const auto refused = read_file(path("in/packed.csv.gz"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the file unpacks to more than 2 megabytes; unpack it");
  const auto stream = open_byte_stream(path("in/packed.csv.gz"));
  ASSERT_TRUE(stream);
  std::string target(text.size(), ' ');
  EXPECT_FALSE((*stream)->read(target.data(), target.size()));
  ASSERT_TRUE(write_file_atomically(path("in/plain.csv"), text));
  EXPECT_TRUE(read_file(path("in/plain.csv")));
}

}  // namespace
}  // namespace lacuna::files
