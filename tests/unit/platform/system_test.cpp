// SPDX-License-Identifier: Apache-2.0
#include "core/platform/system.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "core/platform/memory_file.h"
#include "core/platform/process.h"
#include "core/platform/shared_library.h"
#include "support/temporary_folder.h"

namespace lacuna::platform {
namespace {

TEST(System, KnowsTheProgramThatRuns) {
  const auto program = program_path();
  EXPECT_EQ(program.filename().string(), program_name("unit_platform"));
  EXPECT_TRUE(std::filesystem::exists(program));
  EXPECT_NE(process_id(), 0U);
}

TEST(System, DrawsRandomBytes) {
  std::set<std::array<unsigned char, 16>> drawn;
  for (int i = 0; i < 100; ++i) {
    std::array<unsigned char, 16> bytes{};
    ASSERT_TRUE(random_bytes(bytes.data(), bytes.size()));
    drawn.insert(bytes);
  }
  EXPECT_EQ(drawn.size(), 100U);
}

TEST(System, KnowsTheTime) {
  const std::tm parts = utc_time(86400 * 365 + 3661);  // 1971 began, and 1:01:01 passed
  EXPECT_EQ(parts.tm_year, 71);
  EXPECT_EQ(parts.tm_mon, 0);
  EXPECT_EQ(parts.tm_mday, 1);
  EXPECT_EQ(parts.tm_hour, 1);
  EXPECT_EQ(parts.tm_min, 1);
  EXPECT_EQ(parts.tm_sec, 1);
  const std::time_t moment = 1'700'000'000;
  std::tm here = local_time(moment);
  EXPECT_EQ(std::mktime(&here), moment);
}

TEST(MemoryFiles, AreReadByTheirNames) {
  std::string bytes = "a\r\nb\n";
  bytes += '\0';
  bytes += "\x1A\xFF";
  auto file = MemoryFile::make(bytes);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes().value(), bytes);
  std::ifstream named(file->path(), std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(named), {}), bytes);
}

TEST(MemoryFiles, AreGoneAtTheEnd) {
  std::string path;
  {
    const auto file = MemoryFile::make("confidential");
    ASSERT_TRUE(file);
    path = file->path();
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Libraries, ThatAreMissingSayWhy) {
  const SharedLibrary library(library_name("lacuna-there-is-no-such-library"));
  EXPECT_FALSE(library.is_open());
  EXPECT_NE(library.reason(), "");
}

TEST(Processes, ThatCannotStartDoNot) {
  EXPECT_FALSE(Process::start({"/no/such/program", "word"}, {}));
}

// The program of this test lists its tests, which shows that words and streams arrive.
TEST(Processes, GetWordsAndStreams) {
  const testing::UniqueFolder folder;
  const std::string program = program_path().string();
  const auto memory = MemoryFile::make({});
  ASSERT_TRUE(memory);
  using RedirectionKind = Redirection::Kind;
  const auto process =
      Process::start({program, "--gtest_list_tests", "--gtest_filter=Processes.GetW*"},
                     {{RedirectionKind::kNothing},
                      {RedirectionKind::kMemory, "", &*memory},
                      {RedirectionKind::kNewFile, folder.file("errors")}});
  ASSERT_TRUE(process);
  const auto ended = process->wait();
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->code, 0);
  EXPECT_EQ(ended->signal, 0);
  const std::string said = memory->bytes().value();
  EXPECT_NE(said.find("Processes."), std::string::npos) << said;
  EXPECT_NE(said.find("GetWordsAndStreams"), std::string::npos) << said;
  EXPECT_EQ(said.find("ThatCannotStartDoNot"), std::string::npos) << said;
  EXPECT_TRUE(std::filesystem::exists(folder.file("errors")));
}

TEST(Processes, EndWithTheirCode) {
  const auto nothing = Redirection{Redirection::Kind::kNothing};
  const auto process = Process::start(
      {program_path().string(),
       "--gtest_filter=Child.DISABLED_Fails",
       "--gtest_also_run_disabled_tests"},
      {nothing, nothing, nothing});
  ASSERT_TRUE(process);
  const auto ended = process->wait();
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->code, 1);
}

TEST(Processes, AreKilled) {
  const auto nothing = Redirection{Redirection::Kind::kNothing};
  const auto process = Process::start({program_path().string(),
                                       "--gtest_filter=Child.DISABLED_Sleeps",
                                       "--gtest_also_run_disabled_tests",
                                       "--gtest_repeat=-1"},
                                      {nothing, nothing, nothing});
  ASSERT_TRUE(process);
  EXPECT_FALSE(process->look());
  process->kill();
  EXPECT_FALSE(process->look());  // nobody is left to be waited for
}

// What the processes above do, and no run of the tests.
TEST(Child, DISABLED_Sleeps) {}

TEST(Child, DISABLED_Fails) {
  FAIL();
}

}  // namespace
}  // namespace lacuna::platform
