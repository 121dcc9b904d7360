// SPDX-License-Identifier: Apache-2.0
// A job of tau-ARGUS run with its files and without any: the same tables come out.
#include "app/argus_run/argus_tables.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/argus_run/argus_job.h"
#include "support/temporary_folder.h"

namespace lacuna::argus_run {
namespace {

namespace fs = std::filesystem;

class ArgusTables : public ::testing::Test {
 protected:
  void SetUp() override {
    put("m.asc",
        "N1 3 20\nN1 1  2\nN1 1 30\nN1 3  8\nN1 2  5\nN2 1  5\nN2 1  5\nN2 3  8\nN2 2 12\n"
        "N2 1 12\nS1 3  2\nS1 2 12\nS1 2  5\nS1 2 30\nS1 3  2\nS2 1  3\nS2 3 12\nS2 2 12\n"
        "S2 3 90\nS2 3 80\n");
    put("m.rda",
        "Reg 1 2\n<RECODEABLE>\n<TOTCODE> \"Total\"\n<HIERARCHICAL>\n<HIERCODELIST> \"reg.hrc\"\n"
        "<HIERLEADSTRING> \"@\"\nSize 4 1\n<RECODEABLE>\n<TOTCODE> \"All\"\nV 6 2\n<NUMERIC>\n");
    put("reg.hrc", "N\n@N1\n@N2\nS\n@S1\n@S2\n");
  }

  void put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string text_of(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  ArgusRun run(const std::string& commands, ArgusFiles files, bool check = false) const {
    put("job.arb", commands);
    ArgusJob job;
    job.input = (folder_ / "job.arb").string();
    job.check = check;
    auto done = run_argus(job, files, RunContext{});
    EXPECT_TRUE(done) << done.error().text();
    return *std::move(done);
  }

  const testing::UniqueFolder place_;
  const fs::path folder_ = place_.path();
};

const std::string kRead =
    "<OPENMICRODATA> \"m.asc\"\n<OPENMETADATA> \"m.rda\"\n<SPECIFYTABLE> \"Reg\"\"Size\"|\"V\"||\n"
    "<SAFETYRULE> NK(1,75)|FREQ(3,30)\n<READMICRODATA>\n";

void expect_equal(const columns::OutputTable& one, const columns::OutputTable& other) {
  ASSERT_EQ(one.columns.size(), other.columns.size());
  for (std::size_t c = 0; c < one.columns.size(); ++c) {
    EXPECT_EQ(one.columns[c].name, other.columns[c].name);
    EXPECT_EQ(one.columns[c].texts, other.columns[c].texts);
    EXPECT_EQ(one.columns[c].numbers, other.columns[c].numbers);
    EXPECT_EQ(one.columns[c].nulls, other.columns[c].nulls);
  }
}

std::vector<std::string> done_of(const ArgusRun& run) {
  std::vector<std::string> words;
  for (const ArgusNote& note : run.notes)
    words.emplace_back(to_string(note.done));
  return words;
}

TEST_F(ArgusTables, TheSameComesOutWithFilesAndWithout) {
  const std::string job = "<LOGBOOK> \"log.txt\"\n" + kRead +
                          "<SUPPRESS> OPT(1)\n<WRITETABLE> (1,5,,\"safe.tab\")\n"
                          "<WRITETABLE> (1,2,,\"safe.csv\")\n<VERSIONINFO> \"v.txt\"\n"
                          "//lacuna: public 1 \"public.json\"\n//lacuna: audit 1\n"
                          "//lacuna: result 1 \"result.json\"\n//lacuna: report 1 \"page.html\"\n"
                          "//lacuna: certificate 1 \"proof.json\"\n";
  const std::vector<std::string> before = [&] {
    const ArgusRun quiet = run(job, ArgusFiles::kNone);
    EXPECT_FALSE(quiet.refused) << quiet.refused->text();
    EXPECT_TRUE(quiet.written.empty());
    return files();
  }();
  EXPECT_EQ(before, (std::vector<std::string>{"job.arb", "m.asc", "m.rda", "reg.hrc"}));
  const ArgusRun quiet = run(job, ArgusFiles::kNone);
  const ArgusRun written = run(job, ArgusFiles::kWrite);
  ASSERT_FALSE(written.refused) << written.refused->text();
  EXPECT_EQ(written.written.size(), 10U);
  ASSERT_EQ(quiet.tables.size(), 1U);
  ASSERT_EQ(written.tables.size(), 1U);
  ASSERT_TRUE(quiet.tables[0].release);
  EXPECT_EQ(quiet.tables[0].release->judged.release.report().verdict, Verdict::kProtected);
  expect_equal(argus_status(quiet.tables[0].cells), argus_status(written.tables[0].cells));
  expect_equal(*argus_safe(quiet.tables[0]), *argus_safe(written.tables[0]));
  expect_equal(argus_unsafe(quiet.tables[0].cells), argus_unsafe(written.tables[0].cells));
  EXPECT_NE(quiet.log.find("protected"), std::string::npos);

  // What was written, read back: the same cells are withheld.
  const std::string back =
      "<OPENTABLEDATA> \"safe.tab\"\n<OPENMETADATA> \"safe.rda\"\n"
      "<SPECIFYTABLE> \"Reg\"\"Size\"|\"V\"||\n<SAFETYRULE> MAN(20)\n<READTABLE> 1T\n";
  const ArgusRun again = run(back, ArgusFiles::kNone);
  ASSERT_FALSE(again.refused) << again.refused->text();
  const columns::OutputTable mine = argus_status(quiet.tables[0].cells);
  const columns::OutputTable theirs = argus_status(again.tables[0].cells);
  ASSERT_EQ(mine.columns.size(), theirs.columns.size());
  for (std::size_t c = 0; c < 3; ++c)  // codes and letters
    EXPECT_EQ(mine.columns[c].texts, theirs.columns[c].texts);
}

TEST_F(ArgusTables, EveryCommandIsToldOf) {
  const ArgusRun done = run("<SOLVER> CPLEX,\"licence\"\n" + kRead +
                                "<SUPPRESS> GH(1,75,1)\n<WRITETABLE> (1,2,,\"safe.csv\")\n"
                                "<GOINTERACTIVE>\n<CLEAR>\n",
                            ArgusFiles::kNone);
  ASSERT_FALSE(done.refused) << done.refused->text();
  EXPECT_EQ(done_of(done),
            (std::vector<std::string>{"done differently",
                                      "done",
                                      "done",
                                      "done",
                                      "done",
                                      "done",
                                      "done differently",
                                      "done differently",
                                      "done differently",
                                      "not reached"}));
  EXPECT_EQ(done.notes[6].command, "<SUPPRESS> GH(1,75,1)");
  EXPECT_EQ(done.notes[6].line, 7U);
  EXPECT_FALSE(done.notes[6].texts.empty());
  ASSERT_FALSE(done.notes[7].texts.empty());
  EXPECT_TRUE(done.notes[7].texts.back().ends_with(" is not written"));
}

TEST_F(ArgusTables, WhatIsReadLenientlyIsToldOf) {
  const ArgusRun done = run(kRead + "<SUPPRESS> OPT(1) nonsense\n", ArgusFiles::kNone);
  ASSERT_FALSE(done.refused) << done.refused->text();
  EXPECT_NE(done.notes.back().texts.front().find("nonsense"), std::string::npos);
}

TEST_F(ArgusTables, ARefusalKeepsWhatWasDone) {
  const ArgusRun done =
      run(kRead + "<APRIORI> \"none.hst\",1,\",\"\n<SUPPRESS> OPT(1)\n", ArgusFiles::kNone);
  ASSERT_TRUE(done.refused);
  EXPECT_EQ(done_of(done).at(5), "refused");
  EXPECT_EQ(done_of(done).at(6), "not reached");
  ASSERT_EQ(done.tables.size(), 1U);
  EXPECT_FALSE(done.tables[0].is_public);
  EXPECT_FALSE(argus_safe(done.tables[0]));
  EXPECT_EQ(argus_status(done.tables[0].cells).num_rows(), done.tables[0].cells.cells.size());
  const ArgusRun unread = run("<NONSENSE>\n", ArgusFiles::kNone);
  EXPECT_TRUE(unread.refused);
  EXPECT_TRUE(unread.notes.empty());
}

TEST_F(ArgusTables, AFileThatTheJobItselfWritesIsNotThere) {
  const std::string job = kRead +
                          "<SUPPRESS> OPT(1)\n<WRITETABLE> (1,5,,\"safe.tab\")\n<CLEAR>\n"
                          "<OPENTABLEDATA> \"safe.tab\"\n<OPENMETADATA> \"safe.rda\"\n"
                          "<SPECIFYTABLE> \"Reg\"\"Size\"|\"V\"||\n<SAFETYRULE> MAN(20)\n"
                          "<READTABLE> 1T\n";
  const ArgusRun quiet = run(job, ArgusFiles::kNone);
  ASSERT_TRUE(quiet.refused);
  EXPECT_NE(quiet.refused->message.find("writes this file itself"), std::string::npos);
  const ArgusRun written = run(job, ArgusFiles::kWrite);
  ASSERT_FALSE(written.refused) << written.refused->text();
  ASSERT_EQ(written.tables.size(), 2U);  // also the one before <CLEAR>
  EXPECT_EQ(written.tables[0].part, 1);
  EXPECT_TRUE(written.tables[0].is_public);
  EXPECT_EQ(written.tables[1].part, 2);
  EXPECT_FALSE(written.tables[1].is_public);         // nothing has audited it
  const ArgusRun old = run(job, ArgusFiles::kNone);  // the file of the run before is there
  EXPECT_TRUE(old.refused);
}

TEST_F(ArgusTables, RoundedNumbersAreWhatReadersSee) {
  const ArgusRun done =
      run("<OPENMICRODATA> \"m.asc\"\n<OPENMETADATA> \"m.rda\"\n"
          "<SPECIFYTABLE> \"Reg\"\"Size\"|<freq>||\n<SAFETYRULE> FREQ(3,30)\n<READMICRODATA>\n"
          "<SUPPRESS> RND(1,5,0,10,0,2)\n",
          ArgusFiles::kNone);
  ASSERT_FALSE(done.refused) << done.refused->text();
  const auto safe = argus_safe(done.tables[0]);
  ASSERT_TRUE(safe) << safe.error().text();
  ASSERT_EQ(safe->columns.size(), 4U);
  const columns::OutputColumn& value = safe->columns[2];
  for (std::size_t row = 0; row < value.num_rows(); ++row) {
    EXPECT_FALSE(value.is_null(row));
    EXPECT_EQ(value.numbers[row] % 5, 0) << row;
  }
}

TEST_F(ArgusTables, ACheckProtectsNothing) {
  const ArgusRun done = run(kRead + "<SUPPRESS> OPT(1)\n", ArgusFiles::kWrite, true);
  ASSERT_FALSE(done.refused);
  EXPECT_FALSE(done.tables[0].release);
  EXPECT_FALSE(done.tables[0].is_public);
  EXPECT_NE(done.json.find("\"checked\""), std::string::npos);
}

}  // namespace
}  // namespace lacuna::argus_run
