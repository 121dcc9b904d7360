// SPDX-License-Identifier: Apache-2.0
#include "data/files/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "support/temporary_folder.h"

namespace lacuna::files {
namespace {

class FileTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::size_t files() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_))
      ++count;
    return count;
  }
  std::string error_of(const std::string& file) const {
    const auto text = read_file(file);
    return text ? "no error" : text.error().message;
  }

  const testing::UniqueFolder place_;
  const std::filesystem::path folder_ = place_.path();
};

// "hello\n" packed by the xz tool.
const std::string kXz(
    "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5"
    "\xa3\x01\x00\x05\x68\x65\x6c\x6c\x6f\x0a\x00\x00\x00\xa5\x60\x97\xf1\x94\xf6\xfd\xe0\x00\x01"
    "\x1e\x06\xc1\x2f\xa4\x1d\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a",
    64);

TEST_F(FileTest, WritesAndReadsBack) {
  const std::string file = path("a.txt");
  ASSERT_TRUE(write_file_atomically(file, "one\n"));
  ASSERT_TRUE(write_file_atomically(file, "two\n"));
  EXPECT_EQ(read_file(file).value(), "two\n");
  EXPECT_EQ(files(), 1U);
}

TEST_F(FileTest, PacksAndUnpacksGzip) {
  std::string text;
  for (int i = 0; i < 200000; ++i)
    text += std::to_string(i * 7919) + "\n";
  const std::string file = path("a.txt.gz");
  ASSERT_TRUE(write_file_atomically(file, text));
  EXPECT_LT(std::filesystem::file_size(file), text.size() / 2);
  EXPECT_EQ(read_file(file).value(), text);
  const std::string packed = pack_gzip("a").value() + pack_gzip("b").value();
  EXPECT_EQ(unpack(packed, "two members", 10).value(), "ab");
}

TEST_F(FileTest, UnpacksXz) {
  EXPECT_EQ(read_file(put("h.xz", kXz)).value(), "hello\n");
}

TEST_F(FileTest, NamesEveryTrouble) {
  EXPECT_EQ(error_of(path("none")), "the file does not exist");
  EXPECT_EQ(error_of(folder_.string()), "this is a directory, not a file");
  EXPECT_EQ(error_of(put("empty", "")), "the file is empty");
  EXPECT_EQ(error_of(put("empty.gz", pack_gzip("").value())), "the file is empty");
  const std::string packed = pack_gzip("some text that is long enough").value();
  EXPECT_EQ(error_of(put("cut.gz", packed.substr(0, packed.size() - 9))),
            "the gzip data ends before it is complete");
  std::string damaged = packed;
  damaged[packed.size() - 5] = static_cast<char>(damaged[packed.size() - 5] ^ 0x55);
  EXPECT_EQ(error_of(put("bad.gz", damaged)), "the gzip data is damaged");
  EXPECT_EQ(error_of(put("cut.xz", kXz.substr(0, 40))), "the xz data ends before it is complete");
  std::string bad_xz = kXz;
  bad_xz[30] = '!';
  EXPECT_EQ(error_of(put("bad.xz", bad_xz)), "the xz data is damaged");
  EXPECT_EQ(
      read_file(put("bomb.gz", pack_gzip(std::string(100000, 'x')).value()), 1000).error().message,
      "the file unpacks to more than 1000 bytes");
  EXPECT_EQ(read_file(put("long", std::string(2000, 'x')), 1000).error().message,
            "the file holds more than 1000 bytes");
}

TEST_F(FileTest, LeavesNothingBehindOnFailure) {
  std::filesystem::create_directories(folder_ / "taken");
  const auto written = write_file_atomically(path("taken"), "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "this is a directory, not a file");
  const auto nowhere = write_file_atomically(path("no/such/folder/x"), "x");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().message, "the file cannot be written: No such file or directory");
  EXPECT_EQ(files(), 1U);
}

TEST_F(FileTest, ALinkGoesOnPointing) {
  std::filesystem::create_directories(folder_ / "sub");
  std::filesystem::create_symlink("sub/target.txt", folder_ / "link");
  std::filesystem::create_symlink("link", folder_ / "second");
  ASSERT_TRUE(write_file_atomically(path("second"), "one\n"));  // nothing is there yet
  EXPECT_EQ(read_file(path("sub/target.txt")).value(), "one\n");
  ASSERT_TRUE(write_file_atomically(path("link"), "two\n"));
  EXPECT_EQ(read_file(path("second")).value(), "two\n");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "second"));
  std::filesystem::create_symlink("loop", folder_ / "loop");
  EXPECT_FALSE(write_file_atomically(path("loop"), "three\n"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "loop"));
}

TEST_F(FileTest, WhatIsNoPlainFileIsWrittenTo) {
  ASSERT_TRUE(write_file_atomically("/dev/null", "gone"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_FALSE(write_file_atomically("/dev/full", "too much"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = read_file(path("pipe")).value(); });
  ASSERT_TRUE(write_file_atomically(path("pipe"), "through\n"));
  reader.join();
  EXPECT_EQ(got, "through\n");
  EXPECT_TRUE(std::filesystem::is_fifo(folder_ / "pipe"));
  EXPECT_TRUE(is_stream("-"));
  EXPECT_TRUE(is_stream(path("pipe")));
  EXPECT_FALSE(is_stream(path("new.txt")));
  EXPECT_FALSE(is_stream(folder_.string()));
}

TEST_F(FileTest, AllFilesOrNone) {
  put("old.txt", "old");
  {
    StagedFiles files;
    ASSERT_TRUE(files.add(path("old.txt"), "new"));
    EXPECT_FALSE(files.add(path("nowhere/b.txt"), "b"));
  }
  EXPECT_EQ(read_file(path("old.txt")).value(), "old");
  {
    StagedFiles files;
    ASSERT_TRUE(files.add(path("old.txt"), "new"));
    ASSERT_TRUE(files.add("/dev/full", "too much"));
    EXPECT_FALSE(files.commit());
  }
  EXPECT_EQ(read_file(path("old.txt")).value(), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(FileTest, OneFileUnderTwoNames) {
  const std::string file = put("a.txt", "a");
  std::filesystem::create_hard_link(file, folder_ / "hard");
  std::filesystem::create_symlink("a.txt", folder_ / "soft");
  std::filesystem::create_symlink("b.txt", folder_ / "dangling");
  std::filesystem::create_directories(folder_ / "sub");
  std::filesystem::create_symlink(".", folder_ / "here");
  EXPECT_TRUE(same_file(file, file));
  EXPECT_TRUE(same_file(file, path("hard")));
  EXPECT_TRUE(same_file(file, path("soft")));
  EXPECT_TRUE(same_file(file, path("sub/../a.txt")));
  EXPECT_TRUE(same_file(path("dangling"), path("b.txt")));
  EXPECT_TRUE(same_file(path("c.txt"), path("here/c.txt")));
  EXPECT_FALSE(same_file(file, path("c.txt")));
  EXPECT_FALSE(same_file(path("b.txt"), path("c.txt")));
  EXPECT_FALSE(same_file("/dev/null", "/dev/null"));
  EXPECT_TRUE(same_file("-", "-"));
}

TEST_F(FileTest, BelowAFolderNoLinkIsFollowed) {
  const std::string top = folder_.string() + "/top";
  std::filesystem::create_directories(top + "/sub");
  put("far.txt", "far");
  std::filesystem::create_symlink("../far.txt", top + "/link.txt");
  std::filesystem::create_symlink("../none.txt", top + "/dangling.txt");
  std::filesystem::create_symlink("..", top + "/up");
  for (const Existing existing : {Existing::kStays, Existing::kReplaced}) {
    for (const char* name : {"link.txt", "dangling.txt", "up/new.txt", "sub", "nowhere/a.txt"})
      EXPECT_FALSE(write_file_below(top, name, "x", existing)) << name;
  }
  EXPECT_EQ(read_file(path("far.txt")).value(), "far");
  EXPECT_FALSE(std::filesystem::exists(path("none.txt")) ||
               std::filesystem::exists(path("new.txt")));
  EXPECT_TRUE(write_file_below(top, "sub/a.txt", "one", Existing::kStays).value());
  EXPECT_FALSE(write_file_below(top, "sub/a.txt", "two", Existing::kStays).value());
  EXPECT_EQ(read_file(top + "/sub/a.txt").value(), "one");
  EXPECT_TRUE(write_file_below(top, "sub/a.txt", "two", Existing::kReplaced).value());
  EXPECT_EQ(read_file(top + "/sub/a.txt").value(), "two");
  EXPECT_TRUE(write_file_below(top, "sub/a.txt.gz", "two", Existing::kStays).value());
  EXPECT_EQ(read_file(top + "/sub/a.txt.gz").value(), "two");
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(top + "/sub"))
    ++count;
  EXPECT_EQ(count, 2U) << "nothing is left over";
}

}  // namespace
}  // namespace lacuna::files
