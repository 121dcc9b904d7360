// SPDX-License-Identifier: Apache-2.0
#include "apps/mcp/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/job/run_options.h"
#include "support/temporary_folder.h"

namespace lacuna::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ArgumentsTest : public ::testing::Test {
 protected:
  ArgumentsTest() {
    std::ofstream(folder_.file("t.csv")) << "a\n";
    std::filesystem::create_directory(folder_.file("open"));
    std::ofstream(folder_.file("open/p.csv")) << "a\n";
    place_.root = std::filesystem::canonical(folder_.path()).string();
    place_.published = {place_.root + "/open"};
    known_ = {{"path", ArgumentKind::kFile, true, "a table", {}},
              {"cells", ArgumentKind::kCells, false, "cells", {}},
              {"output", ArgumentKind::kNewFile, false, "a new file", {}}};
    for (ArgumentInfo& each :
         options_among(describe_options<job::RunOptions>(), {"time-limit", "quiet"}))
      known_.push_back(std::move(each));
  }

  Result<Arguments> read(const char* json) const {
    return Arguments::read(Json::parse(json), known_, place_);
  }

  lacuna::testing::UniqueFolder folder_;
  Place place_;
  std::vector<ArgumentInfo> known_;
};

TEST_F(ArgumentsTest, AreTakenByTheirKind) {
  const auto read_ = read(R"({"path":"t.csv","cells":["r=a","0"],"time_limit":2.5,"quiet":true})");
  ASSERT_TRUE(read_);
  EXPECT_EQ(read_->text("path"), "t.csv");
  EXPECT_THAT(read_->texts("cells"), ElementsAre("r=a", "0"));
  ASSERT_EQ(read_->options().size(), 2U);
  EXPECT_EQ(read_->options()[0].name, "time-limit");
  EXPECT_THAT(read_->options()[0].texts, ElementsAre("2.5"));
  EXPECT_THAT(read_->options()[1].texts, ElementsAre("true"));
  EXPECT_EQ(read_->text("output"), "");
}

TEST_F(ArgumentsTest, ThatDoNotFitAreRefused) {
  EXPECT_THAT(read(R"({})").error().message, HasSubstr("needs this argument"));
  EXPECT_THAT(read(R"({"path":"t.csv","time_limt":2})").error().message,
              HasSubstr("did you mean 'time_limit'"));
  for (const char* json : {R"({"path":7})",
                           R"({"path":["t.csv"]})",
                           R"({"path":"t.csv","time_limit":[1]})",
                           R"({"path":"t.csv","cells":[]})",
                           R"({"path":"t.csv","cells":[["r=a"]]})"})
    EXPECT_THAT(read(json).error().message, HasSubstr("type")) << json;
}

TEST_F(ArgumentsTest, NameFilesOfTheFolderAlone) {
  std::filesystem::create_symlink("/etc/hostname", folder_.file("out.csv"));
  for (const char* name :
       {"../t.csv", "/etc/hostname", "out.csv", "a/../t.csv", "./t.csv", "", "open/", "none.csv"}) {
    const Json given{{"path", name}};
    EXPECT_FALSE(Arguments::read(given, known_, place_)) << name;
  }
  EXPECT_TRUE(read(R"({"path":"open/p.csv"})"));
  EXPECT_FALSE(read(R"({"path":"t.csv","output":"t.csv"})"));
  EXPECT_FALSE(read(R"({"path":"t.csv","output":"no/t.csv"})"));
  EXPECT_TRUE(read(R"({"path":"t.csv","output":"open/new.csv"})"));
}

TEST_F(ArgumentsTest, OnlyNamedFilesArePublished) {
  EXPECT_TRUE(place_.is_published("open/p.csv"));
  EXPECT_FALSE(place_.is_published("t.csv"));
  std::filesystem::create_symlink(folder_.file("t.csv"), folder_.file("open/link.csv"));
  EXPECT_FALSE(place_.is_published("open/link.csv"));
}

TEST_F(ArgumentsTest, HaveASchema) {
  const Json schema = schema_of(known_);
  EXPECT_EQ(schema["required"], Json::array({"path"}));
  EXPECT_EQ(schema["properties"]["time_limit"]["exclusiveMinimum"], 0.0);
  EXPECT_EQ(schema["properties"]["quiet"]["type"], "boolean");
  EXPECT_EQ(schema["properties"]["cells"]["items"]["type"], "string");
}

}  // namespace
}  // namespace lacuna::mcp
