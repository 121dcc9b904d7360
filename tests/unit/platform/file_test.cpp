// SPDX-License-Identifier: Apache-2.0
// What readers and writers rely on, on every system that this is run on.
#include "core/platform/file.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "support/temporary_folder.h"

namespace lacuna::platform {
namespace {

namespace fs = std::filesystem;
using Kind = FileInfo::Kind;

class Files : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }
  static void put(const std::string& path, std::string_view bytes) {
    OpenFile file = create_file(path);
    ASSERT_TRUE(file.is_open()) << reason(errno);
    ASSERT_TRUE(file.write(bytes));
    ASSERT_TRUE(file.sync());
    ASSERT_TRUE(file.close());
  }
  static std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Whether the user of this system may make links; some may not on Windows.
  static bool link(const fs::path& to, const fs::path& name, bool of_folder) {
    std::error_code trouble;
    if (of_folder)
      fs::create_directory_symlink(to, name, trouble);
    else
      fs::create_symlink(to, name, trouble);
    return !trouble;
  }

  testing::UniqueFolder folder_;
};

TEST_F(Files, BytesArriveAsTheyLeft) {
  std::string all;
  for (int i = 0; i < 256; ++i)
    all += static_cast<char>(i);
  all += "\r\n\n\x1A after what ends a text on some systems\r\n";
  put(path("bytes"), all);
  const OpenFile file = open_to_read(path("bytes"));
  ASSERT_TRUE(file.is_open());
  std::string read(2 * all.size(), '\0');
  EXPECT_EQ(file.read(read.data(), read.size()), static_cast<std::ptrdiff_t>(all.size()));
  read.resize(all.size());
  EXPECT_EQ(read, all);
  char more = 0;
  EXPECT_EQ(file.read(&more, 1), 0);
  ASSERT_TRUE(file.rewind());
  EXPECT_EQ(file.read(&more, 1), 1);
  EXPECT_EQ(more, '\0');
  ASSERT_TRUE(file.info());
  EXPECT_EQ(file.info()->size, all.size());
}

TEST_F(Files, NamesAreUtf8) {
  for (const std::string name : {"t\xC3\xA4" "bell.csv", "\xE8\xA1\xA8", "\xF0\x9F\x93\x8A.csv"}) {
    SCOPED_TRACE(name);
    put(path(name), name);
    EXPECT_TRUE(fs::exists(path(name)));
    EXPECT_EQ(bytes_of(path(name)), name);
    EXPECT_EQ(fs::path(path(name)).filename().string(), name);
    bool found = false;
    for (const auto& entry : fs::directory_iterator(fs::path(path(name)).parent_path()))
      found = found || entry.path().filename().string() == name;
    EXPECT_TRUE(found);
  }
}

TEST_F(Files, LongPathsAreOpened) {
  std::string name = path("deep");
  for (int i = 0; i < 12; ++i)
    name += "/a folder with a name of many letters";
  std::error_code trouble;
  fs::create_directories(name, trouble);
  if (trouble)
    GTEST_SKIP() << "this system makes no paths of " << name.size() << " letters";
  put(name + "/table.csv", "1");
  const OpenFile file = open_to_read(name + "/table.csv");
  EXPECT_TRUE(file.is_open());
}

TEST_F(Files, WhatIsMissingSaysSo) {
  EXPECT_FALSE(open_to_read(path("none")).is_open());
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(open_to_read(path("none/none")).is_open());
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(info_of(path("none")));
}

TEST_F(Files, AFolderIsKnownAsOne) {
  const OpenFile file = open_to_read(path(""));
  ASSERT_TRUE(file.is_open()) << reason(errno);
  ASSERT_TRUE(file.info());
  EXPECT_EQ(file.info()->kind, Kind::kFolder);
  EXPECT_EQ(info_of(path(""))->kind, Kind::kFolder);
}

TEST_F(Files, ANameIsTakenOnce) {
  put(path("a"), "mine");
  EXPECT_FALSE(create_file(path("a")).is_open());
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(bytes_of(path("a")), "mine");
}

TEST_F(Files, ALinkThatLeadsNowhereIsATakenName) {
  if (!link(path("nowhere"), path("link"), false))
    GTEST_SKIP() << "links cannot be made here";
  EXPECT_FALSE(create_file(path("link")).is_open());
  EXPECT_FALSE(fs::exists(path("nowhere")));
}

TEST_F(Files, ReplacingTakesTheOldOnesPlace) {
  put(path("a"), "old");
  put(path("b"), "new");
  EXPECT_TRUE(replace_file(path("b"), path("a")));
  EXPECT_EQ(bytes_of(path("a")), "new");
  EXPECT_FALSE(fs::exists(path("b")));
  EXPECT_FALSE(replace_file(path("b"), path("a")));
  EXPECT_EQ(errno, ENOENT);
  remove_file(path("a"));
  EXPECT_FALSE(fs::exists(path("a")));
}

TEST_F(Files, OneFileIsItselfUnderAllItsNames) {
  put(path("a"), "1");
  put(path("b"), "1");
  const auto a = info_of(path("a")), b = info_of(path("b"));
  ASSERT_TRUE(a && b);
  EXPECT_TRUE(is_one(*a, *info_of(path("./a"))));
  EXPECT_FALSE(is_one(*a, *b));
  std::error_code trouble;
  fs::create_hard_link(path("a"), path("c"), trouble);
  if (!trouble) {
    EXPECT_TRUE(is_one(*a, *info_of(path("c"))));
  }
  const FileInfo nameless{};
  EXPECT_FALSE(is_one(nameless, nameless));  // of which the system says nothing
}

TEST_F(Files, AnOwnFolderIsNew) {
  const std::string one = create_own_folder("lacuna-test-");
  const std::string other = create_own_folder("lacuna-test-");
  EXPECT_NE(one, other);
  EXPECT_TRUE(fs::is_directory(one) && fs::is_empty(one));
#ifndef _WIN32
  EXPECT_EQ(fs::status(one).permissions(), fs::perms::owner_all);
#endif
  fs::remove(one);
  fs::remove(other);
}

TEST_F(Files, AFolderIsAskedByNames) {
  const OpenFolder folder = OpenFolder::open(path(""));
  ASSERT_TRUE(folder.is_open());
  EXPECT_FALSE(folder.entry("a"));
  OpenFile file = folder.create("a");
  ASSERT_TRUE(file.is_open());
  EXPECT_TRUE(file.write("text") && file.close());
  ASSERT_TRUE(folder.entry("a"));
  EXPECT_EQ(folder.entry("a")->kind, Kind::kRegular);
  EXPECT_FALSE(folder.create("a").is_open());
  EXPECT_TRUE(folder.replace("a", "b"));
  EXPECT_EQ(bytes_of(path("b")), "text");
  folder.remove("b");
  EXPECT_FALSE(folder.entry("b"));
  folder.sync();
  EXPECT_FALSE(OpenFolder::open(path("none")).is_open());
  EXPECT_FALSE(folder.below("none").is_open());
}

TEST_F(Files, NoLinkIsFollowedBelowAFolder) {
  fs::create_directories(path("inside/deeper"));
  fs::create_directories(path("outside"));
  put(path("outside/secret"), "secret");
  if (!link(path("outside"), path("inside/link"), true) ||
      !link(path("outside/secret"), path("inside/file"), false))
    GTEST_SKIP() << "links cannot be made here";
  const OpenFolder folder = OpenFolder::open(path("inside"));
  ASSERT_TRUE(folder.is_open());
  EXPECT_TRUE(folder.below("deeper").is_open());
  EXPECT_FALSE(folder.below("link").is_open());
  EXPECT_EQ(folder.entry("file")->kind, Kind::kLink);
  EXPECT_FALSE(folder.create("file").is_open());
  EXPECT_EQ(bytes_of(path("outside/secret")), "secret");
}

TEST_F(Files, AFolderIsLockedByOneAtATime) {
  std::atomic<int> inside = 0, most = 0;
  const auto work = [&] {
    for (int i = 0; i < 20; ++i) {
      const FolderLock lock(path(""));
      most = std::max<int>(most, ++inside);
      std::this_thread::yield();
      --inside;
    }
  };
  std::thread one(work), other(work);
  one.join();
  other.join();
  EXPECT_EQ(most, 1);
}

}  // namespace
}  // namespace lacuna::platform
