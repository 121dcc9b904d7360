// SPDX-License-Identifier: Apache-2.0
#include "data/files/zip_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/files/zip.h"

namespace lacuna::files {
namespace {

using ::testing::HasSubstr;

std::string archive_of(const std::vector<std::pair<std::string, std::string>>& members) {
  ZipArchive archive;
  for (const auto& [name, content] : members)
    archive.add(name, content).value();
  return archive.finish();
}

TEST(ZipReader, ReadsWhatTheWriterWrote) {
  const std::string bytes =
      archive_of({{"a.txt", "first"}, {"b/c.txt", std::string(100'000, 'x')}});
  auto zip = ZipReader::open(bytes, "f.zip").value();
  ASSERT_EQ(zip.members().size(), 2U);
  EXPECT_EQ(zip.read(*zip.find("A.TXT")).value(), "first");
  EXPECT_EQ(zip.read(zip.members()[1]).value(), std::string(100'000, 'x'));
  EXPECT_EQ(zip.find("b"), nullptr);
}

TEST(ZipReader, ChangesOneMemberAndLeavesTheOthersAlone) {
  const std::string bytes = archive_of({{"a", "first"}, {"b", "second"}, {"c", "third"}});
  const auto zip = ZipReader::open(bytes, "f.zip").value();
  const std::string changed = zip.with({{"b", "another"}}, {"c"}).value();
  auto again = ZipReader::open(changed, "f.zip").value();
  ASSERT_EQ(again.members().size(), 2U);
  EXPECT_EQ(again.read(*again.find("a")).value(), "first");
  EXPECT_EQ(again.read(*again.find("b")).value(), "another");
  EXPECT_EQ(changed.find("third"), std::string::npos);
  EXPECT_EQ(zip.with({}, {}).value(), bytes);
}

// An archive that was changed in place may keep an old member that no directory names.
TEST(ZipReader, WhatNoDirectoryNamesIsLeftOut) {
  const std::string stale = archive_of({{"old", "4711"}});
  const std::string bytes = archive_of({{"a", "first"}});
  // Local headers of both, then the directory of `a` alone, moved.
  const std::size_t stale_end = stale.find("PK\x01\x02");
  std::string joined = stale.substr(0, stale_end) + bytes;
  const std::size_t end = joined.rfind("PK\x05\x06"), entry = joined.rfind("PK\x01\x02");
  joined[end + 16] = static_cast<char>(entry);
  joined[entry + 42] = static_cast<char>(stale_end);
  auto zip = ZipReader::open(joined, "f.zip").value();
  EXPECT_EQ(zip.read(*zip.find("a")).value(), "first");
  EXPECT_EQ(zip.with({}, {}).value(), bytes);
}

TEST(ZipReader, BombsAreRefusedBeforeTheyAreUnpacked) {
  const std::string bomb = archive_of({{"a", std::string(std::size_t{20} << 20U, '0')}});
  auto zip = ZipReader::open(bomb, "f.zip").value();
  const auto text = zip.read(zip.members()[0]);
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().text(), HasSubstr("unpacks to 20 MiB, more than 250 times its size"));
  const std::string many = archive_of({{"a", std::string(600, 'a')}, {"b", std::string(600, 'b')}});
  ZipLimits limits;
  limits.all = 1'000;
  auto small = ZipReader::open(many, "f.zip", limits).value();
  EXPECT_TRUE(small.read(small.members()[0]));
  EXPECT_FALSE(small.read(small.members()[1]));
}

TEST(ZipReader, DamageIsSaid) {
  const std::string bytes = archive_of({{"a", "first"}, {"b", "second"}});
  EXPECT_THAT(ZipReader::open(bytes.substr(0, bytes.size() - 30), "f.zip").error().text(),
              HasSubstr("no directory"));
  EXPECT_FALSE(ZipReader::open("PK\x03\x04", "f.zip"));
  std::string wrong = bytes;
  wrong[32] = static_cast<char>(wrong[32] ^ 0x55);
  auto zip = ZipReader::open(wrong, "f.zip").value();
  EXPECT_THAT(zip.read(zip.members()[0]).error().text(), HasSubstr("is damaged"));
  EXPECT_THAT(ZipReader::open(archive_of({{"a", "1"}, {"A", "2"}}), "f.zip").error().text(),
              HasSubstr("one name"));
  std::string secret = bytes;
  secret[secret.find("PK\x01\x02") + 8] = 1;
  EXPECT_THAT(ZipReader::open(secret, "f.zip").error().text(), HasSubstr("encrypted"));
}

}  // namespace
}  // namespace lacuna::files
